"""The page of a search tree in a browser: opening, sorting, filters, the keyboard, wide nodes, phones, the dark."""

from __future__ import annotations

import json
from functools import cache
from types import SimpleNamespace

import pytest

import spinney
from spinney import OVER, Card
from spinney.agents import Decision
from spinney.games.parts import Board
from spinney.kernel import Record, i16, rule
from spinney.show.colours import PALETTE
from spinney.show.tree_page import tree_data, tree_page
from tests.show.pages import HOSTILE, needs_browser, opened, probed
from tests.show.test_tree import PIG, hostile_game

pytestmark = needs_browser

WIDE = 300


class WideState(Record):
    chosen = i16


@rule
def start(s, config, rng):
    s.chosen = -1


@rule
def mover(s):
    return 0 if s.chosen < 0 else OVER


@rule
def legal(s, player, out):
    for action in range(WIDE):
        out.action[action] = action
    return WIDE


@rule
def apply(s, action):
    s.chosen = action


@rule
def reward(s, out):
    out.reward[0] = s.chosen / WIDE


def wide_card() -> Card:
    rules = SimpleNamespace(
        State=WideState, start=start, mover=mover, legal=legal, apply=apply, reward=reward, MAX_ACTIONS=WIDE,
        MAX_PLAYERS=1,
    )  # fmt: skip
    board = Board(lambda s: f"chosen {s.chosen}", lambda s, action: f"number {action}")
    return Card("wide", "Wide", "A choice among many.", rules, board)  # type: ignore[arg-type]


@cache
def decided(game: object, iterations: int = 400) -> Decision:
    loaded = spinney.game(wide_card() if game == "wide" else game)
    agent = f"uct(iterations={iterations}, plain=true, solver=false, c=0.05)"
    return loaded.agent(agent, seed=1).decide(loaded.start(1))


REPORT = """
  const told = [], press = key => the.tree.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  const click = (i, what = "") => document.querySelector(`#row-${i} ${what || ".what"}`).click();
  const names = () => rows.map(row => row.place ? nameOf(row.node) : row.more ? `+${row.more}` : `-${row.left}`);
  const type = (field, text) => { field.value = text; field.dispatchEvent(new Event("input")); };
  const choose = order => { the.sort.value = order; the.sort.dispatchEvent(new Event("change")); };
"""


def run(decision: Decision, folder, script: str, most: int = 5000, page: str = ""):
    """What a script in the page reports."""
    end = """
      const out = document.createElement("i");
      out.id = "probe";
      out.textContent = JSON.stringify(told);
      document.body.append(out);"""
    return probed(opened(page or tree_page(decision, "about", most), folder, REPORT + script + end))


def names_below(data: dict, parent: int) -> list[str]:
    return [data["names"][data["name"][i]] for i, above in enumerate(data["parent"]) if above == parent]


def test_clicks_open_nodes_and_show_positions(tmp_path):
    decision = decided(PIG)
    told = run(
        decision, tmp_path,
        """
        told.push(names());
        click(1, ".twist");
        told.push(names(), the.path.textContent, document.querySelector("#row-1").getAttribute("aria-expanded"));
        click(2);
        told.push(the.path.textContent, the.text.textContent, the.stage.hidden);
        click(1, ".twist");
        told.push(names(), document.querySelector("#row-1").getAttribute("aria-expanded"));
        """,
    )  # fmt: skip
    data = tree_data(decision)
    outcomes = names_below(data, 1)
    assert len(outcomes) == 6
    assert told[0] == ["root", "throw", *names_below(data, 0)[1:]]
    assert told[1] == ["root", "throw", *outcomes, *names_below(data, 0)[1:]]
    assert told[2:4] == ["root / throw", "true"]
    node = decision.tree.children[0].children[0]
    assert told[4:7] == [f"root / throw / {node.name}", str(node.state), False]
    assert told[7:] == [told[0], "false"]


