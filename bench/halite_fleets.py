"""How fast forest search simulates Halite: 50 turns at a time, ships anywhere on the map, with and without
inspiration."""

from __future__ import annotations

import time
from typing import Annotated

import common
import typer
from halite_turns import position

import spinney
from spinney.agents import build
from spinney.cli.output import Json, console, table, write_json
from spinney.clock import Clock
from spinney.games import State


def speed(
    ships: Annotated[list[int] | None, typer.Option(help="Ships of all players; repeat for more rows.")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Searches; the best counts.")] = 5,
    seconds: Annotated[float, typer.Option(help="Seconds of a search.")] = 1.0,
    json_to: Json = None,
) -> None:
    """Simulations per CPU second, two players on 32x32."""
    games = {inspiration: spinney.game("halite", inspiration=inspiration) for inspiration in (True, False)}
    agents = {inspiration: build(game, "forest(seed=1)") for inspiration, game in games.items()}
    figures = []
    for fleet in ships or [10, 50, 100]:
        rates = {True: 0.0, False: 0.0}
        for _ in range(repeats):
            for inspiration, agent in agents.items():
                s = position(32, 2, fleet // 2, inspiration, 300, 1)
                for i in range(s.ships):
                    s.cargo[i] = 100 + 37 * i % 800  # so that ships can move
                started = time.process_time()
                turn = agent.decide_turn(State(agent.game, s), Clock(seconds=seconds), player=0)
                rates[inspiration] = max(rates[inspiration], turn.iterations / (time.process_time() - started))
        figures.append({"ships": fleet, "simulations": rates[True], "without_inspiration": rates[False]})
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
