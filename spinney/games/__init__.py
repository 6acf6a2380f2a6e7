"""The games, loaded by name or from a file."""

from __future__ import annotations

import importlib
import importlib.util
import os
import pkgutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

from spinney.errors import BadGame, UnknownName
from spinney.games.card import CHANCE, OVER, SIMULTANEOUS, Card
from spinney.games.options import Options
from spinney.games.spec import parse_spec, suggest
from spinney.games.state import Game, State

__all__ = ["CHANCE", "OVER", "SIMULTANEOUS", "Card", "Game", "Options", "State", "card", "game_names", "load"]


def game_names() -> list[str]:
    """The names of the games that come with Spinney: the subpackages of this package."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)


def card(name: str) -> Card:
    """The card of a game, by its name or by the path of a Python file that defines `GAME`."""
    if name.endswith(".py"):
        return _from_file(Path(os.path.realpath(name)))
    if name not in game_names():
        raise UnknownName(f"there is no game '{name}'; {suggest(name, game_names())}, or a path to a .py file")
    found: Card = importlib.import_module(f"spinney.games.{name}").GAME
    return found


def load(spec: str | Card, **options: Any) -> Game:
    """A game from a card, or from a spec such as "pig.py(players=3)", with options in the spec or by keyword."""
    if isinstance(spec, Card):
        found, given = spec, options
    else:
        name, given = parse_spec(spec)
        found, given = card(name), {**given, **options}
    return Game(found, found.options.read(found.name, given))


@cache
def _from_file(path: Path) -> Card:
    if not path.is_file():
        raise UnknownName(f"there is no file '{path}'")
    name = f"spinney_game_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BadGame:
        raise
    except (Exception, SystemExit) as error:
        raise BadGame(f"{path.name} cannot be loaded: {type(error).__name__}: {error}") from error
    found = getattr(module, "GAME", None)
    if not isinstance(found, Card):
        raise BadGame(f"{path.name} defines no GAME; it must be a spinney.Card")
    return found
