"""Studies that were played again as one page of HTML: the published figures beside ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from spinney.games.study import Study
from spinney.show.html import command, facts, page, percent, table, titled, with_interval
from spinney.stats import Share, wilson
from spinney.study.rerun import Finding, Measured, Played, published


def make_study_page(played: Played, words: str) -> str:
    """The page of one study. The words are the command that plays the same again."""
    title = f"{played.study.title}, played again"
    head = [f"<h1>{escape(title)}</h1>", facts([*_facts([played]), ("To play them again", command(words))])]
    return page(title, [*head, *_section(played, "h2")])


def make_studies_page(studies: Sequence[Played], words: str) -> str:
    """One page of all studies."""
    title = f"{len(studies)} paper{'s' * (len(studies) > 1)}, played again"
    rows = []
    for i, played in enumerate(studies):
        counts = Counter(finding.verdict for finding in played.findings)
        told = [str(counts[verdict]) for verdict in ("agrees", "higher here", "lower here", "new")]
        rows.append([f'<a href="#study-{i}">{escape(played.study.title)}</a>', escape(played.study.paper), *told])
    names = ["Game", "Paper", ">Agree", ">Higher here", ">Lower here", ">New"]
    parts = [f"<h1>{title}</h1>", facts([*_facts(studies), ("To play them again", command(words))]), table(names, rows)]
    for i, played in enumerate(studies):
        parts += [f'<h2 id="study-{i}">{escape(played.study.title)}</h2>', *_section(played, "h3", f"{i}-")]
    return page(title, parts)


def _section(played: Played, heading: str, prefix: str = "") -> list[str]:
    """All that there is to say about a study; plots have names that begin with the prefix."""
    study, findings = played.study, played.findings

    def headed(title: str, text: str) -> list[str]:
        return [f"<{heading}>{escape(title)}</{heading}>", text]

    parts = []
    if findings:
        parts += [f"<p class=lead>{_verdict(findings)}</p>"]
        parts += headed("Shares of games won", _plots(study, findings, prefix))
        parts += headed("Comparisons", _comparisons(findings))
        parts += headed("Wins, draws and losses", _results(findings)) if study.draws else []
        parts += headed(study.scores.capitalize(), _scores(findings)) if study.scores else []
    parts += headed("Speed", _timings(played.measured)) if played.measured else []
    parts += headed("What is different here", f"<p>{escape(study.notes)}</p>") if study.notes else []
    return parts


def _facts(studies: Sequence[Played]) -> list[tuple[str, str]]:
    findings = [finding for played in studies for finding in played.findings]
    said = [("Paper", escape(studies[0].study.paper))] if len(studies) == 1 else []
    if findings:
        known = sum(len(played.study.comparisons) for played in studies)
        games = {
            (played.study, finding.comparison.games_name): finding.games
            for played in studies
            for finding in played.findings
        }
        versions = dict.fromkeys(version for finding in findings for version in finding.versions)
        said += [
            ("Comparisons", f"{len(findings)} of {known}, {sum(games.values()):,} games"),
            ("Seed", str(findings[0].seed)),
            ("Played with", escape("; ".join(versions))),
        ]
    return said


def _verdict(findings: Sequence[Finding]) -> str:
    """How many of the figures agree, in a sentence."""
    counts = Counter(finding.verdict for finding in findings)
    compared = len(findings) - counts["new"]
    if not compared:
        return "The paper has no shares of games won for these comparisons."
    others = [f"{verdict} in {counts[verdict]}" for verdict in ("higher here", "lower here") if counts[verdict]]
    agreed = f"<b>{counts['agrees']} of {compared}</b> comparisons agree with the published figures"
    return "; ".join([agreed, *others]) + "."


def _plots(study: Study, findings: Sequence[Finding], prefix: str) -> str:
    """A plot per group, with the same axes for the same x; the published figures of a group are all there."""
    from spinney.arena import plots  # Matplotlib is slow to import, and only pages need it

    groups = list(dict.fromkeys(finding.comparison.group for finding in findings))
    drawn = [comparison for comparison in study.comparisons if comparison.group in groups]
    parts = ["<div class=plots>"]
    for i, group in enumerate(groups):
        ours = {
            finding.comparison.x: Share(finding.games, finding.share, finding.low, finding.high)
            for finding in findings
            if finding.comparison.group == group
        }
        compared = [comparison for comparison in drawn if comparison.group == group]
        theirs = {comparison.x: share for comparison in compared if (share := published(comparison)) is not None}
        even, x_name = 1 / len(compared[0].agents), compared[0].x_name
        xs = sorted({comparison.x for comparison in drawn if comparison.x_name == x_name})
        plot = plots.over_x(f"{prefix}group-{i}", x_name or study.x_name, xs, even, ours, theirs)
        parts.append(titled(plot, escape(group)))
    note = "<p class=note>Bars are intervals of 95 %. The grey line is the even share.</p>"
    return "\n".join([*parts, "</div>", note])


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
    note = """A share is that of the agent named first, and a tie of k counts 1/k. Small figures are intervals of 95 %;
    the published figures have those of as many games as the paper played. Two figures agree if a test of equal shares
    at 5 % does not tell them apart, which with few games it hardly ever does."""
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


def _scores(findings: Sequence[Finding]) -> str:
    rows = []
    for finding in findings:
        theirs, ours = finding.comparison.published_ratio, finding.ratio
        here = "" if ours is None else f"<b>{ours.value:.2f}</b> <small>{ours.low:.2f} to {ours.high:.2f}</small>"
        rows.append([escape(finding.comparison.name), "" if theirs is None else f"{theirs:.2f}", here])
    note = "How many times as much the first agent has as the others on average, in all games together."
    return table(["Comparison", ">Published", ">Here"], rows) + f"<p class=note>{note}</p>"


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
