"""Halite's fleets: how fast a forest simulates, and how agents that plan whole turns fare against each other.

`speed` counts simulations of 50 turns in a search of a second, with ships anywhere on the map, with and without
inspiration. `games` plays one agent against another on the engine's maps, in both seats of two, or in one seat of four
with the other agent in the rest: the ratio of what is in the treasuries in the end, the share of games won, and the
mean and the longest time of a turn.
"""

from __future__ import annotations

import time
from math import inf
from statistics import fmean
from typing import Annotated, Any

import numpy as np
import typer
from halite_turns import position

import spinney
from spinney.agents import PlannerAgent, build
from spinney.arena.standings import wilson
from spinney.cli.output import Json, console, table, write_json
from spinney.games.card import OVER
from spinney.games.halite.rules import carry_out, rank
from spinney.games.halite.state import SPAWN, State
from spinney.kernel import bind
from spinney.search import Budget

app = typer.Typer(help=__doc__)


def make_turn() -> Any:
    def turn(s: Any) -> None:
        carry_out(s)

    return turn


@app.command()
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


def orders_of(agent: Any) -> Any:
    """What gives an agent's orders for a whole turn."""
    if isinstance(agent, PlannerAgent):
        return agent.orders
    options = agent.options

    def orders(s: Any, player: int) -> list[int]:
        actions: list[int] = agent.search.plan_turn(
            s, player, Budget(options.iterations or inf, options.seconds or inf)
        )[0]
        return actions

    return orders


def play(size: int, players: int, seed: int, specs: list[str], turns: int) -> tuple[Any, list[list[float]]]:
    """One game, and the seconds of each player's turns."""
    game = spinney.game("halite", size=size, players=players, map_seed=seed, turns=turns)
    native, turn = State.native(game.start(seed).record), bind(make_turn, "halite/turn")
    seats = [orders_of(build(game, spec)) for spec in specs]
    clock: list[list[float]] = [[] for _ in specs]
    s: Any = State.plain(native)
    while s.mover != OVER:
        for player, orders in enumerate(seats):
            started = time.perf_counter()
            given = orders(s, player)
            clock[player].append(time.perf_counter() - started)
            ships = [i for i in range(s.ships) if s.player[i] == player]
            for i, order in zip(ships, given, strict=False):
                native["order"][i] = order
            native["spawn"][player] = len(given) > len(ships) and given[-1] == SPAWN
        turn(native)
        s = State.plain(native)
    return s, clock


@app.command()
def games(
    agent: Annotated[str, typer.Argument(help="The agent that is measured: one that plans whole turns.")],
    rival: Annotated[str, typer.Argument(help="The agent in the other seats.")],
    size: Annotated[int, typer.Option(help="Cells on a side.")] = 32,
    players: Annotated[int, typer.Option(help="Players: 2 or 4.")] = 2,
    maps: Annotated[int, typer.Option(help="Maps, from the seed on; two players play each in both seats.")] = 10,
    seed: Annotated[int, typer.Option(help="The engine's seed of the first map.")] = 1,
    turns: Annotated[int, typer.Option(help="Turns of a game; 0: as many as the engine has.")] = 0,
    json_to: Json = None,
) -> None:
    """Play one agent against another."""
    figures = []
    for number in range(maps):
        for seat in (0, 1) if players == 2 else (number % players,):
            specs = [agent if player == seat else rival for player in range(players)]
            s, clock = play(size, players, seed + number, specs, turns)
            others = [int(s.treasury[player]) for player in range(players) if player != seat]
            figures.append(
                {
                    "map": seed + number,
                    "seat": seat,
                    "halite": int(s.treasury[seat]),
                    "rivals": fmean(others),
                    "won": rank(s, seat) == 1,
                    "longest": max(clock[seat]),
                    "mean": fmean(clock[seat]),
                }
            )
    n = len(figures)
    won = sum(row["won"] for row in figures)
    low, high = wilson(won / n, n)
    mine, theirs = np.array([[row["halite"], row["rivals"]] for row in figures], float).T
    drawn = np.random.default_rng(1).integers(0, n, (2000, n))
    least, most = np.quantile(mine[drawn].sum(axis=1) / theirs[drawn].sum(axis=1), [0.025, 0.975])
    row = (
        str(n),
        f"{mine.sum() / theirs.sum():.2f} ({least:.2f}-{most:.2f})",
        f"{won / n:.0%} ({low:.0%}-{high:.0%})",
        f"{mine.mean():,.0f}",
        f"{theirs.mean():,.0f}",
        f"{fmean(row['mean'] for row in figures):.3f} s",
        f"{max(row['longest'] for row in figures):.3f} s",
    )
    title = f"{agent} against {rival}, {players} players on {size}x{size}"
    names = (">games", ">ratio of halite", ">won", ">halite", ">rivals", ">turn", ">longest")
    console(json_to).print(table(title, *names, rows=[row]))
    write_json(json_to, figures)


if __name__ == "__main__":
    app()
