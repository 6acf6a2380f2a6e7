"""BattleSnake: a move is a tap on the square that the head enters; chance is the square with new food."""

from __future__ import annotations

from typing import Any

from spinney.games.battlesnake.board import DIRECTIONS, name_action
from spinney.games.battlesnake.picture import place
from spinney.games.battlesnake.spawning import NONE, SIDES
from spinney.games.battlesnake.state import WALL, step
from spinney.games.card import CHANCE
from spinney.games.picture import Tap

SIDE_KEYS = ("ArrowLeft", "ArrowRight", "ArrowDown", "ArrowUp")
"""The sides from which hazards advance, in the order of the outcomes."""


def taps(s: Any, action: int, player: int) -> tuple[Tap, ...]:
    """A square, or a button where there is none."""
    if player != CHANCE:
        return (_move(s, action, player),)
    name = name_action(s, action)
    if action == NONE:
        return (Tap(name, key="n"),)
    if action >= SIDES:
        return (Tap(name, key=SIDE_KEYS[action - SIDES]),)
    return (Tap(name, *place(s, action)),)


def _move(s: Any, action: int, player: int) -> Tap:
    """A move against the wall is a button."""
    to, key = int(step(s, s.head[player], action)), f"Arrow{DIRECTIONS[action].capitalize()}"
    if s.cell[to] == WALL:
        return Tap(f"{DIRECTIONS[action]}, into the wall", key=key)
    return Tap(DIRECTIONS[action], *place(s, to), key=key)
