"""`spinney report`: a results file as a page to look at."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from spinney.arena import Store
from spinney.arena.report import make_report
from spinney.arena.summary import figures
from spinney.cli.output import Json, check_target, console, write_json
from spinney.files import write_atomic


def report(
    file: Annotated[Path, typer.Argument(help="A results file of `spinney arena`, `tune` or `reproduce`.")],
    out: Annotated[Path | None, typer.Option(help="The page; FILE with the ending .html unless named.")] = None,
    json_to: Json = None,
) -> None:
    """Make a page of HTML from the results of a tournament: standings, plots, seats, times, forfeits.

    The page needs nothing else, neither scripts nor a network, and is the same whenever it is made from the same file.
    It can be made while the tournament is still running.

    Example: spinney report deepsea-arena.sqlite --out deepsea.html
    """
    with closing(Store(file)) as store:
        out = out or file.with_suffix(".html")
        check_target(out, json_to, read=file)
        found = figures(store)
    write_atomic(out, make_report(found))
    console(json_to).print(f"report of {len(found.finished):,} games in {out}")
    write_json(json_to, found.plain())
