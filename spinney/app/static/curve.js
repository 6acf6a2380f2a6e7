// The values of all players over a game, and its worst decisions.
import { make } from "/static/link.js";

const NS = "http://www.w3.org/2000/svg";

function path(d, stroke) {
  const element = document.createElementNS(NS, "path");
  element.setAttribute("d", d);
  element.setAttribute(stroke ? "stroke" : "class", stroke || "even");
  return element;
}

/** The graph of a review; `go(frame)` is called with a frame that is clicked, of which there are `last`. What is not
 *  judged yet is left out. */
export function curve(graph, last, go, running) {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", "0 0 1000 1000");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.append(path("M0 500H1000M0 250H1000M0 750H1000"));
  graph.paths.forEach((d, player) => svg.append(path(d, `var(--agent-${player % 8})`)));
  if (running && graph.curve.length > 1) svg.style.clipPath = `inset(0 ${100 - 100 * graph.curve.at(-2)[0] / last}% 0 0)`;
  const place = make("div", { class: "curve" }, svg, make("small", {}, "1"), make("small", {}, "0"), make("i", { class: "now" }),
    ...graph.worst.map(it => make("button", {
      type: "button", class: `fault a${it.player % 8}`, "data-frame": it.frame, style: `left:${it.left}%;top:${it.top}%`,
      "aria-label": it.words, title: it.words, onclick: () => go(it.frame),
    })));
  place.onclick = event => {
    if (event.target.dataset.frame) return;
    const { left, width } = place.getBoundingClientRect();
    go(Math.max(0, Math.min(last, Math.round((event.clientX - left) / width * last))));
  };
  return place;
}

/** The worst decisions, or the largest losses, as a list. */
export function faults(graph, go) {
  return graph.worst.map(it => make("li", {}, make("button", { type: "button", "data-frame": it.frame, onclick: () => go(it.frame) },
    make("b", { class: `a${it.player % 8}` }, String(it.player + 1)), make("span", {}, it.words), make("strong", {}, it.cost),
    ...it.more ? [make("small", {}, it.more)] : [])));
}
