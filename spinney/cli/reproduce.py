"""`spinney reproduce`: a paper's comparisons, played again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from spinney import games
from spinney.arena.study import Finding, figures, run_comparison, run_timing
from spinney.cli.output import Json, check_target, console, table, write_json
from spinney.errors import SpinneyError


def reproduce(
    game: Annotated[str, typer.Argument(help="The game whose paper it is, as `spinney games` names it.")],
    scale: Annotated[
        float, typer.Option(min=0.01, max=1000, help="Share of the paper's number of games to play.")
    ] = 1.0,
    full: Annotated[bool, typer.Option("--full", help="Also the comparisons that take hours.")] = False,
    only: Annotated[str | None, typer.Option(help="Only comparisons whose name contains this.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for results; reproduce-GAME unless named.")] = None,
    seed: Annotated[int, typer.Option(help="Start of all random numbers.")] = 1,
    workers: Annotated[int | None, typer.Option(min=1, help="Games at once; one a core unless given.")] = None,
    json_to: Json = None,
) -> None:
    """Play a paper's comparisons again, and show the published figures beside ours.

    Results are kept in a folder; the same command goes on where an earlier run was stopped.
    """
    check_target(json_to)
    card = games.card(game)
    if card.study is None:
        raise SpinneyError(f"{card.name} has no study to reproduce")
    chosen = [
        comparison
        for comparison in card.study.comparisons
        if (full or not comparison.long) and (only is None or only in comparison.name)
    ]
    if not chosen:
        names = "; ".join(comparison.name for comparison in card.study.comparisons)
        raise SpinneyError(f"no comparison matches '{only}'; there are: {names}")
    folder = out or Path(f"reproduce-{card.name}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SpinneyError(f"cannot write to {folder}: {error.strerror}") from None
    screen = console(json_to)
    findings: list[Finding] = []
    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=screen,
    ) as progress:
        for comparison in chosen:
            task = progress.add_task(comparison.name, total=comparison.games)

            def update(done: int, count: int, task: int = task) -> None:
                progress.update(task, completed=done, total=count)  # type: ignore[arg-type]

            findings.append(run_comparison(comparison, folder, scale, seed, workers, update))
    measured = [run_timing(timing) for timing in card.study.timings] if only is None else []
    screen.print(table(f"{card.study.title}: wins of the first agent", "comparison", ">published", ">here (95 %)",
                       ">games", "", rows=[_row(finding) for finding in findings]))  # fmt: skip
    for one in measured:
        screen.print(f"{one.timing.name}: {one.ratio:.2f} times the CPU time (published {one.timing.published:.2f})")
    screen.print(card.study.notes, style="dim")
    screen.print(f"results in {folder}; seed {seed}")
    write_json(json_to, figures(card.study, findings, measured))


def _row(finding: Finding) -> tuple[str, ...]:
    return (
        finding.comparison.name,
        f"{finding.comparison.published:.0%}",
        f"{finding.share:.1%} ({100 * finding.low:.1f}-{100 * finding.high:.1f})",
        str(finding.games),
        finding.verdict,
    )
