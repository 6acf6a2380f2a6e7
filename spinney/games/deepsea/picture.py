"""Deep Sea Adventure as a picture: the air, the submarine, and the path in rows of eight tiles."""

from __future__ import annotations

from typing import Any

from spinney.games import picture as draw
from spinney.games.deepsea.board import hand_of, levels, stack_text, way
from spinney.games.deepsea.rules import FULL_AIR, LEVELS, ROUNDS, TILES

COLUMNS = TILES // LEVELS
SUBMARINE, PATH = 1, 2
"""Rows of the picture; the air is in row 0."""


def picture(s: Any) -> draw.Picture:
    """The board. A stack has the colour of its highest level; divers who return have an edge."""
    marks: dict[Any, draw.Mark] = {"submarine": draw.letter(COLUMNS - 2, SUBMARINE, "submarine", draw.QUIET, 0.3)}
    step = COLUMNS / FULL_AIR
    for i in range(FULL_AIR):
        marks["air", i] = draw.square(round(step * (i + 0.5) - 0.5, 2), 0, draw.AIR if i < s.air else draw.LINE, 0.24)
    for tile in range(1, s.length + 1):
        x, y = _place(tile)
        if tile < s.length:
            next_x, next_y = _place(tile + 1)
            marks["way", tile] = draw.line(x, y, next_x - x, next_y - y, draw.QUIET, 0.06)
        if chips := levels(s.path[tile - 1]):
            marks["chips", tile] = draw.square(x, y, draw.LEVELS[max(chips) - 1], 0.66, draw.QUIET)
            marks["levels", tile] = draw.letter(x, y + 0.15, stack_text(chips), draw.INK, 0.34)
        else:
            marks["chips", tile] = draw.disc(x, y, draw.PAPER, 0.3, draw.QUIET)
    for player in range(s.players):
        x, y = _place(s.position[player]) if s.position[player] else (player, SUBMARINE)
        edge = draw.INK if s.returning[player] else draw.PAPER
        marks["diver", player] = draw.disc(x + 0.2, y - 0.2, draw.PLAYERS[player], 0.5, edge)
        marks["number", player] = draw.letter(x + 0.2, y - 0.2, player + 1, draw.PAPER, 0.34)
    depths = [draw.PAPER, draw.LINE, *draw.SHADES[1 : LEVELS + 1]]
    return draw.Picture(
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
