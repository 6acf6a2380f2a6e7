"""`spinney report`: a results file as an HTML page."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from spinney.arena import Store
from spinney.arena.report import make_report
from spinney.arena.summary import figures
from spinney.cli.output import Json, console, write_json
from spinney.files import check_target, write_atomic
from spinney.study.tune import tune_command


def report(
    file: Annotated[Path, typer.Argument(help="A results file of `spinney arena`, `tune` or `reproduce`.")],
    out: Annotated[Path | None, typer.Option(help="The page; by default FILE with the suffix .html.")] = None,
    json_to: Json = None,
) -> None:
    """Make an HTML page of a results file: standings, plots, seats, thinking times, forfeits.

    The page is self-contained, without scripts, and always the same for the same file. It can be made while the
    tournament is running.

    Example: spinney report deepsea-arena.sqlite --out deepsea.html
    """
    with closing(Store(file)) as store:
        out = out or file.with_suffix(".html")
        check_target(out, json_to, read=file)
        found = figures(store, tune_command(store))
    write_atomic(out, make_report(found))
    console(json_to).print(f"report of {len(found.finished):,} games in {out}")
    write_json(json_to, found.plain())
