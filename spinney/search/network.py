"""Tree search with a network: many leaves are selected in compiled code, evaluated as one batch, and backed up.

A network answers with a prior for the actions of a leaf and, if it was trained for it, with the probability that each
player wins. The leaves of one batch are kept apart by virtual losses. A batch may have leaves of the trees of many
games (`grow_all`): that is self-play.

With `min_visits`, the network is asked only about nodes with that many visits; until then a node is evaluated by a
rollout, and its actions are equally likely. A network is slow beside compiled code, and most leaves matter little.

Players who move one after the other choose by PUCT (Silver et al. 2017). Those who move simultaneously choose as in
MAS-MCTS, by the product of their priors (`select=joint`), or each by PUCT on its own means (`select=decoupled`).
Chance has no nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pydantic

from spinney.clock import SLICE, Clock
from spinney.errors import BadOption
from spinney.games import Card, Game
from spinney.kernel import block
from spinney.search.batching import Batch, NetworkSettings, leaf_record, make_halves, network_path
from spinney.search.evaluators import Evaluator, load
from spinney.search.memory import Worker
from spinney.search.options import EvaluationOptions, SearchOptions, SimulationOptions, SimultaneousOptions, key_of
from spinney.search.parallel import Step
from spinney.search.result import Node
from spinney.search.simultaneous import add_simultaneous, most_joint_actions, simultaneous_rules
from spinney.search.simultaneous_selection import JOINT_RULES
from spinney.search.tree_search import Parts, TreeAlgorithm, TreeSearch, most_actions
from spinney.search.workspace import workspace_of

WHOLE = 1 << 30
"""More simulations than fill a batch."""
_NO_PRIORS, _NO_VALUES = np.zeros((0, 1), np.float32), np.zeros(0, np.float32)


class NetworkOptions(SimultaneousOptions, SimulationOptions, EvaluationOptions, SearchOptions):
    """Options of search with a network."""

    weights: str | None = pydantic.Field(
        None, description="the network: one that comes with the game, or a file; none: the game's default"
    )
    batch: int = pydantic.Field(16, ge=1, le=1024, description="most leaves of one batch")
    c: float = pydantic.Field(1.0, ge=0, le=1e6, allow_inf_nan=False, description="weight of the prior")
    select: Annotated[str, key_of(JOINT_RULES)] = pydantic.Field(
        "decoupled", description="simultaneous moves: by the product of the priors (joint), or each player by itself"
    )
    rollout_mix: float = pydantic.Field(
        0.0,
        ge=0,
        le=1,
        description="part of a leaf's value that comes from rollouts; all of it if the network has none",
    )
    min_visits: int = pydantic.Field(
        0,
        ge=0,
        le=1_000_000,
        description="visits before the network is asked about a node; until then rollouts evaluate it",
    )
    virtual_loss: int = pydantic.Field(
        1, ge=1, le=100, description="visits without reward on the path of a leaf, until the network has answered"
    )


class Network:
    """Simulations in batches, whose leaves a network evaluates."""

    def __init__(self, search: TreeSearch, evaluator: Evaluator, **parts: Any) -> None:
        self.game, self.options, self.evaluator = search.game, search.options, evaluator
        self.encoder = encoder = evaluator.encoder
        self.select, self.learn = search.bind(
            make_halves,
            encode=encoder.encode,
            output=encoder.output,
            size=encoder.size,
            evaluate=search.evaluation.evaluate,
            policy=search.policy,
            **parts,
        )
        self._leaf = leaf_record(search.game.card.rules.State, search.game.players)
        self._leaves: dict[int, Any] = {}

    def task(self, worker: Worker, root: Any) -> TreeTask:
        """A tree to be grown, with others or by itself."""
        room = 2 * self.options.batch  # several paths may lead to one leaf
        if id(worker) not in self._leaves:
            self._leaves[id(worker)] = block(self._leaf, room, self.options.plain)
        return TreeTask(self, worker, root, self._leaves[id(worker)])

    def prepare(self, worker: Worker, root: Any) -> None:
        """Compile, by a call that does nothing."""
        grow_all([self.task(worker, root)], self.evaluator, [0])
        for rows in (1, self.game.players * self.options.batch):  # the first calls of a runtime are slow
            self.evaluator(np.zeros((rows, *self.encoder.shape), np.float32))

    def step(self, worker: Worker, root: Any, clock: Clock, iterations: float) -> Step:
        """Without a time limit, batches end where they are full, whatever is asked for: their sizes must not depend on
        the speed of the machine. With one, a batch has no more leaves than there is time for."""
        task, batch, left = self.task(worker, root), self.options.batch, iterations
        worker.settings.batch = batch
        pace, tried = Pace(clock), False  # some action must have been tried, or there is nothing to choose from

        def step(n: int) -> int:
            nonlocal left, tried
            done = 0
            while done < n or not tried:
                most: float = max(1, min(left, WHOLE))
                if clock.timed:
                    most, fit = max(1, n - done), pace.leaves()
                    if fit < 1 and tried:
                        break
                    worker.settings.batch = min(batch, max(1, fit))
                did = grow_all([task], self.evaluator, [int(most)])[0]
                pace.note(int(task.batch.asked))
                done, left = done + did, left - did
                tried = tried or any(child.visits for child in Node(worker.nodes).children)
            return done

        return step


@dataclass
class TreeTask:
    """A tree to be grown, the position at its root, and the leaves that wait for the network."""

    network: Network
    worker: Worker
    root: Any
    leaves: Any

    def __post_init__(self) -> None:
        self.batch = self.worker.work.batch  # once: NumPy is slow to find a record in a record

    def rows(self, n: int) -> int:
        """The most rows of a batch for n simulations."""
        game, batch = self.network.game, int(self.network.options.batch)
        return min(n, batch) * (game.players if game.card.is_simultaneous else 1)


def grow_all(tasks: Sequence[TreeTask], evaluator: Evaluator, counts: Sequence[int]) -> list[int]:
    """Grow trees by some simulations each, at most a batch of each, all evaluated at once; return how many."""
    wanted = sum(task.rows(n) for task, n in zip(tasks, counts, strict=True))
    planes = np.empty((wanted, *tasks[0].network.encoder.shape), np.float32)
    flat, rows, firsts = planes.reshape(-1), 0, []
    for task, n in zip(tasks, counts, strict=True):
        worker = task.worker
        task.network.select(worker.nodes, worker.work, task.root, worker.settings, task.leaves, flat, rows, n)
        firsts.append(rows)
        rows += int(task.batch.rows)
    priors, values = evaluator(planes[:rows]) if rows else (_NO_PRIORS, _NO_VALUES)
    if values is None:
        values = np.zeros(rows, np.float32)
    for task, first in zip(tasks, firsts, strict=True):
        worker = task.worker
        task.network.learn(worker.nodes, worker.work, worker.settings, task.leaves, priors, values, first)
    return [int(task.batch.done) for task in tasks]


class Pace:
    """Sizes batches to at most half of the remaining time."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = clock.elapsed
        self._each = 0.0

    def note(self, leaves: int) -> None:
        """This many leaves have been evaluated since the last note; the slowest recent batch counts."""
        now = self._clock.elapsed
        if leaves:
            self._each = max((now - self._last) / leaves, 0.9 * self._each)
        self._last = now

    def leaves(self) -> int:
        """The leaves for which there is time."""
        if self._each == 0.0:
            return 1
        self._last = self._clock.elapsed
        left = self._clock.deadline - self._clock.started - self._last
        return int(min(SLICE, left / 2) / self._each)


