"""What threads are worth: simulations per second of wall-clock time, in a tree per thread and in one tree for all.

The best of several short runs counts, the variants in turn: on a machine with other work, threads rarely run at the
same time.
"""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import common
import typer

import spinney
from spinney.cli.output import Json, console, table, write_json


def main(
    game: Annotated[str, typer.Option(help="The game.")] = "connect_four",
    options: Annotated[str, typer.Option(help="Further options of uct.")] = "solver=false",
    threads: Annotated[int, typer.Option(min=1, help="The most threads.")] = 2,
    iterations: Annotated[int, typer.Option(min=1, help="Simulations of a run.")] = 100_000,
    rounds: Annotated[int, typer.Option(min=1, help="Runs of each variant.")] = 20,
    json_to: Json = None,
) -> None:
    """Compare the speed of root parallelism and tree parallelism on 1, 2, 4, ... threads."""
    counts = [1 << i for i in range(threads.bit_length())]
    variants = [(parallel, count) for parallel in ("root", "tree") for count in counts]
    played = spinney.game(game)
    state = played.start(seed=1)
    agents = [
        played.agent(f"uct({options}, iterations={iterations}, parallel={parallel}, threads={count})", seed=1)
        for parallel, count in variants
    ]
    before = perf_counter()
    for agent in agents:
        agent.decide(state)
    common.announce(rounds * (perf_counter() - before), json_to)
    best = [0.0] * len(variants)
    for _ in range(rounds):
        for i, agent in enumerate(agents):
            before = perf_counter()
            made = agent.decide(state).iterations
            best[i] = max(best[i], made / (perf_counter() - before))
    found = [(parallel, count, rate) for (parallel, count), rate in zip(variants, best, strict=True)]
    rows = [(parallel, str(count), f"{rate:,.0f}", f"{rate / best[0]:.2f}") for parallel, count, rate in found]
    console(json_to).print(table(f"Threads, {game}", "parallel", ">threads", ">simulations/s", ">ratio", rows=rows))
    write_json(json_to, [{"parallel": parallel, "threads": count, "rate": rate} for parallel, count, rate in found])


if __name__ == "__main__":
    common.run(main)
