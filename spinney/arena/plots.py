"""The plots of reports: inline SVGs in the colours of the page's style sheet.

Importing this imports Matplotlib, which is slow: import it only to make a report.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib
import numpy as np
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator
from matplotlib.transforms import ScaledTranslation

from spinney.arena.summary import COLOURS, Figures
from spinney.show.html import percent, signed, trusted
from spinney.stats import Share

INK, FAINT, PAPER = "#010203", "#010204", "#010205"
"""Placeholders for colours of the style sheet."""
WIDTH = 450
"""Of a plot, in CSS pixels."""
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none", "svg.hashsalt": "spinney", "text.parse_math": False, "font.size": 12,
    "text.color": INK, "axes.labelcolor": INK, "xtick.color": FAINT, "ytick.color": FAINT, "axes.edgecolor": FAINT,
    "xtick.labelcolor": INK, "ytick.labelcolor": INK, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": FAINT, "grid.alpha": 0.35, "grid.linewidth": 0.6, "axes.axisbelow": True,
}  # fmt: skip

Row = tuple[int, float, float, float, str]
"""An agent, a figure, the lower and upper bound of its interval, and the figure as text."""


def agent_colour(agent: int) -> str:
    """A placeholder for the style sheet's colour of an agent."""
    return f"#0102{0x10 + agent % COLOURS:02x}"


def shares(figures: Figures, labels: Sequence[str]) -> Markup:
    """Win shares with intervals, and the even share."""
    rows: list[Row] = [
        (figures.specs.index(row.agent), row.share, row.low, row.high, percent(row.share)) for row in figures.standings
    ]

    def draw(axes: Axes) -> None:
        _intervals(axes, rows, labels)
        _percent(axes, "x")
        axes.set_xlim(0, 1)
        axes.axvline(figures.even, color=INK, linestyle="--", linewidth=1)

    return _svg("share", 60 + 38 * len(rows), draw)


def ratings(figures: Figures, labels: Sequence[str]) -> Markup:
    """Ratings with intervals."""
    rows: list[Row] = [
        (figures.specs.index(row.agent), row.rating, row.rating_low, row.rating_high, signed(row.rating))
        for row in figures.standings
    ]

    def draw(axes: Axes) -> None:
        _intervals(axes, rows, labels)
        axes.xaxis.set_major_locator(MaxNLocator(7))
        axes.axvline(0, color=INK, linestyle="--", linewidth=1)

    return _svg("rating", 60 + 38 * len(rows), draw)


def scores(figures: Figures, labels: Sequence[str]) -> Markup:
    """A histogram of the points of each agent, one above the other on one scale, with a bar at the mean."""
    order = [figures.specs.index(row.agent) for row in figures.standings]
    low, high = min(map(min, (figures.scores[a] for a in order))), max(map(max, (figures.scores[a] for a in order)))
    whole = all(score == round(score) for a in order for score in figures.scores[a])
    width = max(1.0, np.ceil((high - low + 1) / 40)) if whole else (high - low) / 30 or 1.0
    edges = np.arange(low - width / 2 if whole else low, high + 1.5 * width, width)

    def draw(axes: Axes) -> None:
        for place, agent in enumerate(reversed(order)):
            counts, _ = np.histogram(figures.scores[agent], edges)
            height = 0.85 * counts / counts.max()
            axes.stairs(place + height, edges, baseline=place, fill=True, color=agent_colour(agent), alpha=0.75)
            mean = float(np.mean(figures.scores[agent]))
            axes.plot([mean, mean], [place, place + 0.9], color=INK, linewidth=1.6)
            axes.annotate(
                f"{mean:.1f}", (mean, place + 0.9), (3, -3), textcoords="offset points", va="top", fontsize=11
            )
        axes.set_yticks([place + 0.3 for place in range(len(order))], [labels[agent] for agent in reversed(order)])
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
        axes.set_ylim(0, len(order))
        axes.set_xlabel("points")

    return _svg("score", 60 + 62 * len(order), draw)


def curves(figures: Figures, labels: Sequence[str]) -> Markup:
    """The shares after each number of games, with their intervals as bands."""

    def draw(axes: Axes) -> None:
        for row in figures.standings[:COLOURS]:
            agent = figures.specs.index(row.agent)
            games, share, low, high = np.array(figures.curves[agent]).T
            axes.fill_between(games, low, high, color=agent_colour(agent), alpha=0.15, linewidth=0)
            axes.plot(games, share, color=agent_colour(agent), linewidth=1.8, label=labels[agent])
        axes.axhline(figures.even, color=INK, linestyle="--", linewidth=1)
        _percent(axes, "y")
        axes.set_ylim(0, 1)
        axes.set_xlim(left=1)
        axes.xaxis.set_major_locator(MaxNLocator(7, integer=True))
        axes.set_xlabel("games of the agent")
        columns = min(3, len(figures.standings))
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=columns, frameon=False, fontsize=11)

    return _svg("curve", 280, draw)


