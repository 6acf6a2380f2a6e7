// A position of a game, what agents think of it, and the moves that were tried from it.
import { ask, listen, make, notice, the } from "/static/link.js";
import { drawLine } from "/static/arrows.js";
import { curve, faults } from "/static/curve.js";
import { read } from "/static/kept.js";
import { Lines } from "/static/lines.js";
import { progress } from "/static/making.js";
import { fields, specOf } from "/static/options.js";
import { Taps } from "/static/taps.js";
import { Column } from "/static/thinking.js";

const data = JSON.parse(the.data.textContent), asked = new URLSearchParams(location.search);
const path = act => `/api/analysis/${visit}/${act}`;

let visit = "";             // the name of this page at the server, while it is connected
let told = null;            // what does not change: the game, its source, its agents
let lines = null;           // the moves that were tried
let board = null, seen = null;
let preview = null;         // steps of an expected line that are looked at, and the column that expects them
let columns = [], pointed = null;
let orders = 0;             // the number of the last thing that was asked of an agent
let looks = 0;              // the number of the last position that was asked for
let review = { number: -1, graph: null };

const taps = new Taps(() => board.cell / (devicePixelRatio || 1), choose);

// ---- where the position comes from

const source = more => ({ name: data.name, ...more });
const game = { room: asked.get("room") || "", stored: asked.get("stored") || "", number: Number(asked.get("game")) || 0 };

async function open(given) {
  let answer;
  try {
    answer = await ask("/api/analysis/open", given);
  } catch (error) {
    if (told) notice(error.message);
    else the.banner.textContent = error.message;
    the.elsewhere.open = true;
    return;
  }
  told = { ...answer, names: answer.names.map(name => name.length > 36 ? `${name.slice(0, 35)}…` : name) };
  const frame = Number(location.hash.slice(1)) || 0;
  const { room, stored, number, position } = told.source;
  const source = new URLSearchParams(room ? { room } : stored ? { stored, game: number } : { position });
  history.replaceState(null, "", `?${source}${location.hash}`);
  lines = new Lines(told.frames && told.frames.length);
  the.viewing.hidden = told.views.length < 2;
  the.view.replaceChildren(...told.views.map(view => make("option", { value: JSON.stringify(view), selected: view === told.source.view },
    view === null ? "everybody: all cards" : told.names[view])));
  the.players.replaceChildren(...told.names.map((name, player) => make("li", {},
    make("b", { class: `a${player % 8}` }, String(player + 1)), make("span", { title: answer.names[player] }, name, make("small")))));
  the.judging.hidden = !told.frames;
  the.graph.hidden = true;
  the.worst.replaceChildren();
  the["how-far"].textContent = the["curve-label"].textContent = "";
  review = { number: -1, graph: null };
  if (!columns.length) addColumn().on = true;
  await go(lines.game[Math.min(lines.game.length - 1, frame)]);
}

// ---- the position that is shown

const placeOf = (node, more = []) => ({ ...told.source, frame: node.frame, steps: [...node.steps, ...more] });

/** Go to a position. What cannot be reached is not gone to. */
async function go(node) {
  const number = ++looks;
  let look = node.look;
  try {
    look = look || await ask("/api/analysis/look", placeOf(node));
  } catch (error) {
    notice(error.message);
    if (node.parent && node.steps.length) node.parent.tries = node.parent.tries.filter(it => it !== node);
    if (node.parent && node.parent.kept === node) node.parent.kept = null;
    if (seen) show();
    return;
  }
  node.look = look;
  if (number !== looks) return;
  lines.show(node);
  if (told.frames) history.replaceState(null, "", `#${node.frame}`);
  seen = look;
  preview = null;
  for (const column of columns) column.clear();
  show();
  const throws = seen.chance && (the.auto.checked || told.source.view !== null);
  if (throws && !node.kept) throwIt();
  else think();
}

function show() {
  board = new Board(seen.header, the.picture, the.stage);
  board.apply(seen.frame);
  the.picture.hidden = the.arrows.style.display = "";
  the.picture.hidden = !seen.header.width;
  the.text.hidden = Boolean(seen.header.width);
  the.text.textContent = board.shown.text.join("\n");
  the.head.textContent = board.shown.head.join("");
  the.picture.setAttribute("aria-label", ["The position", ...board.shown.head].join("; "));
  the.players.querySelectorAll("li").forEach((line, player) => {
    line.querySelector("small").textContent = board.shown.facts[player] || "";
    line.toggleAttribute("data-moves", seen.movers.includes(player));
  });
  the.position.value = board.shown.position.join("");
  the.link.href = `?${new URLSearchParams({ position: the.position.value })}`;
  the.banner.textContent = words();
  the.previewing.hidden = !preview;
  the.throw.hidden = Boolean(preview) || seen.over || !(seen.chance || seen.choices === null);
  the.throw.textContent = seen.chance ? "Throw" : `Let player ${seen.player + 1} choose`;
  the["by-itself"].hidden = !seen.chance || told.source.view !== null;
  const movers = seen.movers.filter(player => told.source.view === null || player === told.source.view);
  the.whose.hidden = movers.length < 2;
  the.player.replaceChildren(...movers.map(player => make("option", { value: player }, told.names[player])));
  fit();
  taps.offer(preview ? null : seen.choices);
  showMoves();
  showGraph();
}

