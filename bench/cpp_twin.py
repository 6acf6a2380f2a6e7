"""Spinney's speed and that of its twin: the same algorithms with the same random numbers, written in C++ by hand."""

from __future__ import annotations

import ctypes
import gc
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Protocol, TypeVar

import common
import numpy as np
import typer
from numpy.typing import NDArray

import spinney
from spinney.agents.agent import SearchAgent
from spinney.cli.output import Json, console, table, write_json
from spinney.games import State
from spinney.kernel import Rng, bind, seeded
from spinney.search import TreeSearch
from spinney.search.rollout import make_count
from spinney.search.tree import ROOT
from spinney.search.workspace import fill_rng, playout_record

SOURCES = Path(__file__).parent / "twin"
FLAGS = ("-std=c++20", "-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-shared", "-fPIC")
"""Contracted operations would round differently, and the trees would not be equal."""
SIMULATIONS = (30_000, 1_000_000)
GAMES = {"connect_four": 100_000, "pig": 20_000, "battlesnake": 2_000}
"""Games in one run of playouts."""
SIZES = (10_000, 3_000_000)
"""Nodes of the trees in which single simulations are timed."""
SMALL_RUNS = 10
"""A small tree is grown this many times as often as a large one, because its time is short."""

Array = NDArray[Any]
Result = TypeVar("Result")


class Different(Exception):
    """The results of Spinney and of the twin are not equal."""


# ---- the twin


def build(folder: Path) -> ctypes.CDLL:
    """Compile the twin in a folder, and load it."""
    compiler = shutil.which("g++")
    if compiler is None:
        raise spinney.SpinneyError("g++ is not installed; the twin is compiled with it")
    library = folder / "twin.so"
    sources = sorted(str(file) for file in SOURCES.glob("*.cpp"))
    done = subprocess.run([compiler, *FLAGS, *sources, "-o", str(library)], capture_output=True, text=True)
    if done.returncode != 0:
        raise spinney.SpinneyError(f"g++ cannot compile the twin: {(done.stderr.strip().splitlines() or ['?'])[0]}")
    twin = ctypes.CDLL(str(library))
    for name in ("uct_search", "connect_four_playouts", "pig_playouts", "battlesnake_state_size"):
        getattr(twin, name).restype = ctypes.c_int64
    return twin


