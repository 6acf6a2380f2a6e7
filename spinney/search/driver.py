"""What all tree searches share around their compiled core: options, memory, threads, reuse."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from math import inf
from typing import Any, ClassVar, Generic, TypeVar

import pydantic

from spinney.errors import BadGame, BadOption, SpinneyError, UnknownName, WrongPlayer
from spinney.games import CHANCE, Card, Game, Options, State
from spinney.games.card import Rule
from spinney.games.spec import suggest
from spinney.kernel import Record, Rng, bind, block, seeded
from spinney.search.budget import Budget
from spinney.search.found import Edge, Found, Node, edges_of, mean_values, merge
from spinney.search.parallel import run_workers
from spinney.search.playout import no_evaluation
from spinney.search.tree import NONE, ROOT, Tree, find, make_transplant, node_record, path_record, write

DEFAULT_ITERATIONS = 10_000


class SearchOptions(Options):
    """What every tree search has: a budget, rollouts, threads, memory."""

    iterations: int | None = pydantic.Field(None, gt=0, description="simulations per decision, over all threads")
    seconds: float | None = pydantic.Field(
        None, gt=0, allow_inf_nan=False, description="time per decision; with neither, 10000 iterations"
    )
    rollout: str | None = pydantic.Field(
        None, description="the player that plays the rollouts, with options if it has any; none: the game's usual one"
    )
    reward: str = pydantic.Field("win", description="what the end of a game is worth: win, or another of the game's")
    rollouts: int = pydantic.Field(1, gt=0, le=1_000_000, description="rollouts per simulation, averaged")
    cutoff: int | None = pydantic.Field(
        None, ge=0, le=1_000_000, description="stop a rollout after so many actions and evaluate; none: play to the end"
    )
    horizon: int | None = pydantic.Field(
        None,
        ge=1,
        le=500,
        description="evaluate so many steps after the root, in the tree or in a rollout; none: never",
    )
    evaluation: str | None = pydantic.Field(
        None, description="how a rollout that was cut off is judged; none: the game's usual evaluation"
    )
    threads: int = pydantic.Field(1, ge=1, le=256, description="independent trees, one thread each, merged at the root")
    nodes: int = pydantic.Field(
        1_000_000, ge=2, le=2**31 - 1, description="most nodes of all trees together; when full, the search goes on"
    )
    seed: int | None = pydantic.Field(None, description="start of the random numbers; none: a new one every time")
    plain: bool = pydantic.Field(False, description="run as ordinary Python, for debugging; slow")


AnyOptions = TypeVar("AnyOptions", bound=SearchOptions)


class Worker:
    """One thread's tree and scratch memory, in the form that the search runs in."""

    def __init__(self, game: Game, node: type[Record], plain: bool, capacity: int, rng: Rng, settings: Record) -> None:
        self.plain, self.capacity = plain, capacity
        self.node = node
        self.rng = self.form(Rng, rng)
        self.settings = self.form(type(settings), settings)
        state, path = game.card.rules.State, path_record(game.players, game.card.bound_rules.moves)
        self.scratch = [self.form(record) for record in (state, state, game.card.out, path)]
        self.nodes: Any = block(self.node, 1, plain)
        self.tree = self.form(Tree)

    def form(self, record: type[Record], filled: Record | None = None) -> Any:
        """A record in the worker's form."""
        if self.plain:
            return record() if filled is None else filled
        return record.native(filled)

    def clear(self, most: float = inf) -> None:
        """New memory with only a root; the old belongs to the last decision's tree.

        A search that will need at most so many nodes is given no more: small blocks come from memory that is in use
        already, and the system need not clear new pages.
        """
        self.nodes = block(self.node, int(min(self.capacity, most)), self.plain)
        write(self.nodes[ROOT], 0, 0.0)
        self.tree.used, self.tree.full = 1, 0


