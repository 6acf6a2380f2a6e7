"""The tables of `spinney reproduce`: what a study published, and what was found here."""

from __future__ import annotations

from rich.console import Console

from spinney.arena.standings import wilson
from spinney.arena.study import Finding, Measured
from spinney.cli.output import table
from spinney.games.study import Study


def show_findings(screen: Console, study: Study, findings: list[Finding]) -> None:
    """Print the shares, and what else the study compares."""
    if not findings:
        return
    screen.print(table(f"{study.title}: wins of the first agent", "comparison", ">published", ">here (95 %)",
                       ">games", "", rows=[_row(finding) for finding in findings]))  # fmt: skip
    if study.draws:
        screen.print(table("by the seat of the first agent", "comparison", ">seat", ">won (95 %)", ">drawn",
                           ">lost (95 %)", ">games", ">published won", ">lost",
                           rows=[row for finding in findings for row in _results(finding)]))  # fmt: skip
    if study.scores:
        screen.print(table(f"{study.scores} of the first agent over that of the others", "comparison", ">published",
                           ">here (95 %)", rows=[_scores(finding) for finding in findings]))  # fmt: skip


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


def _scores(finding: Finding) -> tuple[str, ...]:
    theirs, ours = finding.comparison.published_ratio, finding.ratio
    here = "" if ours is None else f"{ours.value:.2f} ({ours.low:.2f}-{ours.high:.2f})"
    return finding.comparison.name, "" if theirs is None else f"{theirs:.2f}", here


def _percent(share: float, games: int) -> str:
    low, high = wilson(share, games)
    return f"{share:.1%} ({100 * low:.1f}-{100 * high:.1f})"


def timing_line(one: Measured) -> str:
    published = f"(published {one.timing.published:.2f})"
    return f"{one.timing.name}: {one.ratio:.2f} times the {one.kind_of_time} {published}"
