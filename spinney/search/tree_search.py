"""What all tree searches share around their compiled core: rollouts, memory, threads, reuse."""

from __future__ import annotations

import weakref
from abc import abstractmethod
from math import inf
from typing import Any, TypeVar

import numpy as np
import pydantic

from spinney.clock import Clock
from spinney.errors import BadOption, SpinneyError
from spinney.games import CHANCE, Card, Game, State
from spinney.games.parts import Rule
from spinney.kernel import Record, Rng, bind, block, seeded
from spinney.search.base import JudgingOptions, JudgingSearch, after, form, why_not_sequential
from spinney.search.parallel import in_turn, run_workers
from spinney.search.result import Choice, Node, SearchResult, best, choices_of, mean_values, merge, result_of
from spinney.search.tree import NONE, ROOT, Tree, find, make_transplant, node_record, path_record, write

ENOUGH = 2000
"""With fewer visits of the leading action, there is no early_factor."""


class SimulationOptions(JudgingOptions):
    """What every search by simulations has: rollouts, threads, memory."""

    rollout: str | None = pydantic.Field(
        None, description="the player that plays the rollouts, with options if it has any; none: the game's usual one"
    )
    rollouts: int = pydantic.Field(1, gt=0, le=1_000_000, description="rollouts per simulation, averaged")
    rollout_depth: int | None = pydantic.Field(
        None, ge=0, le=1_000_000, description="stop a rollout after so many actions and evaluate; none: play to the end"
    )
    threads: int = pydantic.Field(
        1, ge=1, le=256, description="independent trees, one thread each, merged at the root; they share the iterations"
    )
    nodes: int = pydantic.Field(
        1_000_000, ge=2, le=2**31 - 1, description="most nodes of all trees together; when full, the search goes on"
    )


AnyOptions = TypeVar("AnyOptions", bound=SimulationOptions)


class Memory:
    """Room for a tree. It is used for one decision after the other, since the system may take its time to give out new
    memory; but not while somebody still looks at the tree of an earlier decision, nor after a search in it that was
    broken off, of which a thread may still be at work."""

    def __init__(self, nodes: Any) -> None:
        self.nodes = nodes
        self._shown: weakref.ref[Any] | None = None
        """What somebody may be looking at; none while a tree grows."""

    def take(self) -> None:
        """Begin another tree."""
        self._shown = None

    def show(self) -> Any:
        """The nodes, for whoever wants to look at them, now or later. Those of a plain search are not used again."""
        shown = self.nodes.view() if isinstance(self.nodes, np.ndarray) else self.nodes
        self._shown = weakref.ref(shown)
        return shown

    @property
    def free(self) -> bool:
        """Whether the tree in it is done, and nobody looks at it any more."""
        return self._shown is not None and self._shown() is None


class Worker:
    """One thread's tree and scratch memory, in the form that the search runs in."""

    def __init__(self, game: Game, node: type[Record], plain: bool, capacity: int, rng: Rng, settings: Record) -> None:
        self.plain, self.capacity = plain, capacity
        self.node = node
        self.rng = self.form(Rng, rng)
        self.settings = self.form(type(settings), settings)
        state, path = game.card.rules.State, path_record(game.players, game.card.bound_rules.moves)
        self.scratch = [self.form(record) for record in (state, state, game.card.out, path)]
        self.memory = [Memory(block(self.node, 1, plain))]
        """That of the tree, and that of the one before it, which may be copied from, or looked at."""
        self.tree = self.form(Tree)

    def form(self, record: type[Record], filled: Record | None = None) -> Any:
        """A record in the worker's form."""
        return form(record, self.plain, filled)

    @property
    def nodes(self) -> Any:
        """The tree."""
        return self.memory[0].nodes

    def clear(self, most: float = inf, *, keep: bool = False) -> None:
        """A tree with only a root, for a search that will need at most so many nodes. With `keep`, the last tree stays
        as it is, to be copied from."""
        size = int(min(self.capacity, most))
        rooms = self.memory[1:] if keep else self.memory
        room = next((room for room in rooms if room.free and len(room.nodes) >= size), None)
        if room is None:
            try:
                room = Memory(block(self.node, size, self.plain))
            except MemoryError:
                raise BadOption(f"option 'nodes': there is no memory for {self.capacity:,} nodes here") from None
        room.take()
        self.memory = [room, *(other for other in self.memory if other is not room)][:2]
        write(self.nodes[ROOT], 0, 0.0)
        self.tree.used, self.tree.full = 1, 0


