"""Saving a finished game: `--save` and `--html` of the commands that play one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from spinney import games
from spinney.agents import Decision
from spinney.agents.briefs import briefs_of
from spinney.errors import BadOption
from spinney.files import append_atomic, write_atomic
from spinney.games import Card, Game, State
from spinney.games.parts import Format
from spinney.games.recording import record
from spinney.play import Replay, replay_of
from spinney.show.replay_page import replay_page

Save = Annotated[
    Path | None,
    typer.Option(
        help="Append the games to this file, for `spinney replay`; a file of the official engine's format is one game."
    ),
]
Html = Annotated[
    Path | None, typer.Option("--html", metavar="PAGE", help="Write the game as a page that plays it, in one file.")
]


def _writer(card: Card, file: Path) -> Callable[[Path, State, Sequence[str]], None] | None:
    """What writes a game in the official format of a file, if the game has that format."""
    return card.formats.get(file.suffix, Format()).write


def check_save(save: Path | None, game: Game) -> None:
    """Refuse a file in the format of another game before anything is played."""
    if save is None or _writer(game.card, save) is not None:
        return
    for card in map(games.card, games.game_names()):
        if _writer(card, save) is not None:
            raise BadOption(
                f"--save {save}: {save.suffix} files are of {card.title}, not of {game.name}; a .jsonl file is allowed"
            )


def save_game(
    state: State, names: Sequence[str], save: Path | None, html: Path | None, screen: Console, number: str = "",
    replay: Replay | None = None, decisions: Mapping[int, Decision] | None = None,
) -> None:  # fmt: skip
    """Write a finished game to the files that were asked for; a number keeps files of several games apart. A replay
    with the decisions of the game takes the place of one from its steps. Decisions are by the numbers of their steps.
    """

    def place(file: Path) -> Path:
        return file.with_stem(f"{file.stem}{number}")

    if html is not None:
        write_page(place(html), replay or replay_of(state, names), screen)
    if save is not None:
        write = _writer(state.game.card, save)
        if write is not None:
            write(place(save), state, names)
        else:
            append_atomic(save, f"{json.dumps(record(state, names, briefs_of(decisions or {})))}\n")


def write_page(file: Path, replay: Replay, screen: Console) -> None:
    """Write a replay as a page."""
    replay.frames = list(replay.frames)
    write_atomic(file, replay_page(replay))
    screen.print(f"{len(replay.frames):,} frames in {file}", soft_wrap=True)
