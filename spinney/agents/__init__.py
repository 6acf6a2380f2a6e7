"""Agents and how they are made from specs: `random`, `heuristic`, `uct(iterations=2000, c=1.4)`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from spinney.agents.agent import Agent, PlannerAgent, PlayerAgent, SearchAgent, with_seed
from spinney.agents.analysis import Analysis
from spinney.agents.command import CommandAgent, CommandOptions
from spinney.agents.decision import Decision, Turn
from spinney.agents.net import NetAgent, NetOptions
from spinney.errors import BadGame, BadOption, UnknownName
from spinney.games import Game, Options
from spinney.games.spec import parse_spec, suggest, write_spec
from spinney.search import SEARCHES

__all__ = [
    "Agent", "Analysis", "CommandAgent", "CommandOptions", "Decision", "NetAgent", "PlannerAgent", "PlayerAgent",
    "SearchAgent", "Turn", "about_agent", "agent_options", "build", "hand_written", "is_program", "planner_name",
    "presets_of", "read_spec", "strong_agent", "timed", "usual_agent", "usual_search", "with_limits",
]  # fmt: skip


def agent_options(game: Game) -> dict[str, type[Options]]:
    """Every agent that plays a game, and the options it takes: hand-written players, searches, other programs,
    presets."""
    card = game.card
    known: dict[str, type[Options]] = {name: with_seed(player.options) for name, player in card.all_players.items()}
    known |= {name: planner.options for name, planner in card.planners.items()}
    known["command"] = CommandOptions
    known |= {name: options for name, (search, options) in SEARCHES.items() if search.plays(card)}
    if SEARCHES["net_search"][0].plays(card):
        known["net"] = NetOptions
    kinds = {name: parse_spec(preset)[0] for name, preset in card.presets.items()}
    for name, kind in kinds.items():
        if kind not in known:
            raise BadGame(f"the preset '{name}' of {card.name} names an agent '{kind}'; {suggest(kind, known)}")
    return known | {name: known[kind] for name, kind in kinds.items()}


def about_agent(game: Game, agent: str) -> str:
    """What an agent of `agent_options` is, in a sentence or two."""
    preset = game.card.presets.get(agent)
    name = agent if preset is None else parse_spec(preset)[0]
    if name in SEARCHES:
        about = SEARCHES[name][0].summary
    else:
        planner = game.card.planners.get(name)
        others: dict[str, Any] = {"net": NetAgent, "command": CommandAgent}
        thing = others.get(name) or (game.card.player(name) if planner is None else planner.make)
        about = " ".join((thing.__doc__ or "").split())
    return about if preset is None else f"{preset}. {about}"


def usual_agent(game: Game) -> str:
    """The agent that plays unless another is named: the game's champion, or a search that plays it; where there is
    neither, its first hand-written player."""
    if "champion" in game.card.presets:
        return "champion"
    names = [name for name, (search, _) in SEARCHES.items() if name != "flat" and search.plays(game.card)]
    return next(iter([*names, *game.card.players]), "random")


def usual_search(game: Game) -> str:
    """The usual agent if it is a search, else the first search that plays the game, else the usual agent."""
    usual = usual_agent(game)
    if read_spec(game, usual)[0] in SEARCHES:
        return usual
    names = [name for name, (search, _) in SEARCHES.items() if name != "flat" and search.plays(game.card)]
    return next(iter(names), usual)


def strong_agent(game: Game) -> str:
    """The spec of the usual agent; one that can be given a time thinks for a second."""
    return timed(game, usual_agent(game), 1)


def timed(game: Game, spec: str, seconds: float) -> str:
    """A spec with a time for each decision, if the agent can be given one and the spec has none."""
    name, given = parse_spec(spec)
    known = agent_options(game).get(name)
    if known is None or "seconds" not in known.model_fields or "seconds" in given:
        return spec
    return write_spec(name, {**given, "seconds": seconds})


def hand_written(game: Game) -> str:
    """The name of the game's last hand-written player, which plays where nothing is to be compiled; random if there is
    none."""
    names = [name for name in game.card.all_players if name != "random"]
    return names[-1] if names else "random"


def planner_name(game: Game) -> str | None:
    """The hand-written player that completes turns of which some orders are given, if there is one; of several, the
    last."""
    able = {name for name, planner in game.card.planners.items() if planner.completes}
    planners = [name for name in game.card.players if read_spec(game, name)[0] in able]
    return planners[-1] if planners else None


def read_spec(game: Game, spec: str, seed: int | None = None) -> tuple[str, Options]:
    """What kind of agent a spec describes, and its options. A wrong name or option raises an error."""
    name, given = variant(game, *parse_spec(spec))
    known = agent_options(game)
    if name in SEARCHES and name not in known:
        raise BadGame(f"{name} cannot play {game.name}: {SEARCHES[name][0].refuses(game.card)}")
    if name not in known:
        raise UnknownName(f"{game.name} has no agent '{name}'; {suggest(name, known)}")
    preset = game.card.presets.get(name)
    kind, defaults = (name, {}) if preset is None else parse_spec(preset)
    usual = {"seed": seed, "plain": True} if game.card.plain else {"seed": seed}
    usual = {option: value for option, value in usual.items() if option in known[name].model_fields}
    return kind, known[name].read(name, {**usual, **defaults, **given}, also=variants(game, name))


def with_limits(game: Game, spec: str, **limits: float | None) -> str:
    """The spec of a search with these limits in place of its own, which uses them to the end: without an opening, an
    early stop, and the tree of an earlier decision."""
    kind, options = read_spec(game, spec)
    fields, usual = type(options).model_fields, ("opening", "early_stop", "early_factor", "reuse")
    own: dict[str, Any] = {"seconds": None, "first_seconds": None, "iterations": None, **limits}
    own |= {name: fields[name].default for name in usual if name in fields}
    return write_spec(kind, options.model_dump(exclude_defaults=True) | own)


def is_program(game: Game, spec: str) -> bool:
    """Whether a spec itself starts another program; a preset of the game's card may do so, too, and is not meant."""
    return parse_spec(spec)[0] == "command" if spec.strip() and "command" not in game.card.presets else False


