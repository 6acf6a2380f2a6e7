// Results, brought up to date while games are played.
import { ask, the } from "/static/link.js";
import { times } from "/static/kept.js";

const EVERY = 3000;
let known = the.report ? Number(the.report.dataset.version) : 0;

async function look() {
  if (!document.hidden) {
    try {
      const first = new URLSearchParams(location.search).get("first");
      const found = await ask(`/api${location.pathname}?known=${known}${first ? `&first=${encodeURIComponent(first)}` : ""}`);
      if (found.version !== known) {
        the.report.dataset.version = known = found.version;
        the.report.innerHTML = found.body;  // made by the server's templates, which escape every value
        the.live.textContent = `· ${known.toLocaleString("en")} games, just now`;
      }
    } catch (error) {
      the.live.textContent = `· ${error.message}`;
    }
  }
  setTimeout(look, EVERY);
}

times();
if (the.report) setTimeout(look, EVERY);