class TreeSearch(JudgingSearch[AnyOptions]):
    """A search by simulations: its memory, its threads, and the tree of its last decision."""

    reuse = False
    """Whether the next search begins with what is left of the last one's tree."""
    open_loop = False
    """Whether chance has no nodes."""
    one_sided = False
    """Whether its tree is of use only to the player for whom it was grown."""
    early_stop = False
    """Whether to stop when the rest of the budget cannot change which action is visited most."""
    early_factor = 1.0
    """How many times less of the rest then counts: nearly always it is shared out as the visits before it were."""

    def __init__(self, game: Game, options: AnyOptions) -> None:
        super().__init__(game, options)
        self.policy = self._player("rollout", options.rollout or game.card.searching.rollout)
        self.rollout_depth = -1 if options.rollout_depth is None else options.rollout_depth
        self.entry, settings = self.bind(game, options)
        trees = self.trees(options)
        self.workers = [
            Worker(game, self.node(game), options.plain, options.nodes // trees, seeded(options.seed, stream), settings)
            for stream in range(trees)
        ]
        self.dice = seeded(options.seed, trees)
        """For what is drawn outside of the simulations."""
        self._last: list[tuple[int, int]] | None = None
        self._searched: Any = None
        """The history and the position of the last search."""
        self._searcher: int | None = None
        """For whom that was."""
        self.transplant: Any = None
        if self.reuse:
            self.transplant = bind(make_transplant, f"{game.name}/tree", plain=options.plain)
        self._compile()

    @classmethod
    def refuses(cls, card: Card) -> str | None:
        return why_not_sequential(card)

    @classmethod
    def evaluates(cls, options: AnyOptions) -> bool:
        """Whether unfinished games are judged at all."""
        return options.rollout_depth is not None or options.max_depth is not None

    @classmethod
    def most_children(cls, game: Game) -> int:
        """How many children a node may have."""
        return int(game.card.rules.MAX_ACTIONS)

    @classmethod
    def trees(cls, options: AnyOptions) -> int:
        """How many trees there are: one a thread, or as many more of which a thread grows several in turn."""
        return options.threads

    def node(self, game: Game) -> type[Record]:
        """The record of a node; a search that learns more than means has one of its own."""
        return node_record(game.players)

    @abstractmethod
    def bind(self, game: Game, options: AnyOptions) -> tuple[Any, Record]:
        """The search function for this game, and its settings record."""

    def run(self, state: State, clock: Clock | None = None, player: int | None = None) -> SearchResult:
        player = self._mover(state, player)
        clock = self.limit(clock, state, player)
        kept = None if self.one_sided and player != self._searcher else self._path_since(state)
        self._last = None  # a search that is broken off leaves nothing to go on with
        roots = self.roots(state, player)
        steps = []
        for worker, root in zip(self.workers, roots, strict=True):
            self._prepare(worker, kept, clock.share(0, len(self.workers)))
            worker.nodes[ROOT].mover = state.mover
            worker.scratch[2].searcher = player
            steps.append(self._step(worker, root))
        settled = None
        if self.early_stop and (self.options.threads == 1 or clock.iterations == inf):
            settled = self._settled  # of iterations that are shared out, a thread knows only its own
        iterations = run_workers(
            [in_turn(steps[i :: self.options.threads]) for i in range(self.options.threads)], clock, settled
        )
        self._last, self._searched, self._searcher = list(state.history), state.record.copy(), player
        trees = tuple(Node(worker.memory[0].show(), state=state) for worker in self.workers)
        choices = merge([self.edges(worker, player) for worker in self.workers])
        return result_of(
            state, player, self.choose(choices, player), choices, iterations,
            root_values=mean_values(trees),
            nodes=sum(int(worker.tree.used) for worker in self.workers),
            full=any(worker.tree.full for worker in self.workers),
            trees=trees,
        )  # fmt: skip

    def choose(self, choices: list[Choice], player: int) -> int:
        return best(choices, player)

    def roots(self, state: State, player: int) -> list[Any]:  # noqa: ARG002  # a player who may not see everything
        """The position that each worker's tree begins with."""
        return [self.workers[0].form(type(state.record), state.record)] * len(self.workers)

    def edges(self, worker: Worker, player: int) -> list[Choice]:  # noqa: ARG002  # in a sequential game it is the mover
        """What a worker's tree says about the actions of a player."""
        return choices_of(Node(worker.nodes))

    @classmethod
    def _check(cls, game: Game, options: AnyOptions) -> None:
        super()._check(game, options)
        card = game.card
        if options.rollout_depth is not None and not card.searching.evaluations:
            raise BadOption(f"{cls.label}: option 'rollout_depth': {card.name} has no evaluation; only none is allowed")
        if options.evaluation is not None and not cls.evaluates(options):
            raise BadOption(
                f"{cls.label}: option 'evaluation' needs a rollout_depth or a max_depth; without, rollouts play to the end"
            )
        least = (cls.most_children(game) + 1) * cls.trees(options)
        if options.nodes < least:
            raise BadOption(
                f"{cls.label}: option 'nodes' = {options.nodes} is too small: {card.name} with {options.threads} "
                f"thread{'s' * (options.threads > 1)} needs at least {least}"
            )

    def _player(self, option: str, spec: str) -> Rule:
        """The player of the game that an option names."""
        try:
            return self.game.card.player(spec)
        except SpinneyError as error:
            raise type(error)(f"{self.label}: option '{option}' = '{spec}': {error}") from None

    def _compile(self) -> None:
        """Compile now, or load from the cache, so that no decision's time is spent on it."""
        worker = self.workers[0]
        root = worker.form(self.game.card.rules.State)
        self._compiled(
            self.entry, worker.nodes, worker.tree, root, *worker.scratch, worker.rng, worker.settings, 0
        )  # fmt: skip
        self._compile_transplant()

    def _compile_transplant(self) -> None:
        worker = self.workers[0]
        if self.transplant is not None:
            write(worker.nodes[ROOT], 0, 0.0)
            self.transplant(worker.nodes, ROOT, block(worker.node, 1, worker.plain), worker.tree)

    def _step(self, worker: Worker, root: Any) -> Any:
        arguments = (worker.nodes, worker.tree, root, *worker.scratch, worker.rng, worker.settings)
        return lambda n: int(self.entry(*arguments, n))

    def _settled(self, left: float) -> bool:
        """Whether the most visited action stays that even if each thread gives all it has left to another, or the part
        of it that early_factor leaves."""
        edges = merge([choices_of(Node(worker.nodes)) for worker in self.workers])
        if any(edge.proven for edge in edges):
            return False
        visits = sorted((edge.visits for edge in edges), reverse=True)
        if len(visits) < 2:
            return len(visits) == 1
        could_come = left * self.options.threads / (self.early_factor if visits[0] >= ENOUGH else 1)
        return visits[0] - visits[1] > could_come

    def _path_since(self, state: State) -> list[int] | None:
        """The steps from the last decision's root to this position, if the game went on from there."""
        if self.transplant is None or self._last is None:
            return None
        known = len(self._last)
        steps = state.history[known:]
        if not steps or state.history[:known] != self._last:
            return None
        try:  # the same steps from another start are another game
            return self._way(steps) if self._after(steps) == state.record else None
        except SpinneyError:
            return None

    def _after(self, steps: list[tuple[int, int]]) -> Any:
        """The position that some steps lead to from the last decision's root."""
        return after(self.game, self._searched, steps)

    def _way(self, history: list[tuple[int, int]]) -> list[int]:
        """The way through the tree that some steps of a game are."""
        return [action for mover, action in history if not (self.open_loop and mover == CHANCE)]

    def _prepare(self, worker: Worker, path: list[int] | None, iterations: float = inf) -> None:
        """A tree for the next search: the part of the old one that the path leads to, or a bare root."""
        old, at = worker.nodes, ROOT
        for action in path or ():
            at = int(find(old, at, action))  # for a number of numpy, transplant would be compiled anew
            if at == NONE:
                break
        kept = bool(path) and at != NONE
        # an iteration adds the children of one node; in an open loop it may add more
        grows = self.most_children(self.game) + 1
        worker.clear(inf if kept or self.open_loop else 1 + grows * iterations, keep=kept)
        if kept:
            self.transplant(old, at, worker.nodes, worker.tree)
