"""Keeping a finished game: `--save` and `--html` of the commands that play one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from spinney.cli.output import result, write_film
from spinney.errors import BadOption
from spinney.files import append_whole
from spinney.games import Game, State
from spinney.games.parts import Format
from spinney.games.recording import record
from spinney.show.replay_page import page_of_game

Save = Annotated[
    Path | None,
    typer.Option(help="Append the games to this file, for `spinney replay`; a .hlt file of Halite is one game."),
]
Html = Annotated[
    Path | None, typer.Option("--html", metavar="PAGE", help="Write the game as a page that plays it, in one file.")
]


def check_save(save: Path | None, game: Game) -> None:
    """Refuse a file of another game's kind before anything is played."""
    if save is not None and save.suffix == ".hlt" and save.suffix not in game.card.formats:
        raise BadOption(f"--save {save}: .hlt files are of Halite, not of {game.name}; a .jsonl file is allowed")


def keep(
    state: State, names: Sequence[str], save: Path | None, html: Path | None, screen: Console, number: str = ""
) -> None:
    """Write a game that is over where it was asked for. Of several games each has a number, for files of one game."""

    def place(file: Path) -> Path:
        return file.with_stem(f"{file.stem}{number}")

    game = state.game
    if html is not None:
        film = page_of_game(game, state.seed, state.history, names, f"{game!r}, seed {state.seed}")
        film.result = result(state, names)
        write_film(place(html), film, screen)
    written = None if save is None else game.card.formats.get(save.suffix, Format()).write
    if save is not None and written is not None:
        written(place(save), state, names)
    elif save is not None:
        append_whole(save, f"{json.dumps(record(state, names))}\n")
