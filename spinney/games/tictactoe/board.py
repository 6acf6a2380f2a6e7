"""Tic-tac-toe as text."""

from __future__ import annotations

from typing import Any

from spinney.games.tictactoe.rules import CELLS

MARKS = "XO"


def draw(s: Any) -> str:
    """The board; an empty cell shows its name."""
    cells = [_cell(s, cell) for cell in range(CELLS)]
    return "\n---+---+---\n".join(" " + " | ".join(cells[row : row + 3]) for row in range(0, CELLS, 3))


def name_action(s: Any, action: int) -> str:
    """A cell, from 1 at the top left to 9 at the bottom right."""
    return str(action + 1)


def _cell(s: Any, cell: int) -> str:
    taken = (mark for mark, marks in zip(MARKS, s.marks, strict=True) if marks >> cell & 1)
    return next(taken, str(cell + 1))
