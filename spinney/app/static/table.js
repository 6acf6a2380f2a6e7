// A game at a real table: enter what happens, hear what an agent would do.
import { ask, make, notice, the } from "/static/link.js";
import { panel } from "/static/figures.js";
import { read } from "/static/kept.js";
import { progress } from "/static/making.js";
import { Taps } from "/static/taps.js";

const ident = location.pathname.split("/")[2];
const path = act => `/api/tables/${ident}/${act}`;
const names = [...the.players.querySelectorAll(".name")].map(place => place.textContent);
const taps = new Taps(() => board.cell / (devicePixelRatio || 1), action => send("enter", { entry: action }));
const LISTED = 24;  // the most buttons of a correction

let board = null, status = null;
let making = null, replaced = false;  // the agent while it is made, and whether another has advised meanwhile

async function send(act, more) {
  try {
    show(await ask(path(act), { version: status.version, ...more }));
    return true;
  } catch (error) {
    notice(error.message);
    const told = await ask(`/api/tables/${ident}`).catch(() => null);
    if (told && told.version !== status.version) show(told);
    else taps.offer(status.choices);
    return false;
  }
}

function show(told) {
  status = told;
  board = new Board(told.header, the.picture, the.stage);
  board.apply(told.frame);
  the.picture.hidden = !told.header.width;
  the.text.hidden = Boolean(told.header.width);
  the.text.textContent = board.shown.text.join("\n");
  board.fit(roomFor());
  const { shown } = board;
  the.head.textContent = shown.head.join("");
  the.banner.textContent = told.over ? `The game is over: ${told.result}` : told.expects;
  the.banner.toggleAttribute("data-mine", told.advised);
  the.words.placeholder = told.example ? `such as ${told.example}` : "or in words";
  the.players.querySelectorAll("li").forEach((line, player) => {
    line.querySelector("small").textContent = shown.facts[player] || "";
    line.querySelector("output").textContent = told.scored ? String(told.scores[player][1]) : "";
    line.toggleAttribute("data-moves", !told.over && told.player === player);
  });
  showSheet(told.sheet);
  the.warnings.replaceChildren(...[told.note, ...told.warnings].filter(Boolean).map(words => make("li", {}, words)));
  the.log.replaceChildren(...told.log.map(([words, forced], i) => make("li", {},
    make("button", { type: "button", disabled: forced, title: forced ? "" : "Correct this", onclick: () => correct(i + 1, words) },
      make("span", { class: "step" }, String(i + 1)), words))).reverse());
  the.undo.disabled = told.log.every(([, forced]) => forced);
  the.form.toggleAttribute("data-over", told.over);
  the.position.value = told.position;
  the.words.value = "";
  taps.offer(told.choices);
  showMaking(told.making);
  the.advice.hidden = true;
  if (told.advised) advise(told.version);
}

/** How far the agent is; until it is ready, a hand-written player advises. */
function showMaking(made) {
  making = made;
  the.preparing.hidden = !made;
  if (made) the.preparing.textContent = `Preparing ${made.agent} (${progress(made.progress) || "…"}). Until it is ready, a hand-written player advises.`;
}

/** The points of each round, if there are several. */
function showSheet(rows) {
  the.sheet.hidden = rows.length < 2;
  const row = (kind, title, cells) => make("tr", {}, make("th", { scope: "row" }, title), ...cells.map(cell => make(kind, { class: "n" }, String(cell))));
  the.sheet.replaceChildren(row("th", "round", names), ...rows.map(([round, points]) => row("td", String(round), points)));
}

/** What a person would tap for an action. */
function labelOf(action, name) {
  const found = status.choices && status.choices.actions.find(([number]) => number === action);
  return found ? found[2].map(tap => status.choices.taps[tap][0]).join(", ") : name;
}

/** What the agent would do for the player who is to choose. */
async function advise(version) {
  the.advice.hidden = false;
  the.advice.replaceChildren(make("p", { class: "more" }, "Thinking about your choice …"));
  let told;
  try {
    told = await ask(path("advice"), { version });
  } catch (error) {
    if (version === status.version) the.advice.replaceChildren(make("p", { class: "more" }, error.message));
    return;
  }
  if (version !== status.version || !told.figures) return;
  replaced = told.replaced;
  const lines = list => list.map(words => make("p", { class: "more" }, words));
  const more = make("details", {}, make("summary", {}, "Figures"), ...lines(told.reasons.length ? told.values : []),
    ...panel("Search", told.figures, names));
  the.advice.replaceChildren(
    make("p", { class: "do" }, labelOf(told.figures.action, told.figures.name)),
    ...lines(told.reasons.length ? told.reasons : told.values),
    ...told.figures.iterations ? [more] : []);
  taps.mark(told.figures.action);
}

// ---- corrections

let wrong = 0;

async function correct(step, words) {
  let told;
  try {
    told = await ask(path("options"), { version: status.version, step });
  } catch (error) {
    return notice(error.message);
  }
  wrong = step;
  the.asked.textContent = `Entry ${step} is “${words}”. What was it? ${told.words}`;
  const { actions } = told.choices;
  the.choices.replaceChildren(...actions.slice(0, LISTED).map(([action, name]) =>
    make("button", { type: "button", onclick: () => replace(action) }, name)));
  the.meant.value = "";
  the.meant.placeholder = actions.length > LISTED ? `such as ${told.example}` : "or in words";
  the.correction.showModal();
}

async function replace(entry) {
  if (await send("correct", { step: wrong, entry })) the.correction.close();
}

the.right.onsubmit = event => {
  event.preventDefault();
  if (the.meant.value.trim()) replace(the.meant.value);
};
the.leave.onclick = () => the.correction.close();

// ---- entering

const roomFor = () => Math.max(200, innerHeight - (innerWidth < 760 ? 300 : 120));

the.form.onsubmit = event => {
  event.preventDefault();
  if (the.words.value.trim()) send("enter", { entry: the.words.value });
};
the.undo.onclick = () => send("undo", {});
the.copy.onclick = () => { the.position.select(); document.execCommand("copy"); };

const WALK = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
addEventListener("keydown", event => {
  if (!status || event.altKey || event.ctrlKey || event.metaKey || the.correction.open) return;
  if (["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName)) return;
  if (taps.press(event.key) || (WALK[event.key] && taps.walk(...WALK[event.key]))) event.preventDefault();
  else if (event.key === "Backspace" && !the.undo.disabled) the.undo.click();
});

function fit() {
  if (!board) return;
  board.fit(roomFor());
  taps.show();
}
addEventListener("resize", fit);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", fit);

/** Another device may have entered something. */
async function look() {
  if (document.visibilityState !== "visible" || the.correction.open) return;
  const told = await ask(`/api/tables/${ident}`).catch(() => null);
  if (!told) return;
  if (!status || told.version !== status.version) show(told);
  else {
    showMaking(told.making);
    if (replaced && !making && told.advised) advise(told.version);
    if (!making) replaced = false;
  }
}
document.addEventListener("visibilitychange", look);
const watch = () => look().finally(() => setTimeout(watch, making ? 800 : 3000));
setTimeout(watch, 800);

ask(`/api/tables/${ident}`).then(show).catch(error => { the.banner.textContent = error.message; });

const kept = read("tables").filter(it => it.table !== ident);
kept.unshift({ table: ident, title: the.title.textContent, names, when: Date.now() });
localStorage.setItem("tables", JSON.stringify(kept.slice(0, 30)));
