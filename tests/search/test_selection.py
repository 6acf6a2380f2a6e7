"""Selection rules: a new one is a function and a line in a table."""

from __future__ import annotations

from math import log, sqrt

import pytest

import spinney
from spinney.errors import BadOption
from spinney.kernel import rule
from spinney.search.selection import BOUNDS, Bound, ucb1, ucb1_tables
from spinney.search.simultaneous_selection import PLAYER_RULES
from spinney.search.tree import node_record
from spinney.search.uct import UcbSettings


@rule(inline=True)
def root_of_visits(n, o):
    return sqrt(n)


@rule(inline=True)
def puct_without_priors(node, player, mean, explore, o):
    """Another bound, which rates untried actions itself."""
    return (mean if node.visits > 0 else 0.5) + explore / (1.0 + node.visits)


def tree_of(spec):
    game = spinney.game("connect_four")
    tree = game.agent(f"uct({spec}, iterations=300, seed=1)").decide(game.start()).tree
    return [(depth, node.action, node.visits, node.values) for depth, node in tree.walk()]


def test_a_new_bound_is_a_function_and_a_line(monkeypatch):
    monkeypatch.setitem(BOUNDS, "puct", Bound(puct_without_priors, root_of_visits))
    compiled = tree_of("select=puct")
    assert compiled == tree_of("select=puct, plain=true")
    assert compiled != tree_of("select=ucb1") == tree_of("plain=true")


def test_ucb1_by_its_formula():
    settings, node = UcbSettings(fpu=0.6, **ucb1_tables(0.7, 10.0)), node_record(2)()
    bound, explore = BOUNDS["ucb1"]
    assert bound is ucb1
    for n, parent in ((1, 1), (3, 17), (2047, 2047), (2048, 5000), (10_000, 1_000_000)):
        node.visits = n
        right = 0.25 + 0.7 * sqrt(log(parent) / log(10) / n)
        assert bound(node, 0, 0.25, explore(parent, settings), settings) == pytest.approx(right, rel=1e-12)
    node.visits = 0
    assert bound(node, 0, 0.0, 1.0, settings) == 0.6


def test_what_can_be_selected_is_told():
    with pytest.raises(BadOption, match="uct: option 'select' = 'ucb2' must be 'ucb1'"):
        spinney.game("tictactoe").agent("uct(select=ucb2)")
    with pytest.raises(BadOption, match="option 'select' = 'ucb1' must be 'uct', 'exp3' or 'regret'"):
        spinney.game("battlesnake").agent("decoupled(select=ucb1)")
    assert list(PLAYER_RULES) == ["uct", "exp3", "regret"]
