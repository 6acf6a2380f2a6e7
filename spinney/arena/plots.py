"""The plots of reports: inline SVGs in the colours of the style sheet. Matplotlib makes the import slow."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import matplotlib
import numpy as np
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator
from matplotlib.transforms import ScaledTranslation

from spinney.arena.summary import COLOURS, Figures
from spinney.show.html import percent, signed
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


def agent_colour(agent: int) -> str:
    """A placeholder for the style sheet's colour of an agent."""
    return f"#0102{0x10 + agent % COLOURS:02x}"


def shares(figures: Figures, labels: Sequence[str]) -> Markup:
    """Win shares with intervals, and the even share."""
    rows = [(row.share, row.low, row.high, percent(row.share)) for row in figures.standings]
    return _intervals("share", figures, rows, labels, figures.even, lambda axes: _percent(axes, "x"))


def ratings(figures: Figures, labels: Sequence[str]) -> Markup:
    """Ratings with intervals."""
    rows = [(row.rating, row.rating_low, row.rating_high, signed(row.rating)) for row in figures.standings]
    return _intervals("rating", figures, rows, labels, 0, lambda axes: axes.xaxis.set_major_locator(MaxNLocator(7)))


def scores(figures: Figures, labels: Sequence[str]) -> Markup:
    """A histogram of the points of each agent, one above the other on one scale, with a bar at the mean."""
    order = _order(figures)
    points = [score for agent in order for score in figures.scores[agent]]
    low, high, whole = min(points), max(points), all(score == round(score) for score in points)
    width = max(1.0, np.ceil((high - low + 1) / 40)) if whole else (high - low) / 30 or 1.0
    edges = np.arange(low - width / 2 if whole else low, high + 1.5 * width, width)

    def draw(axes: Axes) -> None:
        for place, agent in enumerate(reversed(order)):
            counts, _ = np.histogram(figures.scores[agent], edges)
            height = 0.85 * counts / counts.max()
            axes.stairs(place + height, edges, baseline=place, fill=True, color=agent_colour(agent), alpha=0.75)
            mean, top = float(np.mean(figures.scores[agent])), place + 0.9
            axes.plot([mean, mean], [place, top], color=INK, linewidth=1.6)
            axes.annotate(f"{mean:.1f}", (mean, top), (3, -3), textcoords="offset points", va="top", fontsize=11)
        _categories(axes, "y", [place + 0.3 for place in range(len(order))], [labels[it] for it in reversed(order)])
        axes.set_ylim(0, len(order))
        axes.set_xlabel("points")

    return _svg("score", 60 + 62 * len(order), draw)


def curves(figures: Figures, labels: Sequence[str]) -> Markup:
    """The shares after each number of games, with their intervals as bands."""

    def draw(axes: Axes) -> None:
        for agent in _order(figures)[:COLOURS]:
            games, share, low, high = np.array(figures.curves[agent]).T
            axes.fill_between(games, low, high, color=agent_colour(agent), alpha=0.15, linewidth=0)
            axes.plot(games, share, color=agent_colour(agent), linewidth=1.8, label=labels[agent])
        axes.axhline(figures.even, color=INK, linestyle="--", linewidth=1)
        _percent(axes, "y")
        axes.set_xlim(left=1)
        axes.xaxis.set_major_locator(MaxNLocator(7, integer=True))
        axes.set_xlabel("games of the agent")
        columns = min(3, len(figures.standings))
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=columns, frameon=False, fontsize=11)

    return _svg("curve", 280, draw)


def seats(figures: Figures, labels: Sequence[str]) -> Markup:
    """The share of each agent in each seat, and in grey that of the seat over all agents."""
    order = _order(figures)[:COLOURS]

    def draw(axes: Axes) -> None:
        step = 0.7 / len(order)
        for seat, everyone in enumerate(figures.seats):
            ends = [seat - 0.42, seat + 0.42]
            axes.fill_between(ends, everyone.low, everyone.high, color=FAINT, alpha=0.3, linewidth=0)
            axes.plot(ends, [everyone.share] * 2, color=FAINT, linewidth=1.5)
            for place, agent in enumerate(order):
                mine = figures.by_seat[agent][seat]
                if mine.games:
                    at, spread = seat + (place - (len(order) - 1) / 2) * step, _spread([mine[1:]])
                    axes.errorbar([at], [mine.share], yerr=spread, fmt="o", color=agent_colour(agent), linewidth=2)
        axes.axhline(figures.even, color=INK, linestyle="--", linewidth=1)
        _categories(axes, "x", range(figures.players), [f"seat {seat + 1}" for seat in range(figures.players)])
        _percent(axes, "y")

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
    shares, spread = [points[x].share for x in xs], _spread([points[x][1:] for x in xs])
    axes.errorbar(xs, shares, spread, marker="o", markersize=7, label=label, transform=moved, **style)


Rows = Sequence[tuple[float, float, float, str]]
"""A figure, the bounds of its interval, and the figure as text."""


def _intervals(
    name: str, figures: Figures, rows: Rows, labels: Sequence[str], even: float, scale: Callable[[Axes], None]
) -> Markup:
    """A row for each agent, the best on top: a dot, its interval, and the figure above it."""
    order = _order(figures)[::-1]

    def draw(axes: Axes) -> None:
        for place, (agent, (value, low, high, words)) in enumerate(zip(order, reversed(rows), strict=True)):
            spread, colour = _spread([(value, low, high)]), agent_colour(agent)
            axes.errorbar([value], [place], xerr=spread, fmt="o", color=colour, linewidth=2.5, markersize=7)
            axes.annotate(words, (value, place), (0, 6), textcoords="offset points", ha="center", fontsize=11)
        _categories(axes, "y", range(len(rows)), [labels[agent] for agent in order])
        axes.set_ylim(-0.6, len(rows) - 0.3)
        scale(axes)
        axes.axvline(even, color=INK, linestyle="--", linewidth=1)

    return _svg(name, 60 + 38 * len(rows), draw)


def _order(figures: Figures) -> list[int]:
    """The agents, the best first."""
    return [figures.specs.index(row.agent) for row in figures.standings]


def _spread(points: Iterable[tuple[float, float, float]]) -> Any:
    """The lengths of error bars, downwards and upwards, from values with their lower and upper bounds."""
    return np.array([(max(0.0, value - low), max(0.0, high - value)) for value, low, high in points]).T


def _categories(axes: Axes, which: Literal["x", "y"], places: Sequence[float], names: Sequence[str]) -> None:
    """Names along an axis, without tick marks and grid lines."""
    (axes.xaxis if which == "x" else axes.yaxis).set_ticks(places, names)
    axes.tick_params(axis=which, length=0)
    axes.grid(visible=False, axis=which)


def _percent(axes: Axes, which: Literal["x", "y"]) -> None:
    """An axis of shares, from 0 to 100 %."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_locator(MaxNLocator(5))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f} %"))
    axes.set(**{f"{which}lim": (0, 1)})


def _svg(name: str, height: int, draw: Callable[[Axes], None]) -> Markup:
    """Draw a plot as an inline SVG. Ids get the name as a prefix; placeholders become colours of the style sheet."""
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
    return Markup(re.sub(r"\s*\n\s*", "\n", text).strip())
