// A game at a real table: enter what happens, hear what an agent would do.
import { ask, make, notice, the } from "/static/link.js";
import { panel } from "/static/figures.js";
import { Taps } from "/static/taps.js";

const ident = location.pathname.split("/")[2];
const path = act => `/api/tables/${ident}/${act}`;
const names = [...the.players.querySelectorAll("span")].map(place => place.firstChild.textContent);
const taps = new Taps(() => board.cell / (devicePixelRatio || 1), action => send("enter", { entry: action }));

let board = null, status = null;

async function send(act, more) {
  try {
    show(await ask(path(act), { version: status.version, ...more }));
    return true;
  } catch (error) {
    notice(error.message);
    show(await ask(`/api/tables/${ident}`));
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
  the.banner.textContent = told.over ? `The game is over: ${told.winners.join(" and ") || "nobody"} won` : `Enter: ${told.expects}`;
  the.banner.toggleAttribute("data-mine", told.advised);
  the.players.querySelectorAll("li").forEach((line, player) => {
    line.querySelector("small").textContent = shown.facts[player] || "";
    line.querySelector("output").textContent = String(told.scores[player][1]);
    line.toggleAttribute("data-moves", !told.over && told.player === player);
  });
  the.warnings.replaceChildren(...[told.note, ...told.warnings].filter(Boolean).map(words => make("li", {}, words)));
  the.log.replaceChildren(...told.log.map(([words, forced], i) => make("li", {},
    make("button", { type: "button", disabled: forced, title: forced ? "" : "Correct this", onclick: () => correct(i + 1, words) },
      make("span", { class: "step" }, String(i + 1)), words))).reverse());
  the.undo.disabled = told.log.every(([, forced]) => forced);
  the.position.value = told.position;
  the.words.value = "";
  taps.offer(told.choices);
  the.advice.hidden = true;
  if (told.advised) advise(told.version);
}

/** What the agent would do for the player who is to choose. */
async function advise(version) {
  the.advice.hidden = false;
  the.advice.replaceChildren(make("p", { class: "note" }, "Thinking …"));
  let told;
  try {
    told = await ask(path("advice"), { version });
  } catch (error) {
    if (version === status.version) the.advice.replaceChildren(make("p", { class: "note" }, error.message));
    return;
  }
  if (version !== status.version) return;
  const more = make("details", {}, make("summary", {}, "Figures"), ...panel("Search", told.figures, names));
  the.advice.replaceChildren(
    make("p", { class: "do" }, told.figures.name),
    ...told.words.map(words => make("p", {}, words)),
    ...told.figures.iterations ? [more] : []);
  taps.mark(told.figures.action);
}

async function correct(step, words) {
  let told;
  try {
    told = await ask(path("options"), { version: status.version, step });
  } catch (error) {
    return notice(error.message);
  }
  the.asked.textContent = `Step ${step} was “${words}”. ${told.words}: what was it?`;
  the.options.replaceChildren(...told.options.map(option => make("button", { value: option }, option)));
  the.correction.returnValue = "";
  the.correction.onclose = () => {
    if (the.correction.returnValue) send("correct", { step, entry: the.correction.returnValue });
  };
  the.correction.showModal();
}

const roomFor = () => Math.max(200, innerHeight - (innerWidth < 760 ? 420 : 320));

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
  if (told && (!status || told.version !== status.version)) show(told);
}
document.addEventListener("visibilitychange", look);
setInterval(look, 3000);

ask(`/api/tables/${ident}`).then(show).catch(error => { the.banner.textContent = error.message; });

const kept = JSON.parse(localStorage.getItem("tables") || "[]").filter(it => it.table !== ident);
kept.unshift({ table: ident, title: the.title.textContent, names, when: Date.now() });
localStorage.setItem("tables", JSON.stringify(kept.slice(0, 30)));
