"""Saboteur as a picture: each cell of the board has nine squares, which show the tunnels of its tile.

A full state is shown completely: the nugget under its objective, and both hands.
"""

from __future__ import annotations

from typing import Any

from spinney.games.picture import GOLD, INK, PAPER, QUIET, ROCK, SOFT, TUNNEL, Mark, Picture, labels, letter
from spinney.games.saboteur.board import facts, objective_mark
from spinney.games.saboteur.state import (
    ENTRANCE_CELL,
    MAX_PLAYERS,
    OBJECTIVES,
    SIZE,
    cell_at,
    column_of,
    has,
    objective_at,
    objective_cell,
    row_of,
)
from spinney.games.saboteur.tiles import EAST, EMPTY, NORTH, OBJECTIVE, SIDES, SOUTH, THROUGH, WEST


def picture(s: Any) -> Picture:
    """The board: tunnels that are connected with the entrance in gold, others grey; hidden objectives dark."""
    width = 3 * SIZE
    cells = [SOFT] * (width * width)
    for cell in (cell_at(row, column) for row in range(SIZE) for column in range(SIZE)):
        for part, colour in enumerate(_parts(s, cell)):
            cells[(3 * row_of(cell) + part // 3) * width + 3 * column_of(cell) + part % 3] = colour
    marks = labels(range(SIZE), range(SIZE), width - 1, span=3)
    marks["entrance"] = _letter(ENTRANCE_CELL, "E", INK)
    for i in range(OBJECTIVES):
        shown = s.revealed >> i & 1
        marks["objective", i] = _letter(objective_cell(i), objective_mark(s, i), INK if shown else PAPER)
    return Picture(
        width,
        width,
        cells,
        marks,
        f"turn {s.turn}, cards in the deck: {s.deck_size}",
        [facts(s, player) for player in range(MAX_PLAYERS)],
        grid=3,
    )


def _parts(s: Any, cell: int) -> list[str]:
    """The colours of the nine squares of a cell, row by row."""
    code = int(s.tile[cell])
    if code == EMPTY:
        return [SOFT] * 9
    if code == OBJECTIVE and not s.revealed >> objective_at(cell) & 1:
        return [QUIET] * 9
    tunnel = GOLD if has(s.reached, cell) else TUNNEL
    north, east, south, west = (tunnel if SIDES[code] & side else ROCK for side in (NORTH, EAST, SOUTH, WEST))
    return [ROCK, north, ROCK, west, tunnel if THROUGH[code] else ROCK, east, ROCK, south, ROCK]


def _letter(cell: int, text: str, colour: str) -> Mark:
    return letter(3 * column_of(cell) + 1, 3 * row_of(cell) + 1, text, colour, 1.6)
