// Options of a game as fields of a form.
import { make } from "/static/link.js";

/** Fields for options as the server describes them, with the value `first` or the default; `changed` is called when a
 *  value changes. */
export function fields(options, changed) {
  const inputs = options.map(option => [option, input(option)]);
  for (const [, element] of inputs) element.onchange = () => changed();
  const problems = inputs.map(() => make("em", { class: "problem", role: "alert", hidden: true }));
  return {
    elements: inputs.map(([option, element], i) => make("label", { title: option.help },
      make("span", {}, option.label), element, make("small", {}, option.help), problems[i])),
    /** Show an error beside the option that it names; whether it names one. Without a text, the last one goes. */
    complain(text) {
      const found = text ? options.findIndex(({ name }) => text.includes(`'${name}'`)) : -1;
      inputs.forEach(([, element], i) => {
        problems[i].hidden = i !== found;
        problems[i].textContent = i === found ? text : "";
        element.toggleAttribute("aria-invalid", i === found);
      });
      if (found >= 0) problems[found].closest("details")?.setAttribute("open", "");
      return found >= 0;
    },
    /** The values that differ from the defaults. */
    values: () => Object.fromEntries(inputs.map(([option, element]) => [option.name, valueOf(option, element)])
      .filter(([name, value]) => value !== options.find(option => option.name === name).default)),
  };
}

function input({ kind, choices, least, most, default: usual, first = usual, optional }) {
  if (choices) {
    return make("select", {}, ...choices.map(choice =>
      make("option", { value: JSON.stringify(choice), selected: choice === first }, String(choice))));
  }
  if (kind === "boolean") return make("input", { type: "checkbox", checked: first === true });
  if (kind === "integer" || kind === "number") {
    return make("input", { type: "number", min: least, max: most, step: kind === "integer" ? 1 : "any", value: first ?? "", placeholder: optional ? "any" : "" });
  }
  return make("input", { type: "text", maxlength: 200, value: first ?? "" });
}

function valueOf({ kind, choices, optional }, element) {
  if (choices) return JSON.parse(element.value);
  if (kind === "boolean") return element.checked;
  if (element.value === "" && optional) return null;
  return kind === "integer" || kind === "number" ? Number(element.value) : element.value;
}

/** A game with options, as in `deepsea(players=4)`. */
export function specOf(name, values) {
  const word = value => value === null ? "none" : typeof value === "string" ? JSON.stringify(value) : String(value);
  const given = Object.entries(values).map(([option, value]) => `${option}=${word(value)}`);
  return given.length ? `${name}(${given.join(", ")})` : name;
}
