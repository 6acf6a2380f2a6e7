// The picture of a position, decoded as frames.py encodes it and drawn on a canvas; without a picture, its text.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const the = Object.fromEntries([...document.querySelectorAll("[id]")].map(element => [element.id, element]));
const LISTS = ["cells", "text", "head", "facts", "events", "figures", "position"];
const LINE = 0, SQUARE = 1, DISC = 2, LETTER = 3;

let shown, before;  // the current frame; the marks of the previous one, from which moves are animated
let cell = 1, colours = [], ground = the.picture && document.createElement("canvas");

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

function fit() {
  if (!data.width) return;
  const ratio = devicePixelRatio || 1, style = getComputedStyle(document.documentElement);
  const room = Math.min(the.stage.clientWidth / data.width, Math.max(260, 0.75 * innerHeight) / data.height, 90);
  cell = Math.max(1, Math.floor(room * ratio));
  colours = data.colours.map(name => style.getPropertyValue(`--${name}`).trim());
  for (const canvas of [the.picture, ground]) {
    canvas.width = cell * data.width;
    canvas.height = cell * data.height;
  }
  the.picture.style.width = `${cell * data.width / ratio}px`;
  paintGround();
  draw(1);
}

function paintGround() {
  const pen = ground.getContext("2d"), { width, height, grid } = data;
  shown.cells.forEach((colour, i) => {
    pen.fillStyle = colours[colour];
    pen.fillRect(i % width * cell, Math.floor(i / width) * cell, cell, cell);
  });
  pen.fillStyle = colours[data.colours.indexOf("line")];
  for (let i = grid; grid && i < width; i += grid) pen.fillRect(i * cell, 0, 1, height * cell);
  for (let i = grid; grid && i < height; i += grid) pen.fillRect(0, i * cell, width * cell, 1);
}

function draw(share) {
  const pen = the.picture.getContext("2d");
  pen.drawImage(ground, 0, 0);
  for (const shape of [LINE, SQUARE, DISC, LETTER]) {
    for (const [key, [style, x, y]] of shown.marks) {
      if (data.styles[style][0] !== shape) continue;
      const from = before && before.get(key);
      const near = from && 2 * Math.abs(x - from[1]) <= data.width && 2 * Math.abs(y - from[2]) <= data.height;
      const rest = near ? 1 - share : 0;  // moves across the edge of a wrapped map are not animated
      paint(pen, data.styles[style], near ? x + rest * (from[1] - x) : x, near ? y + rest * (from[2] - y) : y);
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
