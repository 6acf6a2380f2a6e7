"""Connect four as a picture."""

from __future__ import annotations

from typing import Any

from spinney.games.connect_four.rules import COLUMNS, HEIGHT, MAX_PLAYERS, ROWS, stones_of
from spinney.games.picture import LINE, PAPER, PLAYERS, QUIET, Mark, Picture, disc, letter


def picture(s: Any) -> Picture:
    """The board, with the names of the columns below it."""
    marks: dict[Any, Mark] = {column: letter(column, ROWS, column + 1, QUIET, 0.4) for column in range(COLUMNS)}
    for column in range(COLUMNS):
        for row in range(ROWS):
            bit = 1 << (column * HEIGHT + row)
            colour = next((PLAYERS[player] for player in range(MAX_PLAYERS) if stones_of(s, player) & bit), PAPER)
            marks[column, row] = disc(column, ROWS - 1 - row, colour)
    cells = [LINE] * (COLUMNS * ROWS) + [PAPER] * COLUMNS
    return Picture(COLUMNS, ROWS + 1, cells, marks, f"stones {s.count}", grid=0)
