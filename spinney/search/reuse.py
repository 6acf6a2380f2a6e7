"""Reuse of a tree: which path through it a game has taken since the last decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from spinney.errors import SpinneyError
from spinney.games import CHANCE, Game, State

Steps = Sequence[tuple[int, int]]
"""Movers and their actions."""


def replay_steps(game: Game, record: Any, steps: Steps, chance: Any = None) -> Any:
    """The record that steps of a game lead to from another; an illegal step is an error. With a rule of chance, its
    outcomes replace those of the steps."""
    ahead = State(game, record.copy())
    for mover, action in steps:
        if chance is None or mover != CHANCE:
            ahead.apply(action, mover)
        while chance is not None and ahead.mover == CHANCE:
            ahead.apply(int(chance(ahead.record, None)))
    return ahead.record


@dataclass
class LastSearch:
    """The root of the last tree, and how a game moves through it."""

    game: Game
    history: list[tuple[int, int]]
    record: Any
    player: int
    """For whom the tree was grown."""
    open_loop: bool
    """Whether chance has no nodes."""
    default_chance: Any
    """The rule of the only chance outcomes in the tree; none: all outcomes are in it."""

    def path(self, state: State) -> list[int] | None:
        """The path from the root to a position, if it is that of the root, or the game has gone on from there.
        Simultaneous moves are one step. A tree without chance is of use only if the game has had the outcomes that the
        tree assumed."""
        known = len(self.history)
        steps = state.history[known:]
        if state.history[:known] != self.history:
            return None
        try:  # the same steps from another start are another game
            if replay_steps(self.game, self.record, steps, self.default_chance) != state.record:
                return None
        except SpinneyError:
            return None
        together, moves = self.game.card.is_simultaneous, self.game.card.bound_rules.moves
        path: list[int] = []
        last = CHANCE
        for mover, action in steps:
            digit = action * moves**mover if together and mover >= 0 else action
            if together and mover > last >= 0:  # another player of the same joint action
                path[-1] += digit
            elif not (self.open_loop and mover == CHANCE):
                path.append(digit)
            last = mover
        return path
