"""Connect four as text."""

from __future__ import annotations

from typing import Any

from spinney.games.connect_four.rules import COLUMNS, HEIGHT, ROWS, stones_of

STONES = "XO"


def draw(s: Any) -> str:
    """The board, top row first; the columns are numbered from 1."""
    rows = []
    for row in reversed(range(ROWS)):
        rows.append("|" + " ".join(_cell(s, column, row) for column in range(COLUMNS)) + "|")
    numbers = " ".join(str(column + 1) for column in range(COLUMNS))
    return "\n".join([*rows, "+" + "-" * (2 * COLUMNS - 1) + "+", f" {numbers}"])


def name_action(s: Any, action: int) -> str:
    """A column, from 1 on the left to 7 on the right."""
    return str(action + 1)


def _cell(s: Any, column: int, row: int) -> str:
    bit = 1 << (column * HEIGHT + row)
    return next((mark for player, mark in enumerate(STONES) if stones_of(s, player) & bit), ".")
