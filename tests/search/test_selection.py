"""Selection rules: a new one is a function and a line in a table."""

from __future__ import annotations

from math import inf, log, sqrt
from types import SimpleNamespace

import pytest

import spinney
from spinney.errors import BadOption
from spinney.kernel import rule
from spinney.search.action_values import history_record
from spinney.search.selection import BOUNDS, Bound, ucb1, ucb1_tables
from spinney.search.simultaneous_selection import PLAYER_RULES
from spinney.search.tree import extended_record, node_record
from spinney.search.uct import UcbSettings


@rule(inline=True)
def root_of_visits(n, o):
    return sqrt(n)


@rule(inline=True)
def puct_without_priors(node, player, n, mean, explore, work, o):
    """Another bound, which rates untried actions itself, by the mean of the parent."""
    return mean + explore / (1.0 + n)


def tree_of(spec):
    game = spinney.game("connect_four")
    tree = game.agent(f"uct({spec}, iterations=300, seed=1)").decide(game.start()).tree
    return [(depth, node.action, node.visits, node.values) for depth, node in tree.walk()]


def test_a_new_bound_is_a_function_and_a_line(monkeypatch):
    monkeypatch.setitem(BOUNDS, "mine", Bound(puct_without_priors, root_of_visits))
    compiled = tree_of("select=mine")
    assert compiled == tree_of("select=mine, plain=true")
    assert compiled != tree_of("select=ucb1") == tree_of("plain=true")


def settings(**more):
    return UcbSettings(**{"fpu": 0.6, **ucb1_tables(0.7, 10.0), **more})


def test_ucb1_by_its_formula():
    o, node = settings(), node_record(2)()
    bound, explore = BOUNDS["ucb1"][:2]
    assert bound is ucb1
    for n, parent in ((1, 1), (3, 17), (2047, 2047), (2048, 5000), (10_000, 1_000_000)):
        right = 0.25 + 0.7 * sqrt(log(parent) / log(10) / n)
        assert bound(node, 0, n, 0.25, explore(parent, o), None, o) == pytest.approx(right, rel=1e-12)
    assert bound(node, 0, 0, 0.5, 1.0, None, o) == 0.6


def test_ucb1_tuned_by_its_formula():
    """Rewards 1, 1, 0 and 0.5 in four of forty visits: mean 0.625, mean square 0.5625."""
    o, node = settings(), extended_record(2, ("squares",))()
    node.squares[1] = 1 + 1 + 0 + 0.25
    bound, explore = BOUNDS["ucb1_tuned"][:2]
    variance = 0.5625 - 0.625**2 + sqrt(2 * log(40) / 4)
    right = 0.625 + 0.7 * sqrt(log(40) / 4 * min(0.25, variance))
    assert bound(node, 1, 4, 0.625, explore(40, o), None, o) == pytest.approx(right, rel=1e-12)
    node.squares[1] = 4000 * 0.25 + 1e-9  # no variance: its bound is sqrt(2 log(n) / visits) alone
    right = 0.5 + 0.7 * sqrt(log(9000) / 4000 * sqrt(2 * log(9000) / 4000))
    assert bound(node, 1, 4000, 0.5, explore(9000, o), None, o) == pytest.approx(right, rel=1e-6)


def test_puct_by_its_formula():
    o, node = settings(fpu=inf), node_record(2)()
    node.weight = 0.125
    bound, explore = BOUNDS["puct"][:2]
    assert bound(node, 0, 3, 0.4, explore(49, o), None, o) == pytest.approx(0.4 + 0.7 * 0.125 * 7 / 4)
    assert bound(node, 0, 0, 0.3, explore(49, o), None, o) == pytest.approx(0.3 + 0.7 * 0.125 * 7)


def test_rave_by_its_formula():
    """A quarter of the weight after three times `equivalence` visits, if there are many more AMAF visits."""
    o, node = settings(equivalence=100.0), extended_record(2, ("amaf",))()
    bound = BOUNDS["rave"].bound
    node.amaf_visits, node.amaf_value = 30, 24.0
    beta = 30 / (10 + 30 + 10 * 30 / 100)
    assert bound(node, 0, 10, 0.5, 0.0, None, o) == pytest.approx(0.5 + beta * 0.3)
    assert bound(node, 0, 0, 0.5, 0.0, None, o) == pytest.approx(0.8)
    node.amaf_visits, node.amaf_value = 10**9, 0.9e9
    assert bound(node, 0, 300, 0.5, 0.0, None, o) == pytest.approx(0.5 + 0.25 * 0.4, abs=1e-6)
    node.amaf_visits = 0
    assert bound(node, 0, 0, 0.5, 0.0, None, o) == 0.6


def test_progressive_history_by_its_formula():
    """The action won 3 of 4 times in the whole search, and lost 6 of the 10 visits of this child: 3 / 4 / (6 + 1)."""
    o, work = settings(history=2.0), SimpleNamespace(history=history_record(2, 5)())
    node = node_record(2)()
    node.action = 4
    work.history.visits[1, 4], work.history.value[1, 4] = 4, 3.0
    bound, explore = BOUNDS["progressive_history"][:2]
    ucb = 0.4 + 0.7 * sqrt(log(50) / log(10) / 10)
    assert bound(node, 1, 10, 0.4, explore(50, o), work, o) == pytest.approx(ucb + 2 * 0.75 / 7)
    assert bound(node, 0, 10, 0.4, explore(50, o), work, o) == pytest.approx(ucb)  # the other never made it
    assert bound(node, 1, 0, 0.5, explore(50, o), work, o) == pytest.approx(0.6 + 2 * 0.75)


def test_what_can_be_selected_is_told():
    with pytest.raises(BadOption, match="uct: option 'select' = 'ucb2' must be 'ucb1', 'ucb1_tuned', 'puct', "):
        spinney.game("tictactoe").agent("uct(select=ucb2)")
    with pytest.raises(BadOption, match="option 'select' = 'ucb1' must be 'uct', 'exp3' or 'regret'"):
        spinney.game("battlesnake").agent("decoupled(select=ucb1)")
    assert list(PLAYER_RULES) == ["uct", "exp3", "regret"]
