"""BattleSnake as a picture: bodies as thick lines, heads with the players' numbers, food, and hazards."""

from __future__ import annotations

from typing import Any

from spinney.games.battlesnake.board import FATES
from spinney.games.battlesnake.state import ALIVE, FOOD, column, onward, row, square, step
from spinney.games.picture import FOOD as RED
from spinney.games.picture import HAZARD, PAPER, PLAYERS, SOFT, Mark, Picture, disc, labels, letter, line

WAYS = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""Up, down, left, right in a picture, where y grows downwards."""


def picture(s: Any) -> Picture:
    """The board, its lowest row at the bottom."""
    squares = [square(x, y) for y in reversed(range(s.height)) for x in range(s.width)]
    marks = labels(range(s.width), reversed(range(s.height)), s.height - 1)
    for at in squares:
        if s.cell[at] & FOOD:
            marks["food", at] = disc(*place(s, at), RED, 0.45)
        if s.hazard[at] > 1:
            marks["hazards", at] = letter(*place(s, at), s.hazard[at], RED, 0.4)
    for player in range(s.players):
        if s.cause[player] == ALIVE:
            marks |= _snake(s, player)
    return Picture(
        width=s.width,
        height=s.height,
        cells=[HAZARD if s.hazard[at] else SOFT for at in squares],
        marks=marks,
        head=f"turn {s.turn}",
        facts=[_facts(s, player) for player in range(s.players)],
    )


def _snake(s: Any, player: int) -> dict[Any, Mark]:
    """The marks of a snake. Where a body wraps around, one line leaves the board, and another enters on the opposite
    side."""
    colour, at = PLAYERS[player], int(s.tail[player])
    marks: dict[Any, Mark] = {}
    while at != s.head[player]:
        (dx, dy), to = WAYS[onward(s, at)], int(step(s, at, onward(s, at)))
        (x, y), (next_x, next_y) = place(s, at), place(s, to)
        marks[player, at] = line(x, y, dx, dy, colour, 0.6)
        if (next_x, next_y) != (x + dx, y + dy):
            marks[player, at, "in"] = line(next_x, next_y, -dx, -dy, colour, 0.6)
        at = to
    x, y = place(s, at)
    return {
        **marks,
        (player, "head"): disc(x, y, colour, 0.9, PAPER),
        (player, "number"): letter(x, y, player + 1, PAPER),
    }


def place(s: Any, at: int) -> tuple[int, int]:
    """A square of the grid in the picture."""
    return int(column(at)), int(s.height - 1 - row(at))


def _facts(s: Any, player: int) -> str:
    facts = f"length {s.length[player]}, health {s.health[player]}"
    if s.cause[player] == ALIVE:
        return facts
    return f"{facts}, {FATES[s.cause[player]].format(by=f'player {s.by[player] + 1}')} on turn {s.fell[player]}"
