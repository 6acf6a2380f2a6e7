// Explores a search tree. Nodes are columns of the data; node 0 is the root, and every node comes after its parent.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const the = Object.fromEntries([...document.querySelectorAll("[id]")].map(element => [element.id, element]));
const board = new Board(data, the.picture, the.stage);
const FIRST = 20, MORE = 100;  // the children of a node that are shown at once, and those that are added
const MOVERS = { "-1": ["chance", "?", "chance"], "-2": ["over", "■", "the end"], "-3": ["both", "=", "simultaneous moves"] };
const children = data.parent.map(() => []);
data.parent.forEach((parent, node) => { if (node) children[parent].push(node); });
const proven = new Set(data.proven), line = new Set(data.line);
const number = new Intl.NumberFormat("en"), words = new Intl.Collator("en", { numeric: true });

let open = new Set([0]), kept;  // the open nodes; those open before a name was looked for
let room = new Map();                         // of nodes with many children, how many are shown
let visible = [], rows = [];                  // whether a node passes the filters; the rows of the list
let selected = 0, cursor = 0;                 // the node whose position is shown; the row of the keyboard

// ---- nodes

const nameOf = node => data.names[data.name[node]];
const chooser = node => data.mover[data.parent[node]] >= 0 ? data.mover[data.parent[node]] : data.player;
const valueOf = node => data.values[node][chooser(node)];
const moverOf = mover => MOVERS[mover] || [`a${mover % 8}`, mover + 1, `player ${mover + 1}`];

const ORDERS = {
  visits: (a, b) => data.visits[b] - data.visits[a],
  value: (a, b) => valueOf(b) - valueOf(a),
  weight: (a, b) => data.weight[b] - data.weight[a],
  name: (a, b) => words.compare(nameOf(a), nameOf(b)),
};

function listed(node) {
  const order = ORDERS[the.sort.value];
  return children[node].filter(child => visible[child]).sort((a, b) => order(a, b) || ORDERS.visits(a, b) || a - b);
}

function path(node) {
  const found = [];
  for (; node >= 0; node = data.parent[node]) found.unshift(node);
  return found;
}

function reveal(node) {
  const way = path(node);
  way.slice(1).forEach((below, i) => {
    open.add(way[i]);
    const place = listed(way[i]).indexOf(below);
    if (place >= (room.get(way[i]) || FIRST)) room.set(way[i], place + 1);
  });
}

// ---- rows

function layOut() {
  rows = [{ node: 0, level: 1, place: 1, of: 1 }];
  if (open.has(0)) addBelow(0, 2);
  the.rows.style.height = `calc(${rows.length} * var(--row))`;
}

function addBelow(node, level) {
  const all = listed(node), shown = all.slice(0, room.get(node) || FIRST);
  shown.forEach((child, i) => {
    rows.push({ node: child, level, place: i + 1, of: all.length });
    if (open.has(child)) addBelow(child, level + 1);
  });
  if (all.length > shown.length) rows.push({ node, level, more: all.length - shown.length });
  else if (data.left[node]) rows.push({ node, level, left: data.left[node] });
}

function filter() {
  const text = the.filter.value.trim().toLowerCase(), least = Number(the.least.value) || 1;
  let found = 0;
  visible = data.parent.map(() => false);
  for (let node = data.parent.length - 1; node >= 0; node--) {
    const fits = data.visits[node] >= least && (!text || (node > 0 && nameOf(node).toLowerCase().includes(text)));
    found += fits;
    visible[node] = visible[node] || fits || node === 0;
    if (visible[node] && node) visible[data.parent[node]] = true;
  }
  if (text) {
    kept = kept || open;
    open = new Set(data.parent.map((_, node) => node).filter(node => children[node].some(child => visible[child])));
  } else if (kept) {
    [open, kept] = [kept, null];
    reveal(selected);
  }
  the.found.textContent = text || least > 1 ? `${number.format(found)} of ${number.format(data.parent.length)} nodes` : "";
  update();
}

function update() {
  layOut();
  const at = rows.findIndex(row => row.node === selected && row.place);
  cursor = at >= 0 ? at : Math.min(cursor, rows.length - 1);
  paintRows();
}

