"""Spinney: Monte Carlo tree search for the games that chess engines are not made for.

>>> import spinney
>>> game = spinney.game("connect_four")
>>> state = game.start(seed=7)
>>> agent = game.agent("uct(iterations=20000)")
>>> decision = agent.decide(state)
>>> state.apply(decision.action)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # names are imported on first use, so that commands import only what they need
    from spinney import agents as agents
    from spinney import errors as errors
    from spinney import games as games
    from spinney import kernel as kernel
    from spinney import play as play
    from spinney import search as search
    from spinney.agents import Agent, Analysis, Decision, Turn
    from spinney.agents.game import Game, game
    from spinney.errors import (
        BadGame,
        BadOption,
        BadPosition,
        BadRecording,
        BadSpec,
        GameOver,
        IllegalAction,
        MissingPackage,
        SpinneyError,
        UnknownName,
        WrongPlayer,
    )
    from spinney.games import CHANCE, OVER, SIMULTANEOUS, Card, Options, State, game_names
    from spinney.games.parts import Board, Example, Format, Networks, OpponentModels, Pieces, Planner, Player, Searching
    from spinney.play import Clock, Event, Frame, Replay, Session
    from spinney.search import Choice, SearchResult

__version__ = "0.2.0.dev0"

__all__ = [
    "CHANCE", "OVER", "SIMULTANEOUS", "Agent", "Analysis", "BadGame", "BadOption", "BadPosition", "BadRecording",
    "BadSpec", "Board", "Card", "Choice", "Clock", "Decision", "Event", "Example", "Format", "Frame", "Game",
    "GameOver", "IllegalAction", "MissingPackage", "Networks", "OpponentModels", "Options", "Pieces", "Planner",
    "Player", "Replay", "SearchResult", "Searching", "Session", "SpinneyError", "State", "Turn", "UnknownName",
    "WrongPlayer", "game", "game_names",
]  # fmt: skip

_MODULES = ("errors", "agents.game", "agents", "games", "games.parts", "play", "search", "kernel")
"""Where the names are; the first that has a name counts."""


def __getattr__(name: str) -> Any:
    if name in __all__:
        for place in _MODULES:
            module = import_module(f"spinney.{place}")
            if hasattr(module, name):
                return globals().setdefault(name, getattr(module, name))
    elif name in _MODULES:
        return import_module(f"spinney.{name}")
    raise AttributeError(f"module 'spinney' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
