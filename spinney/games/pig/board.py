"""Pig as text."""

from __future__ import annotations

from typing import Any

from spinney.games.card import CHANCE, OVER
from spinney.games.picture import Tap, digit
from spinney.games.pig.rules import NOBODY

ACTIONS = ("roll", "stop")


def draw(s: Any) -> str:
    """The points of the players, and those of the turn."""
    lines = [f"player {player + 1}: {s.score[player]}" for player in range(s.players)]
    return "\n".join([*lines, f"{head(s)}; {_next(s)}"])


def name_action(s: Any, action: int) -> str:
    """Roll or stop, or the face of the die."""
    if s.phase != CHANCE:
        return ACTIONS[action]
    return ("a one", "no one")[action] if s.piglet else f"a {action + 1}"


def taps(s: Any, action: int, player: int) -> tuple[Tap, ...]:
    """A button."""
    name = name_action(s, action)
    return (Tap(name, key=digit(action + 1) if player == CHANCE else name[0]),)


def head(s: Any) -> str:
    return f"{s.total} in this turn, {s.goal} to win"


def _next(s: Any) -> str:
    if s.phase == OVER:
        return "nobody has won" if s.winner == NOBODY else f"player {s.winner + 1} has won"
    return f"player {s.turn + 1} {'has rolled' if s.phase == CHANCE else 'moves'}"
