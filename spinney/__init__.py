"""Spinney: Monte Carlo tree search for the games that chess engines are not made for.

>>> import spinney
>>> game = spinney.game("connect_four")
>>> state = game.start(seed=7)
>>> agent = game.agent("uct(iterations=20000)")
>>> decision = agent.decide(state)
>>> state.apply(decision.action)
"""

from __future__ import annotations

from typing import Any

from spinney import agents, games
from spinney.agents import Agent, Decision, Turn
from spinney.errors import (
    BadGame,
    BadOption,
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
from spinney.games.parts import Board, Format, Networks, OpponentModels, Pieces, Planner, Player, Searching
from spinney.play import Clock, Event, Frame, Replay, Session
from spinney.search import Choice, SearchResult

__version__ = "0.2.0.dev0"

__all__ = [
    "CHANCE", "OVER", "SIMULTANEOUS", "Agent", "BadGame", "BadOption", "BadRecording", "BadSpec", "Board", "Card",
    "Choice", "Clock", "Decision", "Event", "Format", "Frame", "Game", "GameOver", "IllegalAction", "MissingPackage",
    "Networks", "OpponentModels", "Options", "Pieces", "Planner", "Player", "Replay", "SearchResult", "Searching",
    "Session", "SpinneyError", "State", "Turn", "UnknownName", "WrongPlayer", "game", "game_names",
]  # fmt: skip


class Game(games.Game):
    """A game with its options, and its agents."""

    def agent(self, spec: str, seed: int | None = None) -> Agent:
        """An agent from a spec such as "uct(seconds=1, rollout=heuristic)"."""
        return agents.build(self, spec, seed)

    def agents(self) -> list[str]:
        """The names of the agents that play this game."""
        return list(agents.agent_options(self))


def game(spec: str | Card, **options: Any) -> Game:
    """A game by its name, by the path of your own .py file, or by its card; with options in the spec or by keyword."""
    loaded = games.load(spec, **options)
    return Game(loaded.card, loaded.options)