def test_the_keyboard_and_what_a_screen_reader_is_told(tmp_path):
    decision = decided(PIG)
    told = run(
        decision, tmp_path,
        """
        for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowLeft", "End",
                           "Home", "x", "ArrowUp", "PageDown"]) {
          press(key);
          told.push([cursor, names().length, the.tree.getAttribute("aria-activedescendant")]);
        }
        press("Home");
        press("Enter");
        told.push(names());
        press("Enter");
        press("ArrowDown");
        press("ArrowRight");
        const item = document.querySelector("#row-1"), its = name => item.getAttribute(name);
        told.push(["role", "aria-level", "aria-posinset", "aria-setsize", "aria-selected", "aria-expanded"].map(its));
        told.push(its("aria-label"), document.querySelector("#row-2").getAttribute("aria-label"));
        told.push(the.tree.getAttribute("role"), the.tree.tabIndex);
        """,
    )  # fmt: skip
    wide = len(names_below(tree_data(decision), 0))
    all_of = 1 + wide
    at = [1, 1, 2, 3, 1, 1, wide, 0, 0, 0, wide]
    steps = [(place, all_of + 6 * (1 <= i <= 4)) for i, place in enumerate(at)]
    assert told[: len(steps)] == [[place, count, f"row-{place}"] for place, count in steps]
    closed, item, label, outcome, role, tab = told[len(steps) :]
    assert closed == ["root"]
    assert item == ["treeitem", "2", "1", str(wide), "true", "true"]
    throw = decision.tree.children[0]
    assert label == (
        f"throw, {throw.visits} visits, value {throw.values[0]:.3f} for player 1, chance, on the principal line"
    )
    first = throw.children[0]
    start = (
        f"{first.name}, probability 16.7 %, {first.visits} visits, value {first.values[0]:.3f} for player 1, player "
    )
    assert outcome.startswith(start)
    assert (role, tab) == ("tree", 0)


def test_wide_nodes_show_some_children_and_draw_only_the_rows_in_view(tmp_path):
    decision = decided("wide", 600)
    told = run(
        decision, tmp_path,
        """
        told.push(names());
        click(21);
        told.push(names().length, names().at(-1), cursor);
        for (const n of [1, 2, 3]) { press("End"); press("Enter"); }
        told.push(names().length, the.rows.children.length < 60);
        the.tree.scrollTop = 1e6;
        the.tree.dispatchEvent(new Event("scroll"));
        told.push(document.querySelector("#row-300 .name").textContent, the.rows.children.length < 60);
        press("ArrowLeft");
        told.push(cursor);
        """,
    )  # fmt: skip
    ordered = [child.name for child in decision.tree.children]
    assert len(ordered) == WIDE
    assert told[0] == ["root", *ordered[:20], "+280"]
    assert told[1:4] == [122, "+180", 21]
    assert told[4:6] == [301, True]
    assert told[6:8] == [ordered[-1], True]
    assert told[8] == 0


def test_sorting_and_filters(tmp_path):
    decision = decided("wide", 600)
    told = run(
        decision, tmp_path,
        """
        for (const order of ["value", "name", "visits"]) { choose(order); told.push(names().slice(1, 6)); }
        type(the.filter, "BER 12");
        told.push(names(), the.found.textContent);
        type(the.filter, "");
        told.push(names().length);
        type(the.least, "6");
        told.push(names().length - 1, the.found.textContent);
        the.close.click();
        told.push(names().length, the.least.value);
        type(the.filter, "no such name");
        told.push(names(), the.found.textContent);
        the.expected.click();
        told.push(names()[cursor], the.path.textContent);
        """,
    )  # fmt: skip
    children = decision.tree.children
    assert told[0] == [f"number {number}" for number in range(299, 294, -1)]
    assert told[1] == [f"number {number}" for number in range(5)]
    assert told[2] == [child.name for child in children[:5]]
    found = [child.name for child in children if "number 12" in child.name]
    assert told[3:5] == [["root", *found], "11 of 301 nodes"]
    assert told[5] == 22
    often = sum(child.visits >= 6 for child in children)
    assert 3 < often < 20
    assert told[6:8] == [often, f"{often + 1} of 301 nodes"]
    assert told[8:10] == [22, "1"]
    assert told[10:12] == [["root"], "0 of 301 nodes"]
    assert told[12:] == [decision.name, f"root / {decision.name}"]