function paintRows() {
  the.columns.style.paddingRight = `${the.tree.offsetWidth - the.tree.clientWidth + 7}px`;  // a bar beside the rows
  const high = the.rows.clientHeight / rows.length, top = the.tree.scrollTop;
  const first = Math.max(0, Math.floor(top / high) - 5), last = Math.min(rows.length, first + the.tree.clientHeight / high + 12);
  the.rows.replaceChildren();
  for (let i = first; i < last; i++) the.rows.append(rowOf(rows[i], i));
  the.tree.setAttribute("aria-activedescendant", `row-${cursor}`);
}

function put(parent, tag, style, text) {
  const made = document.createElement(tag);
  made.className = style;
  made.textContent = text;
  parent.append(made);
  return made;
}

function rowOf(row, i) {
  const { node, level } = row, made = document.createElement("div"), what = put(made, "span", "what", "");
  made.id = `row-${i}`;
  made.className = `row${i === cursor ? " cursor" : ""}${row.place ? "" : " rest"}`;
  made.style.top = `calc(${i} * var(--row))`;
  const steps = Math.min(level - 1, 14);
  what.style.paddingLeft = `calc(${steps} * min(16px, 1.4vw))`;
  const about = { role: "treeitem", "aria-level": level, "aria-selected": Boolean(row.place) && node === selected };
  if (!row.place) {
    const rest = row.more ? `${number.format(row.more)} more` : `${number.format(row.left)} more are not in this page`;
    put(what, "i", "twist", row.more ? "…" : "");
    put(what, "span", "name", rest);
    about["aria-label"] = row.more ? `${rest}: Enter shows them` : rest;
  } else {
    fill(row, made, what);
    Object.assign(about, { "aria-posinset": row.place, "aria-setsize": row.of, "aria-label": label(node) });
    if (children[node].length || data.left[node]) about["aria-expanded"] = open.has(node);
  }
  for (const [name, value] of Object.entries(about)) made.setAttribute(name, value);
  return made;
}

function fill({ node }, made, what) {
  const [style, sign] = moverOf(data.mover[node]), inside = children[node].length || data.left[node];
  put(what, "i", "twist", inside ? open.has(node) ? "▾" : "▸" : "");
  put(what, "b", `chip ${style}${proven.has(node) ? " proven" : ""}`, sign);
  put(what, "span", `name${line.has(node) ? " online" : ""}`, nameOf(node)).title = nameOf(node);
  if (node in data.probability) put(what, "span", "share", percent(data.probability[node]));
  put(made, "span", "value", valueOf(node).toFixed(3));
  const visits = put(made, "span", "visits", number.format(data.visits[node]));
  put(visits, "i", "", "").style.width = percent(data.visits[node] / data.visits[Math.max(0, data.parent[node])]).replace(" ", "");
}

const percent = share => `${+(100 * share).toPrecision(3)} %`;

function label(node) {
  const [, , mover] = moverOf(data.mover[node]);
  return [
    nameOf(node), ...node in data.probability ? [`probability ${percent(data.probability[node])}`] : [],
    `${number.format(data.visits[node])} visits`, `value ${valueOf(node).toFixed(3)} for player ${chooser(node) + 1}`,
    data.mover[node] >= 0 ? `${mover} moves` : mover, ...proven.has(node) ? ["proven"] : [],
    ...line.has(node) ? ["on the principal line"] : [],
  ].join(", ");
}

// ---- the selected node

function select(node) {
  selected = node;
  const way = path(node), known = data.board[node] >= 0;
  the.path.textContent = way.map(nameOf).join(" / ");
  board.shown = Board.copy({ marks: new Map() });
  if (known) way.forEach(step => board.apply(data.boards[data.board[step]]));
  the.unknown.hidden = known;
  the.stage.hidden = !known;
  the.head.textContent = board.shown.head.join("");
  describe(node);
  if (!data.width) the.text.textContent = board.shown.text.join("\n");
  else if (known) board.fit();
}

