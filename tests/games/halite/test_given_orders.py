"""Turns of which a person gives some orders, and a planner the rest."""

from __future__ import annotations

import random

import pytest

import spinney
from spinney.games.halite import state as halite
from spinney.play import Session

LATE = 14
"""The last turns, in which ships may collide on an own structure."""


def target(s, i, order):
    return int(s.cell[i]) if order in (halite.STAY, halite.CONSTRUCT) else int(halite.step(s, int(s.cell[i]), order))


@pytest.mark.parametrize("seed", range(3))
def test_other_ships_keep_clear_of_those_that_are_ordered(seed):
    game = spinney.game("halite(size=32, turns=120)")
    picks = random.Random(seed)
    session = Session(game.start(seed=seed), [None, game.agent("collector")])
    planner = game.agent("skimmer")
    checked = 0
    while session.state.record.turn < 120 - LATE:
        state = session.state
        s = state.record.copy()
        ships = [i for i in range(s.ships) if s.player[i] == 0]
        ahead, legal = state.copy(), []
        while not legal or (ahead.mover == 0 and ahead.is_under_way):
            legal.append(ahead.legal(0))
            ahead.apply(legal[-1][0], 0)
        given = {k: picks.choice(legal[k]) for k in range(len(ships)) if picks.random() < 0.2}
        given = {k: order for k, order in given.items() if order != halite.CONSTRUCT}
        actions = planner.complete_turn(state, 0, given).actions
        assert all(actions[k] == order for k, order in given.items())
        ordered = {target(s, ships[k], order) for k, order in given.items()}
        for k, i in enumerate(ships):
            if k not in given:
                to = target(s, i, actions[k])
                free = [order for order in legal[k] if order < halite.CONSTRUCT and target(s, i, order) not in ordered]
                checked += bool(free and ordered)
                assert to not in ordered or len(free) < 4, (s.turn, k)  # unless others are in the way, too
        session.tell(actions[0], 0)
        for action in actions[1:]:
            state.apply(action, 0)
        while session.state.movers == (1,):
            session.ask()
    assert checked > 50


def test_orders_that_were_given_before_count():
    game = spinney.game("halite(size=32, turns=200)")
    planner, state = game.agent("skimmer"), game.start(seed=1)
    for _ in range(40):
        turn = planner.decide_turn(state)
        for action in turn.actions:
            state.apply(action, turn.player)
    first = planner.decide_turn(state)
    assert len(first.actions) >= 5
    whole = game.agent("skimmer").complete_turn(state, state.mover, {0: halite.NORTH}).actions
    state.apply(halite.NORTH)
    rest = game.agent("skimmer").decide_turn(state).actions
    assert whole == (halite.NORTH, *rest)
