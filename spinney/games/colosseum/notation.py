"""Positions of Colosseum Survival! in one line, as in `2_1/1|2/4/2_1 b3 c2 A` on a board of 4x4.

The rows are from the top. A cell is `|` with a wall on its right, `_` with a wall below, `J` with both; a number stands
for that many cells without either. The cells of A and B follow, and who moves; a dash at the end.
"""

from __future__ import annotations

import re
from typing import Any

from spinney.errors import BadPosition
from spinney.games.colosseum.board import LETTERS, cell_name
from spinney.games.colosseum.rules import can_meet, end
from spinney.games.colosseum.state import DOWN, MAX_PLAYERS, RIGHT, State, clear_board, close, is_open
from spinney.games.notation import check_mover, choice, number, quoted, read_rows, split, write_mover, write_rows

WALLS = ".|_J"
"""A cell by its walls: 1 on the right, 2 below."""
STEPS = "steps="
"""Before the most steps of a walk, if these are not those of the rules."""


def write(s: Any) -> str:
    """The rows, the players, and who moves."""
    size = s.size
    rows = ([WALLS[_walls(s, row * size + column)] for column in range(size)] for row in range(size))
    words = [write_rows(rows), *(cell_name(s, cell) for cell in s.cell), write_mover(s.mover, LETTERS)]
    return " ".join(words + [f"{STEPS}{s.steps}"] * (s.steps != _most_steps(size)))


def _walls(s: Any, cell: int) -> int:
    """The walls of a cell; the border is none."""
    right = cell % s.size < s.size - 1 and not is_open(s, cell, RIGHT)
    below = cell < s.size * (s.size - 1) and not is_open(s, cell, DOWN)
    return int(right) + 2 * int(below)


def _most_steps(size: int) -> int:
    return (size + 1) // 2


def read(text: str, options: Any) -> Any:
    """Walls are between cells, the players on two cells, and a player moves unless the walls separate them."""
    text, _, steps = text.partition(f" {STEPS}")
    board, *cells, to_move = split(text, " ", "the position", "the rows", "the cell of A", "of B", "who moves")
    s: Any = State()
    size = options.size
    clear_board(s, size)
    for row, line in enumerate(read_rows(board, size, size, WALLS[1:])):
        for column, mark in enumerate(line):
            _put_walls(s, row * size + column, WALLS.index(mark), quoted(mark))
    for player in range(MAX_PLAYERS):
        s.cell[player] = _read_cell(cells[player], f"the cell of {LETTERS[player]}", size)
    if s.cell[0] == s.cell[1]:
        raise BadPosition(f"A and B are both on {cells[0]}")
    if steps:
        s.steps = number(steps, STEPS, 0, _most_steps(size))
    s.mover = choice(to_move, "the player to move", [*LETTERS, "-"]) % MAX_PLAYERS
    if not can_meet(s):
        end(s)
    check_mover(to_move, s.mover, LETTERS)
    return s


def _put_walls(s: Any, cell: int, walls: int, mark: str) -> None:
    for side, bit, way in ((RIGHT, 1, "right"), (DOWN, 2, "lower")):
        if walls & bit:
            if not is_open(s, cell, side):
                raise BadPosition(f"the cell {cell_name(s, cell)} is {mark}, but its {way} side is on the border")
            close(s, cell, side)


def _read_cell(text: str, what: str, size: int) -> int:
    last = f"{chr(ord('a') + size - 1)}{size}"
    match = re.fullmatch(r"([a-z])([1-9][0-9]?)", text)
    if match is None or (column := ord(match[1]) - ord("a")) >= size or int(match[2]) > size:
        raise BadPosition(f"{what} is {quoted(text)}; a cell from a1 to {last} is allowed")
    return (int(match[2]) - 1) * size + column
