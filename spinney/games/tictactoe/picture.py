"""Tic-tac-toe as a picture."""

from __future__ import annotations

from typing import Any

from spinney.games.picture import PLAYERS, SOFT, Picture, letter
from spinney.games.tictactoe.board import MARKS
from spinney.games.tictactoe.rules import CELLS


def picture(s: Any) -> Picture:
    marks = {
        cell: letter(cell % 3, cell // 3, mark, PLAYERS[player], 0.9)
        for player, mark in enumerate(MARKS)
        for cell in range(CELLS)
        if s.marks[player] >> cell & 1
    }
    return Picture(3, 3, [SOFT] * CELLS, marks, facts=MARKS)
