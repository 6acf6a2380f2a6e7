"""The paper's comparison: its forest against a scripted planner, in games of two and of four, on maps of all sizes."""

from __future__ import annotations

from spinney.games.halite.maps import SIZES
from spinney.games.study import Comparison, Study

SECONDS = 0.05
"""The forest's time per turn. The paper used two seconds."""
RATIO = 0.67
"""The forest's halite divided by the planner's in games of two, on all sizes of maps."""


def duel(agent: str, players: int, size: int, searches: bool) -> Comparison:
    """Games of an agent against planners on maps of a size."""
    name = f"{agent} v {'three planners' if players == 4 else 'planner'}"
    spec = f"{agent}(seconds={SECONDS})" if searches else agent
    return Comparison(
        name=f"{name}, {size}x{size}",
        group=name,
        x=size,
        game=f"halite(players={players}, size={size})",
        agents=(spec, *["planner"] * (players - 1)),
        published_ratio=RATIO if searches and players == 2 else None,
        games=10 * players,  # ten maps, each in all seats
        effort=players**2 * size**2 / 5000 + (450 * SECONDS if searches else 0),
        long=searches and players == 4,
    )


STUDY = Study(
    title="Halite III",
    paper="Multi-Agent Monte Carlo Tree Search in Halite III",
    x_name="cells on a side",
    comparisons=tuple(
        duel(agent, players, size, searches)
        for agent, searches in (("champion", False), ("champion_01", True), ("skimmer", False))
        for players in (2, 4)
        for size in SIZES
    ),
    scores="halite",
    notes=(
        "The paper gives its forest two seconds per turn, no dropoffs and no inspiration. It says that its planner has "
        "half as much halite again in games of two, and that the forest usually wins games of four. Here champion_01 "
        f"is a forest, with {SECONDS:g} seconds and with both; the champion and the skimmer are planners without tree "
        "search. In games of four, one agent meets three of the other, and a quarter won is even."
    ),
)
