"""The games that the app offers, and the agents and options that its users may choose."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from math import inf
from typing import Any

from spinney import games
from spinney.agents import about_agent, agent_options, is_program, read_spec, usual_agent
from spinney.errors import BadOption, UnknownName
from spinney.games import Card, Game
from spinney.games.spec import parse_spec, suggest

MOST_SECONDS = 60.0
"""The longest time that an agent may think about one decision."""
MOST_NODES = 4_000_000


class Catalogue:
    """The games of Spinney, and those of the user's own files. Only these can be played: a browser names a game, and
    never a file."""

    def __init__(self, files: Iterable[str] = ()) -> None:
        self.cards: dict[str, Card] = {}
        self.own: dict[str, str] = {}
        """The files of the user's own games, by the names that the games have here."""
        for given in [*files, *games.game_names()]:  # own games come first
            card = games.card(given)
            name = re.sub(r"\W+", "-", card.name).strip("-")  # a part of an address
            name = name if name not in self.cards else f"{name}-{len(self.cards)}"
            self.cards[name] = card
            if given.endswith(".py"):
                self.own[name] = os.path.realpath(given)

    def card(self, name: str) -> Card:
        if name not in self.cards:
            raise UnknownName(f"there is no game '{name}' here; {suggest(name, self.cards)}")
        return self.cards[name]

    def load(self, spec: str) -> Game:
        """A game with options, such as "deepsea(players=4)"."""
        name, given = parse_spec(spec)
        card = self.card(name)
        return Game(card, card.options.read(card.name, given))


def seats_of(card: Card) -> str:
    """For how many players a game is, in words."""
    schema = card.options.model_json_schema().get("properties", {}).get("players", {})
    numbers = schema.get("enum") or [schema.get("minimum"), schema.get("maximum")]
    if None in numbers:
        return _people(Game(card).players)
    *others, most = numbers
    between = " or " if len(numbers) > 2 or most - others[0] == 1 else " to "
    return f"{', '.join(map(str, others))}{between}{_people(most)}" if most != others[0] else _people(most)


def _people(number: int) -> str:
    return f"{number} player{'s' * (number != 1)}"


def check_agent(game: Game, spec: str) -> str:
    """Refuse an agent that does not play the game, that would take too much of the machine, or that is a program."""
    _, given = parse_spec(spec)
    files = [name for name, value in given.items() if isinstance(value, str) and ("/" in value or os.sep in value)]
    if files:
        raise BadOption(f"{spec}: option '{files[0]}' names a file; the app takes only names")
    _, options = read_spec(game, spec)
    if is_program(game, spec):
        raise BadOption("the app starts no other programs; an agent of the game is needed")
    cores = os.cpu_count() or 1
    for name, most in (
        ("seconds", MOST_SECONDS),
        ("first_seconds", MOST_SECONDS),
        ("nodes", MOST_NODES),
        ("threads", cores),
    ):
        value = getattr(options, name, None)
        if isinstance(value, int | float) and not value <= most:
            raise BadOption(f"{spec}: option '{name}' = {value:g}; at most {most:,.10g} is allowed in the app")
    return spec


def agents_of(game: Game) -> list[dict[str, Any]]:
    """The agents that play a game: the usual one first, then the game's own, then the searches."""
    known = agent_options(game)
    first = usual_agent(game)
    return [
        {
            "name": name,
            "timed": "seconds" in known[name].model_fields,
            "usual": name == first,
            "about": about_agent(game, name),
        }
        for name in sorted(known, key=lambda name: (name != first, name == "random"))
        if name != "command"
    ]


def options_of(card: Card) -> list[dict[str, Any]]:
    """The options of a game as fields of a form."""
    return [
        _field(name, schema, card) for name, schema in card.options.model_json_schema().get("properties", {}).items()
    ]


def _field(name: str, schema: dict[str, Any], card: Card) -> dict[str, Any]:
    parts = [it for it in schema.get("anyOf", [schema]) if it.get("type") != "null"]
    part = parts[0] if parts else schema
    default = card.options.model_fields[name].default
    low, high = part.get("minimum"), part.get("maximum")
    return {
        "name": name,
        "label": name.replace("_", " "),
        "help": schema.get("description", ""),
        "choices": part.get("enum") or ([part["const"]] if "const" in part else None),
        "kind": part.get("type", "string"),
        "least": low if low is not None and abs(low) < inf else None,
        "most": high if high is not None and abs(high) < inf else None,
        "default": default,
        "optional": len(parts) < len(schema.get("anyOf", [schema])),
    }
