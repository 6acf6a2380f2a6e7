"""What the trees of a forest learn from simulations that all share, from simulations alone, and from a common reward.

The game is examples/pasture.py: three sheep, of which the first and the last begin next to the same good meadow, and go
hungry if both go there; the middle one has a meadow to itself. For each way to search, a number of searches with
different seeds: how often all trees are the same, tree by tree and order by order; how often the two sheep meet; and
what the shepherd's flock eats in the whole game.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import common
import typer

import spinney
from spinney.agents import build
from spinney.cli.output import Json, console, table, write_json
from spinney.search import Budget
from spinney.stats import wilson

WAYS = {"shared": "", "alone": "separate_simulations=true, ", "common": "reward_mode=total, "}


def measure(way: str, simulations: int, searches: int) -> dict[str, Any]:
    game = spinney.game(str(Path(__file__).parents[1] / "examples" / "pasture.py"))
    same, meet, eaten = 0, 0, 0.0
    for seed in range(searches):
        agent: Any = build(game, f"forest({WAYS[way]}seed={seed})")
        search = agent.search
        state = game.start(seed)
        for turn in range(4):
            orders, _ = search.plan_turn(state.record, 0, Budget(simulations))
            if turn == 0:
                visits = search.wishes.visits
                same += bool((visits == visits[0]).all())
                meet += (orders[0], orders[2]) == (0, 2)
            for order in orders:
                state.apply(order)
        eaten += sum(state.record.eaten)
    return {"way": way, "same": same, "meet": meet, "eaten": eaten / searches, "searches": searches}


def main(
    simulations: Annotated[int, typer.Option(help="Simulations of a turn.")] = 600,
    searches: Annotated[int, typer.Option(help="Games, each with a seed of its own.")] = 200,
    json_to: Json = None,
) -> None:
    """Compare the three ways."""
    figures = [measure(way, simulations, searches) for way in WAYS]

    def share(count: int) -> str:
        low, high = wilson(count / searches, searches)
        return f"{count / searches:.0%} ({low:.0%}-{high:.0%})"

    rows = [(row["way"], share(row["same"]), share(row["meet"]), f"{row['eaten']:.1f}") for row in figures]
    title = f"{searches} games of Pasture, {simulations} simulations a turn"
    console(json_to).print(table(title, "simulations", ">trees the same", ">two meet", ">eaten", rows=rows))
    write_json(json_to, figures)


if __name__ == "__main__":
    common.run(main)
