"""The steps of a turn, read off the boards before and after it: an engine tells positions, not moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Any

from spinney.games import CHANCE
from spinney.games.battlesnake.spawning import NONE, SIDES
from spinney.games.battlesnake.state import ALIVE, FOOD, MOVE, MOVES, step

Step = tuple[int, int]
"""A mover and its action."""
MOST = 16
"""Combinations of unknown moves to try: those of two eliminated snakes."""
OF_A_SNAKE = ("head", "tail", "length", "stacked", "health", "facing", "cause", "by", "fell")
"""The fields of a record that have a value for each snake."""


def steps_between(old: Any, new: Any) -> Iterator[list[Step]]:
    """Guesses of the steps that lead from one record to another on the same or the next turn. The moves of living
    snakes follow from their heads, food from the board; eliminated snakes may have made any move."""
    if new.turn == old.turn:
        yield []
    if new.turn != old.turn + 1 or old.phase != MOVE:
        return
    movers = [player for player in range(old.players) if old.cause[player] == ALIVE]
    moves = product(*(_moves(old, new, player) for player in movers))
    for actions, chance in product(islice(moves, MOST), _chance(old, new)):
        yield [*zip(movers, actions, strict=True), *((CHANCE, outcome) for outcome in chance)]


def same_board(known: Any, told: Any) -> bool:
    """Whether a message's record shows the same board as one that is known completely. A message tells nothing about
    eliminated snakes."""
    told = told.copy()
    for player in range(told.players):
        if told.cause[player] != ALIVE and known.cause[player] != ALIVE:
            for name in OF_A_SNAKE:
                getattr(told, name)[player] = getattr(known, name)[player]
    return bool(known == told)


def _moves(old: Any, new: Any, player: int) -> list[int]:
    """The possible moves of a snake."""
    if new.cause[player] != ALIVE:
        return list(range(MOVES))
    return [move for move in range(MOVES) if step(old, old.head[player], move) == new.head[player]]


def _chance(old: Any, new: Any) -> Sequence[list[int]]:
    """The possible chance outcomes of a turn: food, and in royale games the side from which hazards come."""
    cells = enumerate(zip(old.cell, new.cell, strict=True))
    spawned = [at for at, (before, after) in cells if after & ~before & FOOD]
    missing = max(0, new.minimum_food - (new.food - len(spawned)))
    if not new.constrictor and (missing or new.food_chance > 1) and len(spawned) < max(1, missing):
        spawned.append(NONE)
    if new.royale and new.turn % new.shrink_every == 0:
        return [[*spawned, SIDES + side] for side in range(4)]
    return [spawned]
