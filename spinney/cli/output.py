"""What all commands share: the console, tables, games as they are played, files, Ctrl-C, and words for seats."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from spinney.arena import GameResult
from spinney.errors import SpinneyError
from spinney.files import write_whole
from spinney.show.terminal import on_terminal

MOST_WORKERS = 4096
Workers = Annotated[int | None, typer.Option(min=1, max=MOST_WORKERS, help="Games at once; one per core unless given.")]
Ray = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="[ADDRESS]",
        help="Play on a Ray cluster: auto, HOST:PORT or ray://HOST:PORT; without an address, one is started here.",
    ),
]
Seed = Annotated[int | None, typer.Option(help="Start of all random numbers; without it, every run is new.")]


def console(json_to: str | None = None) -> Console:
    """Where to print for people: the screen, or standard error when standard output is for JSON."""
    return Console(stderr=json_to == "-", highlight=False, markup=False)


def table(title: str, *columns: str, rows: Iterable[Iterable[Any]]) -> Table:
    """A table whose number columns are written as ">name": they keep their width, and words are wrapped."""
    made = Table(title=title, title_justify="left", header_style="bold")
    for column in columns:
        number = column.startswith(">")
        made.add_column(
            column.removeprefix(">"), justify="right" if number else "left", no_wrap=number, overflow="fold"
        )
    for row in rows:
        made.add_row(*(str(cell) for cell in row))
    return made


def interval(low: float, high: float) -> str:
    """The interval of a share, in per cent."""
    return f"{100 * low:.1f}-{100 * high:.1f}"


def watched(
    games: Iterable[GameResult],
    done: int,
    total: int,
    screen: Console,
    stage: Callable[[], str],
    found: Callable[[], RenderableType],
) -> Iterator[GameResult]:
    """Games as they are finished, after those that are done. On a terminal, with what was found so far, and below it
    the stage that is being played, a bar, and the time that is left."""
    progress = Progress(
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TextColumn("games, about"),
        TimeRemainingColumn(), TextColumn("left"), console=screen,
    )  # fmt: skip
    task = progress.add_task(stage(), total=total, completed=min(done, total))
    shown = time.monotonic()
    with Live(Group(found(), progress), console=screen, auto_refresh=False, transient=True) as live:
        for game in games:
            yield game
            progress.update(task, advance=1, description=stage())
            if on_terminal() and time.monotonic() - shown > 0.5:
                live.update(Group(found(), progress), refresh=True)
                shown = time.monotonic()


def show_forfeits(screen: Console, specs: Sequence[str], finished: Iterable[GameResult]) -> None:
    """The first few games that ended by a forfeit, a line each."""
    forfeits = [(game, *game.forfeit) for game in finished if game.forfeit is not None]
    for game, seat, reason in forfeits[:5]:
        screen.print(f"game {game.number}: {specs[game.seats[seat]]} {reason}", style="red")


def check_target(*files: str | Path | None, read: Path | None = None) -> None:
    """Refuse at once to do work whose results could not be written, or would take the place of what is read, or of
    each other."""
    taken = [] if read is None else [os.path.realpath(read)]
    for target in (Path(file) for file in files if file is not None and file != "-"):
        folder, there = target.absolute().parent, target.exists()
        if not folder.is_dir():
            raise SpinneyError(f"cannot write {target}: there is no folder {target.parent}")
        if target.is_dir():
            raise SpinneyError(f"cannot write {target}: it is a folder; name a file")
        device = there and not target.is_file()
        if not all(os.access(place, os.W_OK) for place in [target] * there + [folder] * (not device)):
            raise SpinneyError(f"cannot write {target}: permission denied")
        if os.path.realpath(target) in taken and not device:
            raise SpinneyError(f"cannot write {target}: this command needs that file for something else; name another")
        taken.append(os.path.realpath(target))


def _checked(json_to: str | None) -> str | None:
    check_target(json_to)
    return json_to


Json = Annotated[
    str | None,
    typer.Option(
        "--json", metavar="FILE", callback=_checked, help="Write the figures as JSON; '-' prints them instead."
    ),
]


def write_json(json_to: str | None, figures: Any) -> None:
    """Write figures to a file, or print them for '-'."""
    if json_to is None:
        return
    text = json.dumps(_finite(figures), indent=2, allow_nan=False)
    if json_to == "-":
        print(text)
    else:
        write_whole(Path(json_to), f"{text}\n")


def _finite(figures: Any) -> Any:
    """The same without infinite numbers, which JSON does not have: they are words."""
    if isinstance(figures, dict):
        return {key: _finite(value) for key, value in figures.items()}
    if isinstance(figures, list | tuple):
        return [_finite(value) for value in figures]
    return str(figures) if isinstance(figures, float) and not isfinite(figures) else figures


@contextmanager
def told_when_stopped(screen: Console, what_is_kept: Callable[[], str]) -> Iterator[None]:
    """On Ctrl-C, a line that says what is kept and how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        screen.print(f"stopped; {what_is_kept()}", soft_wrap=True)
        raise


def others_silenced(json_to: str | None) -> AbstractContextManager[Any]:
    """While standard output is for JSON, what libraries print goes to standard error."""
    return redirect_stdout(sys.stderr) if json_to == "-" else nullcontext()
