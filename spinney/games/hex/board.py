"""Hex as text."""

from __future__ import annotations

from typing import Any

from spinney.games.hex.rules import MAX_PLAYERS, WORD

STONES = "XO"
EMPTY = "."
COLUMNS = "abcdefghijk"


def draw(s: Any) -> str:
    """The board, each row half a cell further to the right; X connects top and bottom, O left and right."""
    rows = []
    for row in range(s.size):
        marks = " ".join(_mark(s, row * s.size + column) for column in range(s.size))
        rows.append(f"{' ' * row}{row + 1:>2} {marks}")
    return "\n".join([f"   {' '.join(COLUMNS[: s.size])}", *rows])


def name_action(s: Any, action: int) -> str:
    """The column and the row."""
    return f"{COLUMNS[action % s.size]}{action // s.size + 1}"


def stone_on(s: Any, cell: int) -> int | None:
    """The player whose stone is on a cell."""
    word, bit = divmod(cell, WORD)
    return next((player for player in range(MAX_PLAYERS) if s.stones[2 * player + word] >> bit & 1), None)


def _mark(s: Any, cell: int) -> str:
    owner = stone_on(s, cell)
    return EMPTY if owner is None else STONES[owner]
