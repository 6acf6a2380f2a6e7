// Choosing an action by tapping places on the board and buttons beside it, one after the other.
import { make, the } from "/static/link.js";

const LABEL = 0, X = 1, Y = 2, WIDTH = 3, HEIGHT = 4, KEY = 5, AT = 6;
const LEAST = 20;  // pixels of a place that a finger can hit
const EDGE = 2;    // pixels of the edge of a place

export class Taps {
  /** `size()` is the width of a cell on the page; `choose(action)` is called with what was chosen. */
  constructor(size, choose) {
    Object.assign(this, { size, choose, choices: null, taken: [], marked: null });
  }

  /** Offer these choices, or none. Those that are offered already stay as far as they have been tapped. */
  offer(choices) {
    if (choices && choices === this.choices) return;
    this.choices = choices;
    this.taken = [];
    this.marked = null;
    this.show();
  }

  /** Show which taps would choose an action. */
  mark(action) {
    const found = this.choices && this.choices.actions.find(([number]) => number === action);
    this.marked = found ? found[2] : null;
    this.taken = [];
    this.show();
  }

  /** The taps that are possible now. */
  next() {
    if (!this.choices) return [];
    const fit = this.choices.actions.filter(([, , taps]) => this.taken.every((tap, i) => taps[i] === tap));
    return [...new Set(fit.map(([, , taps]) => taps[this.taken.length]))];
  }

  tap(number) {
    this.taken.push(number);
    const { actions } = this.choices, taken = this.taken.length;
    const done = actions.find(([, , taps]) => taps.length === taken && taps.every((tap, i) => tap === this.taken[i]));
    if (!done) return this.show();
    this.choices = null;
    this.show();
    this.choose(done[0]);
  }

  back() {
    this.taken.pop();
    this.show();
  }

  /** A key of the keyboard; whether it did something. */
  press(key) {
    const found = this.next().find(number => this.choices.taps[number][KEY].toLowerCase() === key.toLowerCase());
    if (found !== undefined) this.tap(found);
    else if (key === "Escape" && this.taken.length) this.back();
    else return false;
    return true;
  }

  /** Whether arrow keys, and so swipes, choose something. */
  get swipes() {
    return this.next().some(number => this.choices.taps[number][KEY].startsWith("Arrow"));
  }

  show() {
    const had = document.activeElement?.closest("#places, #buttons") ? document.activeElement.getAttribute("aria-label") : null;
    const places = [], buttons = [];
    const taps = this.choices ? this.choices.taps : [], notes = this.choices?.notes || {};
    for (const number of this.choices ? this.taken : []) {  // below those that are to be tapped
      const shared = { class: "taken", onclick: () => this.back(), "aria-label": `not ${taps[number][LABEL]}` };
      if (taps[number][X] !== null) places.push(this.place(taps[number], shared));
      else buttons.push(make("button", { type: "button", ...shared }, `${taps[number][LABEL]} ✕`));
    }
    for (const number of this.next()) {
      const [label, x, , , , key] = taps[number];
      const shared = {
        "data-tap": number, onclick: () => this.tap(number), "aria-label": label,
        "data-hinted": Boolean(this.marked && this.marked[this.taken.length] === number),
        "data-note": notes[number],
      };
      if (x !== null) places.push(this.place(taps[number], shared));
      else buttons.push(make("button", { type: "button", ...shared }, label, ...keyCap(key)));
    }
    the.places.replaceChildren(...places);
    the.buttons.replaceChildren(...buttons);
    if (buttons.length) the.buttons.dataset.used = "";  // from now on, their room is kept
    the.stage.toggleAttribute("data-swipes", this.swipes);
    if (had === null) return;
    const all = [...document.querySelectorAll("#places [data-tap], #buttons [data-tap]")];
    (all.find(element => element.getAttribute("aria-label") === had) || all[0])?.focus({ preventScroll: true });
  }

  /** A place on the board, and in it the cell that will change. */
  place([label, x, y, width, height, , at], attributes) {
    const size = this.size(), wide = Math.max(LEAST, width * size), high = Math.max(LEAST, height * size);
    const left = (x + 0.5) * size - wide / 2, top = (y + 0.5) * size - high / 2;
    const dot = at ? [(at[0] + 0.5) * size - left - EDGE, (at[1] + 0.5) * size - top - EDGE] : [wide / 2 - EDGE, high / 2 - EDGE];
    const style = `left:${left}px;top:${top}px;width:${wide}px;height:${high}px;`
      + `--dot-x:${dot[0]}px;--dot-y:${dot[1]}px;--cell:${size}px`;
    return make("button", { type: "button", style, title: label, "data-at": Boolean(at), ...attributes });
  }

  /** Move the focus to the next place in a direction. */
  walk(dx, dy) {
    const places = [...the.places.querySelectorAll("[data-tap]")];
    if (!places.length) return false;
    const middle = element => [element.offsetLeft + element.offsetWidth / 2, element.offsetTop + element.offsetHeight / 2];
    const from = places.includes(document.activeElement) ? middle(document.activeElement) : null;
    if (!from) places[0].focus();
    else {
      const ahead = places.map(element => {
        const [x, y] = middle(element), along = (x - from[0]) * dx + (y - from[1]) * dy;
        const aside = Math.abs((x - from[0]) * dy) + Math.abs((y - from[1]) * dx);
        return [along > 1 ? along + 3 * aside : Infinity, element];
      }).sort((a, b) => a[0] - b[0])[0];
      if (ahead[0] < Infinity) ahead[1].focus();
    }
    return true;
  }
}

function keyCap(key) {
  const names = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", " ": "space" };
  return key ? [" ", make("kbd", {}, names[key] || key)] : [];
}
