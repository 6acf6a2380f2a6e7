"""A study that was played again as one page of HTML: the published figures beside ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from spinney.arena.figures import Share
from spinney.arena.page import command, facts, page, percent, table, titled, with_interval
from spinney.arena.standings import wilson
from spinney.arena.study import Finding, Measured, published
from spinney.games.study import Study


def make_study_page(study: Study, findings: Sequence[Finding], measured: Sequence[Measured], words: str) -> str:
    """The page. The words are the command that plays the same again."""
    parts = [f"<h1>{escape(study.title)}, played again</h1>", _head(study, findings, words)]
    if findings:
        parts += [f"<p class=lead>{_verdict(findings)}</p>", *_plots(study, findings)]
        parts += ["<h2>Comparisons</h2>", _comparisons(findings)]
        parts += ["<h2>Wins, draws and losses</h2>", _results(findings)] if study.draws else []
    if measured:
        parts += ["<h2>Speed</h2>", _timings(measured)]
    if study.notes:
        parts += ["<h2>What is different here</h2>", f"<p>{escape(study.notes)}</p>"]
    return page(f"{study.title}, played again", parts)


def _head(study: Study, findings: Sequence[Finding], words: str) -> str:
    games = sum(finding.games for finding in findings)
    said = [("Paper", escape(study.paper))]
    if findings:
        versions = dict.fromkeys(version for finding in findings for version in finding.versions)
        said += [
            ("Comparisons", f"{len(findings)} of {len(study.comparisons)}, {games:,} games"),
            ("Seed", str(findings[0].seed)),
            ("Played with", escape("; ".join(versions))),
        ]
    return facts([*said, ("To play them again", command(words))])


def _verdict(findings: Sequence[Finding]) -> str:
    """How many of the figures agree, in a sentence."""
    counts = Counter(finding.verdict for finding in findings)
    compared = len(findings) - counts["new"]
    if not compared:
        return "The paper has no figures for these comparisons."
    others = [f"{verdict} in {counts[verdict]}" for verdict in ("higher here", "lower here") if counts[verdict]]
    agreed = f"<b>{counts['agrees']} of {compared}</b> comparisons agree with the published figures"
    return "; ".join([agreed, *others]) + "."


def _plots(study: Study, findings: Sequence[Finding]) -> list[str]:
    """A plot per group, all with the same axes; the published figures are there for all of a group's comparisons."""
    from spinney.arena import plots  # Matplotlib is slow to import, and only pages need it

    groups = list(dict.fromkeys(finding.comparison.group for finding in findings))
    drawn = [comparison for comparison in study.comparisons if comparison.group in groups]
    xs = sorted({comparison.x for comparison in drawn})
    parts = ["<h2>Shares of games won</h2>", "<div class=plots>"]
    for i, group in enumerate(groups):
        ours = {
            finding.comparison.x: Share(finding.games, finding.share, finding.low, finding.high)
            for finding in findings
            if finding.comparison.group == group
        }
        compared = [comparison for comparison in drawn if comparison.group == group]
        theirs = {comparison.x: share for comparison in compared if (share := published(comparison)) is not None}
        even = 1 / len(compared[0].agents)
        parts.append(titled(plots.over_x(f"group-{i}", study.x_name, xs, even, ours, theirs), escape(group)))
    return [*parts, "</div>", "<p class=note>Bars are intervals of 95 %. The grey line is the even share.</p>"]


def _comparisons(findings: Sequence[Finding]) -> str:
    names = ["Comparison", ">Published", ">Games", ">Here", ">Games", ""]
    rows = []
    for finding in findings:
        theirs = published(finding.comparison)
        agents = " v ".join(finding.comparison.agents)
        rows.append(
            [
                f"{escape(finding.comparison.name)} <small>{escape(agents)}</small>",
                "" if theirs is None else with_interval(theirs.share, theirs.low, theirs.high),
                "" if theirs is None else f"{theirs.games:,}",
                with_interval(finding.share, finding.low, finding.high),
                f"{finding.games:,}",
                finding.verdict.replace(" ", "&nbsp;"),
            ]
        )
    note = """A share is that of the first agent, where a tie of k counts 1/k. Small figures are intervals of 95 %; the
    published figures have those of as many games as the paper played. Two figures agree if a test of equal shares at
    5 % does not tell them apart, which with few games it hardly ever does."""
    return table(names, rows) + f"<p class=note>{note}</p>"


def _results(findings: Sequence[Finding]) -> str:
    names = ["Comparison", ">Seat", ">Won", ">Drawn", ">Lost", ">Games", ">Published: won", ">Lost"]
    rows = []
    for finding in findings:
        for seat, ours in enumerate(finding.results):
            shown = [finding.comparison.published_results[seat]] if finding.comparison.published_results else []
            theirs = [with_interval(share, *wilson(share, one.games)) for one in shown for share in (one.won, one.lost)]
            rows.append(
                [
                    escape(finding.comparison.name),
                    str(seat + 1),
                    with_interval(ours.won, *wilson(ours.won, ours.games)),
                    percent(ours.drawn),
                    with_interval(ours.lost, *wilson(ours.lost, ours.games)),
                    f"{ours.games:,}",
                    *(theirs or ["", ""]),
                ]
            )
    note = "The seat is that of the first agent. Small figures are intervals of 95 %."
    return table(names, rows) + f"<p class=note>{note}</p>"


def _timings(measured: Sequence[Measured]) -> str:
    rows = [
        [
            f"{escape(one.timing.name)} <small>{escape(' v '.join(one.timing.agents))}</small>",
            one.kind_of_time.replace(" ", "&nbsp;"),
            f"{one.timing.published:.2f}",
            f"<b>{one.ratio:.2f}</b>",
        ]
        for one in measured
    ]
    note = """How many times the second agent's time the first one takes for a move; the best of several, by turns.
    Times by the clock tell something only if the machine does nothing else."""
    return table(["Claim", "Time", ">Published", ">Here"], rows) + f"<p class=note>{note}</p>"
