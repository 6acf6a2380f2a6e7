"""Saboteur as a picture: each cell of the board has nine squares, which show the tunnels of its tile. The hands are
below the board.

A full state is shown completely: the nugget under its objective, and both hands. In a player's view the cards of the
other one are face down.
"""

from __future__ import annotations

from typing import Any

from spinney.games import picture as draw
from spinney.games.picture import GOLD, INK, PAPER, QUIET, ROCK, SOFT, TUNNEL, Mark, Picture, labels, letter
from spinney.games.saboteur import state, tiles
from spinney.games.saboteur.board import facts, is_shown, objective_mark
from spinney.games.saboteur.recording import cards

WIDTH = 3 * state.SIZE
HEIGHT = WIDTH + 3 * 2 * state.MAX_PLAYERS
"""Below the board, each player has an empty row of cells and the row of the hand."""
Place = tuple[int, int]
"""The centre of a cell."""


def picture(s: Any) -> Picture:
    """The board: tunnels that are connected with the entrance in gold, others grey; hidden objectives dark."""
    squares = [SOFT] * (WIDTH * WIDTH) + [PAPER] * (WIDTH * (HEIGHT - WIDTH))
    for cell in (state.cell_at(row, column) for row in range(state.SIZE) for column in range(state.SIZE)):
        _fill(squares, place(cell), _parts(s, cell))
    marks = labels(range(state.SIZE), range(state.SIZE), WIDTH - 1, span=3)
    marks["entrance"] = _letter(place(state.ENTRANCE_CELL), "E", INK)
    for i in range(state.OBJECTIVES):
        shown = s.revealed >> i & 1
        marks["objective", i] = _letter(place(state.objective_cell(i)), objective_mark(s, i), INK if shown else PAPER)
    for player in range(state.MAX_PLAYERS):
        marks["hand", player] = _letter(_slot(player, 0), str(player + 1), draw.PLAYERS[player])
        for i, kind in enumerate(cards(s, player) if is_shown(s, player) else [None] * s.hand_size[player]):
            at = hand_place(player, i)
            _fill(squares, at, _card(kind))
            if kind is not None and kind >= tiles.TILES:
                marks["card", player, i] = letter(*at, tiles.CARD_NAMES[kind], INK, 0.6)
    return Picture(
        WIDTH,
        HEIGHT,
        squares,
        marks,
        f"turn {s.turn}, cards in the deck: {s.deck_size}",
        [facts(s, player) for player in range(state.MAX_PLAYERS)],
        grid=3,
    )


def place(cell: int) -> Place:
    """A cell of the board in the picture."""
    return 3 * int(state.column_of(cell)) + 1, 3 * int(state.row_of(cell)) + 1


def hand_place(player: int, i: int) -> Place:
    """A card of a hand in the picture."""
    return _slot(player, 2 * i + 1)


def _slot(player: int, column: int) -> Place:
    return 3 * column + 1, WIDTH + 3 * (2 * player + 1) + 1


def _fill(squares: list[str], at: Place, parts: list[str]) -> None:
    """Colour the nine squares of a cell."""
    for part, colour in enumerate(parts):
        squares[(at[1] - 1 + part // 3) * WIDTH + at[0] - 1 + part % 3] = colour


def _parts(s: Any, cell: int) -> list[str]:
    """The colours of the nine squares of a cell, row by row."""
    code = int(s.tile[cell])
    if code == tiles.EMPTY:
        return [SOFT] * 9
    if code == tiles.OBJECTIVE and not s.revealed >> state.objective_at(cell) & 1:
        return [QUIET] * 9
    return _tunnels(code, GOLD if state.has(s.reached, cell) else TUNNEL)


def _card(kind: int | None) -> list[str]:
    """A tile unturned, an action card, or the back of a card."""
    if kind is None:
        return [QUIET] * 9
    return _tunnels(tiles.SHAPE_NAMES.index(str(kind)), TUNNEL) if kind < tiles.TILES else [SOFT] * 9


def _tunnels(code: int, tunnel: str) -> list[str]:
    north, east, south, west = (tunnel if tiles.SIDES[code] & side else ROCK for side in tiles.CLOCKWISE)
    return [ROCK, north, ROCK, west, tunnel if tiles.THROUGH[code] else ROCK, east, ROCK, south, ROCK]


def _letter(at: Place, text: str, colour: str) -> Mark:
    return letter(*at, text, colour, 1.6)
