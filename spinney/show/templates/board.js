// A position, decoded as frames.py encodes it: a picture drawn on a canvas, or text.
"use strict";
const LISTS = ["cells", "text", "head", "facts", "events", "figures", "searches", "position"];
const LINE = 0, SQUARE = 1, DISC = 2, LETTER = 3;

class Board {
  /** The header has the size of the pictures, the colours and the styles of marks. Without a canvas, nothing is drawn. */
  constructor(header, canvas, stage) {
    Object.assign(this, { header, canvas, stage });
    this.shown = Board.copy({ marks: new Map() });
    this.before = null;  // the marks of the frame before, from which moves are animated
    this.cell = 1;       // the width of a cell in pixels of the screen
    this.ground = canvas && document.createElement("canvas");
  }

  static copy(frame) {
    return { marks: new Map(frame.marks), ...Object.fromEntries(LISTS.map(name => [name, [...frame[name] || []]])) };
  }

  /** Go on to the next frame, of which only the changes are told. */
  apply(frame) {
    const shown = this.shown;
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

  /** Fit the picture into its stage, with the colours of the page. */
  fit(most = Math.max(260, 0.75 * innerHeight)) {
    const { width, height, colours } = this.header;
    if (!width) return;
    const ratio = devicePixelRatio || 1, style = getComputedStyle(document.documentElement);
    const room = Math.min(this.stage.clientWidth / width, most / height, Math.max(90, innerHeight / 10));
    this.cell = Math.max(1, Math.floor(room * ratio));
    this.colours = colours.map(name => style.getPropertyValue(`--${name}`).trim());
    for (const canvas of [this.canvas, this.ground]) {
      canvas.width = this.cell * width;
      canvas.height = this.cell * height;
    }
    this.canvas.style.width = `${this.cell * width / ratio}px`;
    this.paintGround();
    this.draw(1);
  }

  paintGround() {
    const { width, height, grid, colours } = this.header, cell = this.cell;
    if (!this.colours) return;
    const pen = this.ground.getContext("2d");
    this.shown.cells.forEach((colour, i) => {
      pen.fillStyle = this.colours[colour];
      pen.fillRect(i % width * cell, Math.floor(i / width) * cell, cell, cell);
    });
    pen.fillStyle = this.colours[colours.indexOf("line")];
    for (let i = grid; grid && i < width; i += grid) pen.fillRect(i * cell, 0, 1, height * cell);
    for (let i = grid; grid && i < height; i += grid) pen.fillRect(0, i * cell, width * cell, 1);
  }

  /** Draw the marks; those that move have gone a share of their way. */
  draw(share) {
    const { width, height, styles } = this.header;
    if (!this.colours) return;
    const pen = this.canvas.getContext("2d");
    pen.drawImage(this.ground, 0, 0);
    for (const shape of [LINE, SQUARE, DISC, LETTER]) {
      for (const [key, [style, x, y]] of this.shown.marks) {
        if (styles[style][0] !== shape) continue;
        const from = this.before && this.before.get(key);
        const near = from && 2 * Math.abs(x - from[1]) <= width && 2 * Math.abs(y - from[2]) <= height;
        const rest = near ? 1 - share : 0;  // moves across the edge of a wrapped map are not animated
        this.paint(pen, styles[style], near ? x + rest * (from[1] - x) : x, near ? y + rest * (from[2] - y) : y);
      }
    }
  }

  paint(pen, [shape, colour, size, edge, dx, dy, text], x, y) {
    const cell = this.cell, across = (x + 0.5) * cell, down = (y + 0.5) * cell, wide = size * cell;
    pen.fillStyle = pen.strokeStyle = this.colours[colour];
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
      if (edge >= 0) pen.strokeStyle = this.colours[edge];
      if (edge >= 0) pen.stroke();
    }
  }
}

class Film {
  /** The frames of a game, each as its difference from the one before; a board shows one of them. */
  constructor(board, frames = []) {
    Object.assign(this, { board, frames, at: -1, since: 0, glide: 250, drawing: false });
    this.kept = {};  // every 50th frame, to start from when going back
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
  }

  get last() { return this.frames.length - 1; }

  /** Show a frame; from the one beside it, moves are animated. */
  go(frame) {
    const { board, kept } = this, every = 50;
    frame = Math.max(0, Math.min(this.last, frame));
    board.before = Math.abs(frame - this.at) === 1 && this.at >= 0 ? new Map(board.shown.marks) : null;
    if (frame < this.at || this.at < 0) {
      this.at = Math.floor(frame / every) * every;
      board.shown = Board.copy(kept[this.at] || { marks: new Map() });
      if (!kept[this.at]) this.at = -1;
    }
    while (this.at < frame) {
      board.apply(this.frames[++this.at]);
      if (this.at % every === 0 && !kept[this.at]) kept[this.at] = Board.copy(board.shown);
    }
    this.since = performance.now();
    board.paintGround();
    if (!this.drawing) requestAnimationFrame(now => this.tick(now));
    this.drawing = true;
  }

  tick(now) {
    const share = this.board.before && !this.still.matches
      ? Math.min(1, Math.max(0, now - this.since) / this.glide) : 1;
    this.board.draw(share);
    this.drawing = share < 1;
    if (this.drawing) requestAnimationFrame(later => this.tick(later));
  }
}