def why_no_network(card: Card) -> str | None:
    if not card.encoders:
        return "it has no encoder"
    if card.has_hidden:
        return "it has hidden information"
    return "its players move in turn, and it has chance" if card.has_chance and not card.is_simultaneous else None


def most_children(game: Game) -> int:
    return most_joint_actions(game) if game.card.is_simultaneous else most_actions(game)


def build_network(search: TreeSearch) -> Parts:
    game, options = search.game, search.options
    evaluator = load(game.card, options.weights)
    rules = simultaneous_rules(search)
    if options.chance == "list" or (options.reuse and options.chance != "default"):
        raise BadOption(
            f"{search.label}: option 'chance' = '{options.chance}': chance has no nodes here; default and sample are "
            "allowed, and with reuse=true default alone"
        )
    settings = search.settings(
        NetworkSettings,
        c=options.c,
        rollout_mix=options.rollout_mix if evaluator.has_values else 1.0,
        normalise=int(evaluator.shares),
        min_visits=options.min_visits,
        batch=options.batch,
        virtual_loss=options.virtual_loss,
        open_loop=1,
    )
    path = network_path(game.players, rules.moves)
    parts = Parts(
        settings=settings,
        workspace=workspace_of(game, path=path, batch=Batch),
        network=Network(search, evaluator, rules=rules, choose=JOINT_RULES[options.select]),
        choice=options.choice,
        open_loop=True,
    )
    return add_simultaneous(search, parts, rules) if game.card.is_simultaneous else parts


NETWORK = TreeAlgorithm(
    label="net_search",
    summary="Tree search guided by a network, evaluated in batches: PUCT, for players who move in turn or together.",
    options=NetworkOptions,
    refuses=why_no_network,
    search=TreeSearch,
    build=build_network,
    evaluates=lambda _options: True,
    most_children=most_children,
)
