"""`spinney games`: the games that there are."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from spinney import games
from spinney.cli.output import Json, console, table, write_json
from spinney.games import Card, Options


def list_games(json_to: Json = None) -> None:
    """List the games.

    Other commands take the name of a game, with options as in `name(option=value)`, or the path of your own .py file.
    """
    cards = [games.card(name) for name in games.game_names()]
    rows = [(card.name, _players(card), ", ".join(_kinds(card)), card.summary) for card in cards]
    console(json_to).print(table("Games", "name", ">players", "kind", "summary", rows=rows))
    figures = [
        {
            "name": card.name,
            "title": card.title,
            "players": _players(card),
            "kinds": _kinds(card),
            "summary": card.summary,
            "options": options_of(card.options, {}),
        }
        for card in cards
    ]
    write_json(json_to, figures)


def _players(card: Card) -> str:
    field = card.options.model_fields.get("players")
    if field is None:
        return str(card.rules.MAX_PLAYERS)
    if get_origin(field.annotation) is Literal:
        return ", ".join(str(number) for number in get_args(field.annotation))
    least = next((bound.ge for bound in field.metadata if hasattr(bound, "ge")), 1)
    return f"{least}-{card.rules.MAX_PLAYERS}"


def _kinds(card: Card) -> list[str]:
    kinds = ["simultaneous" if card.is_simultaneous else "sequential"]
    return kinds + ["chance"] * card.has_chance + ["imperfect information"] * card.has_hidden


def options_of(options: type[Options], preset: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The defaults and the help texts of options; a preset has defaults of its own."""
    return {
        name: {
            "default": str(default).lower() if isinstance(default, bool | float | None) else default,
            "help": field.description or "",
        }
        for name, field in options.model_fields.items()
        for default in (preset.get(name, "needed" if field.is_required() else field.default),)
    }
