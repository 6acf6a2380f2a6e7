"""Pig as a picture."""

from __future__ import annotations

from typing import Any

from spinney.games.card import OVER
from spinney.games.picture import GOLD, INK, PAPER, PLAYERS, SOFT, Mark, Picture, letter, square
from spinney.games.pig.board import head

WIDTH = 10


def picture(s: Any) -> Picture:
    """A row for each player: the points banked as a bar to the goal, with the points of the turn behind them."""
    players = int(s.players)
    marks: dict[Any, Mark] = {}
    for player in range(players):
        banked, at_stake = s.score[player], s.total if player == s.turn and s.phase != OVER else 0
        for cell in range(WIDTH):
            points = s.goal * (cell + 0.5) / WIDTH
            if points < banked + at_stake:
                colour = PLAYERS[player % len(PLAYERS)] if points < banked else GOLD
                marks["points", player, cell] = square(cell, player, colour, 0.8)
        marks["score", player] = letter(WIDTH, player, banked, INK, 0.4)
    cells = ([PAPER] * WIDTH + [SOFT]) * players
    facts = [f"points {s.score[player]}" for player in range(players)]
    return Picture(WIDTH + 1, players, cells, marks, head(s), facts, grid=0)
