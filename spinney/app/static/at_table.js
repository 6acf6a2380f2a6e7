// Who sits at a real table, and how the game begins.
import { ask, make, notice, the } from "/static/link.js";
import { read } from "/static/kept.js";
import { fields, specOf } from "/static/options.js";

const data = JSON.parse(the.data.textContent);
const names = read("people");
let seat = 0, first = 0, board = null;

const form = fields(data.options, () => look());
the.options.append(...form.elements);
the.options.hidden = !form.elements.length;

/** The game with its options as they are chosen, and what it says about them. */
async function look(withPosition = false) {
  let told;
  try {
    told = await ask("/api/tables/first", {
      game: specOf(data.name, form.values()), names: [], seat, position: withPosition ? the.position.value : null,
    });
    the.problem.textContent = "";
  } catch (error) {
    the.problem.textContent = error.message;
    if (!withPosition) notice(error.message);
    return;
  }
  people(told.players);
  the.all.hidden = told.hidden;
  if (!the.agent.length) the.agent.append(...told.agents.map(agent => make("option", { value: agent.name }, agent.name)));
  if (!withPosition) the.position.value = the.position.dataset.first = told.position;
  board = new Board(told.header, the.picture, the.stage);
  board.apply(told.frame);
  fit();
}

function people(count) {
  seat = Math.min(seat, count - 1);
  first = Math.min(first, count - 1);
  if (the.people.children.length === count) return;  // names are perhaps being written
  const radio = (name, player, checked, onchange) =>
    make("label", {}, make("input", { type: "radio", name, value: player, checked, onchange }), name);
  the.people.replaceChildren(...Array.from({ length: count }, (_, player) => {
    const name = make("input", { type: "text", maxlength: 30, value: names[player] || "", placeholder: `player ${player + 1}`, "aria-label": `Name of player ${player + 1}` });
    name.oninput = () => { names[player] = name.value; };
    return make("li", {}, make("b", { class: `a${player % 8}` }, String(player + 1)), name,
      radio("you", player, player === seat, () => { seat = player; }),
      radio("begins", player, player === first, () => { first = player; }));
  }));
}

the.look.onclick = () => look(true);
the.stage.closest("details").ontoggle = fit;
function fit() { if (board) board.fit(300); }
addEventListener("resize", fit);

the.form.onsubmit = async event => {
  event.preventDefault();
  const given = [...the.people.querySelectorAll("input[type=text]")].map(input => input.value.trim());
  localStorage.setItem("people", JSON.stringify(given));
  const joined = the.position.value !== the.position.dataset.first;
  try {
    const { table } = await ask("/api/tables", {
      game: specOf(data.name, form.values()), names: given, seat: the.everybody.checked && !the.all.hidden ? null : seat, first: joined ? 0 : first,
      seconds: Number(the.seconds.value), agent: the.agent.value, position: joined ? the.position.value : null,
    });
    location.href = `/table/${table}`;
  } catch (error) {
    notice(error.message);
  }
};

look();
