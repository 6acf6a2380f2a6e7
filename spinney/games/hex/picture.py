"""Hex as a picture."""

from __future__ import annotations

from typing import Any

from spinney.games.hex.board import COLUMNS, name_action, stone_on
from spinney.games.picture import LINE, PAPER, PLAYERS, QUIET, SOFT, Mark, Picture, Tap, disc, letter, line


def picture(s: Any) -> Picture:
    """The board as a parallelogram between the edges of the players, each row half a cell further to the right."""
    size = int(s.size)
    width, height = size + (size + 1) // 2 + 1, size + 2
    marks: dict[Any, Mark] = {}
    for i in range(size):
        marks["column", i] = letter(0.75 + i, 0, COLUMNS[i], QUIET, 0.4)
        marks["row", i] = letter(i / 2 + 0.25, i + 1, i + 1, QUIET, 0.4)
    for cell in range(size * size):
        owner = stone_on(s, cell)
        marks[cell] = disc(*_place(s, cell), PAPER if owner is None else PLAYERS[owner], 0.9, LINE)
    for side in range(2):
        y, skew = side * size + 0.5, side * (size - 1) / 2
        marks["edge", 0, side] = line(0.75 + skew, y, size - 0.5, 0, PLAYERS[0])
        marks["edge", 1, side] = line(0.5 + side * size, 1, (size - 1) / 2, size - 1, PLAYERS[1])
    return Picture(width, height, [SOFT] * (width * height), marks, grid=0)


def taps(s: Any, action: int, player: int) -> tuple[Tap, ...]:
    """A cell."""
    return (Tap(name_action(s, action), *_place(s, action)),)


def _place(s: Any, cell: int) -> tuple[float, float]:
    row, column = divmod(cell, int(s.size))
    return 1 + column + row / 2, row + 1
