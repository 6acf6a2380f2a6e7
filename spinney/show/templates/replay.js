// Plays a replay: board.js draws its frames.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const the = Object.fromEntries([...document.querySelectorAll("[id]")].map(element => [element.id, element]));
const board = new Board(data, the.picture, the.stage);
const film = new Film(board, data.frames), last = film.last;
const PAUSE = "M7 5v14M17 5v14", PLAY = the.play.querySelector("path").getAttribute("d");

let at = 0, playing = false, timer = 0;

function go(frame) {
  film.glide = Math.min(250, 0.7 * pause());
  film.go(frame);
  at = film.at;
  show();
}

function show() {
  const shown = board.shown;
  the.slider.value = at;
  the.count.textContent = `${at} / ${last}`;
  the.head.textContent = shown.head.join("");
  the.players.querySelectorAll("small").forEach((line, player) => { line.textContent = shown.facts[player] || ""; });
  the.events.replaceChildren(...shown.events.map((words, i) => {
    const line = document.createElement("li"), figures = document.createElement("small");
    figures.textContent = shown.figures[i] || "";
    line.append(words, figures);
    return line;
  }));
  the.searches.replaceChildren(...shown.searches.map(panel));
  if (data.curve) showValues();
  if (the.position) the.position.value = shown.position.join("");
  the.result.textContent = at === last ? data.result : "";
  if (data.width) the.picture.setAttribute("aria-label", [shown.head, ...shown.events].join("; "));
  else the.text.textContent = shown.text.join("\n");
}

// ---- the searches behind the events

function put(parent, tag, name, words) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.textContent = words;
  parent.append(made);
  return made;
}

const whole = number => Math.round(number).toLocaleString("en");

/** The best actions of a search, with bars for their visits. */
function panel({ player, chosen, rows, others, line, iterations, seconds }) {
  const made = document.createElement("section"), most = Math.max(1, ...rows.map(row => row[1]));
  const head = put(made, "p", "", ""), list = put(made, "ol", "", ""), colour = `a${player % 8}`;
  put(head, "b", colour, player + 1);
  put(head, "strong", "", chosen);
  const took = seconds < 1 ? `${whole(1000 * seconds)} ms` : `${seconds.toFixed(2)} s`;
  const speed = seconds ? ` in ${took}, ${whole(iterations / seconds)}/s` : "";
  put(head, "small", "", `${whole(iterations)} simulations${speed}`);
  for (const [name, visits, values, proven] of rows) {
    const row = put(list, "li", name === chosen ? "chosen" : "", "");
    put(row, "span", "", name);
    put(put(row, "i", "", ""), "i", colour, "").style.width = `${100 * visits / most}%`;
    put(row, "output", "", `${values[player].toFixed(3)}${proven ? " proven" : ""}`);
    put(row, "small", "", whole(visits));
  }
  if (others) put(made, "small", "", `${whole(others)} visits of other actions`);
  const best = rows.find(([name]) => name === chosen);
  if (best) {
    const values = put(made, "p", "", "");
    put(values, "small", "", "values");
    best[2].forEach((value, other) => {
      const one = put(values, "span", "", "");
      put(one, "b", `a${other % 8}`, other + 1);
      one.append(` ${value.toFixed(3)}`);
    });
  }
  if (line.length > 1) put(put(made, "p", "", ""), "small", "", `line ${line.join(" → ")}`);
  return made;
}

// ---- time

const pause = () => 1000 / the.speed.value;  // milliseconds between two frames

function play(on) {
  playing = on;
  clearTimeout(timer);
  if (on && at === last) go(0);
  if (on) timer = setTimeout(next, pause());
  the.play.querySelector("path").setAttribute("d", on ? PAUSE : PLAY);
  the.play.title = on ? "Pause" : "Play";
  the.play.setAttribute("aria-label", the.play.title);
  the.events.setAttribute("aria-live", on ? "off" : "polite");
}

function next() {
  if (at === last) return play(false);
  go(at + 1);
  timer = setTimeout(next, pause());
}

function step(frame) {
  if (playing) play(false);
  go(frame);
}

// ---- the graph of a review

function showValues() {
  const rows = data.curve.filter(([frame]) => frame <= at);
  the.now.style.left = `${100 * at / Math.max(1, last)}%`;
  the.players.querySelectorAll("output").forEach((place, player) => {
    const row = rows.findLast(([, values]) => values[player] !== null);
    place.textContent = row ? row[1][player].toFixed(2) : "";
  });
  document.querySelectorAll("[data-frame]").forEach(place => {
    place.toggleAttribute("data-now", Number(place.dataset.frame) === at);
  });
}

function frameAt(event) {
  const { left, width } = the.graph.getBoundingClientRect();
  return Math.max(0, Math.min(last, Math.round((event.clientX - left) / width * last)));
}

if (the.graph) {
  the.graph.onpointerdown = event => {
    if (event.target.dataset.frame) return;  // a mark has a frame of its own
    the.graph.setPointerCapture(event.pointerId);
    step(frameAt(event));
  };
  the.graph.onpointermove = event => {
    const frame = frameAt(event), row = data.curve.findLast(it => it[0] <= frame);
    const values = row ? row[1].map((value, player) => value === null ? "" : `, ${player + 1}: ${value.toFixed(2)}`) : [];
    the.under.textContent = `frame ${frame}${values.join("")}`;
    if (the.graph.hasPointerCapture(event.pointerId) && frame !== at) step(frame);
  };
  the.graph.onpointerleave = () => { the.under.textContent = ""; };
  document.querySelectorAll("[data-frame]").forEach(place => {
    place.onclick = () => {
      step(Number(place.dataset.frame));
      the.stage.scrollIntoView({ block: "nearest" });  // on a phone the board may be out of sight
    };
  });
}

// ---- input

const ACTS = {
  ArrowLeft: () => step(at - 1), ArrowRight: () => step(at + 1), ArrowUp: () => step(at + 1),
  ArrowDown: () => step(at - 1), Home: () => step(0), End: () => step(last), " ": () => play(!playing),
};
addEventListener("keydown", event => {
  const act = ACTS[event.key], target = event.target.tagName;
  if (!act || event.altKey || event.ctrlKey || event.metaKey) return;
  if (target === "SELECT" || event.target.id === "position" || (target === "BUTTON" && event.key === " ")) return;
  event.preventDefault();
  act();
});
the.first.onclick = ACTS.Home;
the.back.onclick = ACTS.ArrowLeft;
the.play.onclick = ACTS[" "];
the.forward.onclick = ACTS.ArrowRight;
the.last.onclick = ACTS.End;
the.slider.oninput = () => step(Number(the.slider.value));
if (the.copy) the.copy.onclick = () => {
  the.position.select();
  if (navigator.clipboard) navigator.clipboard.writeText(the.position.value);
  else document.execCommand("copy");  // a page that was not loaded by https
};
addEventListener("resize", () => board.fit());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => board.fit());

function start() {
  go(Number(location.hash.slice(1)) || 0);  // page.html#120 starts at frame 120
  board.fit();
}
addEventListener("hashchange", start);
start();