function describe(node) {
  const visits = data.visits[node], above = data.visits[data.parent[node]];
  const told = [
    ["visits", number.format(visits) + (node ? `, ${percent(visits / above)} of ${number.format(above)}` : "")],
    ["who moves", moverOf(data.mover[node])[2]],
    ["values", proven.has(node) ? "proven: exact" : "mean rewards"],
  ];
  if (node in data.probability) told.push(["probability", percent(data.probability[node])]);
  if (data.weight[node]) told.push(["prior or weight", String(data.weight[node])]);
  the.facts.replaceChildren();
  for (const [name, value] of told) {
    put(the.facts, "dt", "", name);
    put(the.facts, "dd", "", value);
  }
  the.values.replaceChildren();
  data.values[node].forEach((value, player) => {
    const row = put(the.values, "li", "", "");
    put(row, "b", `chip a${player % 8}`, player + 1);
    put(put(row, "span", "bar", ""), "i", `a${player % 8}`, "").style.width = `${100 * Math.min(1, Math.max(0, value))}%`;
    put(row, "output", "", value.toFixed(4));
    if (board.shown.facts[player]) put(row, "small", "", board.shown.facts[player]);
  });
}

// ---- input

function toggle(node, on = !open.has(node)) {
  if (!children[node].length && !data.left[node]) return;
  if (on) open.add(node);
  else open.delete(node);
  update();
}

function act(row) {
  if (row.place) toggle(row.node);
  if (!row.more) return;
  const at = cursor;
  room.set(row.node, (room.get(row.node) || FIRST) + MORE);
  layOut();
  go(at);
}

function go(at) {
  cursor = Math.max(0, Math.min(rows.length - 1, at));
  if (rows[cursor].place) select(rows[cursor].node);
  show();
}

function show() {
  const high = the.rows.clientHeight / rows.length, top = cursor * high, room = the.tree.clientHeight;
  if (top < the.tree.scrollTop) the.tree.scrollTop = top;
  if (top + high > the.tree.scrollTop + room) the.tree.scrollTop = top + high - room;
  paintRows();
}

function right() {
  const { node, place } = rows[cursor];
  if (!place) return;
  if (!open.has(node)) toggle(node, true);
  else if (rows[cursor + 1] && rows[cursor + 1].level > rows[cursor].level) go(cursor + 1);
}

function left() {
  const { node, place, level } = rows[cursor];
  if (place && open.has(node) && children[node].length) return toggle(node, false);
  for (let at = cursor - 1; at >= 0; at--) if (rows[at].level < level) return go(at);
}

const screenful = () => Math.max(1, Math.floor(the.tree.clientHeight * rows.length / the.rows.clientHeight) - 1);
const KEYS = {
  ArrowUp: () => go(cursor - 1), ArrowDown: () => go(cursor + 1), ArrowRight: right, ArrowLeft: left,
  Home: () => go(0), End: () => go(rows.length - 1), Enter: () => act(rows[cursor]), " ": () => act(rows[cursor]),
  PageUp: () => go(cursor - screenful()), PageDown: () => go(cursor + screenful()),
};
addEventListener("keydown", event => {
  const key = KEYS[event.key], target = event.target;
  if (!key || event.altKey || event.ctrlKey || event.metaKey) return;
  if (target !== the.tree && target !== document.body) return;
  event.preventDefault();
  key();
});
the.rows.onclick = event => {
  const made = event.target.closest(".row"), at = made && Number(made.id.slice(4));
  if (!made) return;
  const again = at === cursor && rows[at].node === selected;
  go(at);
  if (again || !rows[at].place || event.target.className === "twist") act(rows[at]);
};
the.tree.onscroll = paintRows;
the.sort.onchange = () => { reveal(selected); update(); show(); };
the.filter.oninput = the.least.oninput = filter;
the.expected.onclick = () => {
  [the.filter.value, the.least.value] = ["", 1];
  filter();
  selected = data.line.at(-1) || 0;
  reveal(selected);
  layOut();
  go(rows.findIndex(row => row.node === selected && row.place));
};
the.close.onclick = () => {
  [open, kept, room] = [new Set([0]), null, new Map()];
  [the.filter.value, the.least.value] = ["", 1];
  filter();
  go(0);
};
document.querySelector(".controls").onsubmit = event => event.preventDefault();
addEventListener("resize", () => { board.fit(); paintRows(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => board.fit());
the.whose.title = "of the player who chooses the action";
select(0);
filter();
