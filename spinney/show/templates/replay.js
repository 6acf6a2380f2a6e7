// Plays a replay. A frame holds what has changed since the frame before, as replay_page.py encodes it.
"use strict";
const replay = JSON.parse(document.getElementById("replay").textContent);
const the = Object.fromEntries([...document.querySelectorAll("[id]")].map(element => [element.id, element]));
const last = replay.frames.length - 1;
const LISTS = ["cells", "text", "head", "facts", "events", "figures", "position"];
const LINE = 0, SQUARE = 1, DISC = 2, LETTER = 3;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const PAUSE = "M7 5v14M17 5v14", PLAY = the.play.querySelector("path").getAttribute("d");

let at = -1, playing = false, drawing = false;
let shown, before;  // the current frame; the marks of the previous one, from which moves are animated
let since = 0;      // the time when the current frame was reached
const EVERY = 50, kept = {};  // every 50th frame, to start from when going back
let cell = 1, colours = [], ground;

// ---- frames

function apply(frame) {
  for (const name of LISTS) {
    const changes = frame[name], list = shown[name];
    if (!changes) continue;
    list.length = changes[0];
    for (let i = 1; i < changes.length; i += 2) list[changes[i]] = changes[i + 1];
  }
  for (const key of frame.gone || []) shown.marks.delete(key);
  const marks = frame.marks || [];
  for (let i = 0; i < marks.length; i += 4) shown.marks.set(marks[i], marks.slice(i + 1, i + 4));
}

function copy(frame) {
  return { marks: new Map(frame.marks), ...Object.fromEntries(LISTS.map(name => [name, [...frame[name] || []]])) };
}

function go(frame) {
  frame = Math.max(0, Math.min(last, frame));
  before = Math.abs(frame - at) === 1 && at >= 0 ? new Map(shown.marks) : null;
  if (frame < at || at < 0) {
    at = Math.floor(frame / EVERY) * EVERY;
    shown = kept[at] ? copy(kept[at]) : copy({ marks: new Map() });
    if (!kept[at]) at = -1;
  }
  while (at < frame) {
    apply(replay.frames[++at]);
    if (at % EVERY === 0 && !kept[at]) kept[at] = copy(shown);
  }
  since = performance.now();
  show();
  if (replay.width) paintGround();
  wake();
}

function show() {
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
  if (replay.curve) showValues();
  if (the.position) the.position.value = shown.position.join("");
  the.result.textContent = at === last ? replay.result : "";
  if (replay.width) the.picture.setAttribute("aria-label", [shown.head, ...shown.events].join("; "));
  else the.text.textContent = shown.text.join("\n");
}

// ---- time

function wake() {
  if (!drawing) requestAnimationFrame(tick);
  drawing = true;
}

function tick(now) {
  const pause = 1000 / the.speed.value, glide = Math.min(250, 0.7 * pause);
  const share = before && !still.matches ? Math.min(1, Math.max(0, now - since) / glide) : 1;
  if (replay.width) draw(share);
  if (playing && now - since >= pause) at < last ? go(at + 1) : play(false);
  drawing = playing || share < 1;
  if (drawing) requestAnimationFrame(tick);
}

function play(on) {
  playing = on;
  if (on && at === last) go(0);
  the.play.querySelector("path").setAttribute("d", on ? PAUSE : PLAY);
  the.play.title = on ? "Pause" : "Play";
  the.play.setAttribute("aria-label", the.play.title);
  the.events.setAttribute("aria-live", on ? "off" : "polite");
  wake();
}

function step(frame) {
  if (playing) play(false);
  go(frame);
}

// ---- the picture

function fit() {
  if (!replay.width) return;
  const ratio = devicePixelRatio || 1, style = getComputedStyle(document.documentElement);
  const room = Math.min(the.stage.clientWidth / replay.width, Math.max(260, 0.75 * innerHeight) / replay.height, 90);
  cell = Math.max(1, Math.floor(room * ratio));
  colours = replay.colours.map(name => style.getPropertyValue(`--${name}`).trim());
  ground = document.createElement("canvas");
  for (const canvas of [the.picture, ground]) {
    canvas.width = cell * replay.width;
    canvas.height = cell * replay.height;
  }
  the.picture.style.width = `${cell * replay.width / ratio}px`;
  paintGround();
  draw(1);
}

function paintGround() {
  const pen = ground.getContext("2d"), { width, height, grid } = replay;
  shown.cells.forEach((colour, i) => {
    pen.fillStyle = colours[colour];
    pen.fillRect(i % width * cell, Math.floor(i / width) * cell, cell, cell);
  });
  pen.fillStyle = colours[replay.colours.indexOf("line")];
  for (let i = grid; grid && i < width; i += grid) pen.fillRect(i * cell, 0, 1, height * cell);
  for (let i = grid; grid && i < height; i += grid) pen.fillRect(0, i * cell, width * cell, 1);
}

function draw(share) {
  const pen = the.picture.getContext("2d");
  pen.drawImage(ground, 0, 0);
  for (const shape of [LINE, SQUARE, DISC, LETTER]) {
    for (const [key, [style, x, y]] of shown.marks) {
      if (replay.styles[style][0] !== shape) continue;
      const from = before && before.get(key);
      const near = from && 2 * Math.abs(x - from[1]) <= replay.width && 2 * Math.abs(y - from[2]) <= replay.height;
      const rest = near ? 1 - share : 0;  // moves across the edge of a wrapped map are not animated
      paint(pen, replay.styles[style], near ? x + rest * (from[1] - x) : x, near ? y + rest * (from[2] - y) : y);
    }
  }
}

function paint(pen, [shape, colour, size, edge, dx, dy, text], x, y) {
  const across = (x + 0.5) * cell, down = (y + 0.5) * cell, wide = size * cell;
  pen.fillStyle = pen.strokeStyle = colours[colour];
  pen.lineWidth = Math.max(1, shape === LINE ? wide : 0.07 * cell);
  pen.lineCap = "round";
  pen.beginPath();
  if (shape === LETTER) {
    pen.font = `600 ${wide}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(text, across, down + 0.05 * wide);
  } else if (shape === LINE) {
    pen.moveTo(across, down);
    pen.lineTo(across + dx * cell, down + dy * cell);
    pen.stroke();
  } else {
    if (shape === DISC) pen.arc(across, down, wide / 2, 0, 2 * Math.PI);
    else pen.rect(across - wide / 2, down - wide / 2, wide, wide);
    pen.fill();
    if (edge >= 0) pen.strokeStyle = colours[edge];
    if (edge >= 0) pen.stroke();
  }
}

// ---- the graph of a review

function showValues() {
  const rows = replay.curve.filter(([frame]) => frame <= at);
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
    const frame = frameAt(event), row = replay.curve.findLast(it => it[0] <= frame);
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
addEventListener("resize", fit);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", fit);

function start() {
  go(Number(location.hash.slice(1)) || 0);  // page.html#120 starts at frame 120
  fit();
}
addEventListener("hashchange", start);
ground = the.picture && document.createElement("canvas");
start();