def test_a_page_says_what_is_left_out(tmp_path):
    decision = decided("wide", 600)
    told = run(
        decision, tmp_path, 'told.push(names(), document.querySelectorAll(".note")[1].textContent.trim())', most=6
    )
    children = [child.name for child in decision.tree.children]
    assert told[0] == ["root", *children[:5], "-295"]
    assert told[1] == "The 6 most visited of 301 nodes; 295 are left out."


def test_the_board_is_the_games_picture_of_the_selected_node(tmp_path):
    game = spinney.game("tictactoe")
    state = game.start(1)
    state.apply("5")
    decision = game.agent("uct(iterations=200, plain=true)", seed=1).decide(state)
    told = run(
        decision, tmp_path,
        """
        for (const key of ["End", "ArrowRight", "ArrowRight"]) press(key);
        told.push(selected, board.shown.cells.map(colour => data.colours[colour]), [...board.shown.marks.values()].map(
          ([style, x, y]) => [data.colours[data.styles[style][1]], x, y]), the.stage.hidden, the.picture.width > 100);
        """,
    )  # fmt: skip
    data = tree_data(decision)
    node = decision.tree.most_visited(5000)[told[0]]
    assert data["parent"][data["parent"][told[0]]] == 0
    picture = game.card.board.picture(node.state.record)
    assert told[1] == list(picture.cells)
    assert sorted(told[2]) == sorted([mark.style.colour, mark.x, mark.y] for mark in picture.marks.values())
    assert told[3:] == [False, True]


def test_names_stay_text(tmp_path):
    game = hostile_game()
    decision = game.agent("uct(iterations=50, plain=true)", seed=1).decide(game.start())
    told = run(
        decision, tmp_path,
        'press("ArrowDown"); told.push(window.hacked || 0, names()[1], the.path.textContent, document.images.length)',
    )  # fmt: skip
    name = f"{HOSTILE} {decision.tree.children[0].action}"
    assert told == [0, name, f"root / {name}", 0]


@pytest.mark.parametrize("width", [360, 1280, 3840])
def test_pages_fit_phones_and_large_screens(width, tmp_path):
    """In a frame of that width, because windows have a minimum; with the longest path open."""
    page = tree_page(decided("deepsea(players=3)", 300), "x" * 300)
    frame = f"""<!DOCTYPE html><body><iframe style="width:{width}px;height:800px"></iframe></body>"""
    script = f"""
      const page = document.querySelector("iframe");
      page.onload = () => {{
        const inside = page.contentDocument, out = document.createElement("i");
        inside.querySelector("#expected").click();
        const name = inside.querySelector(".cursor .name");
        out.id = "probe";
        out.textContent = JSON.stringify([inside.documentElement.scrollWidth, inside.documentElement.clientWidth,
          inside.querySelector("#tree").scrollWidth <= inside.querySelector("#tree").clientWidth,
          name.clientWidth >= Math.min(name.scrollWidth, 40)]);
        document.body.append(out);
      }};
      page.srcdoc = {json.dumps(page)};"""
    content, room, fits, readable = probed(opened(frame, tmp_path, script.replace("</", "<\\/")))
    assert content <= room
    assert fits
    assert readable


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_light_and_dark(ground, tmp_path):
    page = tree_page(decided(PIG), "about").replace(
        "(prefers-color-scheme: dark)", "all" if ground == "dark" else "print"
    )
    told = run(decided(PIG), tmp_path, "told.push(getComputedStyle(document.body).color)", page=page)
    value = getattr(PALETTE["ink"], ground)
    assert told == [f"rgb({', '.join(str(int(value[i : i + 2], 16)) for i in (1, 3, 5))})"]
