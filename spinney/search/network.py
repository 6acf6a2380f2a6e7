"""Tree search with a network: many leaves are chosen in compiled code, one batch is evaluated, and all are backed up.

What a network says about a leaf is a prior for the actions there and, if it has learnt that, how likely each player is
to win. Leaves of one batch are kept apart by virtual losses: until its value is known, a way down the tree counts as
visited and lost. A batch may be gathered from the trees of many games at once (`grow_all`): that is self-play.

With patience, the network is asked only about nodes that have been visited some times; until then a node is judged by
a rollout, and its actions are equally likely. A network is slow beside compiled code, and most leaves matter little.

Players who move in turn choose by PUCT (Silver et al. 2017):

    value / visits + c * prior * sqrt(parent's visits) / (1 + visits)

An action not yet tried counts as the position does. Those who move together choose either as in MAS-MCTS, by the
product of their priors (see joint.py), or each by PUCT on its own means (`select=decoupled`). Chance has no nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pydantic

from spinney.clock import SLICE, Clock
from spinney.errors import BadOption
from spinney.games import Card, Game, State
from spinney.kernel import Record, bind, block
from spinney.search.batching import BatchCounts, Leaf, Settings, make_halves, network_path
from spinney.search.evaluators import Evaluator, load
from spinney.search.result import Node, SearchResult
from spinney.search.simultaneous import SimultaneousOptions, SimultaneousSearch
from spinney.search.tree_search import Worker

WHOLE = 1 << 30
"""More simulations than fill a batch."""


class NetworkOptions(SimultaneousOptions):
    """What can be set about search with a network."""

    weights: str | None = pydantic.Field(
        None, description="the network: one that comes with the game, or a file; none: the game's usual one"
    )
    batch: int = pydantic.Field(16, ge=1, le=1024, description="most leaves of one batch")
    c: float = pydantic.Field(1.0, ge=0, le=1e6, allow_inf_nan=False, description="weight of the prior")
    select: Literal["joint", "decoupled"] = pydantic.Field(
        "decoupled", description="players who move together: by the product of their priors, or each by itself"
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
        description="visits before the network is asked about a node; rollouts judge it until then",
    )
    virtual_loss: int = pydantic.Field(
        1, ge=1, le=100, description="visits that a way down counts as lost, until it is known"
    )


class BatchBuffers:
    """The room for a batch of one tree."""

    def __init__(self, game: Game, plain: bool, batch: int) -> None:
        moves = game.card.bound_rules.moves
        room = 2 * batch  # several ways may lead to one leaf
        self.paths: Any = block(network_path(game.players, moves), room, plain)
        self.states: Any = block(game.card.rules.State, room, plain)
        self.leaves: Any = block(Leaf, room, plain)
        self.harvest: Any = BatchCounts() if plain else BatchCounts.native()


@dataclass
class TreeTask:
    """A tree, and the position at its root."""

    search: Network
    worker: Worker
    root: Any
    crop: BatchBuffers

    def wants(self, n: int) -> int:
        """How many rows of a batch so many simulations may need."""
        return min(n, self.search.options.batch) * (self.search.game.players if self.search.together else 1)


def grow_all(plots: Sequence[TreeTask], evaluator: Evaluator, counts: Sequence[int]) -> list[int]:
    """Let trees grow by some simulations each, at most a batch of each, all evaluated at once; return how many."""
    search = plots[0].search
    wanted = sum(plot.wants(n) for plot, n in zip(plots, counts, strict=True))
    planes = np.empty((wanted, *search.encoder.shape), np.float32)
    flat, rows, firsts = planes.reshape(-1), 0, []
    for plot, n in zip(plots, counts, strict=True):
        worker, crop = plot.worker, plot.crop
        s, spare, out, _ = worker.scratch
        search.select(
            worker.nodes, worker.tree, plot.root, s, spare, out, crop.paths, crop.states, crop.leaves, flat,
            _NO_PRIORS, rows, crop.harvest, worker.rng, worker.settings, n,
        )  # fmt: skip
        firsts.append(rows)
        rows += int(crop.harvest.rows)
    priors, values = evaluator(planes[:rows]) if rows else (_NO_PRIORS, _NO_VALUES)
    if values is None:
        values = np.zeros(rows, np.float32)
    for plot, first in zip(plots, firsts, strict=True):
        worker, crop = plot.worker, plot.crop
        _, spare, out, _ = worker.scratch
        search.learn(
            worker.nodes, worker.tree, spare, out, crop.paths, crop.states, crop.leaves, priors, values, first,
            crop.harvest, worker.rng, worker.settings,
        )  # fmt: skip
    return [int(plot.crop.harvest.done) for plot in plots]


_NO_PRIORS, _NO_VALUES = np.zeros((0, 1), np.float32), np.zeros(0, np.float32)


class Pace:
    """How long the network takes for a leaf, and how many there is time for: half of what is left, and no long wait."""

    def __init__(self, budget: Clock) -> None:
        self._budget = budget
        self._last = budget.elapsed
        self._each = 0.0

    def note(self, leaves: int) -> None:
        """So many leaves have been evaluated since the last note; the slowest of late counts."""
        now = self._budget.elapsed
        if leaves:
            self._each = max((now - self._last) / leaves, 0.9 * self._each)
        self._last = now

    def leaves(self) -> int:
        if self._each == 0.0:
            return 1
        self._last = self._budget.elapsed
        left = self._budget.deadline - self._budget.started - self._last
        return int(min(SLICE, left / 2) / self._each)


class Network(SimultaneousSearch[NetworkOptions]):
    """Tree search guided by a network, evaluated in batches: PUCT, for players who move in turn or together."""

    label = "net_search"

    @classmethod
    def refuses(cls, card: Card) -> str | None:
        if not card.encoders:
            return "it has no encoder"
        if card.has_hidden:
            return "it hides things from its players"
        return "its players move in turn, and it has chance" if card.has_chance and not card.is_simultaneous else None

    @classmethod
    def most_children(cls, game: Game) -> int:
        joint_actions: int = game.card.bound_rules.moves**game.players
        return joint_actions if game.card.is_simultaneous else int(game.card.rules.MAX_ACTIONS)

    def bind(self, game: Game, options: NetworkOptions) -> tuple[Any, Record]:
        self.together = game.card.is_simultaneous
        self.evaluator = load(game.card, options.weights)
        self.encoder = encoder = self.evaluator.encoder
        rules = self.joint_rules(game, options)
        if options.chance == "list" or (options.reuse and options.chance != "default"):
            raise BadOption(
                f"{self.label}: option 'chance' = '{options.chance}': chance has no nodes here; default and sample are "
                "allowed, and with reuse=true default alone"
            )
        self.open_loop = True
        self.select, self.learn = bind(
            make_halves,
            f"{game.name}/net_search",
            plain=options.plain,
            rules=rules,
            encode=encoder.encode,
            output=encoder.output,
            size=encoder.size,
            policy=self.policy,
            evaluate=self.evaluate,
        )
        settings = Settings(
            c=options.c,
            joint=int(options.select == "joint"),
            rollout_mix=options.rollout_mix if self.evaluator.has_values else 1.0,
            shares=int(self.evaluator.shares),
            min_visits=options.min_visits,
            batch=options.batch,
            virtual_loss=options.virtual_loss,
            rollout_depth=self.rollout_depth,
            max_depth=self.max_depth,
            rollouts=options.rollouts,
            open_loop=1,
        )
        return None, settings

    @classmethod
    def evaluates(cls, options: NetworkOptions) -> bool:  # noqa: ARG003  # a rollout may be cut off, or none be made
        return True

    def plot(self, worker: Worker, root: Any) -> TreeTask:
        """A tree to be grown, with others or by itself."""
        if id(worker) not in self._crops:
            self._crops[id(worker)] = BatchBuffers(self.game, self.options.plain, self.options.batch)
        return TreeTask(self, worker, root, self._crops[id(worker)])

    def run(self, state: State, clock: Clock | None = None, player: int | None = None) -> SearchResult:
        player = self._mover(state, player)
        self._budget = clock = self.limit(clock, state, player)
        return super().run(state, clock, player)

    def _step(self, worker: Worker, root: Any) -> Any:
        """Without a time limit, batches end where they are full, whatever is asked for: their sizes must not depend on
        how fast the machine is. With one, a batch has no more leaves than there is time for."""
        plot, budget, batch = self.plot(worker, root), self._budget, self.options.batch
        worker.settings.batch = batch
        left = budget.share(self.workers.index(worker), len(self.workers))
        pace, tried = Pace(budget), False  # some action must have been tried, or there is nothing to choose from

        def step(n: int) -> int:
            nonlocal left, tried
            done = 0
            while done < n or not tried:
                most: float = max(1, min(left, WHOLE))
                if budget.timed:
                    most, fit = max(1, n - done), pace.leaves()
                    if fit < 1 and tried:
                        break
                    worker.settings.batch = min(batch, max(1, fit))
                did = grow_all([plot], self.evaluator, [int(most)])[0]
                pace.note(int(plot.crop.harvest.asked))
                done, left = done + did, left - did
                tried = tried or any(child.visits for child in Node(worker.nodes).children)
            return done

        return step

    def _compile(self) -> None:
        self._crops: dict[int, BatchBuffers] = {}
        worker = self.workers[0]
        plot = self.plot(worker, worker.form(self.game.card.rules.State))
        self._compiled(grow_all, [plot], self.evaluator, [0])
        self._compile_transplant()
        if self.together:
            self._compile_tally()
        for rows in (1, self.game.players * self.options.batch):  # the first calls of a runtime are slow
            self.evaluator(np.zeros((rows, *self.encoder.shape), np.float32))
