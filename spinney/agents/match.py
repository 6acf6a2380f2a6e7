"""Playing a game between agents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spinney.agents.agent import Agent
from spinney.agents.decision import Decision
from spinney.errors import BadGame
from spinney.games import State


def play_on(state: State, seats: Sequence[Agent]) -> Iterator[Decision]:
    """Play a state to its end, an agent for each player; yields each decision after it was applied."""
    if len(seats) != state.game.players:
        raise BadGame(f"{state.game!r} is for {state.game.players} players, and there are {len(seats)} agents")
    while not state.is_over:
        if not (movers := state.movers):
            raise BadGame("chance is to move, and this state leaves that to you; start the game without manual_chance")
        for decision in [seats[player].move(state, player) for player in movers]:
            state.apply(decision.action, decision.player)
            yield decision
