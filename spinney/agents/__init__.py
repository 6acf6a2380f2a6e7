"""Agents and how they are made from specs: `random`, `heuristic`, `uct(iterations=2000, c=1.4)`."""

from __future__ import annotations

from spinney.agents.agent import Agent, PlayerAgent, PlayerOptions, SearchAgent
from spinney.agents.decision import Choice, Decision
from spinney.errors import UnknownName
from spinney.games import Game, Options
from spinney.games.spec import parse_spec, suggest
from spinney.search import SEARCHES

__all__ = ["Agent", "Choice", "Decision", "PlayerAgent", "SearchAgent", "agent_options", "build"]


def agent_options(game: Game) -> dict[str, type[Options]]:
    """Every agent that plays a game, and the options it takes: its hand-written players, then the searches."""
    card = game.card
    players: dict[str, type[Options]] = dict.fromkeys(card.all_players, PlayerOptions)
    return players | {name: options for name, (search, options) in SEARCHES.items() if search.plays(card)}


def build(game: Game, spec: str, seed: int | None = None) -> Agent:
    """The agent that a spec describes. The seed is used unless the spec has one of its own."""
    name, given = parse_spec(spec)
    known = agent_options(game)
    if name not in known:
        raise UnknownName(f"{game.name} has no agent '{name}'; {suggest(name, known)}")
    options = known[name].read(name, {"seed": seed, **given})
    if isinstance(options, PlayerOptions):
        return PlayerAgent(game, name, options)
    return SearchAgent(game, name, options)  # type: ignore[arg-type]
