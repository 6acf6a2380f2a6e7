"""The forest search with shared simulations, with separate simulations, and with the total reward.

The game is examples/pasture.py. It has three sheep. The first and the last start next to the same good meadow, and go
hungry if both go there; the middle one has a meadow of its own. For each way to search, this measures over many seeds
how often all trees have the same visits, how often the two sheep meet, and how much all sheep eat in the whole game.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import common
import typer

import spinney
from spinney.cli.output import Json, console, table, write_json
from spinney.stats import wilson

WAYS = {"shared": "", "separate": "separate_simulations=true, ", "total reward": "reward_mode=total, "}


def measure(way: str, simulations: int, searches: int) -> dict[str, Any]:
    """Play the games of one way to search."""
    game = spinney.game(str(Path(__file__).parents[1] / "examples" / "pasture.py"))
    same, meet, eaten = 0, 0, 0.0
    for seed in range(searches):
        agent: Any = game.agent(f"forest({WAYS[way]}iterations={simulations})", seed)
        state = game.start(seed)
        for turn in range(4):
            orders = agent.decide_turn(state).actions
            if turn == 0:
                visits = agent.search.stats.visits
                same += bool((visits == visits[0]).all())
                meet += (orders[0], orders[2]) == (0, 2)
            for order in orders:
                state.apply(order)
        eaten += sum(state.record.eaten)
    return {"way": way, "same": same, "meet": meet, "eaten": eaten / searches, "searches": searches}


def main(
    simulations: Annotated[int, typer.Option(help="Simulations per turn.")] = 600,
    searches: Annotated[int, typer.Option(help="Games, with seeds from 0.")] = 200,
    json_to: Json = None,
) -> None:
    """Compare the three ways."""
    figures = [measure(way, simulations, searches) for way in WAYS]

    def share(count: int) -> str:
        low, high = wilson(count / searches, searches)
        return f"{count / searches:.0%} ({low:.0%}-{high:.0%})"

    rows = [(row["way"], share(row["same"]), share(row["meet"]), f"{row['eaten']:.1f}") for row in figures]
    title = f"{searches} games of Pasture, {simulations} simulations per turn"
    console(json_to).print(table(title, "simulations", ">trees the same", ">two meet", ">eaten", rows=rows))
    write_json(json_to, figures)


if __name__ == "__main__":
    common.run(main)
