"""How long an agent takes for a move in the Colosseum simulator, in many games on boards of 6x6 to 12x12.

The agent is asked as the simulator asks: a new one for every game, with a board of walls, two cells and a number of
steps. Wall-clock time is measured from outside, with the limits of the course. The rules are Spinney's.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import os
import resource
import time
from typing import Annotated, Any

import common
import numpy as np
import typer
from rich.progress import track

import spinney
from spinney.agents import Agent
from spinney.bridges.colosseum.player import FIRST, LATER, MARGIN, SimulatorPlayer
from spinney.cli.output import Json, console, table, write_json
from spinney.games.colosseum.state import SIDES, is_open
from spinney.play import Session

SIZES = range(6, 13)


def main(
    agent: Annotated[str, typer.Option(help="The agent whose moves are timed.")] = "champion",
    against: Annotated[str, typer.Option(help="Its opponent.")] = "greedy",
    games: Annotated[int, typer.Option(min=1, help="Games; seats and sizes alternate.")] = 50,
    first: Annotated[float, typer.Option(help="Seconds for the first move of a game.")] = FIRST,
    later: Annotated[float, typer.Option(help="Seconds for every other move.")] = LATER,
    margin: Annotated[float, typer.Option(help="Seconds of these that are kept in reserve.")] = MARGIN,
    seed: Annotated[int, typer.Option(help="Seed of all random numbers.")] = 1,
    json_to: Json = None,
) -> None:
    """Play the games, and print the longest moves."""
    SimulatorPlayer(agent, first, later, margin)  # a wrong agent is an error before any game
    spinney.game("colosseum").agent(against)
    taken: dict[int, list[list[float]]] = {size: [] for size in SIZES}
    won = 0.0
    screen = console(json_to)
    for number in track(range(games), "playing", console=screen, transient=True, disable=not screen.is_terminal):
        size = SIZES[number % len(SIZES)]
        player = SimulatorPlayer(agent, first, later, margin)
        seconds, share = play(player, against, size, seat=number // len(SIZES) % 2, seed=seed + number)
        taken[size].append(seconds)
        won += share
    figures = [row(f"{size}x{size}", some, first, later) for size, some in taken.items() if some]
    figures.append(row("all", [one for some in taken.values() for one in some], first, later))
    rows = [[f"{cell:.3f} s" if isinstance(cell, float) else cell for cell in one.values()] for one in figures]
    names = ("board", *(f">{name}" for name in list(figures[0])[1:]))
    title = f"{agent} with {first:g} s and {later:g} s a move, less {margin:g} s"
    screen.print(table(title, *names, rows=rows))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    screen.print(f"{won / games:.1%} won against {against}; at most {peak} MB; seed {seed}, {os.cpu_count()} cores")
    write_json(json_to, figures)


def play(player: SimulatorPlayer, against: str, size: int, seat: int, seed: int) -> tuple[list[float], float]:
    """Play a game: the seconds of each move that is timed, and the reward."""
    game = spinney.game("colosseum", size=size)
    seats: list[Agent | None] = [game.agent(against, seed=seed)] * 2
    seats[seat] = None
    session, seconds = Session(game.start(seed), seats, events=False), []
    while not session.is_over:
        if session.ask():
            continue
        asked = arguments(session.state.record, seat)
        before = time.perf_counter()
        (row, column), side = player.step(*asked)
        seconds.append(time.perf_counter() - before)
        session.tell((row * size + column) * SIDES + side, seat)
    return seconds, session.state.rewards()[seat]


def arguments(s: Any, player: int) -> tuple[Any, tuple[int, int], tuple[int, int], int]:
    """The arguments of a player's `step`: which sides of the cells are closed, both cells, and the steps."""
    closed = [[not is_open(s, cell, side) for side in range(SIDES)] for cell in range(s.size**2)]
    mine, theirs = (divmod(int(s.cell[each]), int(s.size)) for each in (player, 1 - player))
    return np.array(closed).reshape(s.size, s.size, SIDES), mine, theirs, int(s.steps)


def row(name: str, played: list[list[float]], first: float, later: float) -> dict[str, Any]:
    """The figures of some games."""
    begun = [seconds[0] for seconds in played if seconds]
    rest = [second for seconds in played for second in seconds[1:]]
    return {
        "board": name,
        "games": len(played),
        "moves": len(begun) + len(rest),
        "longest first": max(begun, default=0.0),
        "longest later": max(rest, default=0.0),
        "late": sum(second > first for second in begun) + sum(second > later for second in rest),
    }


if __name__ == "__main__":
    common.run(main)
