"""Tree search with a network: many leaves are selected in compiled code, evaluated as one batch, and backed up.

A network answers with a prior for the actions of a leaf and, if it was trained for it, with the probability that each
player wins. The leaves of one batch are kept apart by virtual losses. A batch may have leaves of the trees of many
games (`Trees`): that is self-play.

With `min_visits`, the network is asked only about nodes with that many visits; until then a node is evaluated by a
rollout, and its actions are equally likely. A network is slow beside compiled code, and most leaves matter little.

Players who move one after the other choose by PUCT (Silver et al. 2017). Those who move simultaneously choose as in
MAS-MCTS, by the product of their priors (`select=joint`), or each by PUCT on its own means (`select=decoupled`).
Chance has no nodes.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pydantic

from spinney.clock import SLICE, Clock
from spinney.errors import BadOption
from spinney.games import Card, Game
from spinney.games.card import Rules
from spinney.kernel import block
from spinney.search.batching import (
    COUNTS,
    DONE,
    SENT,
    WANTED,
    Batch,
    NetworkSettings,
    answers_record,
    leaf_record,
    make_decisions,
    make_halves,
    network_path,
)
from spinney.search.evaluators import Evaluator, load
from spinney.search.memory import Worker
from spinney.search.node import Node
from spinney.search.options import EvaluationOptions, SearchOptions, SimulationOptions, SimultaneousOptions, key_of
from spinney.search.parallel import Step
from spinney.search.simultaneous import add_simultaneous, simultaneous_rules
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

    def __init__(self, search: TreeSearch, evaluator: Evaluator, rules: Rules, choose: Any) -> None:
        self.game, self.options, self.evaluator = search.game, search.options, evaluator
        self.encoder = encoder = evaluator.encoder
        self._bind, self._rules = search.bind, rules
        self.columns = rules.moves if search.game.card.is_simultaneous else most_actions(search.game)
        """The number of actions that a player has, counted from 0."""
        self.select, self.learn = search.bind(
            make_halves,
            prepare=encoder.prepare,
            encode=encoder.encode,
            output=encoder.output,
            size=encoder.size,
            evaluate=search.evaluation.evaluate,
            policy=search.policy,
            rules=rules,
            choose=choose,
        )
        self._trees: dict[int, Trees] = {}

    def trees(self, worker: Worker, root: Any) -> Trees:
        """The tree of a worker, to be grown from a position."""
        trees = self._trees.get(id(worker))
        if trees is None:
            works: Any = [worker.work]
            if not worker.plain:
                works = np.zeros(1, worker.work.dtype)
                works[0] = worker.work
                worker.work = works[0]
            trees = self._trees[id(worker)] = Trees(self, works, worker.settings)
        trees.nodes = [worker.nodes] if worker.plain else worker.nodes[None]
        trees.roots[0] = root
        return trees

    def decisions(self) -> Any:
        """The functions that self-play begins trees with, and reads their decisions (batching.py)."""
        return self._bind(make_decisions, rules=self._rules, output=self.encoder.output, columns=self.columns)

    def prepare(self, worker: Worker, root: Any) -> None:
        """Compile, by a call that does nothing."""
        self.trees(worker, root).grow(0)
        for rows in (1, self.game.players * self.options.batch):  # the first calls of a runtime are slow
            self.evaluator(np.zeros((rows, *self.encoder.shape), np.float32))

    def step(self, worker: Worker, root: Any, clock: Clock, iterations: float) -> Step:
        """Without a time limit, batches end where they are full, whatever is asked for: their sizes must not depend on
        the speed of the machine. With one, a batch has no more leaves than there is time for."""
        trees, batch, left = self.trees(worker, root), self.options.batch, iterations
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
                did = int(trees.grow(int(most))[0])
                pace.note(trees.asked)
                done, left = done + did, left - did
                tried = tried or any(child.visits for child in Node(worker.nodes).children)
            return done

        return step


class Trees:
    """Trees that grow together, by batches with leaves of all of them. `roots` has the position at the root of each."""

    def __init__(self, network: Network, works: Any, settings: Any) -> None:
        self._network, self.works, self.settings = network, works, settings
        self.nodes: Any = None
        """The nodes of each tree."""
        self.roots: Any
        self._leaves: Any
        game, options, state = network.game, network.options, network.game.card.rules.State
        most, count = int(options.batch), len(works)
        leaf, room = leaf_record(state, game.players), 2 * most  # several paths may lead to one leaf
        if options.plain:
            self.roots, self._leaves = block(state, count, True), [block(leaf, room, True) for _ in works]
        else:
            self.roots, self._leaves = np.zeros(count, state.dtype), np.empty((count, room), leaf.dtype)
        self._counts = np.zeros((COUNTS, count), np.int64)
        rows = most * count * (game.players if game.card.is_simultaneous else 1)
        self._planes = np.empty((rows, *network.encoder.shape), np.float32)

    def grow(self, counts: Any) -> Any:
        """Grow each tree by a number of simulations, at most a batch; return how many were made in each."""
        network = self._network
        self._counts[WANTED] = counts
        rows = network.select(
            self.nodes, self.works, self.roots, self.settings, self._leaves, self._planes.reshape(-1), self._counts
        )
        priors, values = network.evaluator(self._planes[:rows]) if rows else (_NO_PRIORS, _NO_VALUES)
        if values is None:
            values = np.zeros(rows, np.float32)
        network.learn(self.nodes, self.works, self.settings, self._leaves, priors, values)
        return self._counts[DONE]

    @property
    def asked(self) -> int:
        """The leaves of the last batch that the network was asked about."""
        return int(self._counts[SENT].sum())


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
    """The most nodes that a simulation adds besides one for a joint action; chance has none."""
    return game.card.bound_rules.moves * game.players if game.card.is_simultaneous else most_actions(game)


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
    )
    outputs = len(evaluator.encoder.outputs)
    path = network_path(game.players, rules.moves, outputs)
    parts = Parts(
        settings=settings,
        workspace=workspace_of(game, path=path, batch=Batch, answers=answers_record(game.players, outputs)),
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
