"""Colosseum Survival! as a picture: walls as lines, the players, and dots on the cells that can be walked to."""

from __future__ import annotations

from typing import Any

from spinney.games.card import OVER
from spinney.games.colosseum.board import DIRECTIONS, cell_name
from spinney.games.colosseum.space import has, reach
from spinney.games.colosseum.state import DOWN, MAX_PLAYERS, RIGHT, SIDES, Scratch, is_open
from spinney.games.picture import PAPER, PLAYERS, SOFT, WALL, Picture, Tap, disc, labels, letter, line

OFFSETS = ((0.0, -0.5), (0.5, 0.0), (0.0, 0.5), (-0.5, 0.0))
"""From the centre of a cell to the middle of its upper, right, lower and left side."""
LENGTH, BREADTH = 0.6, 0.4
"""The place to tap on a side of a cell. Those of two sides do not overlap."""


def picture(s: Any) -> Picture:
    """The board; the border is drawn as walls, too."""
    size = int(s.size)
    marks = labels([cell_name(s, x)[0] for x in range(size)], range(1, size + 1), size - 1)
    work: Any = Scratch()
    if s.mover != OVER:
        reach(s, s.mover, work)
    for edge in (-0.5, size - 0.5):
        marks["above or below", edge] = line(-0.5, edge, size, 0, WALL, 0.2)
        marks["beside", edge] = line(edge, -0.5, 0, size, WALL, 0.2)
    for cell in range(size * size):
        x, y = cell % size, cell // size
        if x < size - 1 and not is_open(s, cell, RIGHT):
            marks[cell, RIGHT] = line(x + 0.5, y - 0.5, 0, 1, WALL, 0.15)
        if y < size - 1 and not is_open(s, cell, DOWN):
            marks[cell, DOWN] = line(x - 0.5, y + 0.5, 1, 0, WALL, 0.15)
        if has(s, work.reached, cell):
            marks[cell, "dot"] = disc(x, y, PLAYERS[s.mover], 0.16)
    for player in range(MAX_PLAYERS):
        x, y = s.cell[player] % size, s.cell[player] // size
        marks[player] = disc(x, y, PLAYERS[player], 0.7)
        marks[player, "number"] = letter(x, y, player + 1, PAPER, 0.45)
    facts = [
        f"on {cell_name(s, s.cell[player])}" + (f", cells {s.score[player]}" if s.mover == OVER else "")
        for player in range(MAX_PLAYERS)
    ]
    return Picture(size, size, [SOFT] * (size * size), marks, f"up to {s.steps} steps", facts)


def taps(s: Any, action: int, player: int) -> tuple[Tap, ...]:
    """The cell where the walk ends, then its side for the wall."""
    cell, side = divmod(action, SIDES)
    x, y = cell % int(s.size), cell // int(s.size)
    (dx, dy), way = OFFSETS[side], DIRECTIONS[side]
    width, height = (LENGTH, BREADTH) if dx == 0 else (BREADTH, LENGTH)
    wall = Tap(f"wall {way}", x + dx, y + dy, width, height, key=f"Arrow{way.capitalize()}")
    return Tap(f"walk to {cell_name(s, cell)}" if cell != s.cell[player] else "stay", x, y), wall
