"""`spinney reproduce`: play the comparisons of a paper again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from spinney import games
from spinney.cli.output import Json, Ray, Workers, console, long_run, write_json
from spinney.cli.study_tables import show_findings, timing_line
from spinney.errors import SpinneyError
from spinney.files import make_folder, write_atomic
from spinney.games import game_names
from spinney.games.study import Comparison, Study, Timing
from spinney.pool import Pool, open_pool
from spinney.study import techniques
from spinney.study.page import make_studies_page, make_study_page
from spinney.study.rerun import Played, Rerun, figures, run_timing

ALL, TECHNIQUES = "all", "techniques"


def reproduce(
    game: Annotated[
        str, typer.Argument(help="The game of the paper, as `spinney games` names it; all; or techniques.")
    ],
    scale: Annotated[float, typer.Option(min=0.01, max=1000, help="Fraction of the number of games to play.")] = 1.0,
    full: Annotated[bool, typer.Option("--full", help="Include the comparisons that take hours.")] = False,
    only: Annotated[str | None, typer.Option(help="Only comparisons and timings whose name contains this.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the results; by default reproduce-GAME.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of all random numbers.")] = 1,
    workers: Workers = None,
    ray: Ray = None,
    json_to: Json = None,
) -> None:
    """Play the comparisons of a paper again, and show the published figures beside the new ones.

    The results are stored in a folder, with an HTML page of plots. The same command continues a run that was stopped.
    `all` plays the comparisons of all papers, and makes one page of them. `techniques` plays searches with each
    technique against the same searches without it, and makes a table of what helps in which game.

    Example: spinney reproduce deepsea --only "10,000" --scale 0.1
    """
    chosen = _choose(_studies(game), full, only)
    pool = open_pool(workers, ray)
    folder = out or Path(f"reproduce-{ALL if game == ALL else chosen[0].game}")
    screen = console(json_to)
    reruns: list[Rerun] = []

    def kept() -> str:
        count = sum(rerun.stored() for rerun in _distinct(reruns))
        return f"{count:,} games are in {folder}: the same command goes on from there"

    with ExitStack() as opened, long_run(screen, json_to, kept):
        for choice in chosen:
            place = make_folder(folder / choice.game if game == ALL else folder)
            for comparison in choice.comparisons:
                rerun = Rerun(choice.study, comparison, place, scale, seed)
                reruns.append(opened.enter_context(closing(rerun)))
        with pool:
            _watch_run(reruns, pool, screen)
        played, left = [], iter(reruns)
        for choice in chosen:
            findings = [next(left).finding() for _ in choice.comparisons]
            show_findings(screen, choice.study, findings)
            played.append(Played(choice.study, findings, []))
            for timing in choice.timings:
                played[-1].measured.append(run_timing(timing))
                screen.print(timing_line(played[-1].measured[-1]))
            screen.print(choice.study.notes, style="dim")
    page, words = folder / "report.html", _command(game, scale, full, only, seed)
    write_atomic(page, make_studies_page(played, words) if game == ALL else make_study_page(played[0], words))
    screen.print(f"results in {folder}, seed {seed}; the page is {page}", soft_wrap=True)
    plain = [figures(one) for one in played]
    write_json(json_to, plain if game == ALL else plain[0])


class Chosen(NamedTuple):
    """The comparisons and timings of a study that are run."""

    game: str
    study: Study
    comparisons: list[Comparison]
    timings: list[Timing]


def _studies(game: str) -> dict[str, Study]:
    """The study of a game, or of all games that have one, by the name of the game; or the study of techniques."""
    if game == TECHNIQUES:
        return {TECHNIQUES: techniques.STUDY}
    cards = [games.card(name) for name in game_names()] if game == ALL else [games.card(game)]
    studies = {card.name: card.study for card in cards if card.study is not None}
    if not studies:
        known = ", ".join(name for name in game_names() if games.card(name).study is not None)
        raise SpinneyError(f"{cards[0].name} has no study to reproduce; these have one: {known}")
    return studies


def _choose(studies: dict[str, Study], full: bool, only: str | None) -> list[Chosen]:
    """The comparisons and timings to run."""
    found = []
    for game, study in studies.items():
        comparisons = [comparison for comparison in study.comparisons if only is None or only in comparison.name]
        timings = [timing for timing in study.timings if only is None or only in timing.name]
        if comparisons or timings:
            found.append(Chosen(game, study, comparisons, timings))
    if not found:
        names = [comparison.name for study in studies.values() for comparison in study.comparisons]
        names += [timing.name for study in studies.values() for timing in study.timings]
        raise SpinneyError(f"no comparison matches '{only}'; there are: {'; '.join(names)}")
    short = [one._replace(comparisons=[one for one in one.comparisons if full or not one.long]) for one in found]
    chosen = [one for one in short if one.comparisons or one.timings]
    if not chosen:
        raise SpinneyError("these comparisons take hours; add --full to play them")
    return chosen


def _watch_run(reruns: Sequence[Rerun], pool: Pool, screen: Console) -> None:
    """Play the games that are not stored yet, with a progress bar for the current comparison and one for all.

    Bars measure the estimated time, because a game of one comparison may take a hundred times as long as one of
    another.
    """
    progress = Progress(
        TextColumn("{task.description}", markup=False), BarColumn(), TextColumn("{task.fields[count]}"),
        TimeRemainingColumn(), console=screen, transient=True, speed_estimate_period=3600,
        disable=not screen.is_terminal,
    )  # fmt: skip

    def add(name: str, counted: Sequence[Rerun]) -> TaskID:
        effort = sum(rerun.comparison.effort * rerun.count for rerun in counted)
        done = sum(rerun.comparison.effort * rerun.done for rerun in counted)
        return progress.add_task(name, total=effort, completed=int(done), count=_count(counted))

    with progress:
        distinct = _distinct(reruns)
        whole = add("all", distinct)
        for rerun in distinct:
            task = add(rerun.comparison.name, [rerun])
            for _ in rerun.play(pool):
                progress.update(task, advance=rerun.comparison.effort, count=_count([rerun]))
                progress.update(whole, advance=rerun.comparison.effort, count=_count(distinct))
            progress.remove_task(task)


def _distinct(reruns: Sequence[Rerun]) -> list[Rerun]:
    """The reruns with different results files: several comparisons may use the same games."""
    return list({rerun.file: rerun for rerun in reversed(reruns)}.values())[::-1]


def _count(reruns: Sequence[Rerun]) -> str:
    """How many games are stored, and how many there are."""
    return f"{sum(rerun.done for rerun in reruns):,}/{sum(rerun.count for rerun in reruns):,}"


def _command(game: str, scale: float, full: bool, only: str | None, seed: int) -> str:
    """The command that plays the same games again, without the folder."""
    words = ["spinney", "reproduce", game, *(["--scale", f"{scale:.12g}"] if scale != 1 else [])]
    words += ["--full"] if full else []
    words += [] if only is None else ["--only", only]
    return shlex.join([*words, "--seed", str(seed)])
