"""`spinney bench`: the speed of a game's rules and searches on this machine."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, NamedTuple

import typer

from spinney import games
from spinney.agents import build
from spinney.agents.agent import SearchAgent
from spinney.cli.output import Json, console, table, write_json
from spinney.errors import BadGame
from spinney.games import Game
from spinney.games.spec import write_spec
from spinney.kernel import PICKS, bind, seeded
from spinney.search import SEARCHES, TreeAlgorithm, TreeSearch
from spinney.search.rollout import make_census, make_count
from spinney.search.workspace import fill_rng, form, playout_record

ROUNDS = 5
STARTS = 100
"""Games in which legal actions are counted."""


def bench(
    game: Annotated[str, typer.Argument(help="The game, as `spinney games` names it.")],
    simulations: Annotated[int, typer.Option(min=1, max=100_000_000, help="Simulations per search.")] = 30_000,
    threads: Annotated[int, typer.Option(min=1, max=256, help="Threads of the second column.")] = os.cpu_count() or 1,
    rollout: Annotated[
        str | None, typer.Option(help="The rollout player; by default the one on the game's card.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of all random numbers.")] = 1,
    json_to: Json = None,
) -> None:
    """Measure playouts and simulations of tree searches per second, on one thread and on all cores, compiled and plain.

    One thread is measured in CPU time. Several threads, and the ratio of the two, are measured in wall-clock time. The
    best of several rounds counts, because other work on the machine can only slow a round down.
    """
    loaded = games.load(game)
    if loaded.card.plain:
        raise BadGame(f"there is nothing to measure: the rules of {loaded.name} cannot be compiled")
    rollout = loaded.card.searching.rollout if rollout is None else rollout
    screen = console(json_to)
    with screen.status("measuring"):
        count = _counter(loaded, rollout, seed)
        n = max(10, min(2000, 10_000_000 // max(1, count(10)[0])))  # fewer games if they are long
        actions, events = (number / n for number in count(n))
        playouts = _playouts(loaded, rollout, threads, seed)
        trees = {
            name: _simulations(loaded, name, rollout, simulations, threads, seed)
            for name, (search, _) in SEARCHES.items()
            if name not in ("flat", "net_search") and isinstance(search, TreeAlgorithm) and search.plays(loaded.card)
        }
        specs = () if loaded.card.study is None else loaded.card.study.bench
        variants = [_variant(spec, rollout, simulations, seed) for spec in specs]
    sizes = {name: _search(loaded, name, rollout, 1, seed).node.dtype.itemsize for name in trees}
    turns = "turns" if loaded.card.is_simultaneous else "actions"
    rows = [
        _row("playouts/s", playouts),
        _row(f"{turns}/s in playouts", playouts, actions),
        *([_row("steps/s, with chance", playouts, actions + events)] if events else []),
        *(_row(f"{name} simulations/s", rates) for name, rates in trees.items()),
    ]
    title = f"{loaded!r} from the first position, {rollout} rollouts, {simulations:,} simulations per search"
    many = f">{threads} thread{'s' * (threads > 1)}"
    screen.print(table(title, "", ">one thread", many, ">ratio", ">plain Python", rows=rows))
    screen.print(f"{actions:.1f} {turns} and {events:.1f} chance events per game")
    nodes = "".join(f"{size} bytes per node of {name}; " for name, size in sizes.items())
    screen.print(f"{nodes}state {loaded.card.rules.State.dtype.itemsize} bytes")
    for name, rates in trees.items():
        screen.print(f"{name} at {rates.one_thread / playouts.one_thread:.0%} of the playout rate")
    if variants:
        screen.print(table("One thread; legal actions at the start and over a game: mean (maximum)", "", ">games/s",
                           ">actions/s", ">uct/s", ">at the start", ">over a game",
                           rows=[_variant_row(variant) for variant in variants]))  # fmt: skip
    screen.print(f"Python {platform.python_version()}, {platform.machine()}")
    figures = {
        "game": repr(loaded),
        "rollout": rollout,
        "simulations": simulations,
        "threads": threads,
        "seed": seed,
        "actions_per_game": actions,
        "chance_per_game": events,
        "playouts_per_second": playouts._asdict(),
        **{f"{name}_per_second": rates._asdict() for name, rates in trees.items()},
        "bytes_per_node": sizes,
        "variants": variants,
    }
    write_json(json_to, figures)


class Rate(NamedTuple):
    """Work per second of CPU time and of wall-clock time."""

    cpu: float
    wall: float


class Rates(NamedTuple):
    """Rates of the same work: CPU time on one thread and in plain Python, wall-clock time on several threads."""

    one_thread: float
    all_threads: float
    plain: float
    scaling: float


def _rates(one: Rate, many: Rate, plain: Rate) -> Rates:
    return Rates(one.cpu, many.wall, plain.cpu, many.wall / one.wall)


def _row(name: str, rates: Rates, factor: float = 1.0) -> tuple[str, ...]:
    one, many, plain = (f"{factor * rate:,.0f}" for rate in rates[:3])
    return name, one, many, f"{rates.scaling:.2f}", plain


def _best(job: Callable[[], Any], work: float, rounds: int = ROUNDS) -> Rate:
    """The highest rates of several rounds."""
    rates = []
    for _ in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        job()
        rates.append((work / max(time.process_time() - cpu, 1e-9), work / (time.perf_counter() - wall)))
    return Rate(max(rate for rate, _ in rates), max(rate for _, rate in rates))


def _counter(
    game: Game, rollout: str, seed: int, plain: bool = False, stream: int = 0
) -> Callable[[int], tuple[int, int]]:
    """A function that plays n games and returns the number of actions and of chance events."""
    card = game.card
    policy = card.player(rollout)
    count = bind(make_count, f"{card.name}/playout", plain=plain, rules=card.bound_rules, policy=policy)
    state = game.start(seed, manual_chance=True).record
    work = form(playout_record(card), plain)
    fill_rng(work.rng, seeded(seed, PICKS + stream))
    root = form(type(state), plain, state)
    return lambda n: count(root, work, n)


def _playouts(game: Game, rollout: str, threads: int, seed: int) -> Rates:
    """Playouts per second."""
    counters = [_counter(game, rollout, seed, stream=stream) for stream in range(threads)]
    n = int(max(10, _best(lambda: counters[0](10), 10, 1).cpu * 0.4))
    one = _best(lambda: counters[0](n), n)
    with ThreadPoolExecutor(threads) as pool:
        many = _best(lambda: list(pool.map(lambda count: count(n), counters)), n * threads)
    few = max(1, min(50, int(one.cpu / 100)))
    plain = _best(lambda: _counter(game, rollout, seed, plain=True)(few), few, ROUNDS if few > 1 else 1)
    return _rates(one, many, plain)


def _variant(spec: str, rollout: str, simulations: int, seed: int) -> dict[str, Any]:
    """The speed of a variant of the game on one thread, and its numbers of legal actions."""
    game = games.load(spec)
    counter = _counter(game, rollout, seed)
    n = int(max(100, _best(lambda: counter(200), 200, 1).cpu * 0.2))
    actions = counter(n)[0] / n
    rate = _best(lambda: counter(n), n).cpu
    starts = [len(game.start(seed + i).legal()) for i in range(STARTS)]
    census = bind(make_census, f"{game.name}/census", rules=game.card.bound_rules, policy=game.card.player(rollout))
    search, state = _search(game, "uct", rollout, simulations, seed), game.start(seed)
    total, most, met = 0, 0, 0
    for i in range(STARTS):
        records = (game.start(seed + i).record, game.card.out(), seeded(seed, PICKS + i))
        legal, largest, choices = census(*(type(record).native(record) for record in records))
        total, most, met = total + legal, max(most, largest), met + choices
    return {
        "game": spec,
        "games_per_second": rate,
        "actions_per_second": rate * actions,
        "uct_per_second": _best(lambda: search.run(state), simulations).cpu,
        "legal_at_start": sum(starts) / STARTS,
        "most_at_start": max(starts),
        "legal_over_game": total / met,
        "most_over_game": most,
    }


def _variant_row(found: dict[str, Any]) -> tuple[str, ...]:
    rates = (f"{found[f'{what}_per_second']:,.0f}" for what in ("games", "actions", "uct"))
    legal = (f"{found[f'legal_{when}']:.0f} ({found[f'most_{when}']})" for when in ("at_start", "over_game"))
    return (found["game"].partition("(")[2].rstrip(")"), *rates, *legal)


def _search(game: Game, name: str, rollout: str, simulations: int, seed: int, **more: Any) -> TreeSearch:
    given = {"iterations": simulations, "rollout": rollout, "nodes": 20 * simulations + 1000, **more}
    if name == "uct":
        given["solver"] = False
    agent = build(game, write_spec(name, given), seed)
    assert isinstance(agent, SearchAgent)
    assert isinstance(agent.search, TreeSearch)
    return agent.search


def _simulations(game: Game, name: str, rollout: str, simulations: int, threads: int, seed: int) -> Rates:
    """Simulations of the first position per second."""

    def rate(n: int, rounds: int, **more: Any) -> Rate:
        search, state = _search(game, name, rollout, n, seed, **more), game.start(seed)
        return _best(lambda: search.run(state), n, rounds)

    many = rate(simulations * threads, 2 * ROUNDS, threads=threads)
    return _rates(rate(simulations, 2 * ROUNDS), many, rate(min(simulations, 500), ROUNDS, plain=True))
