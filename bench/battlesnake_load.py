"""How well `spinney serve battlesnake` keeps the time limit with many games at once, on one machine.

One server process plays all snakes; this process plays the games with it over the loopback interface.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import IO, Annotated, Any

import common
import typer

import spinney
from spinney.bridges.battlesnake.engine import Match
from spinney.bridges.battlesnake.server import Server
from spinney.cli.output import Json, console, table, write_json


def main(
    games: Annotated[int, typer.Option(min=1, max=256, help="Games at once.")] = 16,
    players: Annotated[int, typer.Option(min=1, max=8, help="Snakes a game.")] = 4,
    timeout: Annotated[int, typer.Option(min=20, max=10_000, help="Milliseconds for a move.")] = 500,
    turns: Annotated[int, typer.Option(min=1, help="Turns after which a game is stopped.")] = 30,
    margin: Annotated[float, typer.Option(min=0, help="The server's margin, in milliseconds.")] = Server.margin,
    agent: Annotated[str | None, typer.Option(help="The agent that is served.")] = None,
    json_to: Json = None,
) -> None:
    """Play games with a server in a process of its own, and time its answers."""
    with TemporaryDirectory() as folder:
        options = ["--log", folder, "--margin", str(margin), *(["--agent", agent] if agent else [])]
        with served(*options) as url:
            loaded = spinney.game("battlesnake", players=players)
            matches = [Match(loaded, [url] * players, f"game{n}", timeout / 1000, seed=n) for n in range(games)]
            spent, started = time.process_time(), time.perf_counter()
            threads = [threading.Thread(target=match.play, args=(turns,)) for match in matches]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            spent, seconds = time.process_time() - spent, time.perf_counter() - started
        figures = summary(matches, list(moves(Path(folder))))
    figures = {"games": games, "players": players, "timeout": timeout, **figures, "seconds": seconds, "client": spent}
    rows = [(name, f"{value:.1f}" if isinstance(value, float) else value) for name, value in figures.items()]
    title = f"{games} games of {players} snakes at {timeout} ms, {os.cpu_count()} cores"
    console(json_to).print(table(title, "figure", ">value", rows=rows))
    write_json(json_to, figures)


@contextmanager
def served(*options: str) -> Iterator[str]:
    """A server in a process of its own, and its address."""
    command = [sys.executable, "-m", "spinney", "serve", "battlesnake", "--port", "0", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as it:
        assert it.stdout is not None
        try:
            yield address(it.stdout)
        finally:
            it.terminate()


def address(lines: IO[str]) -> str:
    """The address that a server prints, when all its agents are ready."""
    found, ready = "", False
    for line in lines:
        ready |= line.startswith("prepared for all")
        if match := re.match(r"listening on (\S+);", line):
            found = match[1]
        if ready and found:
            threading.Thread(target=lines.read, daemon=True).start()  # so that the pipe does not fill
            return found
    raise SystemExit("the server did not start")


def moves(folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of the server's logs about its moves."""
    for file in folder.iterdir():
        for line in file.read_text().splitlines():
            found = json.loads(line)
            if found["event"] == "move":
                yield found


def summary(matches: list[Match], moves: list[dict[str, Any]]) -> dict[str, Any]:
    snakes = [snake for match in matches for snake in match.snakes]
    latencies = [1000 * latency for snake in snakes for latency in snake.latencies]
    cuts = quantiles(latencies, n=100)
    searched = [move["iterations"] for move in moves]
    return {
        "moves": len(latencies),
        "late": sum(snake.late for snake in snakes),
        "wrong": sum(snake.wrong for snake in snakes),
        "latency p50, ms": cuts[49],
        "latency p99, ms": cuts[98],
        "latency max, ms": max(latencies),
        "server's own max, ms": max(move["milliseconds"] for move in moves),
        "iterations a move, median": int(median(searched)),
        "moves without a search": searched.count(0),
    }


if __name__ == "__main__":
    common.run(main)