def seats(figures: Figures, labels: Sequence[str]) -> Markup:
    """The share of each agent in each seat, and in grey that of the seat over all agents."""
    order = [figures.specs.index(row.agent) for row in figures.standings[:COLOURS]]

    def draw(axes: Axes) -> None:
        step = 0.7 / len(order)
        for seat, everyone in enumerate(figures.seats):
            axes.fill_between(
                [seat - 0.42, seat + 0.42], everyone.low, everyone.high, color=FAINT, alpha=0.3, linewidth=0
            )
            axes.plot([seat - 0.42, seat + 0.42], [everyone.share] * 2, color=FAINT, linewidth=1.5)
            for place, agent in enumerate(order):
                mine = figures.by_seat[agent][seat]
                if mine.games:
                    spread = [[max(0.0, mine.share - mine.low)], [max(0.0, mine.high - mine.share)]]
                    at = seat + (place - (len(order) - 1) / 2) * step
                    axes.errorbar([at], [mine.share], yerr=spread, fmt="o", color=agent_colour(agent), linewidth=2)
        axes.axhline(figures.even, color=INK, linestyle="--", linewidth=1)
        axes.set_xticks(range(figures.players), [f"seat {seat + 1}" for seat in range(figures.players)])
        axes.tick_params(axis="x", length=0)
        axes.grid(visible=False, axis="x")
        _percent(axes, "y")
        axes.set_ylim(0, 1)

    return _svg("seat", 250, draw)


def over_x(
    name: str, x_name: str, xs: Sequence[float], even: float, ours: Mapping[float, Share], theirs: Mapping[float, Share]
) -> Markup:
    """Shares over x, ours and the published ones. Plots with the same xs have the same axes."""

    def draw(axes: Axes) -> None:
        axes.axhline(even, color=FAINT, linewidth=1.2)
        if theirs:
            _line(axes, theirs, 4, "published", color=INK, linestyle="--", linewidth=1.2, markerfacecolor=PAPER)
        _line(axes, ours, -4, "here", color=agent_colour(0), linestyle="-", linewidth=2)
        if xs[0] > 0 and xs[-1] > 10 * xs[0]:
            axes.set_xscale("log")
            margin = (xs[-1] / xs[0]) ** 0.12
            axes.set_xlim(xs[0] / margin, xs[-1] * margin)
        else:
            margin = 0.12 * (xs[-1] - xs[0]) or 1
            axes.set_xlim(xs[0] - margin, xs[-1] + margin)
        if len(xs) <= 6:
            axes.set_xticks(xs)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.10g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlabel(x_name)
        _percent(axes, "y")
        axes.set_ylim(0, 1)
        lines, words = axes.get_legend_handles_labels()
        axes.legend(
            reversed(lines), reversed(words), loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False,
            fontsize=11,
        )  # fmt: skip

    return _svg(name, 240, draw)


def _line(axes: Axes, points: Mapping[float, Share], shift: float, label: str, **style: Any) -> None:
    """A line through shares with their intervals, shifted to the right by a number of points."""
    assert isinstance(axes.figure, Figure)
    moved = axes.transData + ScaledTranslation(shift / 72, 0, axes.figure.dpi_scale_trans)
    xs = sorted(points)
    shares = [points[x].share for x in xs]
    spread = [
        [max(0.0, points[x].share - points[x].low) for x in xs],
        [max(0.0, points[x].high - points[x].share) for x in xs],
    ]
    axes.errorbar(xs, shares, spread, marker="o", markersize=7, label=label, transform=moved, **style)


def _intervals(axes: Axes, rows: Sequence[Row], labels: Sequence[str]) -> None:
    """A row for each agent, the best on top: a dot, its interval, and the figure above it."""
    for place, (agent, value, low, high, words) in enumerate(reversed(rows)):
        spread = [[max(0.0, value - low)], [max(0.0, high - value)]]
        axes.errorbar([value], [place], xerr=spread, fmt="o", color=agent_colour(agent), linewidth=2.5, markersize=7)
        axes.annotate(words, (value, place), (0, 6), textcoords="offset points", ha="center", fontsize=11)
    axes.set_yticks(range(len(rows)), [labels[row[0]] for row in reversed(rows)])
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.set_ylim(-0.6, len(rows) - 0.3)


def _percent(axes: Axes, which: str) -> None:
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_locator(MaxNLocator(5))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f} %"))


def _svg(name: str, height: int, draw: Callable[[Axes], None]) -> Markup:
    """Draw a plot as an inline SVG: ids get the name as a prefix, and placeholders become colours of the style
    sheet."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # ignore a matplotlibrc on this machine
        matplotlib.rcParams.update(STYLE)
        figure = Figure(figsize=(WIDTH / 72, height / 72), layout="constrained")
        draw(figure.add_subplot())
        stream = io.StringIO()
        figure.savefig(stream, format="svg", transparent=True, metadata={"Date": None})
    text = stream.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r'<svg [^>]*(viewBox="[^"]*")[^>]*>', r'<svg \1 aria-hidden="true">', text, count=1)
    text = text.replace("xlink:href", "href")
    text = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{name}-", text)
    text = re.sub(r"font: [^;\"]*?([\d.]+px)[^;\"]*", r"font-size: \1", text)
    text = text.replace(INK, "currentColor").replace(FAINT, "var(--faint)").replace(PAPER, "var(--paper)")
    for agent in range(COLOURS):
        text = text.replace(agent_colour(agent), f"var(--agent-{agent})")
    return trusted(re.sub(r"\s*\n\s*", "\n", text).strip())
