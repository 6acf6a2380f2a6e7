"""`spinney replay`: a stored game, on the terminal or as a page that plays it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spinney import games
from spinney.arena import stored
from spinney.arena.stored import official_reader
from spinney.cli.output import console
from spinney.cli.save_options import Html, write_page
from spinney.errors import BadOption
from spinney.files import check_target
from spinney.games import Card
from spinney.games.spec import parse_spec
from spinney.play import Replay
from spinney.show.terminal import show_replay


def replay(
    file: Annotated[
        Path,
        typer.Argument(
            help="A file of `spinney arena` or `spinney watch --save`, a log of `spinney serve`, or a replay file of "
            "an official engine."
        ),
    ],
    number: Annotated[int | None, typer.Argument(min=0, help="The game's number in a file with many, from 0.")] = None,
    delay: Annotated[float, typer.Option(min=0, max=60, help="Seconds between frames on a terminal.")] = 0.3,
    path: Annotated[
        str | None,
        typer.Option("--game", help="The .py file of the game, for games of your own: a path in the file is not run."),
    ] = None,
    html: Html = None,
) -> None:
    """Show a stored game, frame by frame; with --html, write it as a page instead.

    Example: spinney replay deepsea-arena.sqlite 7 --html game.html
    """
    check_target(html, read=file)
    found = open_replay(file, number, path)
    if html is None:
        show_replay(console(), found, delay)
    else:
        write_page(html, found, console())


def open_replay(file: Path, number: int | None = None, path: str | None = None) -> Replay:
    """The game of a file, of whichever kind; `path` is the .py file of a game that is not shipped."""
    card = official_reader(file)
    if card is not None and path is not None:
        raise BadOption(f"{file} is one game of {card.title}; leave out --game {path}")

    def card_of(name: str) -> Card:
        """The card of the file that the command names, or of a game that is shipped."""
        if path is not None:
            if parse_spec(path)[1]:
                raise BadOption(f"--game {path}: the options are in {file}; name the game alone")
            return games.card(path)
        if name not in games.game_names():
            raise BadOption(f"{file} has a game of '{name}'; name the .py file of that game, as in --game my_game.py")
        return games.card(name)

    return stored.open_replay(file, number, card_of)
