"""The paper's table: its agent against the course's random player, 1,000 games in each seat, draws counted
separately."""

from __future__ import annotations

from spinney.games.study import Comparison, Results, Study

PUBLISHED = (Results(1000, 0.428, 0.087), Results(1000, 0.406, 0.074))
"""The paper's two runs, in which its agent is named first and second."""
SHARE = sum(run.won + run.drawn / 2 for run in PUBLISHED) / 2
QUICK_01 = "champion_01(iterations=300, seconds=none)"
QUICK, FULL = "champion(iterations=300, seconds=none)", "champion"


def against(
    name: str, spec: str, opponent: str = "official_random", effort: float = 0.05, long: bool = False
) -> Comparison:
    """2,000 games of an agent against another."""
    ours = name.startswith("paper") and opponent == "official_random"
    return Comparison(
        name=f"{name} v {opponent}",
        group=f"{name} v {opponent}",
        x=1,
        game="saboteur",
        agents=(spec, opponent),
        published=SHARE if ours else None,
        published_games=2000 if ours else 0,
        published_results=PUBLISHED if ours else (),
        games=2000,
        effort=effort,
        long=long,
    )


STUDY = Study(
    title="Saboteur",
    paper="Saboteur Game Modelling Using Value-Based Opening and Modified Monte Carlo Tree Search",
    x_name="thousand games in each seat",
    comparisons=(
        against("paper", "paper"),
        against("paper_code", "paper(code=true)"),
        against("greedy", "greedy"),
        against("means_ends", "means_ends"),
        against("means_ends", "means_ends", "greedy"),
        against("means_ends_01", "means_ends_01"),
        against("means_ends_01", "means_ends_01", "greedy"),
        against("quick champion", QUICK, effort=1),
        against("quick champion", QUICK, "greedy", effort=1),
        against("quick champion_01", QUICK_01, effort=1),
        against("quick champion_01", QUICK_01, "greedy", effort=1),
        against("champion", FULL, effort=40, long=True),
        against("champion", FULL, "greedy", effort=40, long=True),
    ),
    draws=True,
    notes=(
        "A share counts a draw as half a win; the second table has draws separately. The published figures are the "
        "paper's two runs of 1,000 games: its agent is named first in one and second in the other, which is taken for "
        "the order of play. The quick champion has 300 iterations per move, the other 2 seconds."
    ),
)