function words() {
  const who = player => `${told.names[player]}${told.names[player] === `player ${player + 1}` ? "" : ` (player ${player + 1})`}`;
  if (preview) return `After ${preview.steps.length} step${preview.steps.length > 1 ? "s" : ""} of the line: ${preview.steps.at(-1).words || "chance"}`;
  if (seen.over) return `The game is over: rewards ${seen.rewards.map(it => Number(it.toFixed(3))).join(", ")}`;
  if (seen.chance) return told.source.view === null ? "Chance: choose what happens, or throw" : "Chance";
  if (seen.choices === null) return `${who(seen.player)} to move, whose cards are hidden`;
  const others = seen.movers.length - 1;
  return `${who(seen.player)} to move${others ? `; ${others} other${others > 1 ? "s" : ""} at the same time` : ""}`;
}

function choose(action) {
  go(lines.after(lines.at, [seen.player ?? -1, action]));
}

/** Chance, or a player whose cards are hidden, does something. */
function throwIt() {
  go(lines.after(lines.at, [seen.chance ? -1 : seen.player, -1 - Math.floor(Math.random() * 2 ** 30)]));
}

function showMoves() {
  const { at } = lines, branch = lines.branch(at), item = (node, words, more = {}) => make("li", { "data-now": node === at, ...more },
    make("button", { type: "button", "aria-current": node === at && "true", onclick: () => go(node) }, ...words));
  const tries = branch.map(node => {
    const all = node.parent.tries, text = node.look ? node.look.words : "…", mover = node.steps.at(-1)[0];
    const who = make("b", { class: mover < 0 ? "chance" : `a${mover % 8}` }, mover < 0 ? "?" : String(mover + 1));
    return item(node, [who, text, ...all.length > 1 ? [make("small", {}, `try ${all.indexOf(node) + 1} of ${all.length}`)] : []], { class: "try" });
  });
  const from = branch.length ? lines.origin(branch[0]) : null;
  const rows = told.frames ? told.frames.flatMap((events, frame) => {
    const node = lines.game[frame];
    return [item(node, [make("small", {}, String(frame)), events.join("; ") || "the beginning"]), ...node === from ? tries : []];
  }) : [item(lines.game[0], ["the position"]), ...tries];
  the.moves.replaceChildren(...rows);
  const now = the.moves.querySelector("[data-now]");
  if (now) the.moves.scrollTop = now.offsetTop - the.moves.clientHeight / 2;
  the.rejoin.hidden = !told.frames || lines.isGame(at);
  the.back.disabled = the.first.disabled = !at.parent;
  the.forward.disabled = the.last.disabled = !lines.next(at);
  the.count.textContent = told.frames ? `${at.frame} / ${lines.game.length - 1}${at.steps.length ? ` + ${at.steps.length}` : ""}` : `${at.steps.length}`;
}

function back() {
  let node = lines.at.parent;
  const thrown = it => it.look && it.look.chance && it.steps.length && (the.auto.checked || told.source.view !== null);
  while (node && thrown(node)) node = node.parent;
  if (node) go(node);
}

function forward() {
  let node = lines.next(lines.at);
  while (node && node.look && node.look.chance && node.kept) node = node.kept;
  if (node) go(node);
}

function toEnd() {
  let node = lines.at;
  if (lines.isGame(node) && told.frames) return go(lines.game.at(-1));
  while (node.kept) node = node.kept;
  return go(node);
}

the.first.onclick = () => go(told.frames ? lines.game[0] : lines.origin(lines.at));
the.back.onclick = back;
the.forward.onclick = forward;
the.last.onclick = toEnd;
the.rejoin.onclick = () => go(lines.origin(lines.at));
the.throw.onclick = throwIt;

// ---- what agents think

