"""The tables of `spinney reproduce`: published and new figures of a study."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from spinney.cli.output import table
from spinney.games.study import Study
from spinney.stats import interval, wilson
from spinney.study.rerun import Finding, Matrix, Measured, matrix


def show_findings(screen: Console, study: Study, findings: list[Finding]) -> None:
    """Print the win shares, and wins, losses or scores if the study compares them."""
    if not findings:
        return
    made = matrix(findings)
    if made is not None:
        screen.print(_matrix(f"{study.title}: won against the plain search", made))
        return
    counted = "won by the agent named first" + ", a draw counted half" * study.draws
    screen.print(table(f"{study.title}: {counted}", "comparison", ">published", ">here (95 %)",
                       ">games", "", rows=[_row(finding) for finding in findings]))  # fmt: skip
    for finding in findings if study.draws else []:
        screen.print(table(f"{finding.comparison.name}, by the seat of the first agent", "seat", ">won (95 %)",
                           ">drawn", ">lost (95 %)", ">games", rows=_results(finding)))  # fmt: skip
    if study.scores:
        screen.print(table(f"{study.scores} of the first agent over that of the others", "comparison", ">published",
                           ">here (95 %)", rows=[_scores(finding) for finding in findings]))  # fmt: skip


def _matrix(title: str, made: Matrix) -> Table:
    """A row for each group. What is better than even is green, what is worse is red."""
    drawn = table(title, "", *made.columns, rows=())
    styles = {True: "green", False: "red", None: ""}
    for group, findings in made.rows.items():
        cells = [
            Text() if it is None else Text(f"{it.share:.0%}\n{interval(it.low, it.high)}", styles[it.helps])
            for it in findings
        ]
        drawn.add_row(Text(group), *cells)
    return drawn


def _row(finding: Finding) -> tuple[str, ...]:
    return (
        finding.comparison.name,
        "" if finding.comparison.published is None else f"{finding.comparison.published:.1%}",
        f"{finding.share:.1%} ({interval(finding.low, finding.high)})",
        str(finding.games),
        finding.verdict,
    )


def _results(finding: Finding) -> list[tuple[str, ...]]:
    """Wins, draws and losses in each seat; the published ones are above the new ones."""
    rows: list[tuple[str, ...]] = []
    published = finding.comparison.published_results
    for seat, ours in enumerate(finding.results):
        if published:
            theirs = published[seat]
            rows.append(
                (f"{seat + 1}, published", f"{theirs.won:.1%}", f"{theirs.drawn:.1%}", f"{theirs.lost:.1%}", "")
            )
        won, lost = _percent(ours.won, ours.games), _percent(ours.lost, ours.games)
        rows.append((f"{seat + 1}, here", won, f"{ours.drawn:.1%}", lost, str(ours.games)))
    return rows


def _scores(finding: Finding) -> tuple[str, ...]:
    theirs, ours = finding.comparison.published_ratio, finding.ratio
    here = "" if ours is None else f"{ours.value:.2f} ({ours.low:.2f}-{ours.high:.2f})"
    return finding.comparison.name, "" if theirs is None else f"{theirs:.2f}", here


def _percent(share: float, games: int) -> str:
    return f"{share:.1%} ({interval(*wilson(share, games))})"


def timing_line(one: Measured) -> str:
    published = f"(published {one.timing.published:.2f})"
    return f"{one.timing.name}: {one.ratio:.2f} times the {one.kind_of_time} {published}"
