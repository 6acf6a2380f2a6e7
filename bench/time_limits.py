"""How well searches keep their time limits: the longest of many decisions, compared with the limit.

Decisions are made with several limits, on one thread and on all cores, in positions of random games.
"""

from __future__ import annotations

import os
import time
from typing import Annotated

import common
import typer

import spinney
from spinney.cli.output import Json, console, table, write_json


def main(
    game: Annotated[str, typer.Option(help="The game.")] = "connect_four",
    decisions: Annotated[int, typer.Option(min=1, help="Decisions per limit.")] = 100,
    json_to: Json = None,
) -> None:
    """Measure the wall-clock time of decisions of `uct`, and print the longest."""
    loaded = spinney.game(game)
    names = ("limit", "threads", "decisions", "mean", "longest", "late")
    figures = []
    for seconds in (0.02, 0.1, 0.5):
        for threads in sorted({1, os.cpu_count() or 1}):
            times = measure(loaded, f"uct(seconds={seconds}, threads={threads})", min(decisions, int(20 / seconds)))
            late = sum(took > seconds for took in times)
            row = (seconds, threads, len(times), sum(times) / len(times), max(times), late)
            figures.append(dict(zip(names, row, strict=True)))
    rows = [[f"{cell:.4f} s" if isinstance(cell, float) else cell for cell in row.values()] for row in figures]
    console(json_to).print(table(f"Timed decisions, {loaded!r}", *(f">{name}" for name in names), rows=rows))
    write_json(json_to, figures)


def measure(game: spinney.Game, spec: str, decisions: int) -> list[float]:
    """Wall-clock times of decisions in random games, from call to return."""
    agent, walker = game.agent(spec, seed=1), game.agent("random", seed=2)
    state = game.start(seed=0)
    times: list[float] = []
    while len(times) < decisions:
        if state.is_over:
            state = game.start(seed=len(times))
        if len(times) > 0:
            state.apply(walker.decide(state).action)
            if state.is_over:
                continue
        before = time.perf_counter()
        agent.decide(state)
        times.append(time.perf_counter() - before)
    return times


if __name__ == "__main__":
    common.run(main)
