"""What all commands share: the console, tables, progress, JSON output and Ctrl-C."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from spinney.files import check_target, write_atomic
from spinney.printing import printable

if TYPE_CHECKING:  # lists need none of these
    from spinney.arena import GameResult
    from spinney.pool import Pool

MOST_WORKERS = 4096
Workers = Annotated[int | None, typer.Option(min=1, max=MOST_WORKERS, help="Games at once; by default one per core.")]
Ray = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="[ADDRESS]",
        help="Play on a Ray cluster: auto, HOST:PORT or ray://HOST:PORT; without an address, a new local cluster.",
    ),
]
Seed = Annotated[int | None, typer.Option(help="Seed of all random numbers; by default a random one.")]


class SafeConsole(Console):
    """A console that prints no control characters of names and texts from files."""

    def render_str(self, text: str, **how: Any) -> Text:
        return super().render_str(printable(text), **how)


def console(json_to: str | None = None) -> Console:
    """The console for text output: standard output, or standard error if JSON goes to standard output."""
    return SafeConsole(stderr=json_to == "-", highlight=False, markup=False)


def table(title: str, *columns: str, rows: Iterable[Iterable[Any]]) -> Table:
    """A table. Columns with numbers are named as in ">games": they are aligned right and not wrapped."""
    made = Table(title=title, title_justify="left", header_style="bold")
    for column in columns:
        number = column.startswith(">")
        made.add_column(
            column.removeprefix(">"), justify="right" if number else "left", no_wrap=number, overflow="fold"
        )
    for row in rows:
        made.add_row(*(str(cell) for cell in row))
    return made


def show_forfeits(screen: Console, specs: Sequence[str], finished: Iterable[GameResult]) -> None:
    """Print the first five games that ended by a forfeit, one line each."""
    forfeits = [(game, *game.forfeit) for game in finished if game.forfeit is not None]
    for game, seat, reason in forfeits[:5]:
        screen.print(f"game {game.number}: {specs[game.agents[seat]]} {reason}", style="red")


def _checked(json_to: str | None) -> str | None:
    check_target(json_to)
    return json_to


Json = Annotated[
    str | None,
    typer.Option(
        "--json",
        metavar="FILE",
        callback=_checked,
        help="Write the results as JSON to a file, or to '-', which prints them.",
    ),
]


def write_json(json_to: str | None, figures: Any) -> None:
    """Write results as JSON to a file, or print them for '-'."""
    if json_to is None:
        return
    text = json.dumps(_finite(figures), indent=2, allow_nan=False)
    if json_to == "-":
        print(text)
    else:
        write_atomic(Path(json_to), f"{text}\n")


def _finite(figures: Any) -> Any:
    """Replace infinite numbers, which JSON does not have, by text."""
    if isinstance(figures, dict):
        return {key: _finite(value) for key, value in figures.items()}
    if isinstance(figures, list | tuple):
        return [_finite(value) for value in figures]
    return str(figures) if isinstance(figures, float) and not isfinite(figures) else figures


@contextmanager
def long_run(screen: Console, json_to: str | None, saved: Callable[[], str]) -> Iterator[None]:
    """On Ctrl-C, print what has been saved and how to resume. Redirect prints of libraries to standard error while
    standard output is for JSON."""
    try:
        with redirect_stdout(sys.stderr) if json_to == "-" else nullcontext():
            yield
    except KeyboardInterrupt:
        screen.print(f"stopped; {saved()}", soft_wrap=True)
        raise


def run_games(
    games: Iterable[GameResult],
    pool: Pool,
    screen: Console,
    json_to: str | None,
    *,
    done: int,
    total: int,
    stage: Callable[[], str],
    found: Callable[[list[GameResult]], RenderableType],
    saved: Callable[[], str],
) -> None:
    """Play games in a pool. On a terminal, show what they have led to so far (`found`), the stage, and a progress bar
    that begins at `done`."""
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    progress = Progress(
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TextColumn("games, about"),
        TimeRemainingColumn(), TextColumn("left"), console=screen,
    )  # fmt: skip
    task = progress.add_task(stage(), total=total, completed=min(done, total))
    played: list[GameResult] = []
    shown = time.monotonic()
    view = Live(Group(found(played), progress), console=screen, auto_refresh=False, transient=True)
    with long_run(screen, json_to, saved), pool, view as live:
        for game in games:
            played.append(game)
            progress.update(task, advance=1, description=stage())
            if screen.is_terminal and time.monotonic() - shown > 0.5:
                live.update(Group(found(played), progress), refresh=True)
                shown = time.monotonic()
