// A game in progress: the board, what you may do, and what has happened.
import { ask, listen, make, notice, tabs, the } from "/static/link.js";
import { panel } from "/static/figures.js";
import { read } from "/static/kept.js";
import { progress, share } from "/static/making.js";
import { Orders } from "/static/orders.js";
import { Taps } from "/static/taps.js";

const ident = location.pathname.split("/")[2];
const path = act => `/api/rooms/${ident}/${act}`;
const key = await arrive(new URLSearchParams(location.search).get("key") || "");
const showTab = tabs(document.querySelector(".tabs"));
const STEP = 350, MOST = 1400;     // milliseconds between frames that have come together, and for all of them
const PACES = [3, 2, 1, 0.6, 0.4, 0.15, 0];  // seconds between steps of agents, from slow to fast

let film = null, reader = null;   // the frames on the board; a board that is not drawn, to read the events of new frames
let room = null, status = null;   // what does not change, and how the game stands
let viewer;                       // whose cards are on the screen
let follows = true;               // whether new frames are shown when they come
let pacing = 0;                   // the timer of the next of several frames
let sent = false;                 // whether a choice is on its way
let hinted = null;                // the version and the action of the last hint
let making = null;                // the agents that are being compiled
const panels = new Map();         // the figures of each seat

const taps = new Taps(() => film.board.cell / (devicePixelRatio || 1), number => room.turns ? orders.choose(number) : choose(number));
const orders = new Orders(taps, giveOrders);

