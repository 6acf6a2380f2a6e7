"""Breakthrough as a picture."""

from __future__ import annotations

from typing import Any

from spinney.games.breakthrough.board import COLUMNS, pawn_on, square_name, squares
from spinney.games.picture import LINE, PAPER, PLAYERS, SOFT, Mark, Picture, Tap, disc, labels


def picture(s: Any) -> Picture:
    """The chequered board, with the home row of player 1 at the top."""
    rows, columns = int(s.rows), int(s.columns)
    marks: dict[Any, Mark] = dict(labels(COLUMNS[:columns], range(rows, 0, -1), rows - 1))
    for row in range(rows):
        for column in range(columns):
            owner = pawn_on(s, row, column)
            if owner is not None:
                marks[column, row] = disc(column, row, PLAYERS[owner], 0.7, LINE)
    cells = [SOFT if (row + column) % 2 else PAPER for row in range(rows) for column in range(columns)]
    facts = [f"pawns {sum(pawn_on(s, i // columns, i % columns) == p for i in range(rows * columns))}" for p in (0, 1)]
    return Picture(columns, rows, cells, marks, facts=facts, grid=0)


def taps(s: Any, action: int, player: int) -> tuple[Tap, ...]:
    """A pawn, then the square to which it moves."""
    start, end = squares(s, action)
    does = "take" if action & 1 else "go to"
    return Tap(f"pawn {square_name(s, *start)}", *start[::-1]), Tap(f"{does} {square_name(s, *end)}", *end[::-1])
