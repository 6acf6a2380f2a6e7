"""Saboteur as a picture: each cell of the board has nine squares, which show the tunnels of its tile.

A full state is shown completely: the nugget under its objective, and both hands.
"""

from __future__ import annotations

from typing import Any

from spinney.games.picture import GOLD, INK, PAPER, QUIET, ROCK, SOFT, TUNNEL, Mark, Picture, labels, letter
from spinney.games.saboteur import state, tiles
from spinney.games.saboteur.board import facts, objective_mark


def picture(s: Any) -> Picture:
    """The board: tunnels that are connected with the entrance in gold, others grey; hidden objectives dark."""
    width = 3 * state.SIZE
    cells = [SOFT] * (width * width)
    for cell in (state.cell_at(row, column) for row in range(state.SIZE) for column in range(state.SIZE)):
        for part, colour in enumerate(_parts(s, cell)):
            cells[(3 * state.row_of(cell) + part // 3) * width + 3 * state.column_of(cell) + part % 3] = colour
    marks = labels(range(state.SIZE), range(state.SIZE), width - 1, span=3)
    marks["entrance"] = _letter(state.ENTRANCE_CELL, "E", INK)
    for i in range(state.OBJECTIVES):
        shown = s.revealed >> i & 1
        marks["objective", i] = _letter(state.objective_cell(i), objective_mark(s, i), INK if shown else PAPER)
    return Picture(
        width,
        width,
        cells,
        marks,
        f"turn {s.turn}, cards in the deck: {s.deck_size}",
        [facts(s, player) for player in range(state.MAX_PLAYERS)],
        grid=3,
    )


def _parts(s: Any, cell: int) -> list[str]:
    """The colours of the nine squares of a cell, row by row."""
    code = int(s.tile[cell])
    if code == tiles.EMPTY:
        return [SOFT] * 9
    if code == tiles.OBJECTIVE and not s.revealed >> state.objective_at(cell) & 1:
        return [QUIET] * 9
    tunnel = GOLD if state.has(s.reached, cell) else TUNNEL
    north, east, south, west = (tunnel if tiles.SIDES[code] & side else ROCK for side in tiles.CLOCKWISE)
    return [ROCK, north, ROCK, west, tunnel if tiles.THROUGH[code] else ROCK, east, ROCK, south, ROCK]


def _letter(cell: int, text: str, colour: str) -> Mark:
    return letter(3 * state.column_of(cell) + 1, 3 * state.row_of(cell) + 1, text, colour, 1.6)
