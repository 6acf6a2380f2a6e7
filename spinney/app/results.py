"""Results of tournaments: standings, plots and games, also while the tournament is being played."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from threading import Lock
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from spinney.app.library import Library, StoredFile
from spinney.app.pages import page, text_of
from spinney.app.watch import Books, Found
from spinney.arena.report import games_of, report_values
from spinney.arena.store import Store
from spinney.arena.stored import RESULTS
from spinney.arena.summary import figures
from spinney.errors import SpinneyError, UnknownName
from spinney.study.tune import tune_command

router = APIRouter()
SHOWN = 50
"""Games of a page."""
PATIENCE = 5
"""Times as long as the figures took, they are not computed again."""
drawing = Lock()
"""Plots are drawn one after the other."""


@dataclass(frozen=True)
class Report:
    """The figures of a results file."""

    count: int
    """The games that it had."""
    values: dict[str, Any]
    """What templates need."""
    until: float
    """When they are computed again at the earliest."""


@dataclass(frozen=True)
class Summary:
    """What a results file is about, and how far it is."""

    file: StoredFile
    game: str = ""
    agents: tuple[str, ...] = ()
    played: int = 0
    planned: int = 0
    problem: str = ""


def _summary(library: Library, it: StoredFile) -> Summary:
    try:
        with library.told(it), closing(Store(it.file)) as store:
            played = store.count()
            return Summary(it, store.settings["game"], store.specs, played, max(played, int(store.settings["games"])))
    except SpinneyError as error:
        return Summary(it, problem=str(error))


@router.get("/results")
async def list_results(library: Books) -> HTMLResponse:
    def read() -> list[Summary]:
        return [_summary(library, it) for it in library.files() if it.kind == RESULTS]

    found = await library.work(read)
    return page("results.html.j2", title="Results", found=found, sources=[str(it) for it in library.sources])


@router.get("/results/{ident}")
async def show(file: Found, library: Books, first: int | None = None) -> HTMLResponse:
    """The standings, and a part of the games: the latest, or those from the number `first` on."""
    version, body = await library.work(_body, library, file, first)
    return page("result.html.j2", title=file.name, file=file, version=version, body=body)


@router.get("/api/results/{ident}")
async def go_on(file: Found, library: Books, known: int, first: int | None = None) -> dict[str, Any]:
    """The same again if there are more games than are known."""
    version, body = await library.work(_body, library, file, first)
    return {"version": version} | ({} if version == known else {"body": body})


def _body(library: Library, file: StoredFile, first: int | None) -> tuple[int, str]:
    """How many games there are, and the figures and games as a part of a page."""
    if file.kind != RESULTS:
        raise UnknownName(f"{file.name} is not a results file")
    with library.told(file), drawing:
        report = _report(library, file)
        games = report.values["found"].finished
        start = max(0, len(games) - SHOWN) if first is None else max(0, min(first, len(games) - 1))
        listed = games_of(games[start : start + SHOWN])
        body = text_of("result_body.html.j2", file=file, games=listed, start=start, shown=SHOWN, **report.values)
    return report.count, body


def _report(library: Library, file: StoredFile) -> Report:
    """The figures of a file. Those of many games take a while: what is known is shown again for some time."""
    key = (file.ident, "report")
    known: Report | None = library.recall(key)
    began = time.monotonic()
    with closing(Store(file.file)) as store:
        count = store.count()
        if known is not None and (known.count == count or began < known.until):
            return known
        values = report_values(figures(store, tune_command(store)))
    ended = time.monotonic()
    return library.keep(key, Report(count, values, ended + PATIENCE * (ended - began)))
