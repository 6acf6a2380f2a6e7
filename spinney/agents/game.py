"""A game with its agents, which is what `spinney.game` returns."""

from __future__ import annotations

from typing import Any

from spinney import games
from spinney.agents import Agent, agent_options, build
from spinney.games import Card


class Game(games.Game):
    """A game with its options, and its agents."""

    def agent(self, spec: str, seed: int | None = None) -> Agent:
        """An agent from a spec such as "uct(seconds=1, rollout=heuristic)"."""
        return build(self, spec, seed)

    def agents(self) -> list[str]:
        """The names of the agents that play this game."""
        return list(agent_options(self))


def game(spec: str | Card, **options: Any) -> Game:
    """A game by its name, by the path of your own .py file, or by its card; with options in the spec or by keyword."""
    loaded = games.load(spec, **options)
    return Game(loaded.card, loaded.options)
