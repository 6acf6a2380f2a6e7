"""Tic-tac-toe as a picture."""

from __future__ import annotations

from typing import Any

from spinney.games.picture import PLAYERS, QUIET, SOFT, Mark, Picture, Tap, letter
from spinney.games.tictactoe.board import MARKS
from spinney.games.tictactoe.rules import CELLS


def picture(s: Any) -> Picture:
    """An empty cell shows its name."""
    marks: dict[Any, Mark] = {cell: letter(cell % 3, cell // 3, cell + 1, QUIET, 0.25) for cell in range(CELLS)}
    for player, mark in enumerate(MARKS):
        taken = [cell for cell in range(CELLS) if s.marks[player] >> cell & 1]
        marks |= {cell: letter(cell % 3, cell // 3, mark, PLAYERS[player], 0.9) for cell in taken}
    return Picture(3, 3, [SOFT] * CELLS, marks, facts=MARKS)


def taps(s: Any, action: int, player: int) -> tuple[Tap, ...]:
    """A cell."""
    return (Tap(f"cell {action + 1}", action % 3, action // 3, key=str(action + 1)),)
