"""Deep Sea Adventure as a picture: the air, the submarine, and the path in rows of eight tiles."""

from __future__ import annotations

from typing import Any

from spinney.games.deepsea.board import hand_of, levels, stack_text, way
from spinney.games.deepsea.rules import FULL_AIR, LEVELS, ROUNDS, TILES
from spinney.games.picture import (
    AIR,
    INK,
    LINE,
    PAPER,
    PLAYERS,
    QUIET,
    SHADES,
    Mark,
    Picture,
    disc,
    letter,
    line,
    square,
)
from spinney.games.picture import LEVELS as CHIPS

COLUMNS = TILES // LEVELS
SUBMARINE, PATH = 1, 2
"""Rows of the picture; the air is in row 0."""


def picture(s: Any) -> Picture:
    """The board. A stack has the colour of its highest level; divers who return have an edge."""
    marks: dict[Any, Mark] = {"submarine": letter(COLUMNS - 2, SUBMARINE, "submarine", QUIET, 0.3)}
    step = COLUMNS / FULL_AIR
    for i in range(FULL_AIR):
        marks["air", i] = square(round(step * (i + 0.5) - 0.5, 2), 0, AIR if i < s.air else LINE, 0.24)
    for tile in range(1, s.length + 1):
        x, y = _place(tile)
        if tile < s.length:
            next_x, next_y = _place(tile + 1)
            marks["way", tile] = line(x, y, next_x - x, next_y - y, QUIET, 0.06)
        if chips := levels(s.path[tile - 1]):
            marks["chips", tile] = square(x, y, CHIPS[chips[-1] - 1], 0.66, QUIET)
            marks["levels", tile] = letter(x, y + 0.15, stack_text(chips), INK, 0.34)
        else:
            marks["chips", tile] = disc(x, y, PAPER, 0.3, QUIET)
    for player in range(s.players):
        x, y = _place(s.position[player]) if s.position[player] else (player, SUBMARINE)
        edge = INK if s.returning[player] else PAPER
        marks["diver", player] = disc(x + 0.2, y - 0.2, PLAYERS[player], 0.5, edge)
        marks["number", player] = letter(x + 0.2, y - 0.2, player + 1, PAPER, 0.34)
    depths = [PAPER, LINE, *SHADES[1 : LEVELS + 1]]
    return Picture(
        COLUMNS,
        len(depths),
        [depth for depth in depths for _ in range(COLUMNS)],
        marks,
        f"round {s.round} of {ROUNDS}, air {s.air} of {FULL_AIR}",
        [_facts(s, player) for player in range(s.players)],
        grid=0,
    )


def _place(tile: int) -> tuple[int, int]:
    """The column and row of a tile; every other row runs from right to left."""
    row, x = divmod(tile - 1, COLUMNS)
    return COLUMNS - 1 - x if row % 2 else x, PATH + row


def _facts(s: Any, player: int) -> str:
    hand = " ".join(map(stack_text, hand_of(s, player)))
    return f"points {s.score[player]}, {way(s, player)}" + (f", carries {hand}" if hand else "")
