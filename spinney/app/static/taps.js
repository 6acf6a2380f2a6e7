// Choosing an action by tapping places on the board and buttons beside it, one after the other.
import { make, the } from "/static/link.js";

const LABEL = 0, X = 1, Y = 2, WIDTH = 3, HEIGHT = 4, KEY = 5;

export class Taps {
  /** `size()` is the width of a cell on the page; `choose(action)` is called with what was chosen. */
  constructor(size, choose) {
    Object.assign(this, { size, choose, choices: null, taken: [], marked: null });
  }

  /** Offer these choices, or none. */
  offer(choices) {
    this.choices = choices;
    this.taken = [];
    this.marked = null;
    this.show();
  }

  /** Show which taps would choose an action. */
  mark(action) {
    const found = this.choices && this.choices.actions.find(([number]) => number === action);
    this.marked = found ? found[2] : null;
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

  show() {
    const size = this.size(), had = document.activeElement && document.activeElement.dataset.tap;
    const places = [], buttons = [];
    const place = (number, attributes, ...inside) => {
      const [label, x, y, width, height] = this.choices.taps[number];
      const style = `left:${(x + 0.5 - width / 2) * size}px;top:${(y + 0.5 - height / 2) * size}px;`
        + `width:${width * size}px;height:${height * size}px`;
      return make("button", { type: "button", style, "aria-label": label, title: label, ...attributes }, ...inside);
    };
    for (const number of this.next()) {
      const [label, x, , , , key] = this.choices.taps[number];
      const hinted = Boolean(this.marked && this.marked[this.taken.length] === number);
      const shared = { "data-tap": number, onclick: () => this.tap(number), "data-hinted": hinted };
      if (x !== null) places.push(place(number, shared));
      else buttons.push(make("button", { type: "button", ...shared }, label, ...keyCap(key)));
    }
    if (this.choices) this.taken.forEach(number => {
      if (this.choices.taps[number][X] !== null) places.push(place(number, { class: "taken", onclick: () => this.back() }));
      else buttons.unshift(make("button", { type: "button", class: "taken", onclick: () => this.back() }, `${this.choices.taps[number][LABEL]} ✕`));
    });
    the.places.replaceChildren(...places);
    the.buttons.replaceChildren(...buttons);
    if (had !== undefined && had !== null) (the.places.querySelector("button") || the.buttons.querySelector("button"))?.focus();
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
