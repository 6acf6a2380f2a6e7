// A column of the analysis: an agent, and what it thinks.
import { make } from "/static/link.js";

const TOP = 12;
const number = new Intl.NumberFormat("en");
const whole = count => number.format(Math.round(count));
const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

export class Column {
  /** `act` has what happens: go(column), stop(column), tree(column), pick(action), preview(column, steps), point(column). */
  constructor(at, agents, seconds, act, close) {
    Object.assign(this, { at, act, found: null, wide: false, held: false, wanted: 0, running: false, on: false });
    this.agent = make("select", { "aria-label": "Agent" }, ...agents.filter(agent => agent.name !== "random").map(agent => make("option", { value: agent.name }, agent.name)));
    this.options = make("input", { type: "text", maxlength: 250, placeholder: "options, as in c=1.2", "aria-label": "Options of the agent", spellcheck: "false" });
    this.seconds = make("input", { type: "number", min: 0.1, max: seconds.most, step: "any", value: seconds.usual, "aria-label": "Seconds at most" });
    this.button = make("button", { type: "button", class: "main go", onclick: () => this.running ? act.stop(this) : act.go(this) }, "Think");
    this.tree = make("button", { type: "button", onclick: () => act.tree(this), disabled: true, title: "Ends the search, and opens its tree" }, "Tree");
    this.state = make("p", { class: "note", role: "status" });
    this.panel = make("div", { class: "panel" });
    this.element = make("section", { class: "column", "aria-label": `Agent ${at + 1}` },
      make("div", { class: "agent" }, this.agent, this.options, make("label", {}, this.seconds, " s"), this.button, this.tree,
        ...close ? [make("button", { type: "button", "aria-label": "Close", title: "Close", onclick: close }, "✕")] : []),
      this.state, this.panel);
    for (const input of [this.agent, this.options, this.seconds]) input.onchange = () => this.on && act.go(this);
    this.panel.onpointerdown = () => { this.held = true; };
    addEventListener("pointerup", () => setTimeout(() => { this.held = false; if (this.late) this.show(); }));
    for (const name of ["pointerenter", "focusin"]) this.element.addEventListener(name, () => act.point(this));
  }

  /** The agent with its options. */
  get spec() {
    const options = this.options.value.trim();
    return options ? `${this.agent.value}(${options})` : this.agent.value;
  }

  run(on) {
    this.running = on;
    this.button.textContent = on ? "Stop" : this.found ? "Think again" : "Think";
    this.tree.disabled = !this.found;
  }

  say(words) { this.state.textContent = words; }

  clear() {
    this.found = null;
    this.say("");
    this.show();
  }

  tell(found) {
    this.found = found;
    this.tree.disabled = false;
    if (this.held) this.late = true;  // what is being pressed stays where it is
    else this.show();
  }

  show() {
    this.late = false;
    const { found, panel } = this, focused = panel.contains(document.activeElement) && document.activeElement.dataset.key;
    panel.replaceChildren(...found ? this.parts(found) : []);
    if (focused) panel.querySelector(`[data-key="${focused}"]`)?.focus();
  }

  parts(found) {
    const { player } = found, most = Math.max(1, ...found.choices.map(choice => choice.visits));
    const rows = this.wide ? found.choices : found.choices.slice(0, TOP);
    const chosen = found.choices.find(choice => choice.action === found.action);
    if (chosen && !rows.includes(chosen)) rows.splice(-1, 1, chosen);
    const rest = found.choices.length - rows.length + found.more;
    const more = rest || this.wide ? [make("button", {
      type: "button", class: "quiet", "data-key": "more", onclick: () => { this.wide = !this.wide; this.show(); },
    }, this.wide ? (found.more ? `The best ${TOP} only (${found.more} others are not told)` : `The best ${TOP} only`) : `${rest} more`)] : [];
    return [
      make("p", { class: "chosen" }, make("b", { class: `a${player % 8}` }, String(player + 1)), " ", make("strong", {}, found.name)),
      ...found.values.length && found.iterations ? [make("ul", { class: "values", "aria-label": "Values of all players" }, ...found.values.map((value, of) =>
        make("li", {}, make("b", { class: `a${of % 8}` }, String(of + 1)), ` ${value.toFixed(3)}`, ...errorOf(found.errors, of))))] : [],
      ...rows.length ? [make("ol", { class: "choices" },
        make("li", { class: "names", "aria-hidden": "true" }, ...["action", "", "value", "visits"].map(it => make("span", {}, it))),
        ...rows.map(choice => row(choice, found, most, this.act)))] : [],
      ...more,
      make("p", { class: "note" }, effort(found)),
      ...this.line(found),
    ];
  }

  line(found) {
    if (!found.steps.length) return [];
    return [make("p", { class: "note" }, "The line that is expected:"), make("ol", { class: "pv", "aria-label": "The line that is expected" }, ...found.steps.map((step, i) =>
      make("li", {}, make("button", {
        type: "button", "data-key": `step ${i}`, title: "Look at the position after it",
        onclick: () => this.act.preview(this, found.steps.filter(it => it.number <= step.number)),
      }, make("b", { class: step.mover < 0 ? "chance" : `a${step.mover % 8}` }, String(step.number)), ` ${step.words || "chance"}`))))];
  }
}

function errorOf(errors, player) {
  return errors && errors.length ? [make("small", {}, ` ± ${errors[player].toFixed(3)}`)] : [];
}

/** An action: its visits as a bar, and its value with the standard error on a scale from 0 to 1. */
function row(choice, found, most, act) {
  const { player } = found, error = choice.errors.length ? choice.errors[player] : 0;
  const low = Math.max(0, choice.value - error), high = Math.min(1, choice.value + error);
  const value = choice.visits || choice.proven ? choice.value.toFixed(3) : "–";
  const all = choice.values.length > 2 && choice.visits ? [make("small", { class: "all" }, choice.values.map(it => it.toFixed(2)).join(" · "))] : [];
  return make("li", { "data-chosen": choice.action === found.action }, make("button", {
    type: "button", "data-key": `action ${choice.action}`, title: "Make this move", onclick: () => act.pick(player, choice.action),
  },
  make("span", { class: "name" }, choice.name),
  make("span", { class: "scale", "aria-hidden": "true" },
    make("i", { class: `visits a${player % 8}`, style: `width:${100 * choice.visits / most}%` }),
    ...choice.visits ? [make("i", { class: "worth", style: `left:${100 * low}%;width:${Math.max(1, 100 * (high - low))}%` })] : []),
  make("span", { class: "value" }, value, ...choice.proven ? [make("small", {}, " proven")] : error ? [make("small", {}, ` ± ${error.toFixed(3)}`)] : []),
  make("span", { class: "count", title: `${whole(choice.visits)} visits` }, choice.visits < 10000 ? whole(choice.visits) : short.format(choice.visits), make("span", { class: "unseen" }, " visits")), ...all));
}

function effort(found) {
  if (!found.iterations) return `${found.seconds.toFixed(2)} s, without a search`;
  const words = [`${whole(found.iterations)} simulations in ${found.seconds.toFixed(1)} s, ${whole(found.per_second)}/s`];
  if (found.depth) words.push(`depth ${found.depth}${found.mean_depth ? `, of which a simulation follows ${found.mean_depth.toFixed(1)}` : ""}`);
  if (found.nodes) words.push(`${whole(found.nodes)} nodes${found.most_nodes ? ` of ${whole(found.most_nodes)}` : ""}`);
  if (found.memory) words.push(`${(found.memory / 1e6).toFixed(1)} MB`);
  if (found.full) words.push("memory is full: the tree grows no more");
  return words.join("; ");
}