def address(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def copied(record: Any) -> Array:
    """A native record, copied to an array of no dimensions."""
    return np.array(record)


def random_numbers(seed: int) -> Array:
    """A generator for the twin."""
    return copied(Rng.native(seeded(seed)))


def numbers(record: Any) -> tuple[int, ...]:
    return tuple(int(number) for number in record.item())


# ---- searches


class Uct(Protocol):
    """UCT on connect four, in memory that is already allocated."""

    @property
    def nodes(self) -> Array: ...
    @property
    def used(self) -> int: ...
    @property
    def random(self) -> tuple[int, ...]:
        """The state of the random numbers."""

    def clear(self) -> None:
        """Begin again: a tree that is only a root, and the first random numbers."""

    def run(self, n: int) -> int:
        """Run n simulations; returns how many were made."""


class SpinneyUct:
    """Spinney's compiled search, called without the agent around it."""

    def __init__(self, state: State, capacity: int, seed: int, *, solver: bool = True) -> None:
        agent = spinney.game("connect_four").agent(f"uct(solver={str(solver).lower()}, nodes={capacity})", seed)
        assert isinstance(agent, SearchAgent)
        assert isinstance(agent.search, TreeSearch)
        self.search, self.state, self.capacity, self.seed = agent.search, state, capacity, seed
        (self.worker,) = self.search.workers
        self.clear()

    @property
    def nodes(self) -> Array:
        found: Array = self.worker.nodes
        return found

    @property
    def used(self) -> int:
        return int(self.worker.work.tree.used)

    @property
    def random(self) -> tuple[int, ...]:
        return numbers(self.worker.work.rng)

    def clear(self) -> None:
        worker, state = self.worker, self.state
        worker.memory[0].show()  # nobody keeps it, so that the memory is used again
        worker.clear(self.capacity)
        worker.nodes[ROOT].mover = state.mover
        worker.work.out.searcher = state.mover
        fill_rng(worker.work.rng, seeded(self.seed))
        self.step = self.search.step(worker, worker.form(type(state.record), state.record))

    def run(self, n: int) -> int:
        return self.step(n)


class TwinUct:
    """The search of the twin, with Spinney's settings."""

    NODE = np.dtype(
        [
            ("visits", "i4"), ("first", "i4"), ("count", "i4"), ("action", "i4"), ("weight", "f4"), ("mover", "i1"),
            ("proven", "i1"), ("expanded", "i1"), ("room", "i1"), ("value", "f8", 2),
        ]
    )  # fmt: skip

    def __init__(self, twin: ctypes.CDLL, like: SpinneyUct) -> None:
        self.twin, self.seed, self.solver = twin, like.seed, like.search.options.solver
        settings = like.worker.settings
        self.settings = np.concatenate([[settings.c2_log2], settings.root_log, settings.inverse_root])
        self.root = copied(type(like.state.record).native(like.state.record))
        self.nodes = np.empty(like.capacity, self.NODE)
        self.tree = np.zeros(2, np.int64)
        self.clear()

    @property
    def used(self) -> int:
        return int(self.tree[0])

    @property
    def random(self) -> tuple[int, ...]:
        return numbers(self.rng)

    def clear(self) -> None:
        self.rng = random_numbers(self.seed)
        self.twin.uct_clear(address(self.nodes), address(self.tree), address(self.root))

    def run(self, n: int) -> int:
        return int(
            self.twin.uct_search(
                address(self.nodes), ctypes.c_int64(len(self.nodes)), address(self.tree), address(self.root),
                address(self.rng), address(self.settings), ctypes.c_bool(self.solver), ctypes.c_int64(n),
            )
        )  # fmt: skip


# ---- equality of trees


def children(nodes: Array, parents: Array) -> tuple[Array, Array]:
    """The children of some nodes: for each child, the index of its parent in `parents`, and its own number."""
    first, count = nodes["first"][parents].astype(np.int64), nodes["count"][parents].astype(np.int64)
    which = np.repeat(np.arange(len(parents)), count)
    return which, np.repeat(first - count.cumsum() + count, count) + np.arange(len(which))


def compare_trees(one: Array, other: Array) -> int:
    """Check that two trees are equal node by node, whatever the order of the nodes; returns their number."""
    mine, yours, depth, seen = np.array([ROOT]), np.array([ROOT]), 0, 0
    while len(mine):
        seen += len(mine)
        for name in ("visits", "action", "mover", "proven"):
            _same(f"{name} at depth {depth}", one[name][mine], other[name][yours])
        _same(f"values at depth {depth}", one["value"][mine].view(np.int64), other["value"][yours].view(np.int64))
        (mine_of, mine), (yours_of, yours) = children(one, mine), children(other, yours)
        depth += 1
        _same(f"numbers of children at depth {depth}", np.bincount(mine_of), np.bincount(yours_of))
        mine = mine[np.lexsort((one["action"][mine], mine_of))]
        yours = yours[np.lexsort((other["action"][yours], yours_of))]
    return seen


def _same(what: str, one: Any, other: Any) -> None:
    if not np.array_equal(one, other):
        raise Different(f"Spinney and the twin differ: {what}")


def compare_searches(one: Uct, other: Uct) -> None:
    """Check that two searches have made the same tree and drawn the same random numbers."""
    _same("random numbers of the search", one.random, other.random)
    _same("nodes in use", one.used, other.used)
    _same("nodes in use and nodes in the tree", one.used, compare_trees(one.nodes, other.nodes))


# ---- playouts


class Played(NamedTuple):
    """What a run of playouts leaves."""

    actions: int
    outcomes: int
    random: tuple[int, ...]
    last: bytes = b""
    """The last position of the last game, and its rewards; of BattleSnake only."""


def spinney_playouts(state: State, seed: int) -> Callable[[int], Played]:
    """A function that plays n games by Spinney's compiled rules."""
    card = state.game.card
    policy = card.player(card.searching.rollout)
    count = bind(make_count, f"{card.name}/playout", rules=card.bound_rules, policy=policy)
    root, work = type(state.record).native(state.record), playout_record(card).native()

    def play(n: int) -> Played:
        fill_rng(work.rng, seeded(seed))
        actions, outcomes = count(root, work, n)
        last = work.state.tobytes() + work.out.reward.tobytes() if card.name == "battlesnake" else b""
        return Played(actions, outcomes, numbers(work.rng), last)

    return play


def twin_connect_four(twin: ctypes.CDLL, state: State, seed: int) -> Callable[[int], Played]:
    root = copied(type(state.record).native(state.record))

    def play(n: int) -> Played:
        rng = random_numbers(seed)
        actions = twin.connect_four_playouts(address(root), address(rng), ctypes.c_int64(n))
        return Played(int(actions), 0, numbers(rng))

    return play


def twin_pig(twin: ctypes.CDLL, state: State, seed: int) -> Callable[[int], Played]:
    root, outcomes = copied(type(state.record).native(state.record)), np.zeros(1, np.int64)

    def play(n: int) -> Played:
        rng = random_numbers(seed)
        actions = twin.pig_playouts(address(root), address(rng), ctypes.c_int64(n), address(outcomes))
        return Played(int(actions), int(outcomes[0]), numbers(rng))

    return play


def twin_battlesnake(twin: ctypes.CDLL, state: State, seed: int) -> Callable[[int], Played]:
    root, s = (copied(type(state.record).native(state.record)) for _ in range(2))
    _same("bytes of a state of BattleSnake", root.nbytes, twin.battlesnake_state_size())
    rewards, counts = np.zeros(state.game.card.rules.MAX_PLAYERS), np.zeros(2, np.int64)

    def play(n: int) -> Played:
        rng = random_numbers(seed)
        twin.battlesnake_playouts(
            address(root), address(s), address(rewards), address(rng), ctypes.c_int64(n), address(counts)
        )
        return Played(int(counts[0]), int(counts[1]), numbers(rng), s.tobytes() + rewards.tobytes())

    return play


TWIN_PLAYOUTS = {"connect_four": twin_connect_four, "pig": twin_pig, "battlesnake": twin_battlesnake}


def compare_playouts(one: Played, other: Played) -> None:
    for name in Played._fields:
        _same(f"{name} of playouts", getattr(one, name), getattr(other, name))


# ---- measuring


@dataclass
class Row:
    """Rates of the same work on both sides."""

    name: str
    spinney: list[float] = field(default_factory=list)
    twin: list[float] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        return max(self.spinney) / max(self.twin)

    def figures(self) -> dict[str, Any]:
        best = {"spinney_best": max(self.spinney), "twin_best": max(self.twin), "ratio": self.ratio}
        return {"name": self.name, **best, "spinney": self.spinney, "twin": self.twin}


def timed(job: Callable[[int], Result], n: int) -> tuple[Result, float]:
    """The result of n units of work, and the CPU seconds of a unit."""
    started = time.process_time()
    result = job(n)
    return result, max(time.process_time() - started, 1e-9) / n


def measure_uct(twin: ctypes.CDLL, state: State, simulations: int, repeats: int, seed: int) -> Row:
    """Time searches alternately, and compare the trees after every one; the first ones do not count."""
    one = SpinneyUct(state, 1 + 8 * simulations, seed)
    other = TwinUct(twin, one)
    row = Row(f"Connect four, uct, {simulations:,} simulations")
    sides: list[tuple[Uct, list[float]]] = [(one, row.spinney), (other, row.twin)]
    for _ in range(repeats + 1):
        for search, rates in sides:
            search.clear()
            done, each = timed(search.run, simulations)
            if done < simulations:
                raise spinney.SpinneyError(f"the root is proven after {done:,} simulations; choose another position")
            rates.append(1 / each)
        compare_searches(one, other)
    del row.spinney[0], row.twin[0]
    return row


def measure_playouts(twin: ctypes.CDLL, name: str, games: int, repeats: int, seed: int) -> Row:
    """Time playouts alternately, and compare their results every time; the first ones do not count."""
    state = spinney.game(name).start(seed, manual_chance=True)
    sides = (spinney_playouts(state, seed), TWIN_PLAYOUTS[name](twin, state, seed))
    row = Row(f"{state.game.card.title}, playouts")
    for _ in range(repeats + 1):
        found = []
        for play, rates in zip(sides, (row.spinney, row.twin), strict=True):
            played, each = timed(play, games)
            found.append(played)
            rates.append(1 / each)
        compare_playouts(*found)
    del row.spinney[0], row.twin[0]
    return row


def cost(search: Uct, size: int) -> float:
    """Seconds of a simulation while the tree has about this many nodes."""
    search.clear()
    while search.used < 0.9 * size:
        if not search.run(1 + int(0.9 * size - search.used) // 8):
            raise spinney.SpinneyError(f"the root is proven before the tree has {size:,} nodes")
    return timed(search.run, size // 10)[1]  # a simulation adds two or three nodes


def measure_costs(twin: ctypes.CDLL, state: State, repeats: int, seed: int) -> dict[str, list[float]]:
    """The least cost of a simulation at both sizes, in nanoseconds."""
    one = SpinneyUct(state, 2 * max(SIZES), seed)
    sides: dict[str, Uct] = {"Spinney": one, "C++": TwinUct(twin, one)}
    found: dict[str, list[float]] = {name: [] for name in sides}
    for size in SIZES:
        runs = repeats * SMALL_RUNS if size < 100_000 else repeats
        costs: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(runs + 1):
            for name, search in sides.items():
                costs[name].append(cost(search, size))
        for name, each in costs.items():
            found[name].append(1e9 * min(each[1:]))
        compare_searches(*sides.values())
    return found


def main(
    position: common.Position = "",
    simulations: Annotated[
        list[int] | None, typer.Option(min=100, max=100_000_000, help="simulations per search; repeat for more rows")
    ] = None,
    repeats: common.Repeats = 5,
    seed: common.Seed = 1,
    json_to: Json = None,
) -> None:
    """Compare Spinney with its twin in C++: the same work with the same random numbers on one thread.

    The results must be equal, the trees node by node; if not, the exit code is 1. The last line is the ratio of the
    best rates of UCT with 30,000 simulations, or with the first number given.
    """
    state = common.position(position)
    sizes = simulations or list(SIMULATIONS)
    with tempfile.TemporaryDirectory() as folder:
        twin = build(Path(folder))
        gc.collect()
        try:
            searches = {n: measure_uct(twin, state, n, repeats, seed) for n in sizes}
            playouts = [measure_playouts(twin, name, games, repeats, seed) for name, games in GAMES.items()]
            costs = measure_costs(twin, state, repeats, seed)
        except Different as error:
            print(error, file=sys.stderr)
            raise typer.Exit(1) from None
    rows = [*searches.values(), *playouts]
    ratio = searches[SIMULATIONS[0] if SIMULATIONS[0] in searches else sizes[0]].ratio
    screen = console(json_to)
    cells = [(row.name, f"{max(row.spinney):,.0f}", f"{max(row.twin):,.0f}", f"{row.ratio:.2f}") for row in rows]
    title = f"Simulations and games per CPU second, best of {repeats}"
    screen.print(table(title, "", ">Spinney", ">C++", ">ratio", rows=cells))
    growth = {name: large / small for name, (small, large) in costs.items()}
    named = tuple(f">{size:,} nodes" for size in SIZES)
    lines = [(name, *(f"{each:,.0f}" for each in found), f"{growth[name]:.2f}") for name, found in costs.items()]
    screen.print(table("Nanoseconds of a simulation, by the size of the tree", "", *named, ">growth", rows=lines))
    screen.print("All results are equal, the trees node by node.")
    screen.print(f"ratio: {ratio:.2f}")
    figures = {
        "position": position, "seed": seed, "rows": [row.figures() for row in rows], "sizes": SIZES,
        "nanoseconds": costs, "growth": growth, "ratio": ratio,
    }  # fmt: skip
    write_json(json_to, figures)


if __name__ == "__main__":
    common.run(main)
