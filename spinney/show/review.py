"""A review on the terminal and as a page: the values over the game, and the worst decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from spinney.games.frame import Replay
from spinney.play.review import Finding, Loss, Review
from spinney.show.replay_page import replay_page

BARS = "▁▂▃▄▅▆▇█"
WIDTH = 60
"""Characters of a curve on the terminal."""
LISTED = 20
"""The most decisions, or losses, in a list."""
STEPS = 8
"""The most steps of a line."""
DIGITS = 4
"""Decimals of values in a page."""

Rows = Sequence[tuple[int, list[float | None]]]


def review_page(review: Review) -> str:
    """The page of a game with its review: the board, the graph, and the list of the worst decisions."""
    replay = review.replay
    shown = Replay(replay.card, replay.names, replay.about, review.frames, replay.result, replay.game)
    return replay_page(shown, graph_of(review))


def graph_of(review: Review) -> dict[str, Any]:
    """The graph and the list of a review, for templates."""
    last, curve = max(1, len(review.frames) - 1), review.curve()
    listed = review.worst or review.biggest_losses
    rows = [[frame, [None if it is None else round(it, DIGITS) for it in values]] for frame, values in curve]
    return {
        "curve": rows,
        "paths": [_path(curve, player, last) for player in range(len(review.replay.names))],
        "about": _about(review),
        "label": _label(review),
        "title": _title(review),
        "none": _none(review),
        "worst": [_entry(it, curve, last) for it in listed[:LISTED]],
    }


def show_review(screen: Console, review: Review) -> None:
    """The curves and the lists as text."""
    curve, names = review.curve(), review.replay.names
    screen.print(_about(review), style="dim")
    screen.print(_label(review), style="bold")
    for player, name in enumerate(names):
        values = [value for _, row in curve if (value := row[player]) is not None]
        if values:
            screen.print(f"player {player + 1} {spark(values)} {values[0]:.2f} to {values[-1]:.2f}  {name}")
    worst, losses = review.worst, review.biggest_losses
    if not worst and not losses:
        screen.print(f"\n{_none(review)}")
        return
    table = Table(title=_title(review), title_justify="left", header_style="bold")
    for name in (">frame", ">player", "played" if worst else "what", *(("better", "line") if worst else ()), ">cost"):
        table.add_column(name.removeprefix(">"), justify="right" if ">" in name else "left", no_wrap=">" in name)
    for finding in worst[:LISTED]:
        table.add_row(
            str(finding.frame), str(finding.player + 1), finding.played, finding.best, _line(finding), _cost(finding)
        )
    for loss in losses[:LISTED]:
        table.add_row(str(loss.frame), str(loss.player + 1), loss.words, _cost(loss))
    screen.print()
    screen.print(table)


def spark(values: Sequence[float]) -> str:
    """Values from 0 to 1 as bars, at most WIDTH of them, each the mean of a part of the values."""
    parts = min(WIDTH, len(values))
    bars = []
    for i in range(parts):
        part = values[i * len(values) // parts : (i + 1) * len(values) // parts]
        mean = sum(part) / len(part)
        bars.append(BARS[min(len(BARS) - 1, max(0, int(mean * len(BARS))))])
    return "".join(bars)


def _path(curve: Rows, player: int, last: int) -> str:
    """The curve of a player in a square of 1000 x 1000."""
    points = [(frame, values[player]) for frame, values in curve]
    known = [f"{1000 * frame / last:.0f} {1000 * (1 - _inside(it)):.0f}" for frame, it in points if it is not None]
    return f"M{'L'.join(known)}" if known else ""


def _entry(it: Finding | Loss, curve: Rows, last: int) -> dict[str, Any]:
    """A decision or a loss in the list and in the graph."""
    at = next((values[it.player] for frame, values in curve if frame == it.frame), None)
    words, more = f"frame {it.frame}: ", ""
    if isinstance(it, Finding):
        words += f"played {it.played}; {it.best} was better"
        more = _line(it)
    else:
        words += it.words
    return {
        "frame": it.frame, "player": it.player, "words": words, "more": more, "cost": _cost(it),
        "left": f"{100 * it.frame / last:.2f}", "top": f"{100 * (1 - _inside(at or 0.0)):.2f}",
    }  # fmt: skip


def _line(it: Finding) -> str:
    return " → ".join((*it.line[:STEPS], *("…",) * (len(it.line) > STEPS)))


def _inside(value: float) -> float:
    return min(1.0, max(0.0, value))


def _cost(it: Finding | Loss) -> str:
    return f"{it.cost:.3f} ± {it.error:.3f}" if isinstance(it, Finding) else f"{it.cost:,.0f}"


def _about(review: Review) -> str:
    if not review.agent:
        return "Single orders are not judged: how the game stood, and what was lost"
    return f"Judged by {review.agent}: {len(review.findings)} of {len(review.points)} decisions"


def _label(review: Review) -> str:
    return "value of each player" if review.agent else "share of each player"


def _title(review: Review) -> str:
    return "The worst decisions" if review.agent else "The largest losses"


def _none(review: Review) -> str:
    if review.agent:
        return "No decision cost more than chance in the searches explains."
    return "Nothing was lost."
