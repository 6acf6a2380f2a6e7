"""Reuse of a tree: which path through it a game has taken since the last decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from spinney.errors import SpinneyError
from spinney.games import CHANCE, Game, State
from spinney.search.base import replay_steps

Steps = Sequence[tuple[int, int]]
"""Movers and their actions."""


class Reuse(Protocol):
    """How a game moves through a tree."""

    def path(self, record: Any, steps: Steps, reached: Any) -> list[int] | None:
        """The path of the steps in a tree whose root is a record; none if they do not lead to the record that was
        reached: the same steps from elsewhere are another game."""


@dataclass
class SequentialReuse:
    """Players move one after the other. In an open loop, chance outcomes are no part of a path."""

    game: Game
    open_loop: bool

    def path(self, record: Any, steps: Steps, reached: Any) -> list[int] | None:
        if not _same(lambda: replay_steps(self.game, record, steps), reached):
            return None
        return [action for mover, action in steps if not (self.open_loop and mover == CHANCE)]


@dataclass
class SimultaneousReuse:
    """Players move simultaneously: a step through the tree is a joint action. Without nodes for chance, a tree is kept
    only if the game has had the outcomes that the tree assumed."""

    game: Game
    moves: int
    default_chance: Any
    """The rule of the only chance outcome in the tree; none: chance has nodes."""

    def path(self, record: Any, steps: Steps, reached: Any) -> list[int] | None:
        if not _same(lambda: self._replay(record, steps), reached):
            return None
        path: list[int] = []
        last = CHANCE
        for mover, action in steps:
            if mover == CHANCE:
                if self.default_chance is None:
                    path.append(action)
            elif mover > last >= 0:  # another player of the same joint action
                path[-1] += action * self.moves**mover
            else:
                path.append(action * self.moves**mover)
            last = mover
        return path

    def _replay(self, record: Any, steps: Steps) -> Any:
        if self.default_chance is None:
            return replay_steps(self.game, record, steps)
        ahead = State(self.game, record.copy())
        for mover, action in steps:
            if mover != CHANCE:
                ahead.apply(action, mover)
            while ahead.mover == CHANCE:
                ahead.apply(int(self.default_chance(ahead.record, None)))
        return ahead.record


def _same(replay: Any, reached: Any) -> bool:
    try:
        return bool(replay() == reached)
    except SpinneyError:
        return False
