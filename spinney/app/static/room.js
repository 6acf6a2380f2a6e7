// A game in progress: the board, what you may do, and what has happened.
import { ask, listen, make, notice, tabs, the } from "/static/link.js";
import { panel } from "/static/figures.js";
import { Taps } from "/static/taps.js";

const ident = location.pathname.split("/")[2];
const key = new URLSearchParams(location.search).get("key") || "";
const path = act => `/api/rooms/${ident}/${act}`;
const showTab = tabs(document.querySelector(".tabs"));

let film = null, reader = null;   // the frames on the board; a board that is not drawn, to read the events of new frames
let room = null, status = null;   // what does not change, and how the game stands
let viewer;                       // whose cards are on the screen
let sent = false;                 // whether a choice is on its way
let making = null;                // the agents that are being compiled

const taps = new Taps(() => film.board.cell / (devicePixelRatio || 1), choose);

// ---- what the server tells

const TOLD = { game: begin, step: goOn, think, making: tellMaking };

listen(`${path("live")}?key=${encodeURIComponent(key)}`, {
  message: message => TOLD[message.kind]?.(message),
  lost: () => { the.banner.textContent = "Connection lost; trying again …"; taps.offer(null); },
  gone: reason => { the.banner.textContent = reason; taps.offer(null); },
});

function begin(message) {
  room = message.room;
  const passed = viewer !== undefined && viewer !== null && message.viewer !== null && viewer !== message.viewer;
  viewer = message.viewer;
  const header = message.header || { width: 0, height: 0, grid: 0, colours: [], styles: [] };
  film = new Film(new Board(header, the.picture, the.stage));
  reader = new Board(header);
  the.log.replaceChildren();
  the.players.replaceChildren(...room.names.map((name, player) => make("li", { "data-player": player },
    make("b", { class: `a${player % 8}` }, String(player + 1)), make("span", {}, name, make("small")))));
  the.rules.replaceChildren(...room.guide.split("\n\n").filter(part => part.trim()).map(part => make("p", {}, part)));
  the.picture.hidden = !header.width;
  the.text.hidden = Boolean(header.width);
  goOn(message);
  the.cover.hidden = !passed;
  if (passed) {
    the.cover.querySelector("p").textContent = `Pass the screen to ${room.names[viewer]}.`;
    the.cover.querySelector("button").focus();
  }
  remember();
  showSaves();
}

function goOn(message) {
  status = message.status;
  sent = false;
  const wasLive = film.at >= film.last;
  if (message.frames) {
    Object.assign(film.board.header, message.header);
    for (const frame of message.frames) {
      film.frames.push(frame);
      reader.apply(frame);
      addEvents(film.last);
    }
    if (message.frames.length && wasLive) film.go(film.last);
    if (message.frames.length && message.kind === "step" && mine()) beep();
  }
  if (message.kind === "game") film.board.fit(roomFor());
  show();
}

function think({ figures }) {
  if (film.at < film.last) return;
  const who = `${room.names[figures.player]} (player ${figures.player + 1})`;
  the.thinking.replaceChildren(...panel(who, figures, room.names));
}

function tellMaking(message) {
  making = message.agents.length ? message : null;
  banner();
}

// ---- what the page shows

const mine = () => status.waiting.some(player => status.you.includes(player)) || (status.chance && status.host);
const roomFor = () => Math.max(240, innerHeight - (innerWidth < 760 ? 330 : 300));

function show() {
  const live = film.at >= film.last, { shown } = film.board;
  the.slider.max = film.last;
  the.slider.value = film.at;
  the.count.textContent = film.last > 0 ? `${film.at} / ${film.last}` : "";
  the.live.hidden = live;
  the.head.textContent = shown.head.join("");
  if (!film.board.header.width) the.text.textContent = shown.text.join("\n");
  the.picture.setAttribute("aria-label", ["The board", shown.head, ...shown.events].join("; "));
  the.players.querySelectorAll("li").forEach((line, player) => {
    line.querySelector("small").textContent = shown.facts[player] || "";
    line.toggleAttribute("data-moves", live && status.movers.includes(player));
  });
  the.position.value = shown.position.join("");
  the.log.querySelectorAll("[data-frame]").forEach(line => line.toggleAttribute("data-now", Number(line.dataset.frame) === film.at));
  taps.offer(live && !sent ? status.choices : null);
  the.undo.hidden = !status.undo;
  the.hint.hidden = status.over || !status.waiting.some(player => status.you.includes(player));
  the.resign.hidden = status.over || !status.you.length || room.agents.length < 2;
  the.rematch.hidden = !status.over || (!status.host && !status.you.length);
  const watching = status.host && !status.over && !status.you.length;
  the.pause.hidden = the.step.hidden = !watching;
  the.pause.firstChild.textContent = status.paused ? "Go on " : "Pause ";
  the.step.disabled = !status.paused;
  banner();
}

function banner() {
  const words = making && making.under_way.length
    ? `Preparing ${making.agents.join(", ")}: ${making.under_way.map(([label]) => label).join(", ")}` : "";
  const share = making ? Math.max(0, ...making.under_way.map(([, spent, estimate]) => Math.min(0.97, spent / estimate))) : 0;
  the.making.hidden = !words;
  the.making.value = share;
  the.making.title = words;
  the.banner.textContent = turn();
  the.banner.toggleAttribute("data-mine", !status.over && mine());
  document.title = `${!status.over && mine() ? "● " : ""}${room.title}`;
}

