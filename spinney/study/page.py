"""The page of reproduced studies: the published figures beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spinney.games.study import Study
from spinney.show.html import render
from spinney.stats import Share
from spinney.study.rerun import Finding, Played, matrix, published


def make_study_page(played: Played, words: str) -> str:
    """The page of one study. The words are the command that plays the same games again."""
    return _page(f"{played.study.title}, played again", [played], words, one_study=True)


def make_studies_page(studies: Sequence[Played], words: str) -> str:
    """One page of several studies."""
    title = f"{len(studies)} paper{'s' * (len(studies) > 1)}, played again"
    return _page(title, studies, words, one_study=False)


def _page(title: str, studies: Sequence[Played], words: str, one_study: bool) -> str:
    drawn = [
        _plots(played.study, played.findings, "" if one_study else f"{i}-")
        if played.findings and matrix(played.findings) is None
        else []
        for i, played in enumerate(studies)
    ]
    return render(
        "study.html.j2",
        title=title,
        studies=list(zip(studies, drawn, strict=True)),
        one_study=one_study,
        facts=_facts(studies),
        words=words,
        published=published,
        share_of=Share.around,
        matrix=matrix,
        number=_number,
        compared=lambda findings: len(findings) - _number(findings, "new"),
    )


def _number(findings: Sequence[Finding], verdict: str) -> int:
    return sum(finding.verdict == verdict for finding in findings)


def _facts(studies: Sequence[Played]) -> list[tuple[str, str]]:
    """What the page is about, as pairs of a name and a text."""
    findings = [finding for played in studies for finding in played.findings]
    facts = [("Paper", studies[0].study.paper)] if len(studies) == 1 else []
    if findings:
        known = sum(len(played.study.comparisons) for played in studies)
        games = {(it.study, finding.comparison.games_name): finding.games for it in studies for finding in it.findings}
        versions = dict.fromkeys(version for finding in findings for version in finding.versions)
        facts += [
            ("Comparisons", f"{len(findings)} of {known}, {sum(games.values()):,} games"),
            ("Seed", str(findings[0].seed)),
            ("Played with", "; ".join(versions)),
        ]
    return facts


def _plots(study: Study, findings: Sequence[Finding], prefix: str) -> list[tuple[str, Any]]:
    """A plot for each group of comparisons, with all published figures of the group. Plots over the same quantity have
    the same axes. Ids inside a plot begin with the prefix."""
    from spinney.arena import plots  # Matplotlib is slow to import, and only pages need it

    groups = list(dict.fromkeys(finding.comparison.group for finding in findings))
    shown = [comparison for comparison in study.comparisons if comparison.group in groups]
    drawn = []
    for i, group in enumerate(groups):
        own = [finding for finding in findings if finding.comparison.group == group]
        ours = {one.comparison.x: Share(one.games, one.share, one.low, one.high) for one in own}
        members = [comparison for comparison in shown if comparison.group == group]
        theirs = {comparison.x: share for comparison in members if (share := published(comparison)) is not None}
        even, x_name = 1 / len(members[0].agents), members[0].x_name
        xs = sorted({comparison.x for comparison in shown if comparison.x_name == x_name})
        drawn.append((group, plots.over_x(f"{prefix}group-{i}", x_name or study.x_name, xs, even, ours, theirs)))
    return drawn
