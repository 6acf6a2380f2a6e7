// A new game: its options, and who sits where.
import { ask, make, the } from "/static/link.js";
import { fields, specOf } from "/static/options.js";

const data = JSON.parse(the.data.textContent);
const watching = new URLSearchParams(location.search).has("watch");
const LEAST = 0.05, MOST = 30, STEPS = 60;      // of the strength, in seconds
const USUAL = data.simultaneous ? 0.3 : 1;      // everybody waits for agents who move together
const PATIENCE = [["", "your own pace"], ...[0.5, 1, 2, 5, 10, 30, 60].map(seconds => [seconds, `${seconds} s`])];
const PAUSES = [0, 0.2, 0.4, 1, 2, 5];

let agents = [];    // those that play the game with its options, the usual one first
let seats = [];     // { who, name, seconds, more }: `who` is "you", "here", "device" or an agent
let chosen = watching ? "all-agents" : "you-first";   // how seats are filled that nobody has chosen

// ---- the game

const form = fields(data.options, again);
data.options.forEach((option, i) => (option.name === "players" ? the.players : the.settings).append(form.elements[i]));
the.game.hidden = !the.settings.children.length;
the.players.hidden = !the.players.children.length;
the.patience.append(...PATIENCE.map(([value, words]) => make("option", { value }, words)));
the.pause.append(...PAUSES.map(value => make("option", { value, selected: value === 0.4 }, value ? `${value} s` : "none")));

if (data.simultaneous) the.seats.after(the["patience-label"]);  // everybody waits for who is slow

const game = () => specOf(data.name, form.values());

let looks = 0, looked = null;
function again() {
  looked = look(++looks);
}

/** Ask what the game with its options is like. */
async function look(number) {
  const position = the.position.value.trim();
  let told;
  try {
    told = await ask("/api/games/look", { game: game(), position });
  } catch (error) {
    if (number === looks) complain(error.message);
    return;
  }
  if (number !== looks) return;  // the options have changed again
  complain("");
  agents = told.agents;
  the.picture.src = `data:image/svg+xml,${encodeURIComponent(told.picture)}`;
  the.picture.hidden = false;
  const changed = Object.keys(form.values()).filter(name => name !== "players").length;
  the.changed.textContent = changed ? `${changed} changed` : "";
  seats.length = Math.min(seats.length, told.players);
  while (seats.length < told.players) seats.push(usual(seats.length));
  seats = seats.map(seat => people.has(seat.who) || agents.some(agent => agent.name === seat.who) ? seat : { ...seat, who: agents[0].name });
  showSeats();
}

/** Show an error where it belongs; an empty text takes all away. */
function complain(text) {
  const about = text && (form.complain(text) ? "" : /position/.test(text) && the.position.value ? "position-problem"
    : seats.some(seat => !people.has(seat.who) && text.startsWith(seat.who)) ? "seats-problem" : "problem");
  if (!text) form.complain("");
  for (const id of ["position-problem", "seats-problem", "problem"]) {
    the[id].hidden = id !== about;
    the[id].textContent = id === about ? text : "";
  }
  if (about === "position-problem") the.more.open = true;
}

// ---- the seats

const people = new Map([["you", "You"], ["here", "Another person here"], ["device", "On another device"]]);
const FILLS = { "you-first": seat => seat ? agents[0].name : "you", "all-here": seat => seat ? "here" : "you", "all-agents": () => agents[0].name };
const usual = seat => ({ who: FILLS[chosen](seat), name: "", seconds: USUAL, more: "", colour: null });

for (const id of Object.keys(FILLS)) {
  the[id].onclick = () => {
    chosen = id;
    seats = seats.map((_, seat) => usual(seat));
    showSeats();
  };
}

function showSeats() {
  the.seats.replaceChildren(...seats.map((seat, player) => make("li", {}, ...row(seat, player))));
  const persons = seats.filter(seat => people.has(seat.who));
  the["patience-label"].hidden = !persons.length;
  the["pause-label"].hidden = persons.length > 0;
  the["order-label"].hidden = seats.length < 2;
  for (const [id, fill] of Object.entries(FILLS)) the[id].setAttribute("aria-pressed", seats.every((seat, i) => seat.who === fill(i)));
  the.begin.textContent = persons.length ? "Begin" : "Watch";
  the.told.textContent = !persons.some(seat => seat.who === "device") ? ""
    : data.reachable ? "The game shows the addresses for the others' devices."
      : "Other devices cannot reach the app now: start it with --host 0.0.0.0.";
}

