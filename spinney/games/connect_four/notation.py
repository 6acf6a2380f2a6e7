"""Positions of connect four in one line: the rows from the top, and who moves, as in `7/7/7/7/3O3/3XX2 O`."""

from __future__ import annotations

from typing import Any

from spinney.errors import BadPosition
from spinney.games.card import OVER
from spinney.games.connect_four.board import STONES
from spinney.games.connect_four.rules import CELLS, COLUMNS, HEIGHT, NOBODY, ROWS, State, has_line, stones_of
from spinney.games.notation import check_mover, read_rows, split, write_mover, write_rows


def write(s: Any) -> str:
    """The rows, and the player to move; a dash at the end."""
    rows = ([_cell(s, 1 << (column * HEIGHT + row)) for column in range(COLUMNS)] for row in reversed(range(ROWS)))
    return f"{write_rows(rows)} {write_mover(s.turn, STONES)}"


def _cell(s: Any, bit: int) -> str:
    return next((mark for player, mark in enumerate(STONES) if stones_of(s, player) & bit), ".")


def read(text: str, options: Any) -> Any:
    """Stones lie on each other, the numbers of stones fit, and at most the last stone makes lines of four."""
    board, to_move = split(text, " ", "the position", "the rows", "the player to move")
    rows = read_rows(board, ROWS, COLUMNS, STONES)[::-1]
    stones = [0] * len(STONES)
    for column in range(COLUMNS):
        for row in range(ROWS):
            if rows[row][column] != ".":
                if row > 0 and rows[row - 1][column] == ".":
                    raise BadPosition(f"column {column + 1} has a stone above an empty cell")
                stones[STONES.index(rows[row][column])] |= 1 << (column * HEIGHT + row)
    first, second = (bits.bit_count() for bits in stones)
    if first - second not in (0, 1):
        raise BadPosition(f"there are {first} X and {second} O; X begins, so they have equally many, or X one more")
    s: Any = State()
    s.count, s.filled = first + second, stones[0] | stones[1]
    s.own, s.winner, s.turn = stones[s.count & 1], NOBODY, s.count & 1
    last = 1 - s.turn
    if has_line(stones[s.turn]):
        raise BadPosition(f"{STONES[s.turn]} has four in a line, and {STONES[last]} moved after that")
    if has_line(stones[last]):
        tops = (_top(s, column) & stones[last] for column in range(COLUMNS))
        if all(top == 0 or has_line(stones[last] ^ top) for top in tops):
            raise BadPosition(f"{STONES[last]} has lines of four that no single last stone can have made")
        s.winner = last
    if s.winner != NOBODY or s.count == CELLS:
        s.turn = OVER
    check_mover(to_move, s.turn, STONES)
    return s


def _top(s: Any, column: int) -> int:
    """The highest stone of a column; 0 if it is empty."""
    stones = s.filled & (((1 << ROWS) - 1) << (column * HEIGHT))
    return 1 << (stones.bit_length() - 1) if stones else 0
