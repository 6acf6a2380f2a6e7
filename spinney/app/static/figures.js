// The figures of a decision, as bars.
import { make } from "/static/link.js";

const number = new Intl.NumberFormat("en");

/** A panel of a decision's figures: what it would choose, how often it tried each action, and how good each looks. */
export function panel(title, figures, names, onpick) {
  const most = Math.max(1, ...figures.choices.map(choice => choice.visits));
  const rows = figures.choices.map(choice => make("li", { "data-chosen": choice.action === figures.action },
    make("button", { type: "button", disabled: !onpick, onclick: () => onpick && onpick(choice.action) },
      make("span", { class: "name" }, choice.name),
      make("span", { class: "bar", "aria-hidden": "true" }, make("i", { style: `width:${100 * choice.visits / most}%` })),
      make("span", { class: "value" }, `${choice.value.toFixed(3)}${choice.proven ? " exactly" : ""}`),
      make("small", {}, `${number.format(choice.visits)} visits`))));
  const effort = figures.iterations
    ? `${number.format(figures.iterations)} simulations in ${figures.seconds.toFixed(2)} s (${number.format(Math.round(figures.per_second))} a second)`
    : `${figures.seconds.toFixed(2)} s`;
  const values = figures.values.map((value, player) =>
    make("li", {}, make("b", { class: `a${player % 8}` }, String(player + 1)), ` ${names[player]} `, make("output", {}, value.toFixed(2))));
  return [
    make("p", { class: "chosen" }, `${title}: `, make("strong", {}, figures.name)),
    make("p", { class: "note" }, effort),
    make("ol", { class: "bars" }, ...rows),
    ...figures.more ? [make("p", { class: "note" }, `and ${figures.more} more`)] : [],
    ...figures.line.length > 1 ? [make("p", { class: "line" }, "Expected: ", figures.line.join(", "))] : [],
    ...values.length ? [make("ul", { class: "values" }, ...values)] : [],
  ];
}