function row(seat, player) {
  const label = `Player ${player + 1}`;
  const option = (value, words) => make("option", { value, selected: value === seat.who }, words);
  const who = make("select", { "aria-label": label, id: `seat-${player}`, onchange: () => change({ who: who.value }) },
    make("optgroup", { label: "People" }, ...[...people].map(([value, words]) => option(value, words))),
    make("optgroup", { label: "Agents" }, ...agents.map(({ name }) => option(name, name))));
  const change = changes => {
    Object.assign(seat, changes);
    if (changes.who === "you") seats.forEach(other => { if (other !== seat && other.who === "you") other.who = "here"; });
    showSeats();
    document.getElementById(`seat-${player}`).focus();
  };
  const badge = make("button", { type: "button", class: `badge a${colourOf(seat, player)}`, title: "Another colour", "aria-label": `Another colour for ${label.toLowerCase()}` }, String(player + 1));
  badge.onclick = () => {
    const taken = new Set(seats.map((other, at) => other === seat ? -1 : colourOf(other, at)));
    const free = Array.from({ length: 8 }, (_, i) => (colourOf(seat, player) + 1 + i) % 8).find(colour => !taken.has(colour));
    seat.colour = free ?? seat.colour;
    showSeats();
    the.seats.children[player].querySelector(".badge").focus();
  };
  return [badge, who,
    ...people.has(seat.who) ? [nameOf(seat, label)] : strengthOf(seat, label)];
}

/** The colour of a seat: that of its number unless another was chosen. */
function colourOf(seat, player) {
  return seat.colour ?? player % 8;
}

function nameOf(seat, label) {
  const input = make("input", { type: "text", maxlength: 30, value: seat.name, placeholder: "Name", autocomplete: "off", "aria-label": `Name of ${label.toLowerCase()}` });
  input.oninput = () => { seat.name = input.value; };
  return input;
}

/** The seconds of a place of the slider, and the other way round: each step is as many per cent more. */
const secondsAt = place => Number((LEAST * (MOST / LEAST) ** (place / STEPS)).toPrecision(2));
const placeOf = seconds => Math.round(STEPS * Math.log(seconds / LEAST) / Math.log(MOST / LEAST));

function strengthOf(seat, label) {
  const parts = [];
  if (agents.find(agent => agent.name === seat.who).timed) {
    const slider = make("input", { type: "range", min: 0, max: STEPS, value: placeOf(seat.seconds), "aria-label": `Strength of ${label.toLowerCase()}: seconds for a move` });
    const shown = make("output", {});
    const show = () => {
      shown.textContent = `${seat.seconds} s`;
      slider.setAttribute("aria-valuetext", `${seat.seconds} seconds`);
    };
    slider.oninput = () => {
      seat.seconds = secondsAt(slider.value);
      show();
    };
    show();
    parts.push(make("span", { class: "strength" }, slider, shown));
  } else parts.push(make("span", { class: "note" }, "plays at once"));
  const more = make("input", { type: "text", maxlength: 200, value: seat.more, placeholder: "such as iterations=2000", spellcheck: "false", autocomplete: "off", "aria-label": `Options of the agent of ${label.toLowerCase()}` });
  more.oninput = () => { seat.more = more.value; };
  const details = make("details", { class: "options-of", open: seat.more !== "" }, make("summary", {}, "Options"), more);
  return [...parts, details, make("small", { class: "about" }, agents.find(agent => agent.name === seat.who).about)];
}

/** The agent of a seat as a spec. A time among its options is its time. */
function specOfSeat({ who, seconds, more }) {
  const timed = agents.find(agent => agent.name === who).timed && !/(^|,)\s*seconds\s*=/.test(more);
  const given = [...timed ? [`seconds=${seconds}`] : [], ...more.trim() ? [more.trim()] : []];
  return given.length ? `${who}(${given.join(", ")})` : who;
}

// ---- begin

the.position.onchange = again;

the.setup.onsubmit = async event => {
  event.preventDefault();
  the.begin.disabled = true;
  the.told.textContent = "";
  try {
    await looked;  // the options may just have changed
    await begin();
  } catch (error) {
    complain(error.message);
  }
  the.begin.disabled = false;
};

async function begin() {
  const listed = the.order.value === "lot" ? drawn(seats) : seats, persons = listed.some(seat => people.has(seat.who));
  const seed = the.seed.value.trim();
  if (seed && !/^\d{1,15}$/.test(seed)) throw new Error("A seed is a whole number of at most 15 digits.");
  const { room, key } = await ask("/api/rooms", {
    game: game(), position: the.position.value.trim() || null, seed: seed ? Number(seed) : null,
    patience: persons && the.patience.value ? Number(the.patience.value) : null,
    pause: Number(the.pause.value),
    seats: listed.map(seat => ({
      ...people.has(seat.who) ? { name: seat.name.trim(), own_device: seat.who === "device" } : { agent: specOfSeat(seat) },
      colour: seat.colour,
    })),
  });
  location.href = `/room/${room}?key=${encodeURIComponent(key)}`;
}

function drawn(all) {
  const left = [...all], order = [];
  while (left.length) order.push(...left.splice(Math.floor(Math.random() * left.length), 1));
  return order;
}

again();
