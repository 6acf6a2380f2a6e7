"""The command tree: text, JSON, a picture and a page of one decision, and its errors."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

import spinney
from tests.commands import run
from tests.show.pages import data_of

AGENT = "uct(iterations=200, plain=true)"


def test_all_forms_are_of_one_decision(capsys, tmp_path):
    words = ("tree", "tictactoe", AGENT, "--moves", "5, 1,9", "--seed", 3, "--depth", 1, "--width", 2)
    game = spinney.game("tictactoe")
    state = game.start(3)
    for move in "519":
        state.apply(move)
    root = game.agent(AGENT, seed=3).decide(state).tree
    code, out, errors = run(capsys, *words)
    assert (code, errors) == (0, "")
    assert out.endswith(f"{root.show(1, 2)}\n")
    svg, html = tmp_path / "tree.svg", tmp_path / "tree.html"
    code, out, errors = run(capsys, *words, "--svg", svg, "--html", html, "--most", 30, "--json", "-")
    assert code == 0
    assert json.loads(out)["tree"] == root.to_dict(1, 2)
    assert errors == f"the tree as a picture in {svg}\nthe tree as a page in {html}\n"
    assert svg.read_text() == root.svg(1, 2)
    assert ElementTree.fromstring(svg.read_text()).tag.endswith("svg")
    assert data_of(html.read_text())["visits"] == [node.visits for node in root.most_visited(30)]
    assert "seed 3, after 5, 1,9" in html.read_text()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["tictactoe", "random"], "random grows no search tree; flat, uct, joint, decoupled, infoset, net_search do"),
        (["tictactoe", "alphabeta(iterations=10)"], "alphabeta grows no search tree"),
        (["tictactoe", AGENT, "--moves", "5,5"], "'5' is not legal; legal: 1, 2, 3, 4, 6, 7, 8, 9"),
        (["tictactoe", AGENT, "--moves", "1,2,3,4,5,6,7"], "end the game; there is nothing to decide"),
        (["tictactoe", AGENT, "--moves", "1,2,3,4,5,6,7,8"], "the game is over before action 8, '8'"),
        (["tictactoe", AGENT, "--html", "no/such/page.html"], "there is no folder no/such"),
        (["tictactoe", AGENT, "--most", "0"], "Input should be greater than or equal to 1"),
    ],
)
def test_errors_are_one_line(capsys, words, problem):
    code, out, errors = run(capsys, "tree", *words)
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert problem in errors
