"""`spinney bench`: how fast the rules and the searches of a game run on this machine."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any

import typer

from spinney import games
from spinney.agents import build
from spinney.agents.agent import SearchAgent
from spinney.cli.output import Json, console, table, write_json
from spinney.games import Game
from spinney.kernel import bind, seeded
from spinney.search.playout import make_count
from spinney.search.tree import node_record

ROUNDS = 5


def bench(
    game: Annotated[str, typer.Argument(help="The game, as `spinney games` names it.")],
    simulations: Annotated[int, typer.Option(min=1, help="UCT simulations of one search.")] = 30_000,
    threads: Annotated[int, typer.Option(min=1, help="Threads for the column of all cores.")] = os.cpu_count() or 1,
    rollout: Annotated[str, typer.Option(help="The player that plays the playouts.")] = "random",
    seed: Annotated[int, typer.Option(help="Start of all random numbers.")] = 1,
    json_to: Json = None,
) -> None:
    """Measure playouts and UCT simulations per second, on one thread and on all cores, compiled and plain.

    One thread is measured in CPU time, all cores by the clock; the best of five rounds counts, for other work on the
    machine only ever slows a round down.
    """
    loaded = games.load(game)
    screen = console(json_to)
    with screen.status("measuring"):
        steps = _steps_per_game(loaded, rollout, seed)
        one, many, plain = _playouts(loaded, rollout, threads, seed)
        uct_one, uct_many, uct_plain = _uct(loaded, rollout, simulations, threads, seed)
    node = node_record(loaded.players).dtype.itemsize
    rows = [
        ("playouts/s", f"{one:,.0f}", f"{many:,.0f}", f"{many / one:.2f}", f"{plain:,.0f}"),
        (
            "steps/s in playouts",
            f"{one * steps:,.0f}",
            f"{many * steps:,.0f}",
            f"{many / one:.2f}",
            f"{plain * steps:,.0f}",
        ),
        ("UCT simulations/s", f"{uct_one:,.0f}", f"{uct_many:,.0f}", f"{uct_many / uct_one:.2f}", f"{uct_plain:,.0f}"),
    ]
    title = f"{loaded!r} from the first position, {rollout} rollouts, {simulations:,} simulations a search"
    screen.print(table(title, "", ">one thread", f">{threads} threads", ">ratio", ">plain Python", rows=rows))
    screen.print(f"{steps:.1f} steps a game; {node} bytes a node; state {loaded.card.rules.State.dtype.itemsize} bytes")
    screen.print(
        f"UCT at {uct_one / one:.0%} of the playout rate; Python {platform.python_version()}, {platform.machine()}"
    )
    figures = {
        "game": repr(loaded),
        "rollout": rollout,
        "simulations": simulations,
        "threads": threads,
        "seed": seed,
        "steps_per_game": steps,
        "playouts_per_second": {"one_thread": one, "all_threads": many, "plain": plain},
        "uct_per_second": {"one_thread": uct_one, "all_threads": uct_many, "plain": uct_plain},
        "bytes_per_node": node,
    }
    write_json(json_to, figures)


def _best(job: Callable[[], Any], work: float, clock: Callable[[], float], rounds: int = ROUNDS) -> float:
    """The highest rate of several rounds."""
    rates = []
    for _ in range(rounds):
        before = clock()
        job()
        rates.append(work / max(clock() - before, 1e-9))
    return max(rates)


def _counter(game: Game, rollout: str, seed: int, plain: bool = False, stream: int = 0) -> Callable[[int], int]:
    """A function that plays n games from the first position and returns their steps."""
    card = game.card
    policy = card.player(rollout)
    count = bind(make_count, f"{card.name}/playout", plain=plain, rules=card.bound_rules, policy=policy)
    state = game.start(seed, manual_chance=True).record
    records = (state, card.rules.State(), card.out(), seeded(seed, stream))
    arguments = records if plain else tuple(type(record).native(record) for record in records)
    return lambda n: int(count(*arguments, n))


def _steps_per_game(game: Game, rollout: str, seed: int) -> float:
    return _counter(game, rollout, seed)(2000) / 2000


def _playouts(game: Game, rollout: str, threads: int, seed: int) -> tuple[float, float, float]:
    """Games per second: one thread, all threads, plain."""
    counters = [_counter(game, rollout, seed, stream=stream) for stream in range(threads)]
    n = int(max(100, _best(lambda: counters[0](1000), 1000, time.process_time, 1) * 0.4))
    one = _best(lambda: counters[0](n), n, time.process_time)
    with ThreadPoolExecutor(threads) as pool:
        many = _best(lambda: list(pool.map(lambda count: count(n), counters)), n * threads, time.perf_counter)
    return one, many, _best(lambda: _counter(game, rollout, seed, plain=True)(50), 50, time.process_time)


def _uct(game: Game, rollout: str, simulations: int, threads: int, seed: int) -> tuple[float, float, float]:
    """Simulations per second: one thread, all threads, plain."""
    state = game.start(seed)

    def search(n: int, **more: Any) -> Callable[[], Any]:
        options = ", ".join(f"{key}={value}" for key, value in {"iterations": n, "rollout": rollout, **more}.items())
        agent = build(game, f"uct({options}, nodes={20 * n + 1000}, solver=false)", seed)
        assert isinstance(agent, SearchAgent)
        return lambda: agent.search.run(state)

    one = _best(search(simulations), simulations, time.process_time, 2 * ROUNDS)
    many = _best(search(simulations * threads, threads=threads), simulations * threads, time.perf_counter, 2 * ROUNDS)
    few = min(simulations, 500)
    return one, many, _best(search(few, plain="true"), few, time.process_time)
