"""Connect four as a picture: discs in their holes."""

from __future__ import annotations

from typing import Any

from spinney.games.connect_four.rules import COLUMNS, HEIGHT, MAX_PLAYERS, ROWS
from spinney.games.picture import LINE, PAPER, PLAYERS, Mark, Picture, disc


def picture(s: Any) -> Picture:
    marks: dict[Any, Mark] = {}
    for column in range(COLUMNS):
        for row in range(ROWS):
            bit = 1 << (column * HEIGHT + row)
            colour = next((PLAYERS[player] for player in range(MAX_PLAYERS) if s.stones[player] & bit), PAPER)
            marks[column, row] = disc(column, ROWS - 1 - row, colour)
    return Picture(COLUMNS, ROWS, [LINE] * (COLUMNS * ROWS), marks, f"{s.count} stones", grid=0)
