// What the browser keeps, and when something was.

/** A list that is kept; an empty one if there is none, or if it is damaged. */
export function read(name) {
  try {
    const found = JSON.parse(localStorage.getItem(name) || "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

const UNITS = [["minute", 60], ["hour", 60], ["day", 24], ["month", 30.4], ["year", 12]];
const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** How long ago something was, from milliseconds since 1970. */
export function ago(when) {
  let past = (Date.now() - when) / 1000, unit = "second";
  for (const [larger, size] of UNITS) {
    if (past < size) break;
    [past, unit] = [past / size, larger];
  }
  return unit === "second" ? "just now" : words.format(-Math.floor(past), unit);
}

/** Say how long ago the times of a page were. */
export function times() {
  for (const element of document.querySelectorAll("time[data-when]")) {
    const when = 1000 * Number(element.dataset.when);
    element.textContent = ago(when);
    element.title = new Date(when).toLocaleString();
  }
}
