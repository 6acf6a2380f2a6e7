"""Connect four as a picture."""

from __future__ import annotations

from typing import Any

from spinney.games.connect_four.rules import COLUMNS, HEIGHT, MAX_PLAYERS, ROWS, stones_of
from spinney.games.picture import LINE, PAPER, PLAYERS, QUIET, Mark, Picture, Tap, disc, letter


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


def taps(s: Any, action: int, player: int) -> tuple[Tap, ...]:
    """A column, in which the stone falls to the lowest free cell."""
    fallen = (int(s.filled) >> (action * HEIGHT) & (1 << ROWS) - 1).bit_count()
    lands = (action, ROWS - 1 - fallen)
    return (Tap(f"column {action + 1}", action, (ROWS - 1) / 2, 1, ROWS, key=str(action + 1), at=lands),)