function addColumn() {
  const at = [0, 1].find(number => columns.every(column => column.at !== number));
  const column = new Column(at, told.agents, { usual: data.seconds, most: data.most }, ACTS, columns.length ? () => {
    if (column.running) ACTS.stop(column);
    columns = columns.filter(it => it !== column);
    column.element.remove();
    pointed = columns[0];
    the.second.hidden = false;
    draw();
  } : null);
  columns.push(column);
  pointed = pointed || column;
  the.columns.append(column.element);
  the.second.hidden = columns.length > 1;
  return column;
}

the.second.onclick = () => {
  const column = addColumn(), others = [...column.agent.options].map(option => option.value);
  column.agent.value = others.find(name => name !== columns[0].agent.value) || others[0];
  column.agent.focus();
  ACTS.go(column);
};

/** End what an agent thinks. */
function end(column) {
  if (visit) ask(path("stop"), { column: column.at }).catch(error => notice(error.message));
}

const ACTS = {
  async go(column) {
    column.clear();
    column.on = true;
    if (!visit) return;  // it begins when the page is connected
    if (preview) leave();
    if (!isOpen()) return column.say("Nothing to think about here");
    column.wanted = ++orders;
    column.run(true);
    column.say("…");
    try {
      await ask(path("think"), {
        place: placeOf(lines.at), column: column.at, agent: column.spec, seconds: Number(column.seconds.value),
        player: the.whose.hidden ? null : Number(the.player.value), number: column.wanted,
      });
    } catch (error) {
      column.run(false);
      column.say(error.message);
      end(column);
    }
  },
  stop(column) {
    column.on = false;
    end(column);
  },
  tree(column) {
    column.on = false;
    globalThis.open(`/analysis/${visit}/tree/${column.at}`, "_blank", "noopener");
  },
  pick(player, action) {
    if (!preview && seen.player === player) choose(action);
    else if (!preview) notice("Another player chooses first");
  },
  async preview(column, steps) {
    const number = ++looks, moves = steps.map(step => [step.mover, step.action]);
    try {
      const look = await ask("/api/analysis/look", placeOf(lines.at, moves));
      if (number !== looks) return;
      preview = { steps, column };
      seen = look;
      show();
      the.stage.scrollIntoView({ block: "nearest" });
    } catch (error) {
      notice(error.message);
    }
  },
  point(column) {
    pointed = column;
    draw();
  },
};

/** Whether somebody is to choose in the position that is shown, so that an agent can. */
const isOpen = () => !seen.over && seen.movers.length && seen.choices !== null;

/** The agents think about the position that is shown, if they do think. */
let later = 0;
function think() {
  clearTimeout(later);
  for (const column of columns) if (column.running) column.wanted = -1;
  if (seen) later = setTimeout(() => columns.filter(column => column.on).forEach(column => {
    if (!isOpen()) {
      if (column.running) end(column);
      column.run(false);
      column.say("Nothing to think about here");
    } else ACTS.go(column);
  }), 150);
}
the.player.onchange = think;

function draw() {
  if (!board) return;
  const steps = preview ? [] : pointed && pointed.found ? pointed.found.steps : [];
  drawLine(the.arrows, seen.header, board.cell / (devicePixelRatio || 1), steps);
}

/** End the preview of a line. */
function leave() {
  preview = null;
  seen = lines.at.look;
  show();
}
the.reject.onclick = leave;
the.accept.onclick = async () => {
  const { steps } = preview;
  preview = null;
  let node = lines.at;
  for (const step of steps) {
    node = lines.after(node, [step.mover, step.action]);
    node.look = node.look || await ask("/api/analysis/look", placeOf(node)).catch(() => null);
  }
  await go(node);
};

const HEARD = {
  hello(message) {
    visit = message.visit;
    the.banner.textContent = seen ? words() : the.banner.textContent;
    think();
  },
  think(message) {
    const column = columns.find(it => it.at === message.column);
    if (!column || message.number !== column.wanted) return;
    column.say("");
    if (message.figures) column.tell(message.figures);
    if (message.done) column.run(false);
    if (message.problem) column.say(message.problem);
    if (column === pointed) draw();
  },
  making(message) {
    for (const column of columns) {
      const parts = message.columns[column.at];
      if (parts && column.running) column.say(`Preparing the agent: ${progress(parts) || "…"}`);
    }
  },
  review(message) {
    if (message.number !== review.number) return;
    the.judged.hidden = message.done;
    the.judge.textContent = message.done ? "Find the worst decisions" : "Stop";
    review.running = !message.done;
    if (message.problem) {
      the["how-far"].textContent = message.problem;
      return;
    }
    the.judged.value = message.of ? message.judged / message.of : 1;
    the["how-far"].textContent = message.of ? `${message.judged} of ${message.of} decisions` : "";
    review.graph = message.graph;
    showReview();
  },
};