def build(game: Game, spec: str, seed: int | None = None) -> Agent:
    """The agent that a spec describes. The seed is used unless the spec has one of its own."""
    kind, options = read_spec(game, spec, seed)
    if kind in SEARCHES:
        return SearchAgent(game, kind, options)  # type: ignore[arg-type]
    if kind == "net":
        return NetAgent(game, kind, options)  # type: ignore[arg-type]
    if kind == "command":
        return CommandAgent(game, kind, options)
    if kind in game.card.planners:
        return PlannerAgent(game, kind, options)
    return PlayerAgent(game, kind, options)


def variant(game: Game, name: str, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A preset may have variants: paper(code=true) is paper_code."""
    for flag, other in variants(game, name).items():
        if flag in given:
            value = given[flag]
            if not isinstance(value, bool):
                raise BadOption(f"{name}: option '{flag}' = '{value}'; true and false are allowed")
            return other if value else name, {key: given[key] for key in given if key != flag}
    return name, given


def presets_of(game: Game, specs: Iterable[str]) -> dict[str, str]:
    """What the names in some specs stand for: another version may call other agents so."""
    names = [variant(game, *parse_spec(spec))[0] for spec in specs]
    return {name: preset for name, preset in game.card.presets.items() if name in names}


def variants(game: Game, name: str) -> dict[str, str]:
    """The flags of a preset that make another one of it."""
    presets = game.card.presets
    longer = [other for other in presets if name in presets and other.startswith(f"{name}_")]
    return {other.removeprefix(f"{name}_"): other for other in longer}
