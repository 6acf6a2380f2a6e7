"""Scores of searches in a game of one player, with the same number of playouts for each game.

`nrpa` makes all of them at its first decision, and then follows its plan. A search that does not plan divides them
among the moves of a game.
"""

from __future__ import annotations

from math import sqrt
from statistics import mean, stdev
from typing import Annotated

import common
import typer
from rich.progress import track

import spinney
from spinney.agents import Agent
from spinney.cli.output import Json, console, table, write_json

AGENTS = ["nrpa", "uct(c=0.05, reuse=true)", "flat"]


def main(
    agents: Annotated[list[str] | None, typer.Argument(help="Searches; by default nrpa, uct and flat.")] = None,
    game: Annotated[str, typer.Option(help="A game of one player.")] = "examples/morpion.py",
    playouts: Annotated[int, typer.Option(min=100, help="Playouts per game.")] = 1_000_000,
    moves: Annotated[int, typer.Option(min=1, help="Moves of a game, among which playouts are divided.")] = 65,
    games: Annotated[int, typer.Option(min=2, help="Games of each search.")] = 20,
    seed: Annotated[int, typer.Option(help="Seed of the first game.")] = 1,
    json_to: Json = None,
) -> None:
    """Play games, and print the mean of the scores, its 95 % interval, and the best score."""
    one = spinney.game(game)
    if one.players != 1:
        raise spinney.SpinneyError(f"{one.name} has {one.players} players; a game of one player is needed")
    screen, rows, figures = console(json_to), [], []
    for spec in agents or AGENTS:
        seeds = track(range(seed, seed + games), spec, console=screen, transient=True, disable=not screen.is_terminal)
        found = [play(one, one.agent(spec, seed=it), it, playouts, moves) for it in seeds]
        scores, made = [score for score, _ in found], mean(count for _, count in found)
        around = 1.96 * stdev(scores) / sqrt(games)
        rows.append((spec, f"{mean(scores):.2f}", f"± {around:.2f}", f"{max(scores):g}", f"{made:,.0f}"))
        figures.append({"agent": spec, "scores": scores, "playouts": made})
    screen.print(table(game, "search", ">mean", ">95 %", ">best", ">playouts", rows=rows))
    screen.print(f"{games} games each, {playouts:,} playouts per game; seeds from {seed}")
    write_json(json_to, {"game": game, "playouts": playouts, "games": games, "seed": seed, "agents": figures})


def play(game: spinney.Game, agent: Agent, seed: int, playouts: int, moves: int) -> tuple[float, int]:
    """Play a game; returns its score, and the playouts that were made."""
    state, made = game.start(seed), 0
    first, later = (playouts, 1) if agent.name == "nrpa" else (playouts // moves, playouts // moves)
    while not state.is_over:
        legal = state.legal()
        if len(legal) == 1:
            state.apply(legal[0])
            continue
        decision = agent.decide(state, spinney.Clock(iterations=first if made == 0 else later))
        made += decision.iterations
        state.apply(decision.action)
    return (state.scores() or state.rewards())[0], made


if __name__ == "__main__":
    common.run(main)