listen("/api/analysis/live", {
  message: message => HEARD[message.kind]?.(message),
  lost: () => {
    visit = "";
    for (const column of columns) if (column.running) column.run(false);
    the.banner.textContent = "Connection lost; trying again …";
  },
  gone: reason => { the.banner.textContent = reason; },
});

// ---- the whole game

the.judge.onclick = async () => {
  if (review.running) return void ask(path("stop"), { column: null }).catch(error => notice(error.message));
  review = { number: ++orders, graph: review.graph, running: true };
  the.judge.textContent = "Stop";
  the.judged.hidden = false;
  the.judged.removeAttribute("value");
  try {
    await ask(path("review"), { source: told.source, seconds: Number(the.each.value), number: review.number });
  } catch (error) {
    HEARD.review({ number: review.number, done: true, problem: error.message });
  }
};

function showReview() {
  const { graph } = review, last = Math.max(1, lines.game.length - 1), jump = frame => {
    go(lines.game[frame]);
    the.stage.scrollIntoView({ block: "nearest" });
  };
  the.graph.hidden = false;
  the.graph.replaceChildren(curve(graph, last, jump, review.running));
  the["curve-label"].textContent = `${graph.label}. ${graph.about}`;
  const none = review.running ? "" : graph.none;
  the.worst.replaceChildren(...graph.worst.length ? faults(graph, jump) : [make("li", { class: "note" }, none)]);
  showGraph();
}

/** Where in the graph the position is. */
function showGraph() {
  const now = the.graph.querySelector(".now");
  if (now) now.style.left = `${100 * lines.at.frame / Math.max(1, lines.game.length - 1)}%`;
  document.querySelectorAll("[data-frame]").forEach(place => place.toggleAttribute("data-now", Number(place.dataset.frame) === lines.at.frame));
}

// ---- another position

the.view.onchange = () => {
  const { room, stored, number } = told.source, fresh = !told.frames && !pasted;
  open(source({ room, stored, number, position: told.frames ? "" : pasted, view: JSON.parse(the.view.value), spec: fresh ? told.game : "" }));
};
let pasted = asked.get("position") || "";
the.load.onsubmit = event => {
  event.preventDefault();
  pasted = the.paste.value.trim();
  if (pasted) open(source({ position: pasted }));
};
the.auto.checked = localStorage.getItem("throws") === "on";
the.auto.onchange = () => localStorage.setItem("throws", the.auto.checked ? "on" : "off");
const form = fields(data.options, () => {});
the.options.append(...form.elements);
the.begin.onsubmit = event => {
  event.preventDefault();
  pasted = "";
  open(source({ spec: specOf(data.name, form.values()) }));
};
the.copy.onclick = () => {
  the.position.select();
  if (navigator.clipboard) navigator.clipboard.writeText(the.position.value);
  else document.execCommand("copy");
};
const rooms = read("rooms").filter(room => room.title === data.title).slice(0, 8);
the.rooms.hidden = !rooms.length;
the.rooms.append(...rooms.map(room => make("a", { href: `?${new URLSearchParams({ room: room.room })}` },
  `${room.names.join(" v ")}, ${new Date(room.when).toLocaleString()}`)));

// ---- keys and sizes

const STEPS = {
  ArrowLeft: back, ArrowRight: forward, Home: () => the.first.click(), End: toEnd,
  ArrowUp: () => go(lines.beside(lines.at, -1)), ArrowDown: () => go(lines.beside(lines.at, 1)),
};
const WALK = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

addEventListener("keydown", event => {
  const { key, target } = event;
  if (!seen || event.altKey || event.ctrlKey || event.metaKey || ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName)) return;
  if (key === " " && ["BUTTON", "SUMMARY"].includes(target.tagName)) return;
  const here = the.places.contains(target) || the.buttons.contains(target);
  const done = (here || !STEPS[key]) && (taps.press(key) || (WALK[key] && taps.walk(...WALK[key])));
  if (done) event.preventDefault();
  else if (key === "Escape" && preview) leave();
  else if (STEPS[key] && !here) {
    event.preventDefault();
    STEPS[key]();
  } else if (key === " ") {
    event.preventDefault();
    const running = columns.some(column => column.running);
    for (const column of columns) if (column.running || !running) column.button.click();
  }
});

function fit() {
  if (!board) return;
  board.fit(Math.max(240, Math.min(640, innerHeight - (innerWidth < 760 ? 330 : 260))));
  taps.show();
  draw();
}
addEventListener("resize", fit);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", fit);

open(source({ ...game, position: pasted }));
