"""Positions of tic-tac-toe in one line: the rows from the top, and who moves, as in `X2/1O1/3 X`."""

from __future__ import annotations

from typing import Any

from spinney.errors import BadPosition
from spinney.games.card import OVER
from spinney.games.notation import check_mover, read_rows, split, write_mover, write_rows
from spinney.games.tictactoe.board import MARKS
from spinney.games.tictactoe.rules import ALL, CELLS, NOBODY, State, has_line

SIDE = 3


def write(s: Any) -> str:
    """The rows, and the player to move; a dash at the end."""
    cells = [
        next((mark for mark, bits in zip(MARKS, s.marks, strict=True) if bits >> i & 1), ".") for i in range(CELLS)
    ]
    return f"{write_rows(cells[i : i + SIDE] for i in range(0, CELLS, SIDE))} {write_mover(s.turn, MARKS)}"


def read(text: str, options: Any) -> Any:
    """The numbers of marks fit, and at most the last mark makes lines of three."""
    board, to_move = split(text, " ", "the position", "the rows", "the player to move")
    cells = [cell for row in read_rows(board, SIDE, SIDE, MARKS) for cell in row]
    s: Any = State()
    s.marks[:] = [sum(1 << i for i, cell in enumerate(cells) if cell == mark) for mark in MARKS]
    first, second = (bits.bit_count() for bits in s.marks)
    if first - second not in (0, 1):
        raise BadPosition(f"there are {first} X and {second} O; X begins, so they have equally many, or X one more")
    s.winner, s.turn = NOBODY, first - second
    last = 1 - s.turn
    if has_line(s.marks[s.turn]):
        raise BadPosition(f"{MARKS[s.turn]} has three in a line, and {MARKS[last]} moved after that")
    if has_line(s.marks[last]):  # two lines of a player always share a cell
        s.winner = last
    if s.winner != NOBODY or s.marks[0] | s.marks[1] == ALL:
        s.turn = OVER
    check_mover(to_move, s.turn, MARKS)
    return s
