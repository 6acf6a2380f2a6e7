"""The arguments that the simulator passes to an agent, and the legal answers.

The legal moves are computed here a second time, without the game's rules: every answer is checked by them, and they
give a move when the agent fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spinney.errors import SpinneyError
from spinney.games.colosseum.recording import position
from spinney.games.colosseum.state import DOWN, RIGHT, SIDES

Move = tuple[tuple[int, int], int]
"""A cell, and the side of it that is closed."""
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Where the sides of a cell lead: up, right, down, left."""


class BadView(SpinneyError, ValueError):
    """Arguments that are not a position of the game."""


@dataclass(frozen=True)
class View:
    """A position, seen by the player to move."""

    closed: Any
    """Booleans by row, column and side."""
    mine: tuple[int, int]
    theirs: tuple[int, int]
    steps: int

    @property
    def size(self) -> int:
        return len(self.closed)

    def moves(self) -> list[Move]:
        """All legal moves, near cells first."""
        found, cells = [self.mine], {self.mine: 0}
        for cell in found:
            if cells[cell] == self.steps:
                break
            for side, (down, right) in enumerate(STEPS):
                new = (cell[0] + down, cell[1] + right)
                if not self.closed[cell][side] and new not in cells and new != self.theirs:
                    cells[new] = cells[cell] + 1
                    found.append(new)
        return [(cell, side) for cell in found for side in range(SIDES) if not self.closed[cell][side]]

    def some_move(self) -> Move:
        """A legal move to a cell with as few closed sides as possible; without legal moves, an illegal one."""
        moves = self.moves()
        return min(moves, key=lambda move: int(self.closed[move[0]].sum())) if moves else (self.mine, 0)

    def record(self) -> Any:
        """The state that the game's rules work on. The player to move is player 0."""
        size = self.size
        walls = [
            [row, column, side]
            for row in range(size)
            for column in range(size)
            for side, last in ((RIGHT, column), (DOWN, row))
            if last < size - 1 and self.closed[row, column, side]
        ]
        found = position(size, walls, [list(self.mine), list(self.theirs)])
        found.steps = min(found.steps, self.steps)  # more than the rules allow would not fit into a list of moves
        return found


def read(chess_board: Any, my_pos: Any, adv_pos: Any, max_step: Any) -> View:
    """The arguments of an agent's `step`, whatever kinds of numbers they are made of."""
    closed = np.array(chess_board).astype(bool)
    if closed.ndim != 3 or closed.shape[0] != closed.shape[1] or closed.shape[2] != SIDES or not len(closed):
        raise BadView(f"a board of shape {closed.shape}; it must be (M, M, 4)")
    closed[0, :, 0] = closed[:, -1, 1] = closed[-1, :, 2] = closed[:, 0, 3] = True
    closed[1:, :, 0] |= closed[:-1, :, 2]  # a wall is that of both cells beside it
    closed[:-1, :, 2] |= closed[1:, :, 0]
    closed[:, 1:, 3] |= closed[:, :-1, 1]
    closed[:, :-1, 1] |= closed[:, 1:, 3]
    mine, theirs = (_cell(where, len(closed)) for where in (my_pos, adv_pos))
    return View(closed, mine, theirs, max(0, int(max_step)))


def _cell(where: Any, size: int) -> tuple[int, int]:
    row, column = (int(number) for number in where)
    if not (0 <= row < size and 0 <= column < size):
        raise BadView(f"a player at {(row, column)}, on a board of {size}x{size}")
    return row, column
