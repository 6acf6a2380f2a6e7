// The first page: the games and tables of this browser, the latest first.
import { make, the } from "/static/link.js";
import { ago, read } from "/static/kept.js";

const SHOWN = 6;
const KINDS = { rooms: "room", tables: "table" };  // by what they are kept under, the part of the address

function entries() {
  const found = Object.entries(KINDS).flatMap(([kept, part]) =>
    read(kept).filter(it => it && typeof it[part] === "string").map(it => ({ kept, part, ...it })));
  return found.sort((a, b) => (b.when || 0) - (a.when || 0));
}

function show(all) {
  const found = entries();
  the.begun.hidden = !found.length;
  const lines = found.slice(0, all ? found.length : SHOWN).map(it => {
    const key = it.key ? `?key=${encodeURIComponent(it.key)}` : "";
    const names = Array.isArray(it.names) ? it.names.join(", ") : "";
    return make("li", {},
      make("a", { href: `/${it.part}/${encodeURIComponent(it[it.part])}${key}` },
        make("strong", {}, it.title || "A game"),
        make("span", {}, names), make("small", {}, it.when ? ago(it.when) : "")),
      make("button", { type: "button", "aria-label": `Forget ${it.title || "this game"}`, title: "Forget", onclick: () => forget(it, all) }, "✕"));
  });
  if (!all && found.length > SHOWN) lines.push(make("li", { class: "rest" }, make("button", { type: "button", onclick: () => show(true) }, `${found.length - SHOWN} more`)));
  the["begun-list"].replaceChildren(...lines);
}

function forget(it, all) {
  localStorage.setItem(it.kept, JSON.stringify(read(it.kept).filter(other => other[it.part] !== it[it.part])));
  show(all);
}

show(false);
addEventListener("pageshow", () => show(false));