function turn() {
  if (status.over) return status.result;
  if (status.problem) return `An agent cannot go on: ${status.problem}`;
  if (viewer === -1) return "Cards are hidden: this game can be watched when it is over.";
  const who = player => `${room.names[player]}${room.names[player] === "you" ? "" : ` (player ${player + 1})`}`;
  if (status.chance) return status.host ? "Chance: say what happens." : "Chance is to move.";
  const first = status.choices && status.choices.player;
  if (mine()) return status.you.length > 1 || room.names[first] !== "you" ? `Your turn: ${who(first)}` : "Your turn";
  if (status.paused) return "Paused";
  return `${status.movers.map(who).join(" and ")} ${making ? "is being prepared" : "to move"} …`;
}

function addEvents(frame) {
  reader.shown.events.forEach((words, i) => {
    const figures = reader.shown.figures[i];
    const line = make("li", { "data-frame": frame },
      make("button", { type: "button", onclick: () => look(frame) }, words, ...figures ? [make("small", {}, figures)] : []));
    the.log.prepend(line);
  });
}

function look(frame) {
  film.go(frame);
  show();
}

function showSaves() {
  const link = (where, words) => make("a", { href: `/room/${ident}/${where}?key=${encodeURIComponent(key)}` }, words);
  const files = room.suffixes.map(suffix => [", ", link(`file/${suffix.slice(1)}`, `${suffix} file`)]).flat();
  the.saves.replaceChildren("Save or share: ", link("page", "one HTML page"), ...files);
}

// ---- what you do

async function act(name, more = {}) {
  try {
    return await ask(path(name), { key, ...more });
  } catch (error) {
    notice(error.message);
    sent = false;
    show();
    return null;
  }
}

function choose(action) {
  const { version } = status, { player } = status.choices;
  sent = true;
  the.banner.textContent = "…";
  act("choose", { player, action, version });
}

const you = () => status.waiting.find(player => status.you.includes(player)) ?? status.you[0];

async function hint() {
  the.hint.disabled = true;
  showTab("thinking");
  the.thinking.replaceChildren(make("p", { class: "note" }, "Thinking …"));
  const figures = await act("hint", { player: you() });
  the.hint.disabled = false;
  if (!figures) return;
  the.thinking.replaceChildren(...panel("Hint", figures, room.names));
  taps.mark(figures.action);
}

async function rematch() {
  const next = await act("rematch");
  if (next) location.href = `/room/${next.room}?key=${encodeURIComponent(next.key)}`;
}

the.undo.onclick = () => act("undo");
the.hint.onclick = hint;
the.pause.onclick = () => act("pause", { paused: !status.paused });
the.step.onclick = () => act("step");
the.resign.onclick = () => { if (confirm("Resign this game?")) act("resign", { player: you() }); };
the.rematch.onclick = rematch;
the.back.onclick = () => look(film.at - 1);
the.forward.onclick = () => look(film.at + 1);
the.live.onclick = () => look(film.last);
the.slider.oninput = () => look(Number(the.slider.value));
the.cover.querySelector("button").onclick = () => { the.cover.hidden = true; show(); };
the.copy.onclick = () => {
  the.position.select();
  if (navigator.clipboard) navigator.clipboard.writeText(the.position.value);
  else document.execCommand("copy");
};

const ACTS = { u: the.undo, h: the.hint, " ": the.pause, n: the.step, ",": the.back, ".": the.forward };
const WALK = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

addEventListener("keydown", event => {
  if (!status || event.altKey || event.ctrlKey || event.metaKey) return;
  if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName)) return;
  const button = ACTS[event.key];
  if (event.key === " " && event.target.tagName === "BUTTON") return;
  if (taps.press(event.key) || (WALK[event.key] && taps.walk(...WALK[event.key]))) event.preventDefault();
  else if (button && !button.hidden && !button.disabled) {
    event.preventDefault();
    button.click();
  }
});

let touch = null;  // where a finger was put on the board
the.stage.addEventListener("pointerdown", event => { touch = [event.clientX, event.clientY]; });
the.stage.addEventListener("pointerup", event => {
  const [dx, dy] = touch ? [event.clientX - touch[0], event.clientY - touch[1]] : [0, 0];
  touch = null;
  if (Math.hypot(dx, dy) < 30) return;
  taps.press(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "ArrowRight" : "ArrowLeft") : (dy > 0 ? "ArrowDown" : "ArrowUp"));
});

function fit() {
  if (!film) return;
  film.board.fit(roomFor());
  taps.show();
}
addEventListener("resize", fit);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", fit);

// ---- what the browser keeps

the.sound.checked = localStorage.getItem("sound") === "on";
the.sound.onchange = () => localStorage.setItem("sound", the.sound.checked ? "on" : "off");

function beep() {
  if (!the.sound.checked) return;
  const audio = new AudioContext(), tone = audio.createOscillator(), volume = audio.createGain();
  tone.frequency.value = 520;
  volume.gain.setValueAtTime(0.06, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 0.15);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.15);
}

/** The games of this browser, for the first page. */
function remember() {
  const games = JSON.parse(localStorage.getItem("rooms") || "[]").filter(it => it.room !== ident);
  games.unshift({ room: ident, key, title: room.title, names: room.names, when: Date.now() });
  localStorage.setItem("rooms", JSON.stringify(games.slice(0, 30)));
}
