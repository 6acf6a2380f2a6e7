"""The transposition table, and the hashes by which games tell positions apart."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from types import SimpleNamespace

import pytest

import spinney
from spinney.errors import BadOption
from spinney.games.card import OVER
from spinney.games.colosseum import rules as colosseum
from spinney.games.colosseum.recording import position
from spinney.games.connect_four import rules as connect_four
from spinney.games.tictactoe import rules as tictactoe
from spinney.search.transposition import EXACT, EXACT_DEPTH, LOWER, UPPER, Entry, cuts_off, lookup, new_table, store
from tests.games.colosseum.reference import walls_of

POSITIONS = {
    "colosseum(size=4)": (colosseum, lambda s: (s.mover, *s.cell, str(walls_of(s)))),
    "colosseum(size=12)": (colosseum, lambda s: (s.mover, *s.cell, str(walls_of(s)))),
    "connect_four": (connect_four, lambda s: (s.own, s.filled)),
    "tictactoe": (tictactoe, lambda s: tuple(s.marks)),
}


@pytest.mark.parametrize("spec", POSITIONS)
def test_a_hash_stands_for_one_position(spec):
    rules, what = POSITIONS[spec]
    game, choose, seen = spinney.game(spec), random.Random(1), {}
    for seed in range(60):
        state = game.start(seed % 4)
        while not state.is_over:
            assert seen.setdefault(rules.position_hash(state.record), what(state.record)) == what(state.record)
            state.apply(choose.choice(state.legal()))
    assert len(seen) == len(set(seen.values())) > 200


def test_a_hash_does_not_depend_on_the_order_of_moves():
    """The same walls in any order, though they hang together under other names."""
    walls = [[0, 0, 1], [1, 0, 1], [1, 1, 2], [2, 2, 1], [0, 2, 2]]
    keys = {colosseum.position_hash(position(4, order, [(0, 0), (3, 3)])) for order in itertools.permutations(walls)}
    assert len(keys) == 1
    assert keys != {colosseum.position_hash(position(4, walls, [(0, 0), (3, 2)]))}


def test_bounds():
    """A value is of use where it answers the question whether a position is worth more than alpha, or beta."""
    table = new_table(Entry, 4, plain=True)
    for value, bound, of_use in (
        (0.5, EXACT, [(0.0, 1.0), (0.4, 0.6), (0.6, 0.7), (0.1, 0.2)]),
        (0.7, LOWER, [(0.1, 0.2), (0.4, 0.7)]),
        (0.3, UPPER, [(0.4, 0.6), (0.3, 0.5)]),
    ):
        store(table, 17, 3, 0.4, 0.6, value, 8)
        entry = table[lookup(table, 17)]
        assert (entry.value, entry.bound, entry.action, entry.depth) == (value, bound, 8, 3)
        for window in of_use:
            assert cuts_off(entry, 3, *window)
            assert not cuts_off(entry, 4, *window)
    assert not cuts_off(table[lookup(table, 17)], 3, 0.2, 0.6)  # at most 0.3 may be more than 0.2, or not
    assert lookup(table, 18) == -1


def test_the_deepest_search_of_a_position_is_kept():
    table = new_table(Entry, 1, plain=True)
    store(table, 5, 4, 0.0, 1.0, 0.5, 1)
    store(table, 5, 3, 0.0, 1.0, 0.6, 2)
    assert table[lookup(table, 5)].action == 1
    store(table, 5, 1, 0.0, 1.0, 1.0, 3)
    assert (table[lookup(table, 5)].action, table[lookup(table, 5)].depth) == (3, EXACT_DEPTH)  # a win stays one
    store(table, 6, 1, 0.0, 1.0, 0.5, 2)
    assert lookup(table, 5) == -1  # another position took its place
    assert lookup(table, 6) == 0


def solved(card, s, player):
    """What a position is worth to a player, by trying everything."""
    out, mover = card.out(), card.rules.mover(s)
    if mover == OVER:
        card.rules.reward(s, out)
        return out.reward[player]
    values = []
    for action in out.action[: card.rules.legal(s, mover, out)]:
        then = s.copy()
        card.rules.apply(then, action)
        values.append(solved(card, then, player))
    return max(values) if mover == player else min(values)


def test_games_are_solved_the_same_with_a_table():
    """The ends of games on a small board, whole: every position's value, with one table for all of them."""
    game, choose = spinney.game("colosseum(size=3)"), random.Random(2)
    agent = game.agent("alphabeta(iterations=1000000, killers=true, transposition_table=true)", seed=1)
    found = set()
    for seed in range(12):
        state = game.start(seed)
        while not state.is_over:
            if len(state.legal()) < 9:
                right = solved(game.card, state.record, state.mover)
                assert agent.decide(state).values[state.mover] == right
                found.add(right)
            state.apply(choose.choice(state.legal()))
    assert found == {0.0, 0.5, 1.0}


def test_it_needs_a_position_hash():
    card = spinney.game("connect_four").card
    rules = SimpleNamespace(**{name: value for name, value in vars(card.rules).items() if name != "position_hash"})
    with pytest.raises(BadOption, match="option 'transposition_table': connect_four has no rule position_hash"):
        spinney.game(replace(card, rules=rules)).agent("alphabeta(transposition_table=true)")
