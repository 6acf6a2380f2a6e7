// Turns of many orders: a person orders the pieces that matter, in any sequence, and an agent orders the rest.
import { the } from "/static/link.js";

const ARROWS = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };
const LABEL = 0, X = 1, KEY = 5, EACH = 64;  // more than the orders of a piece

/** The orders that are given in this turn; a reload keeps them, because they are stored under a name. */
export class Orders {
  constructor(taps, send) {
    Object.assign(this, { taps, send, turn: null, name: "", given: {} });
    the.end.onclick = () => this.end();
    the.clear.onclick = () => { this.given = {}; this.changed(); };
  }

  /** Offer the orders of a turn. */
  offer(turn, name) {
    if (this.name !== name) {
      this.name = name;
      this.given = JSON.parse(sessionStorage.getItem(name) || "{}");
    }
    this.turn = turn;
    this.show();
  }

  hide() {
    the.turn.hidden = true;
  }

  show() {
    const actions = [], taps = [], notes = {};
    const several = this.turn.orders.filter(order => order.taps[0][X] === null).length > 1;
    this.turn.orders.forEach((order, place) => {
      const own = order.taps[order.actions[0][2][0]], first = taps.length;
      const chosen = order.actions.find(([action]) => action === this.given[place]);
      const chosenTap = chosen && order.taps[chosen[2][0]];
      const given = chosen ? `, ordered: ${chosenTap[LABEL].split(": ").pop()}` : "";
      if (own[X] === null) {  // no piece on the board: its orders are buttons
        const words = label => `${several ? `${place + 1}: ` : ""}${label}${chosenTap && label === chosenTap[LABEL] ? " ✓" : ""}`;
        taps.push(...order.taps.map(([label, ...rest]) => [words(label), ...rest]));
        for (const [action, name, [tap]] of order.actions) actions.push([place * EACH + action, name, [first + tap]]);
        return;
      }
      taps.push([own[LABEL].split(":")[0] + given, ...own.slice(1, KEY), ""], ...order.taps);
      if (chosen) notes[first] = ARROWS[chosenTap[KEY]] || chosenTap[KEY] || "✓";
      for (const [action, name, tapped] of order.actions) actions.push([place * EACH + action, name, [first, ...tapped.map(tap => first + 1 + tap)]]);
    });
    const rest = this.turn.orders.length - Object.keys(this.given).length;
    the.turn.hidden = false;
    the.clear.hidden = !Object.keys(this.given).length;
    the.end.textContent = rest ? `Agent orders the rest of this turn (${rest})` : "Give these orders";
    this.taps.offer({ player: this.turn.player, actions, taps, notes });
  }

  /** An order was tapped. */
  choose(number) {
    const place = Math.floor(number / EACH), action = number % EACH;
    if (this.given[place] === action) delete this.given[place];
    else this.given[place] = action;
    this.changed();
  }

  changed() {
    sessionStorage.setItem(this.name, JSON.stringify(this.given));
    this.show();
  }

  end() {
    if (this.turn) this.send(this.turn.player, this.given);
  }
}
