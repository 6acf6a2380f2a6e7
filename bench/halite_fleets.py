"""How fast Halite's forest simulates: 50 turns at a time, ships anywhere on the map, with inspiration and without."""

from __future__ import annotations

import time
from math import inf
from typing import Annotated, Any

import common
import typer
from halite_turns import position

import spinney
from spinney.agents import build
from spinney.cli.output import Json, console, table, write_json
from spinney.search import Budget


def speed(
    ships: Annotated[list[int] | None, typer.Option(help="Ships of all players; repeat for more rows.")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Searches; the best counts.")] = 5,
    seconds: Annotated[float, typer.Option(help="Of a search.")] = 1.0,
    json_to: Json = None,
) -> None:
    """Simulations per CPU second, two players on 32x32."""
    game = spinney.game("halite")
    agents: dict[bool, Any] = {quick: build(game, f"forest(seed=1, quick={quick})") for quick in (False, True)}
    figures = []
    for fleet in ships or [10, 50, 100]:
        s = position(32, 2, fleet // 2, True, 300, 1)
        for i in range(s.ships):
            s.cargo[i] = 100 + 37 * i % 800  # so that ships can move
        rates = {False: 0.0, True: 0.0}
        for _ in range(repeats):
            for quick, agent in agents.items():
                started = time.process_time()
                _, made = agent.search.plan_turn(s, 0, Budget(inf, seconds))
                rates[quick] = max(rates[quick], made / (time.process_time() - started))
        figures.append({"ships": fleet, "simulations": rates[False], "without_inspiration": rates[True]})
    rows = [
        (
            str(row["ships"]),
            f"{row['simulations']:,.0f}",
            f"{row['without_inspiration']:,.0f}",
            f"{row['without_inspiration'] / row['simulations']:.2f}",
        )
        for row in figures
    ]
    title = f"Simulations of 50 turns per CPU second, 32x32, best of {repeats}"
    console(json_to).print(table(title, ">ships", ">simulations/s", ">no inspiration", ">costs", rows=rows))
    write_json(json_to, figures)


if __name__ == "__main__":
    common.run(speed)
