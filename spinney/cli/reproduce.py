"""`spinney reproduce`: a paper's comparisons, played again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from spinney import games
from spinney.arena.standings import wilson
from spinney.arena.study import Finding, Measured, Rerun, figures, run_timing
from spinney.arena.study_page import make_study_page
from spinney.cli.output import (
    Json,
    Ray,
    Workers,
    check_target,
    console,
    others_silenced,
    table,
    told_when_stopped,
    write_file,
    write_json,
)
from spinney.errors import SpinneyError
from spinney.games.study import Comparison, Study, Timing
from spinney.pool import Pool, open_pool


def reproduce(
    game: Annotated[str, typer.Argument(help="The game whose paper it is, as `spinney games` names it.")],
    scale: Annotated[
        float, typer.Option(min=0.01, max=1000, help="Share of the paper's number of games to play.")
    ] = 1.0,
    full: Annotated[bool, typer.Option("--full", help="Also the comparisons that take hours.")] = False,
    only: Annotated[str | None, typer.Option(help="Only comparisons and timings whose name contains this.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for results; reproduce-GAME unless named.")] = None,
    seed: Annotated[int, typer.Option(help="Start of all random numbers.")] = 1,
    workers: Workers = None,
    ray: Ray = None,
    json_to: Json = None,
) -> None:
    """Play a paper's comparisons again, and show the published figures beside ours.

    Results are kept in a folder, with a page of plots; the same command goes on where an earlier run was stopped.

    Example: spinney reproduce deepsea --only "10,000" --scale 0.1
    """
    check_target(json_to)
    card = games.card(game)
    if card.study is None:
        raise SpinneyError(f"{card.name} has no study to reproduce")
    comparisons, timings = _choose(card.study, full, only)
    pool = open_pool(workers, ray)
    folder = out or Path(f"reproduce-{card.name}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SpinneyError(f"cannot write to {folder}: {error.strerror}") from None
    screen = console(json_to)
    reruns: list[Rerun] = []

    def kept() -> str:
        count = sum(rerun.stored() for rerun in reruns)
        return f"{count:,} games are in {folder}: the same command goes on from there"

    with ExitStack() as opened, told_when_stopped(screen, kept):
        for comparison in comparisons:
            reruns.append(opened.enter_context(closing(Rerun(comparison, folder, scale, seed))))
        with others_silenced(json_to), pool:
            _watch_run(reruns, pool, screen)
        findings = [rerun.finding() for rerun in reruns]
        if findings:
            screen.print(table(f"{card.study.title}: wins of the first agent", "comparison", ">published",
                               ">here (95 %)", ">games", "", rows=[_row(finding) for finding in findings]))  # fmt: skip
            if card.study.draws:
                screen.print(table("by the seat of the first agent", "comparison", ">seat", ">won (95 %)", ">drawn",
                                   ">lost (95 %)", ">games", ">published won", ">lost",
                                   rows=[row for finding in findings for row in _results(finding)]))  # fmt: skip
        measured = []
        for timing in timings:
            measured.append(run_timing(timing))
            screen.print(_ratio(measured[-1]))
    screen.print(card.study.notes, style="dim")
    page = folder / "report.html"
    write_file(page, make_study_page(card.study, findings, measured, _command(game, scale, full, only, seed)))
    screen.print(f"results in {folder}, seed {seed}; the page is {page}", soft_wrap=True)
    write_json(json_to, figures(card.study, findings, measured))


def _choose(study: Study, full: bool, only: str | None) -> tuple[list[Comparison], list[Timing]]:
    """What is to be played and measured."""
    comparisons = [comparison for comparison in study.comparisons if only is None or only in comparison.name]
    timings = [timing for timing in study.timings if only is None or only in timing.name]
    if not comparisons and not timings:
        names = "; ".join([one.name for one in study.comparisons] + [one.name for one in study.timings])
        raise SpinneyError(f"no comparison matches '{only}'; there are: {names}")
    chosen = [comparison for comparison in comparisons if full or not comparison.long]
    if not chosen and not timings:
        raise SpinneyError("these comparisons take hours; add --full to play them all the same")
    return chosen, timings


def _watch_run(reruns: Sequence[Rerun], pool: Pool, screen: Console) -> None:
    """Play the games that are left, with a bar for each comparison and one for all.

    The length of a bar is effort, for a game of one comparison may take a hundred times as long as one of another.
    """
    progress = Progress(
        TextColumn("{task.description}", markup=False), BarColumn(), TextColumn("{task.fields[count]}"),
        TimeRemainingColumn(), console=screen, transient=True, speed_estimate_period=3600,
        disable=not screen.is_terminal,
    )  # fmt: skip

    def add(name: str, counted: Sequence[Rerun]) -> TaskID:
        effort = sum(rerun.comparison.effort * rerun.count for rerun in counted)
        done = sum(rerun.comparison.effort * rerun.done for rerun in counted)
        return progress.add_task(name, start=False, total=effort, completed=done, count=_count(counted))

    with progress:
        tasks = [add(rerun.comparison.name, [rerun]) for rerun in reruns]
        whole = add("all", reruns)
        progress.start_task(whole)
        for rerun, task in zip(reruns, tasks, strict=True):
            progress.start_task(task)
            for _ in rerun.play(pool):
                progress.update(task, advance=rerun.comparison.effort, count=_count([rerun]))
                progress.update(whole, advance=rerun.comparison.effort, count=_count(reruns))


def _count(reruns: Sequence[Rerun]) -> str:
    """Of how many games how many are stored."""
    return f"{sum(rerun.done for rerun in reruns):,}/{sum(rerun.count for rerun in reruns):,}"


def _command(game: str, scale: float, full: bool, only: str | None, seed: int) -> str:
    """What plays the same games again, wherever the results were put."""
    words = ["spinney", "reproduce", game, *(["--scale", f"{scale:g}"] if scale != 1 else [])]
    words += ["--full"] if full else []
    words += [] if only is None else ["--only", only]
    return shlex.join([*words, "--seed", str(seed)])


def _row(finding: Finding) -> tuple[str, ...]:
    return (
        finding.comparison.name,
        "" if finding.comparison.published is None else f"{finding.comparison.published:.1%}",
        f"{finding.share:.1%} ({100 * finding.low:.1f}-{100 * finding.high:.1f})",
        str(finding.games),
        finding.verdict,
    )


def _results(finding: Finding) -> list[tuple[str, ...]]:
    """A row for each seat: wins, draws and losses, and those that were published."""
    theirs = finding.comparison.published_results
    return [
        (
            finding.comparison.name,
            str(seat + 1),
            _percent(ours.won, ours.games),
            f"{ours.drawn:.1%}",
            _percent(ours.lost, ours.games),
            str(ours.games),
            *((f"{theirs[seat].won:.1%}", f"{theirs[seat].lost:.1%}") if theirs else ("", "")),
        )
        for seat, ours in enumerate(finding.results)
    ]


def _percent(share: float, games: int) -> str:
    low, high = wilson(share, games)
    return f"{share:.1%} ({100 * low:.1f}-{100 * high:.1f})"


def _ratio(one: Measured) -> str:
    published = f"(published {one.timing.published:.2f})"
    return f"{one.timing.name}: {one.ratio:.2f} times the {one.kind_of_time} {published}"
