"""Breakthrough as text."""

from __future__ import annotations

from typing import Any

from spinney.games.breakthrough.rules import DIRECTIONS, MAX_PLAYERS, STRIDE

PAWNS = "XO"
EMPTY = "."
COLUMNS = "abcdefgh"


def draw(s: Any) -> str:
    """The board with the home row of player 1 at the top."""
    rows = [f"{s.rows - row} {' '.join(mark(s, row, column) for column in range(s.columns))}" for row in range(s.rows)]
    return "\n".join([*rows, f"  {' '.join(COLUMNS[: s.columns])}"])


def name_action(s: Any, action: int) -> str:
    """The squares from and to which a pawn moves, with a star if it captures."""
    start, end = squares(s, action)
    return f"{square_name(s, *start)}{square_name(s, *end)}{'*' * (action & 1)}"


def squares(s: Any, action: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The row and column from which and to which a pawn moves."""
    cell, direction = action // 12, action % 12 // 2
    row, column = divmod(cell, int(s.columns))
    forward, side = (1 if direction < DIRECTIONS else -1), direction % DIRECTIONS - 1
    return (row, column), (row + forward, column + side)


def mark(s: Any, row: int, column: int) -> str:
    """What is on a square."""
    owner = pawn_on(s, row, column)
    return EMPTY if owner is None else PAWNS[owner]


def pawn_on(s: Any, row: int, column: int) -> int | None:
    """The player whose pawn is on a square."""
    if s.arrived == s.columns * row + column:
        return int(s.winner)
    bits = (STRIDE * (row - player) + column for player in range(MAX_PLAYERS))
    return next((player for player, bit in enumerate(bits) if bit >= 0 and s.pawns[player] >> bit & 1), None)


def square_name(s: Any, row: int, column: int) -> str:
    """A square by its column and row, as in "a2"."""
    return f"{COLUMNS[column]}{s.rows - row}"
