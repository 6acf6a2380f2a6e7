"""`spinney searches` and `spinney agents`: lists of what is available."""

from __future__ import annotations

import shlex
from typing import Annotated, Any

import typer

from spinney import games
from spinney.agents import about_agent, agent_options, variants
from spinney.cli.games import options_of
from spinney.cli.output import Json, console, table, write_json
from spinney.errors import UnknownName
from spinney.games import Game
from spinney.games.spec import parse_spec, suggest
from spinney.search import SEARCHES


def list_searches(json_to: Json = None) -> None:
    """List the searches with the games that they play, and why they do not play the others."""
    why = matrix()
    rows = [(search, ", ".join(game for game in why if why[game][search] is None)) for search in SEARCHES]
    screen = console(json_to)
    screen.print(table("Searches", "search", "plays", rows=rows))
    refused: dict[tuple[str, str], list[str]] = {}
    for search in SEARCHES:
        for game, reasons in why.items():
            reason = reasons[search]
            if reason is not None:
                refused.setdefault((search, reason), []).append(game)
    others = [(search, ", ".join(names), reason) for (search, reason), names in refused.items()]
    screen.print(table("Games that a search does not play", "search", "games", "reason", rows=others))
    write_json(json_to, why)


def matrix() -> dict[str, dict[str, str | None]]:
    """For each game and each search, the reason why the search cannot play it, or None if it can."""
    cards = [games.card(name) for name in games.game_names()]
    return {card.name: {name: kind.refuses(card) for name, (kind, _) in SEARCHES.items()} for card in cards}


def list_agents(
    game: Annotated[str, typer.Argument(help="The game, as `spinney games` names it.")],
    agent: Annotated[str | None, typer.Argument(help="One agent, to see its options.")] = None,
    json_to: Json = None,
) -> None:
    """List the agents of a game, or the options of one agent.

    Other commands take the name of an agent, with options as in uct(iterations=2000, c=1.4, rollout=heuristic).
    """
    loaded = games.load(game)
    known = agent_options(loaded)
    if agent is not None and agent not in known:
        raise UnknownName(f"{loaded.name} has no agent '{agent}'; {suggest(agent, known)}")
    chosen = known if agent is None else {agent: known[agent]}
    figures: list[dict[str, Any]] = [
        {"name": name, "about": about_agent(loaded, name), "options": options_of(options, _preset(loaded, name))}
        for name, options in chosen.items()
    ]
    screen = console(json_to)
    if agent is None:
        rows = [(one["name"], one["about"], ", ".join(one["options"])) for one in figures]
        screen.print(table(f"Agents of {loaded!r}", "name", "description", "options", rows=rows))
        if json_to != "-":
            screen.print(f"The options of an agent: {shlex.join(['spinney', 'agents', game, list(known)[-1]])}")
    else:
        rows = [(name, about["default"], about["help"]) for name, about in figures[0]["options"].items()]
        rows += [
            (flag, "false", f"true: {variant}, {about_agent(loaded, variant)}")
            for flag, variant in variants(loaded, agent).items()
        ]
        screen.print(f"{agent}: {figures[0]['about']}")
        screen.print(table("Options", "option", "default", "meaning", rows=rows))
    write_json(json_to, figures)


def _preset(game: Game, agent: str) -> dict[str, Any]:
    """The options that a preset sets."""
    return parse_spec(game.card.presets[agent])[1] if agent in game.card.presets else {}
