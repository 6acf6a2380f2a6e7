// A line of moves drawn on the board: a number for each move where it would be tapped, and the way between its taps.

const MOST = 8, NS = "http://www.w3.org/2000/svg";

function draw(name, attributes, words = "") {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = words;
  return element;
}

/** Draw the steps; none: nothing. `cell` is the width of a cell on the page. */
export function drawLine(svg, { width, height, grid }, cell, steps) {
  svg.replaceChildren();
  if (!width) return;
  svg.setAttribute("viewBox", `-0.5 -0.5 ${width} ${height}`);
  svg.style.width = `${width * cell}px`;
  svg.style.height = `${height * cell}px`;
  const radius = Math.max(0.24 * (grid || 1), 9 / cell), taken = new Map(), drawn = [];
  const numbered = steps.filter(step => step.places.length).slice(0, MOST);
  for (const { mover, places, number } of numbered) {
    const colour = mover < 0 ? "var(--gold)" : `var(--agent-${mover % 8})`, [x, middle, wide, high] = places.at(-1), ways = places.slice(0, -1);
    const here = places.at(-1).join(), before = taken.get(here) || 0, parts = [];
    taken.set(here, before + 1);
    // of several moves in a tall place, such as a column, the first is at the bottom; in others, they are around the middle
    const y = high > 2 * wide ? middle + high / 2 - 0.5 - before
      : middle + Math.ceil(before / 2) * (before % 2 ? -2.1 : 2.1) * radius;
    ways.forEach(([fromX, fromY], i) => {
      const [toX, toY] = i + 1 < ways.length ? ways[i + 1] : [x, y];
      parts.push(draw("line", { x1: fromX, y1: fromY, x2: toX, y2: toY, stroke: colour, "stroke-width": 0.5 * radius, "stroke-linecap": "round", opacity: 0.75 }));
      parts.push(draw("circle", { cx: fromX, cy: fromY, r: 0.4 * radius, fill: colour }));
    });
    parts.push(draw("circle", { cx: x, cy: y, r: radius, fill: colour, stroke: "var(--paper)", "stroke-width": 0.14 * radius }));
    parts.push(draw("text", { x, y, fill: "var(--paper)", "font-size": 1.3 * radius, "font-weight": 700, "text-anchor": "middle", "dominant-baseline": "central" }, String(number)));
    drawn.unshift(...parts);
  }
  svg.append(...drawn);
}
