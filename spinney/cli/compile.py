"""`spinney compile`: fill the cache of compiled code beforehand."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from spinney.agents import build, usual_agent
from spinney.cli.output import Json, console, write_json
from spinney.errors import MissingPackage, SpinneyError
from spinney.files import make_folder
from spinney.games import Game, game_names, load
from spinney.kernel.cache import cache_folder, make_cache_folder, open_to_others


def compile_agents(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="The games, all that are shipped unless named.")
    ] = None,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FOLDER", help="Where the code is kept; by default the user's cache.")
    ] = None,
    json_to: Json = None,
) -> None:
    """Compile the agents of games beforehand, for images and servers.

    These are the agents that other commands use unless told otherwise, and those that the card of a game names. With
    --to, the folder has all that they need. It can be used by other users and machines with the same kind of processor,
    as $SPINNEY_CACHE_SHARED.

    Example: spinney compile battlesnake --to compiled
    """
    loaded = [load(spec) for spec in games or game_names()]
    if to is not None:
        make_folder(to)
    screen, begun = console(json_to), time.perf_counter()
    with _cache_in(to):
        if make_cache_folder() is None:
            raise SpinneyError(open_to_others(cache_folder()))
        before = _entries()
        for game in loaded:
            for agent in dict.fromkeys((usual_agent(game), *game.card.presets)):
                last = time.perf_counter()
                try:
                    for what in _compiled(game, agent):
                        now = time.perf_counter()
                        screen.print(f"{game!r} {what}: {now - last:.1f} s", soft_wrap=True)
                        last = now
                except MissingPackage as error:
                    screen.print(f"{game!r} {agent}: left out, {error}", soft_wrap=True)
        entries, folder = _entries(), cache_folder()
    compiled = sum(before.get(name) != file for name, file in entries.items())
    figures = {
        "compiled": compiled,
        "entries": len(entries),
        "bytes": sum(size for size, _ in entries.values()),
        "seconds": time.perf_counter() - begun,
        "folder": str(folder),
    }
    screen.print(
        f"{compiled} compiled in {time.perf_counter() - begun:.1f} s; {figures['entries']} in the cache, "
        f"{sum(size for size, _ in entries.values()) / 1e6:.1f} MB, {folder}",
        soft_wrap=True,
    )
    write_json(json_to, figures)


def _compiled(game: Game, agent: str) -> Iterator[str]:
    """Compile an agent; yields what is done. A bridge may need it in more than one form, and then has a function
    `compile_agent(game, agent)` in its `command.py`, which yields the same."""
    bridge = f"{game.card.bridge}.command"
    own = getattr(import_module(bridge), "compile_agent", None) if game.card.bridge and find_spec(bridge) else None
    if own is not None and agent == usual_agent(game):
        yield from own(game, agent)
    else:
        build(game, agent)
        yield agent


def _entries() -> dict[str, tuple[int, int]]:
    """The entries of the cache, with their sizes and the numbers of their files, which change when one is written."""
    return {file.name: (file.stat().st_size, file.stat().st_ino) for file in cache_folder().glob("*.nbc")}


@contextmanager
def _cache_in(folder: Path | None) -> Iterator[None]:
    """Keep compiled code in a folder, and use no other."""
    if folder is None:
        yield
        return
    names = ("SPINNEY_CACHE", "SPINNEY_CACHE_SHARED")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, str(folder.absolute())))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
