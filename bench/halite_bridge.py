"""How long `spinney bot halite` takes for a turn, in a whole game between bots on the largest map.

Each bot is a process of its own and speaks the official protocol on its pipes; the engine has Spinney's rules. All are
asked at the same time, so on fewer cores than bots they also wait for each other. Every player begins with enough
halite for a large fleet.
"""

from __future__ import annotations

import os
import subprocess
import sys
from statistics import quantiles
from typing import Annotated

import common
import typer

import spinney
from spinney.bridges.halite import LIMIT
from spinney.cli.output import Json, console, table, write_json
from tests.bridges.halite_engine import Program, play


def main(
    agent: Annotated[str, typer.Option(help="The agent of all bots.")] = "champion",
    players: Annotated[int, typer.Option(help="The number of bots.")] = 4,
    size: Annotated[int, typer.Option(help="The side of the map.")] = 64,
    energy: Annotated[int, typer.Option(help="Halite that each player begins with.")] = 200_000,
    turns: Annotated[int, typer.Option(help="Turns of the game.")] = 500,
    limit: Annotated[float, typer.Option(help="Seconds after which an answer is late.")] = LIMIT,
    seed: Annotated[int, typer.Option(help="Seed of the map.")] = 1,
    hogs: Annotated[int, typer.Option(min=0, help="Other processes that use a core each meanwhile.")] = 0,
    json_to: Json = None,
) -> None:
    """Play a game, and time the answers."""
    game = spinney.game("halite", players=players, size=size, energy=energy, turns=turns)
    state = game.start(seed)
    command = [sys.executable, "-m", "spinney", "bot", "halite", "--agent", agent]
    programs = [Program([*command, "--name", f"{agent} {number}"]) for number in range(1, players + 1)]
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(hogs)]
    try:
        play(state, programs)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    figures = [
        {
            "name": program.name,
            "most ships": program.most_ships,
            "turns": len(program.seconds),
            "late": sum(seconds > limit for seconds in program.seconds),
            "p99": quantiles(program.seconds, n=100)[98],
            "longest": max(program.seconds),
            "halite": int(state.record.treasury[player]),
        }
        for player, program in enumerate(programs)
    ]
    rows = [[f"{value:.2f} s" if isinstance(value, float) else value for value in row.values()] for row in figures]
    title = f"{players} bots on {size}x{size}, seed {seed}, {os.cpu_count()} cores, {hogs} other processes"
    console(json_to).print(table(title, *(f">{name}" for name in figures[0]), rows=rows))
    write_json(json_to, figures)


if __name__ == "__main__":
    common.run(main)
