"""A plot of the visits in the trees of a forest; the searches run when it is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import spinney
from spinney.agents import build
from spinney.clock import Clock
from spinney.show.diagram import DIM, INK
from spinney.show.elements import drawing, element, text

PASTURE = Path(__file__).parents[2] / "examples" / "pasture.py"
WAYS = {
    "shared simulations": "",
    "each sheep alone": "separate_simulations=true, ",
    "one common reward": "reward_mode=total, ",
}
ORDERS = ("left", "stay", "right")
COLOURS = ("#0969da", "#bc4c00", "#1a7f37")
PANEL, BAR, HIGH, LEFT, TOP = 190, 13, 96, 58, 46


def visits(way: str) -> list[list[float]]:
    """For each sheep, the shares of its three orders in the visits of its tree, after 600 simulations."""
    game = spinney.game(str(PASTURE))
    agent: Any = build(game, f"forest({way}seed=2, plain=true)")
    agent.search.plan_turn(game.start(2), 0, Clock(iterations=600))
    counts = [[float(count) for count in tree] for tree in agent.search.stats.visits]
    return [[count / sum(tree) for count in tree] for tree in counts]


def permuted() -> str:
    """For each way, a group of bars for each order, with a bar for each sheep's tree."""
    parts, base = [], TOP + HIGH
    for part in (0.0, 0.5, 1.0):
        y = base - part * HIGH
        parts.append(element("line", x1=LEFT, x2=LEFT + 3 * PANEL - 20, y1=y, y2=y, stroke="#d0d7de"))
        parts.append(text(LEFT - 8, y + 4, f"{part:.0%}", text_anchor="end", font_size=11, fill=DIM))
    for column, (title, way) in enumerate(WAYS.items()):
        x = LEFT + column * PANEL
        parts.append(text(x + 82, 26, title, text_anchor="middle", font_size=14, fill=INK))
        trees = visits(way)
        for place, order in enumerate(ORDERS):
            at = x + 12 + place * 54
            for sheep, shares in enumerate(trees):
                high = shares[place] * HIGH
                parts.append(
                    element("rect", x=at + sheep * BAR, y=base - high, width=BAR - 2, height=high, fill=COLOURS[sheep])
                )
            parts.append(text(at + 18, base + 17, order, text_anchor="middle", font_size=12, fill=DIM))
    for sheep, colour in enumerate(COLOURS):
        x = LEFT + 150 + sheep * 90
        parts.append(element("rect", x=x, y=base + 31, width=11, height=11, fill=colour))
        parts.append(text(x + 17, base + 41, f"sheep {sheep + 1}", font_size=12, fill=INK))
    title = "The visits of three sheep's trees: with one common reward all three are the same"
    return drawing(LEFT + 3 * PANEL, base + 58, title, parts)
