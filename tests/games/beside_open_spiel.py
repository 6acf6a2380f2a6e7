"""Random games of Spinney's rules and OpenSpiel's, step by step side by side."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pyspiel
import pytest

import spinney
from spinney.games.card import CHANCE, OVER, SIMULTANEOUS

MOVERS = {
    pyspiel.PlayerId.TERMINAL: OVER, pyspiel.PlayerId.CHANCE: CHANCE, pyspiel.PlayerId.SIMULTANEOUS: SIMULTANEOUS,
}  # fmt: skip


def ours_of(spec: str) -> spinney.Game:
    """Spinney's game by OpenSpiel's name with parameters."""
    return spinney.game(spec.replace("tic_tac_toe", "tictactoe"))


def games(spec: str, number: int) -> Iterator[tuple[Any, spinney.State]]:
    """Both states of random games, at every step."""
    picks, theirs, game = random.Random(spec), pyspiel.load_game(spec), ours_of(spec)
    for _ in range(number):
        state, ours = theirs.new_initial_state(), game.start(manual_chance=True)
        yield state, ours
        while not state.is_terminal():
            if state.is_simultaneous_node():
                actions = [picks.choice(state.legal_actions(player)) for player in range(theirs.num_players())]
                state.apply_actions(actions)
                for player, action in enumerate(actions):
                    ours.apply(action, player)
            else:
                action = picks.choice(state.legal_actions())
                state.apply_action(action)
                ours.apply(action)
            yield state, ours


def check_steps(spec: str, number: int) -> int:
    """Compare the movers, the legal actions in their order, the chance outcomes with their probabilities, and the
    rewards, which are OpenSpiel's returns from the least utility at 0 to the greatest at 1. Returns the steps."""
    theirs, card, steps = pyspiel.load_game(spec), ours_of(spec).card, 0
    low, high = theirs.min_utility(), theirs.max_utility()
    assert str(pyspiel.load_game(theirs.get_type().short_name)) == card.rules.OPEN_SPIEL
    assert card.actions >= theirs.num_distinct_actions()
    for state, ours in games(spec, number):
        player = state.current_player()
        assert ours.mover == MOVERS.get(player, player)
        steps += 1
        if state.is_terminal():
            assert ours.rewards() == pytest.approx([(gain - low) / (high - low) for gain in state.returns()])
        elif state.is_chance_node():
            assert ours.outcomes() == [(action, pytest.approx(often)) for action, often in state.chance_outcomes()]
        else:
            for mover in range(theirs.num_players()) if player == pyspiel.PlayerId.SIMULTANEOUS else [player]:
                assert ours.legal(mover) == state.legal_actions(mover)
    return steps