class TreeSearch(ABC, Generic[AnyOptions]):
    """A search bound to a game: its memory, its threads, and the tree of its last decision."""

    label: ClassVar[str]
    reuse = False
    """Whether the next search begins with what is left of the last one's tree."""
    open_loop = False
    """Whether chance has no nodes."""
    early = False
    """Whether to stop when the rest of the budget cannot change which action is visited most."""

    def __init__(self, game: Game, options: AnyOptions) -> None:
        self.game, self.options = game, options
        self._check(game, options)
        game.try_out()
        self.policy = self._player("rollout", options.rollout or game.card.rollout)
        self.rules = game.card.bound_rules._replace(reward=game.card.all_rewards[options.reward])
        self.evaluate = self._evaluation()
        self.cutoff = -1 if options.cutoff is None else options.cutoff
        self.horizon = -1 if options.horizon is None else options.horizon
        self.entry, settings = self.bind(game, options)
        seed = secrets.randbits(63) if options.seed is None else options.seed
        capacity = options.nodes // options.threads
        self.workers = [
            Worker(game, self.node(game), options.plain, capacity, seeded(seed, stream), settings)
            for stream in range(options.threads)
        ]
        self._last: list[tuple[int, int]] | None = None
        self._searched: Any = None
        """The history and the position of the last search."""
        self.transplant: Any = None
        if self.reuse:
            self.transplant = bind(make_transplant, f"{game.name}/tree", plain=options.plain)
        self._compile()

    @classmethod
    def plays(cls, card: Card) -> bool:
        """Whether this search can play a game."""
        return not (card.moves_together or card.has_hidden)

    @classmethod
    def most_children(cls, game: Game) -> int:
        """How many children a node may have."""
        return int(game.card.rules.MAX_ACTIONS)

    def node(self, game: Game) -> type[Record]:
        """The record of a node; a search that learns more than means has one of its own."""
        return node_record(game.players)

    @abstractmethod
    def choose(self, found: Found) -> Edge:
        """The final choice among the actions at the root."""

    @abstractmethod
    def bind(self, game: Game, options: AnyOptions) -> tuple[Any, Record]:
        """The search function for this game, and its settings record."""

    def run(self, state: State, budget: Budget | None = None, player: int | None = None) -> Found:
        """Search a position for the player to move, or one of those who move together.

        The budget is the options' unless another is given.
        """
        budget = budget or self.budget(state)
        movers = state.movers
        player = movers[0] if player is None and movers else player
        if player not in movers:
            raise WrongPlayer(f"player {player} of {self.game.name} is not to move here; a search needs one who is")
        kept = self._path_since(state)
        root = self.workers[0].form(type(state.record), state.record)
        steps = []
        for number, worker in enumerate(self.workers):
            self._prepare(worker, kept, budget.share(number, len(self.workers)))
            worker.nodes[ROOT].mover = state.mover
            steps.append(self._step(worker, root))
        if self.early:
            budget.settled = self._settled
        iterations = run_workers(steps, budget)
        self._last, self._searched = list(state.history), state.record.copy()
        trees = tuple(Node(worker.nodes) for worker in self.workers)
        return Found(
            mover=player,
            values=mean_values(trees),
            edges=merge([self.edges(worker, player) for worker in self.workers]),
            iterations=iterations,
            seconds=budget.elapsed,
            nodes=sum(int(worker.tree.used) for worker in self.workers),
            full=any(worker.tree.full for worker in self.workers),
            trees=trees,
        )

    def edges(self, worker: Worker, player: int) -> list[Edge]:  # noqa: ARG002  # in a sequential game it is the mover
        """What a worker's tree says about the actions of a player."""
        return edges_of(Node(worker.nodes))

    def budget(self, state: State) -> Budget:  # noqa: ARG002  # a search may want to look at the position
        """A budget for a position as the options say, whose clock starts now."""
        iterations, seconds = self.options.iterations, self.options.seconds
        if iterations is None and seconds is None:
            iterations = DEFAULT_ITERATIONS
        return Budget(inf if iterations is None else iterations, inf if seconds is None else seconds)

    @classmethod
    def _check(cls, game: Game, options: AnyOptions) -> None:
        card = game.card
        if not cls.plays(card):
            together = "move together" if card.moves_together else "move one after the other"
            why = "it hides things from its players" if card.has_hidden else f"its players {together}"
            raise BadGame(f"{cls.label} cannot play {card.name}: {why}")
        if options.reward not in card.all_rewards:
            raise UnknownName(
                f"{cls.label}: option 'reward' = '{options.reward}': {card.name} has no such reward; "
                f"{suggest(options.reward, card.all_rewards)}"
            )
        for name, value in (("cutoff", options.cutoff), ("horizon", options.horizon)):
            if value is not None and not card.evaluations:
                raise BadOption(f"{cls.label}: option '{name}': {card.name} has no evaluation; only none is allowed")
        if options.evaluation is not None and options.cutoff is None and options.horizon is None:
            raise BadOption(
                f"{cls.label}: option 'evaluation' needs a cutoff or a horizon; without, rollouts play to the end"
            )
        least = (cls.most_children(game) + 1) * options.threads
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

    def _evaluation(self) -> Rule:
        """The rule that judges a rollout that was cut off."""
        known, name = self.game.card.evaluations, self.options.evaluation
        if name is None:
            return next(iter(known.values()), no_evaluation)
        if name not in known:
            raise UnknownName(
                f"{self.label}: option 'evaluation' = '{name}': {self.game.name} has no such evaluation; "
                f"{suggest(name, known)}"
            )
        return known[name]

    def _compile(self) -> None:
        """Compile now, or load from the cache, so that no decision's time is spent on it."""
        worker = self.workers[0]
        root = worker.form(self.game.card.rules.State)
        try:
            self.entry(worker.nodes, worker.tree, root, *worker.scratch, worker.rng, worker.settings, 0)
        except Exception as error:
            problem = next(iter(str(error).strip().splitlines()), "")
            raise BadGame(
                f"{self.label} on {self.game.name} does not compile ({type(error).__name__}: {problem}); "
                "plain=true runs it as Python and shows where a rule is at fault"
            ) from error
        if self.transplant is not None:
            write(worker.nodes[ROOT], 0, 0.0)
            self.transplant(worker.nodes, ROOT, block(worker.node, 1, worker.plain), worker.tree)

    def _step(self, worker: Worker, root: Any) -> Any:
        arguments = (worker.nodes, worker.tree, root, *worker.scratch, worker.rng, worker.settings)
        return lambda n: int(self.entry(*arguments, n))

    def _settled(self, left: float) -> bool:
        """Whether the most visited action stays that even if each thread gives all it has left to another."""
        edges = merge([edges_of(Node(worker.nodes)) for worker in self.workers])
        if any(edge.proven for edge in edges):
            return False
        visits = sorted((edge.visits for edge in edges), reverse=True)
        return len(visits) > 1 and visits[0] - visits[1] > left * len(self.workers)

    def _path_since(self, state: State) -> list[int] | None:
        """The steps from the last decision's root to this position, if the game went on from there."""
        if self.transplant is None or self._last is None:
            return None
        known = len(self._last)
        if state.history[:known] != self._last or len(state.history) == known:
            return None
        return self._way(state.history[known:])

    def _way(self, history: list[tuple[int, int]]) -> list[int]:
        """The way through the tree that some steps of a game are."""
        return [action for mover, action in history if not (self.open_loop and mover == CHANCE)]

    def _prepare(self, worker: Worker, path: list[int] | None, iterations: float = inf) -> None:
        """A tree for the next search: the part of the old one that the path leads to, or a bare root."""
        old, at = worker.nodes, ROOT
        for action in path or ():
            at = find(old, at, action)
            if at == NONE:
                break
        kept = path and at != NONE
        # an iteration adds the children of one node; in an open loop it may add more
        grows = self.most_children(self.game) + 1
        worker.clear(inf if kept or self.open_loop else 1 + grows * iterations)
        if kept:
            self.transplant(old, at, worker.nodes, worker.tree)
