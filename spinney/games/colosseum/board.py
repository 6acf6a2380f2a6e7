"""Colosseum Survival! as text in 80 columns. Columns are letters, rows are numbers from the top."""

from __future__ import annotations

from typing import Any

from spinney.games.card import OVER
from spinney.games.colosseum.rules import scores
from spinney.games.colosseum.space import has, reach
from spinney.games.colosseum.state import DOWN, MAX_PLAYERS, RIGHT, SIDES, Scratch, is_open

DIRECTIONS = ("up", "right", "down", "left")
LETTERS = "AB"
CROSSINGS = " ╶╷┌╴─┐┬╵└│├┘┴┤┼"
"""A corner by the walls that meet there: 1 to the right, 2 below, 4 to the left, 8 above."""


def draw(s: Any) -> str:
    """The board, with the cells that the player to move can walk to, and the next step."""
    return "\n".join([f"{s.size}x{s.size}, up to {s.steps} steps", "", *_board(s), "", _next(s)])


def name_action(s: Any, action: int) -> str:
    """A cell and the side of the wall, as in "b4 up"."""
    return f"{cell_name(s, action // SIDES)} {DIRECTIONS[action % SIDES]}"


def cell_name(s: Any, cell: int) -> str:
    """A cell by its column and row, as in "b4"."""
    return f"{chr(ord('a') + cell % s.size)}{cell // s.size + 1}"


def _board(s: Any) -> list[str]:
    """Each cell has three columns of a line of its own, and a wall, or space for one, on every side."""
    work: Any = Scratch()
    if s.mover != OVER:
        reach(s, s.mover, work)
    lines = ["     " + "   ".join(chr(ord("a") + column) for column in range(s.size))]
    for row in range(s.size + 1):
        lines.append(f"   {''.join(_corner(s, row, column) for column in range(s.size + 1))}".rstrip())
        if row < s.size:
            cells = "".join(
                f" {_inside(s, row * s.size + column, work.reached)} {'│' if _wall_below(s, row, column + 1) else ' '}"
                for column in range(s.size)
            )
            lines.append(f"{row + 1:>2} │{cells}")
    return lines


def _inside(s: Any, cell: int, reached: list[int]) -> str:
    for player in range(MAX_PLAYERS):
        if s.cell[player] == cell:
            return LETTERS[player]
    return "·" if has(s, reached, cell) else " "


def _corner(s: Any, row: int, column: int) -> str:
    """The upper left corner of a cell, and the wall from there to the right."""
    ways = (
        1 * _wall_beside(s, row, column)
        + 2 * _wall_below(s, row, column)
        + 4 * _wall_beside(s, row, column - 1)
        + 8 * _wall_below(s, row - 1, column)
    )
    beside = "" if column == s.size else "───" if ways & 1 else "   "
    return ("+" if ways == 0 else CROSSINGS[ways]) + beside


def _wall_beside(s: Any, row: int, column: int) -> bool:
    """Whether there is a wall to the right of a corner, on the upper side of a cell."""
    if not 0 <= column < s.size:
        return False
    return row in (0, s.size) or not is_open(s, (row - 1) * s.size + column, DOWN)


def _wall_below(s: Any, row: int, column: int) -> bool:
    """Whether there is a wall below a corner, on the left side of a cell."""
    if not 0 <= row < s.size:
        return False
    return column in (0, s.size) or not is_open(s, row * s.size + column - 1, RIGHT)


def _next(s: Any) -> str:
    first, second = scores(s)
    if s.mover != OVER:
        cell = s.cell[s.mover]
        example = name_action(s, cell * SIDES + next(side for side in range(SIDES) if is_open(s, cell, side)))
        return f'{LETTERS[s.mover]} (player {s.mover + 1}) moves: a cell and a side of it, as in "{example}"'
    if first == second:
        return f"the end: a tie, {first} cells each"
    return f"the end: {LETTERS[int(second > first)]} wins, {max(first, second)} cells to {min(first, second)}"
