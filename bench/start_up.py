"""Start-up times of `spinney --help` and `spinney games`, and of the first and second `spinney play` on a machine.

Each runs in its own process. The first `play` has an empty cache and compiles; the second reads the cache. The input is
empty, so the time is that until the first prompt.
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
    against: Annotated[str, typer.Option(help="The opponent.")] = "uct(seconds=1)",
    repeats: Annotated[int, typer.Option(min=1, help="Rounds; the best counts.")] = 3,
    json_to: Json = None,
) -> None:
    """Time cold and warm starts."""
    figures = []
    play = ["play", game, "--against", against]
    for name, arguments, warm in (
        ("spinney --help", ["--help"], True),
        ("spinney games", ["games"], True),
        (f"spinney play {game}, first run", play, False),
        (f"spinney play {game}, warm", play, True),
    ):
        wall, cpu = min(run(arguments, warm) for _ in range(repeats))
        figures.append({"command": name, "wall": wall, "cpu": cpu})
    rows = [(row["command"], f"{row['wall']:.2f} s", f"{row['cpu']:.2f} s") for row in figures]
    console(json_to).print(table(f"Start-up, best of {repeats}", "command", ">wall", ">CPU", rows=rows))
    write_json(json_to, figures)


def run(arguments: list[str], warm: bool) -> tuple[float, float]:
    """Wall-clock and CPU seconds of one process with a new cache; `warm`: of the second of two processes."""
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