/** The key of this browser: in place of an invitation, which is good for one device, it makes one of its own. */
async function arrive(given) {
  if (!given) return given;
  const device = localStorage.getItem("device")
    || [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("");
  localStorage.setItem("device", device);
  try {
    const own = await ask(path("arrive"), { key: given, own: `${device}-${given}`.slice(0, 64) });
    if (own.key !== given) history.replaceState(null, "", `?key=${encodeURIComponent(own.key)}`);
    return own.key;
  } catch (error) {
    notice(error.message);
    return given;
  }
}

// ---- what the server tells

const TOLD = { game: begin, step: goOn, think, making: tellMaking };

listen(`${path("live")}?key=${encodeURIComponent(key)}`, {
  message: message => TOLD[message.kind]?.(message),
  lost: () => stop("Connection lost; trying again …"),
  gone: stop,
});

function stop(words) {
  the.banner.textContent = words;
  offer(null);
}

function begin(message) {
  ({ room, status } = message);
  const passed = room.cards && message.viewer !== null && message.viewer !== viewer && status.you.length > 1;
  viewer = message.viewer;
  recolour();
  const header = message.header || { width: 0, height: 0, grid: 0, colours: [], styles: [] };
  film = new Film(new Board(header, the.picture, the.stage));
  reader = new Board(header);
  follows = true;
  the.log.replaceChildren();
  the.players.replaceChildren(...room.names.map((name, player) => make("li", { "data-player": player },
    make("b", { class: `a${player % 8}` }, String(player + 1)),
    make("span", {}, name, isYou(player) ? " (you)" : "", make("small")))));
  the.rules.replaceChildren(...room.guide.split("\n\n").filter(part => part.trim()).map(part => make("p", {}, part)));
  the.picture.hidden = !header.width;
  the.text.hidden = Boolean(header.width);
  cover(passed);
  goOn(message);
  if (room.agents.every(agent => agent)) showTab("thinking");
  remember();
}

/** The colours that were chosen for players take the places of the usual ones. */
function recolour() {
  const root = document.documentElement, name = i => `--agent-${i}`;
  for (let i = 0; i < 8; i++) root.style.removeProperty(name(i));
  const usual = getComputedStyle(root), values = Array.from({ length: 8 }, (_, i) => usual.getPropertyValue(name(i)));
  room.colours.forEach((colour, player) => { if (colour !== null) root.style.setProperty(name(player % 8), values[colour]); });
}

function goOn(message) {
  const own = sent;
  status = message.status;
  the.room.toggleAttribute("data-making", Boolean(status.making.length));
  setSent(false);
  showInvitations();
  if (message.frames) {
    Object.assign(film.board.header, message.header);
    const said = [];
    for (const frame of message.frames) {
      film.frames.push(frame);
      reader.apply(frame);
      addEvents(film.last);
      said.push(...reader.shown.events);
    }
    if (message.kind === "step") {
      the.said.textContent = said.slice(-6).join("; ");
      if (mine()) beep();
    }
  }
  if (message.kind === "game") {
    if (film.frames.length) film.go(film.last);
    film.board.fit(roomFor());
    show();
  } else if (follows) follow(own);
  else show();
}

/** Show the frames that are new, one after the other if they have come together; the first at once if it is your own. */
function follow(own = false) {
  clearTimeout(pacing);
  const left = film.last - film.at, since = performance.now() - film.since;
  const step = film.still.matches ? 0 : Math.min(STEP, MOST / Math.max(1, left));
  if (left > 0 && since < step && !own) pacing = setTimeout(follow, step - since);
  else if (left > 0) {
    film.go(film.at + 1);
    if (left > 1) pacing = setTimeout(follow, step);
  }
  show();
}

function think({ player, seconds, iterations, figures }) {
  if (status.over) return;
  the.doing.textContent = `${named(player)}: ${iterations.toLocaleString("en")} simulations in ${seconds.toFixed(1)} s`;
  if (!figures || !follows) return;
  showFigures(player, panel(named(player), figures, room.names));
}

/** The figures of a seat, in the order of the seats; of a hint, before them. */
function showFigures(seat, content) {
  if (!panels.has(seat)) panels.set(seat, make("section"));
  panels.get(seat).replaceChildren(...content);
  the.thinking.replaceChildren(...[...panels].sort(([a], [b]) => a - b).map(([, section]) => section));
}

function tellMaking(message) {
  making = message.agents.length ? message : null;
  the.room.toggleAttribute("data-making", Boolean(making));
  if (status) banner();
}

// ---- what the page shows

const mine = () => status.waiting.some(player => status.you.includes(player));
const roomFor = () => Math.max(240, innerHeight - (innerWidth < 760 ? 330 : room.turns ? 360 : 315));  // all buttons are to be seen
const isYou = player => status.you.length === 1 && status.you[0] === player;
const named = player => isYou(player) ? "you" : room.names[player].startsWith("player ") ? room.names[player] : `${room.names[player]} (player ${player + 1})`;
const isCovered = () => !the.cover.hidden;

function show() {
  const live = film.at >= film.last, { shown } = film.board;
  the.slider.max = film.last;
  the.slider.value = film.at;
  the.count.textContent = film.last > 0 ? `${film.at} / ${film.last}` : "";
  the.live.hidden = follows;
  the.head.textContent = shown.head.join("");
  if (!film.board.header.width) the.text.textContent = shown.text.join("\n");
  the.picture.setAttribute("aria-label", ["The board", shown.head, ...shown.events].join("; "));
  the.players.querySelectorAll("li").forEach((line, player) => {
    line.querySelector("small").textContent = shown.facts[player] || "";
    line.toggleAttribute("data-moves", live && status.movers.includes(player));
    line.toggleAttribute("data-wins", live && status.over && status.winners.includes(player));
  });
  the.position.value = shown.position.join("");
  the.log.querySelectorAll("[data-frame]").forEach(line => line.toggleAttribute("data-now", Number(line.dataset.frame) === film.at));
  offer(live && !sent && !isCovered() ? status.choices : null);
  showLast();
  const waits = mine();
  the.undo.hidden = !status.undo;
  the.hint.hidden = !waits || room.turns;
  the.resign.hidden = status.over || !status.you.length || room.agents.length < 2;
  the.rematch.hidden = !status.over || !(status.host || (status.next && status.you.length));
  const watching = status.host && !status.over && !status.you.length;
  the.pause.hidden = the.step.hidden = the.pace.hidden = !watching;
  the.pause.firstChild.textContent = status.paused ? "Go on " : "Pause ";
  the.step.disabled = !status.paused;
  if (document.activeElement !== the.speed) the.speed.value = PACES.findIndex(pace => pace <= status.pace);
  showSaves();
  if (!waits || the.reason.dataset.version !== status.version) the.reason.hidden = true;
  banner();
}

function offer(choices) {
  const turn = choices && choices.orders;
  if (turn) orders.offer(choices, `${ident}.${choices.player}.${status.version}`);
  else {
    orders.hide();
    if (film) taps.offer(choices);
    if (choices && hinted?.version === status.version && !taps.marked) taps.mark(hinted.action);
  }
}

/** Mark the places of the last choice. */
function showLast() {
  const last = film.frames[film.at]?.last || [], size = film.board.cell / (devicePixelRatio || 1);
  the.last.replaceChildren(...last.map(([player, x, y, width, height]) => make("i", {
    style: `left:${(x + 0.5 - width / 2) * size}px;top:${(y + 0.5 - height / 2) * size}px;`
      + `width:${width * size}px;height:${height * size}px;border-color:var(--agent-${player % 8})`,
  })));
}

function banner() {
  const words = making ? progress(making.under_way) : "";
  the.making.hidden = !words;
  the.making.value = making ? share(making.under_way) : 0;
  if (words) the.doing.textContent = `Compiling ${words}. Until it is ready, a hand-written player plays for ${making.agents.join(", ")}.`;
  else if (status.over || mine() || the.doing.textContent.startsWith("Compiling")) the.doing.textContent = "";
  const text = turn(), my = !status.over && mine() && !(follows && film.at < film.last);
  if (the.banner.textContent !== text) the.banner.textContent = text;
  the.banner.toggleAttribute("data-mine", my);
  document.title = `${my ? "● " : ""}${room.title}`;
  const clock = Boolean(room.patience && my && !isCovered());
  if (the.clock.dataset.version !== status.version || the.clock.hidden === clock) {
    the.clock.dataset.version = status.version;
    the.clock.hidden = !clock;
    const bar = make("i", { style: `animation-duration:${room.patience || 0}s` });
    the.clock.replaceChildren(bar);
  }
}

function turn() {
  if (follows && film.at < film.last) return sentence(film.board.shown.events.join("; ")) || "…";
  if (status.over) return ending();
  if (status.problem) return `An agent cannot go on: ${status.problem}`;
  if (viewer === -1) return "Cards are hidden: this game can be watched when it is over.";
  if (isCovered()) return `Pass the screen to ${room.names[viewer]}.`;
  const first = status.choices ? status.choices.player : null;
  if (mine()) return status.you.length > 1 ? `Your turn: ${named(first)}` : "Your turn";
  if (status.paused) return "Paused";
  return `${status.movers.map(named).join(" and ")} to move …`;
}

function ending() {
  const { winners, resigned } = status, players = room.names.length;
  if (players === 1) return status.result;
  const begin = resigned === null ? "" : `${sentence(named(resigned))} resigned. `;
  if (!winners.length || winners.length === players) return begin || "A draw";
  const win = `${sentence(winners.map(named).join(" and "))} win${winners.length > 1 || winners.some(isYou) ? "" : "s"}`;
  return begin + (status.you.length === 1 && !winners.some(isYou) ? `You lose: ${win}` : win);
}

const sentence = words => words.charAt(0).toUpperCase() + words.slice(1);

function addEvents(frame) {
  reader.shown.events.forEach((words, i) => {
    const figures = reader.shown.figures[i];
    const line = make("li", { "data-frame": frame },
      make("button", { type: "button", onclick: () => look(frame) }, ownWords(words), ...figures ? [make("small", {}, figures)] : []));
    the.log.prepend(line);
  });
}

/** Who is the only person reads "you" in place of the number. */
function ownWords(words) {
  const [player] = status.you, only = status.you.length === 1 && room.agents.filter(agent => !agent).length === 1;
  const begin = `player ${player + 1}: `;
  return only && words.startsWith(begin) ? `you: ${words.slice(begin.length)}` : words;
}

function look(frame) {
  clearTimeout(pacing);
  film.go(frame);
  follows = film.at >= film.last;
  show();
}

/** Hide the cards until the next person has the screen. */
function cover(on) {
  the.cover.hidden = !on;
  the.room.toggleAttribute("data-covered", on);
  if (!on) return;
  the.cover.querySelector("p").textContent = `Pass the screen to ${room.names[viewer]}.`;
  the.cover.querySelector("button").focus();
}

function showSaves() {
  const link = (where, words) => make("a", { href: `/room/${ident}/${where}?key=${encodeURIComponent(key)}` }, words);
  const whole = status.over && status.resigned === null;
  const files = whole ? room.suffixes.map(suffix => [", ", link(`file/${suffix.slice(1)}`, `${suffix} file`)]).flat() : [];
  const shared = !room.cards || status.over;
  the.saves.replaceChildren("Save or share: ", ...shared ? [link("page", "one HTML page"), ...files] : ["when the game is over"]);
  const place = `/analyse/${encodeURIComponent(room.name)}?room=${ident}#${film.at}`;
  the.analyse.replaceChildren(...shared ? [make("a", { href: place }, "Analyse this position")] : []);
}

function showInvitations() {
  const invited = Object.entries(status.invited), told = JSON.stringify(invited);
  if (the.invitations.dataset.told === told) return;
  the.invitations.dataset.told = told;
  the.invitations.hidden = !invited.length;
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  the.invitations.replaceChildren(...invited.map(([player, theirs]) => {
    if (theirs === null) return make("p", { class: "note" }, `${sentence(room.names[player])} has arrived.`);
    const address = `${location.origin}/room/${ident}?key=${encodeURIComponent(theirs)}`;
    return make("details", { open: status.version.endsWith(".0") },
      make("summary", {}, `Invite ${room.names[player]}`),
      make("img", { src: `/room/${ident}/qr/${player}?key=${encodeURIComponent(key)}`, alt: "QR code of the invitation", width: 150, height: 150 }),
      make("p", {}, make("input", { type: "text", readonly: true, value: address, "aria-label": `Invitation for ${named(Number(player))}`, onfocus: event => event.target.select() }),
        make("button", { type: "button", onclick: event => copy(event.target.previousSibling) }, "Copy")));
  }), ...local && invited.some(([, theirs]) => theirs) ? [make("p", { class: "note" }, "Other devices reach this app only if it was started with --host 0.0.0.0.")] : []);
}

// ---- what you do

async function act(name, more = {}) {
  try {
    return await ask(path(name), { key, ...more });
  } catch (error) {
    notice(error.message);
    setSent(false);
    show();
    return null;
  }
}

function choose(action) {
  const { version } = status, { player } = status.choices;
  setSent(true);
  the.reason.hidden = true;
  act("choose", { player, action, version });
}

function giveOrders(player, given) {
  setSent(true);
  offer(null);
  act("order", { player, orders: given, version: status.version });
}

function setSent(on) {
  sent = on;
  the.stage.setAttribute("aria-busy", on);
}

const you = () => status.waiting.find(player => status.you.includes(player)) ?? status.you[0];

async function hint() {
  const { version } = status;
  the.hint.disabled = true;
  the.reason.hidden = false;
  the.reason.dataset.version = version;
  the.reason.textContent = "Thinking …";
  const told = await act("hint", { player: you(), version });
  the.hint.disabled = false;
  if (!told || told.version !== status.version) {
    the.reason.hidden = true;
    return;
  }
  the.reason.replaceChildren(make("strong", {}, `${told.replaced ? "Until the strong agent is ready" : "Hint"}: ${told.figures.name}. `), told.reason);
  showFigures(-1, panel("Hint", told.figures, room.names));
  hinted = { version, action: told.figures.action };
  show();
}

async function rematch() {
  const next = await act("rematch");
  if (next) location.href = `/room/${next.room}?key=${encodeURIComponent(next.key)}`;
}

const setPace = (paused, pace) => act("pace", { paused, pace });

function copy(field) {
  field.select();
  if (navigator.clipboard) navigator.clipboard.writeText(field.value);
  else document.execCommand("copy");
}

the.undo.onclick = () => act("undo");
the.hint.onclick = hint;
the.pause.onclick = () => setPace(!status.paused, status.pace);
the.step.onclick = () => act("step");
the.speed.max = PACES.length - 1;
the.speed.onchange = () => setPace(status.paused, PACES[Number(the.speed.value)]);
the.resign.onclick = () => { if (confirm("Resign this game?")) act("resign", { player: you() }); };
the.rematch.onclick = rematch;
the.back.onclick = () => look(film.at - 1);
the.forward.onclick = () => look(film.at + 1);
the.live.onclick = () => look(film.last);
the.slider.oninput = () => look(Number(the.slider.value));
the.cover.querySelector("button").onclick = () => { cover(false); show(); };
the.copy.onclick = () => copy(the.position);

const ACTS = { u: the.undo, h: the.hint, " ": the.pause, n: the.step, ",": the.back, ".": the.forward };
const WALK = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

addEventListener("keydown", event => {
  if (!status || isCovered() || event.altKey || event.ctrlKey || event.metaKey) return;
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
the.stage.addEventListener("pointercancel", () => { touch = null; });
the.stage.addEventListener("pointerup", event => {
  const [dx, dy] = touch ? [event.clientX - touch[0], event.clientY - touch[1]] : [0, 0];
  touch = null;
  if (Math.hypot(dx, dy) < 30) return;
  taps.press(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "ArrowRight" : "ArrowLeft") : (dy > 0 ? "ArrowDown" : "ArrowUp"));
});

function fit() {
  if (!film || !status) return;
  film.board.fit(roomFor());
  taps.show();
  showLast();
}
addEventListener("resize", fit);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  if (room) recolour();
  fit();
});

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
  tone.onended = () => audio.close();
  tone.start();
  tone.stop(audio.currentTime + 0.15);
}

/** The games of this browser, for the first page. */
function remember() {
  const games = read("rooms").filter(it => it.room !== ident);
  games.unshift({ room: ident, key, title: room.title, names: room.names, when: Date.now() });
  localStorage.setItem("rooms", JSON.stringify(games.slice(0, 30)));
}
