"""How long a person waits: `spinney --help`, and the first and second `spinney play` on a machine.

Each is a process of its own. The first `play` has an empty cache and compiles; the second reads the cache. Input ends
at once, so what is timed is the way to the first prompt and out again.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from typing import Annotated

import common
import typer

from spinney.cli.output import Json, console, table, write_json


def main(
    game: Annotated[str, typer.Option(help="The game.")] = "connect_four",
    against: Annotated[str, typer.Option(help="The agent that is loaded.")] = "uct(seconds=1)",
    repeats: Annotated[int, typer.Option(min=1, help="Rounds; the best counts.")] = 3,
    json_to: Json = None,
) -> None:
    """Time cold and warm starts."""
    figures = []
    play = ["play", game, "--against", against]
    for name, arguments, warm in (
        ("spinney --help", ["--help"], False),
        (f"spinney play {game}, first run", play, False),
        (f"spinney play {game}, warm", play, True),
    ):
        clock, cpu = min(run(arguments, warm) for _ in range(repeats))
        figures.append({"command": name, "clock": clock, "cpu": cpu})
    rows = [(row["command"], f"{row['clock']:.2f} s", f"{row['cpu']:.2f} s") for row in figures]
    console(json_to).print(table(f"Start-up, best of {repeats}", "command", ">clock", ">CPU", rows=rows))
    write_json(json_to, figures)


def run(arguments: list[str], warm: bool) -> tuple[float, float]:
    """Clock and CPU seconds of one process, with a cache of its own that is empty unless it is warmed up first."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "SPINNEY_CACHE": folder}
        for timed in (False, True) if warm else (True,):
            before, used = time.perf_counter(), _children()
            command = [sys.executable, "-m", "spinney", *arguments]
            subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True)
            if timed:
                return time.perf_counter() - before, _children() - used
    raise AssertionError


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    common.run(main)
