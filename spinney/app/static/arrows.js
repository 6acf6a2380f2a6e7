// A line of moves drawn on the board: a number for each move where it would be tapped, and the way between its taps.

const MOST = 8, NS = "http://www.w3.org/2000/svg";

function draw(name, attributes, words = "") {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = words;
  return element;
}

/** Draw the steps; none: nothing. `cell` is the width of a cell on the page. */
export function drawLine(svg, { width, height }, cell, steps) {
  svg.replaceChildren();
  if (!width) return;
  svg.setAttribute("viewBox", `-0.5 -0.5 ${width} ${height}`);
  svg.style.width = `${width * cell}px`;
  svg.style.height = `${height * cell}px`;
  const radius = Math.max(0.24, 9 / cell), taken = new Map();
  const numbered = steps.map((step, i) => ({ ...step, number: i + 1 })).filter(step => step.places.length).slice(0, MOST);
  for (const { mover, places, number } of numbered.reverse()) {
    const colour = mover < 0 ? "var(--gold)" : `var(--agent-${mover % 8})`, ways = places.slice(0, -1);
    const here = places.at(-1).join(), before = taken.get(here) || 0;
    taken.set(here, before + 1);
    const [x, y] = [places.at(-1)[0], places.at(-1)[1] + Math.ceil(before / 2) * (before % 2 ? 2.1 : -2.1) * radius];
    ways.forEach(([fromX, fromY], i) => {
      const [toX, toY] = i + 1 < ways.length ? ways[i + 1] : [x, y];
      svg.append(draw("line", { x1: fromX, y1: fromY, x2: toX, y2: toY, stroke: colour, "stroke-width": 0.5 * radius, "stroke-linecap": "round", opacity: 0.75 }));
      svg.append(draw("circle", { cx: fromX, cy: fromY, r: 0.4 * radius, fill: colour }));
    });
    svg.append(draw("circle", { cx: x, cy: y, r: radius, fill: colour, stroke: "var(--paper)", "stroke-width": 0.14 * radius }));
    svg.append(draw("text", { x, y, fill: "var(--paper)", "font-size": 1.3 * radius, "font-weight": 700, "text-anchor": "middle", "dominant-baseline": "central" }, String(number)));
  }
}
