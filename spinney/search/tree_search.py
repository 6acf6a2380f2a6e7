"""Tree search: a tree per thread, reuse of trees, early stop. Algorithms differ in the parts that they compose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

from spinney.clock import Clock
from spinney.errors import BadGame, BadOption
from spinney.games import Game, State
from spinney.kernel import SEARCHES, Record, Rng, bind, block, seeded
from spinney.search.base import Algorithm, Evaluation, Search
from spinney.search.beliefs import Beliefs
from spinney.search.memory import Worker, divide
from spinney.search.node import Node
from spinney.search.parallel import Step, in_turn, run_steps
from spinney.search.result import Choice, SearchResult, choices_of, final_choice, merge, result_of
from spinney.search.reuse import LastSearch
from spinney.search.sequential_halving import SequentialHalving
from spinney.search.tree import NONE, ROOT, find_next, make_transplant, node_record, write
from spinney.search.workspace import Settings

if TYPE_CHECKING:
    from spinney.search.network import Network

ENOUGH = 2000
"""With fewer visits of the leading action, `early_factor` is not used."""


def most_actions(game: Game) -> int:
    """The most children of a node for one player's actions."""
    return int(game.card.rules.MAX_ACTIONS)


def stops_rollouts(options: Any) -> bool:
    """Whether options have unfinished games evaluated."""
    return options.rollout_depth is not None or options.max_depth is not None


def one_tree(options: Any) -> int:  # others grow several
    return 1


@dataclass(kw_only=True)
class Parts:
    """What an algorithm composes for a game and options."""

    settings: Settings
    workspace: type[Record]
    simulate: Any = None
    """The compiled function `(nodes, work, root, settings, n)` that runs n simulations and returns how many."""
    network: Network | None = None
    """Instead of it, simulations in batches that a network evaluates."""
    node: type[Record] | None = None
    """The record of a node; none: visits and means."""
    choice: str = "visits"
    """The final choice."""
    choices: Callable[[Worker, int], list[Choice]] | None = None
    """A player's choices at the root of a tree; none: the children of the root."""
    prepare: Callable[[Worker], None] | None = None
    """Compile what else decisions need, by calls that do nothing."""
    open_loop: bool = False
    """Whether chance has no nodes."""
    default_chance: Any = None
    """The rule of the only chance outcomes in the tree; none: all outcomes are in it."""
    beliefs: Beliefs | None = None
    """Which model each opponent is."""
    one_player: bool = False
    """Whether a tree is of use only to the player for whom it was grown."""
    forgets: tuple[str, ...] = ()
    """The parts of the workspace that a decision begins with anew, unless a tree is kept."""
    halving: SequentialHalving | None = None
    """The choice at the root by sequential halving."""
    determinize: Callable[[State, int, Rng], Any] | None = None
    """A determinization, drawn anew for each tree; none: all trees begin with the position itself."""
    early_stop: bool = False
    early_factor: float = 1.0
    refuted: Callable[[State, int, Clock], tuple[int, ...]] | None = None
    """The actions of a player that are refuted before the simulations, in a part of the limits."""
    drop: Callable[[Worker, int, tuple[int, ...]], None] | None = None
    """Search actions of a player at the root no more."""
    restricts: bool = False
    """Whether the root can be restricted to one action: the setting `only` is read."""


@dataclass(frozen=True, kw_only=True)
class TreeAlgorithm(Algorithm):
    """A tree search before it is bound to a game."""

    build: Callable[[TreeSearch], Parts]
    evaluates: Callable[[Any], bool] = stops_rollouts
    """Whether unfinished games are evaluated, by the options."""
    most_children: Callable[[Game], int] = most_actions
    """The most children of a node."""
    trees: Callable[[Any], int] = one_tree
    """Trees of each thread, by the options."""
    shares: Callable[[Any], bool] = lambda options: False
    """Whether all threads grow one tree, by the options."""
    iterations: Callable[[Any, State, int], float] | None = None
    """The most simulations for a player's decision, by the options; none: the option `iterations`."""


class TreeSearch(Search[Any]):
    """A search by simulations in a tree: its memory, its threads, and the tree of its last decision."""

    def __init__(self, algorithm: TreeAlgorithm, game: Game, options: Any) -> None:
        super().__init__(algorithm, game, options)
        self.algorithm = algorithm
        self._check()
        self.evaluation = Evaluation(self)
        self.rules = self.rules._replace(reward=self.evaluation.reward)
        self.policy = self.player("rollout", options.rollout or game.card.searching.rollout)
        self.parts = parts = algorithm.build(self)
        self.shared = algorithm.shares(options)
        workers = options.threads * algorithm.trees(options)
        self.node = parts.node or node_record(game.players)
        self.workers: list[Worker] = []
        for stream in range(workers):
            owner = self.workers[0] if self.shared and stream > 0 else None
            self.workers.append(
                Worker(
                    self.node, parts.workspace, parts.settings, seeded(options.seed, SEARCHES + stream),
                    options.nodes // (1 if self.shared else workers), options.plain, owner,
                )
            )  # fmt: skip
        self.owners = [worker for worker in self.workers if worker.owner is worker]
        """Those that have a tree; the others grow the first one's, too."""
        self.rng = seeded(options.seed, SEARCHES + workers)
        """For draws outside of simulations."""
        self.last: LastSearch | None = None
        self.refuted: tuple[int, ...] = ()
        """The actions that were refuted before the last search, and left out."""
        self.transplant: Any = None
        if getattr(options, "reuse", False):
            self.transplant = bind(make_transplant, f"{game.name}/tree", plain=options.plain)
        self._prepare()

    def settings(self, kind: type[Settings] = Settings, **more: Any) -> Any:
        """The settings of the options that all tree searches have, and more of them."""
        depth = self.options.rollout_depth
        return kind(rollout_depth=-1 if depth is None else depth, max_depth=self.evaluation.max_depth, **more)

    def bind(self, make: Callable[..., Any], **parts: Any) -> Any:
        """Compile a closure factory for this game, unless the search is plain."""
        return bind(make, f"{self.game.name}/{self.label}", plain=self.options.plain, **parts)

    def iterations(self, state: State, player: int) -> float:
        most = super().iterations(state, player)
        own = self.algorithm.iterations
        return most if own is None else min(most, own(self.options, state, player))

    def run(
        self, state: State, clock: Clock | None = None, player: int | None = None, only: int | None = None
    ) -> SearchResult:
        """Search a position. With `only`, a legal action of the player, the root has no other: to evaluate an action
        that the search would hardly try."""
        parts = self.parts
        player = self._mover(state, player)
        if only is not None and not parts.restricts:
            raise BadOption(f"{self.label}: with these options it cannot search one action alone")
        if self.game.card.is_simultaneous and state.mover >= 0:
            raise BadGame(f"{self.label} cannot search here: player {state.mover} moves alone")
        clock = self.limit(clock, state, player)
        if parts.beliefs is not None:
            parts.beliefs.watch(state, clock)
            for worker in self.workers:
                parts.beliefs.write(worker.settings)
        path = self._path(state, player) if only is None else None
        self.last = None  # an interrupted search leaves no tree to go on with
        self.refuted = () if parts.refuted is None or only is not None else parts.refuted(state, player, clock)
        position = self.workers[0].form(type(state.record), state.record)
        steps = []
        for i, worker in enumerate(self.workers):
            root = position
            if parts.determinize is not None:
                world = parts.determinize(state, player, self.rng)
                root = worker.form(type(world), world)
            if worker.owner is worker:
                kept = self._plant(worker, path, clock.share(0, len(self.workers)))
            if not kept:
                worker.forget(parts.forgets)
            worker.nodes[ROOT].mover = state.mover
            worker.work.out.searcher = player
            worker.settings.only = 0 if only is None else only + 1
            if self.refuted and parts.drop is not None:
                self.step(worker, root)(1)  # it gives the root its moves
                parts.drop(worker, player, self.refuted)
            if parts.halving is not None:
                share = clock.share(i, len(self.workers))
                steps.append(parts.halving.step(worker, self.step(worker, root), clock, share))
            elif parts.network is None:
                steps.append(self.step(worker, root))
            else:
                steps.append(parts.network.step(worker, root, clock, clock.share(i, len(self.workers))))
        if self.shared:
            divide(self.workers)
        threads = self.options.threads
        # with a number of iterations, a thread knows only its own
        stops = parts.early_stop and only is None and (threads == 1 or clock.most_iterations == inf)
        settled = self._settled if stops else None

        def found(done: int) -> SearchResult:
            return self._found(state, player, done, ended=False)

        iterations = run_steps([in_turn(steps[i::threads]) for i in range(threads)], clock, found, settled)
        if only is None:
            history, record = list(state.history), state.record.copy()
            self.last = LastSearch(self.game, history, record, player, parts.open_loop, parts.default_chance)
        return self._found(state, player, iterations, ended=True)

    def _found(self, state: State, player: int, iterations: int, *, ended: bool) -> SearchResult:
        """What the trees say after this many simulations. Before the search has ended, a caller gets no trees, because
        they grow, and no random number is drawn."""
        parts, workers, owners = self.parts, self.workers, self.owners
        choices = merge([self.choices(worker, player) for worker in owners])
        left = [choice for choice in choices if choice.action not in self.refuted] or choices
        action = final_choice(left, player, parts.choice, self.rng if ended else self.rng.copy())
        if parts.halving is not None and not any(choice.proven for choice in choices):
            action, choices = parts.halving.choose(workers[0], choices)
        nodes = sum(int(worker.work.tree.nodes) for worker in workers)
        result = result_of(
            state, player, action, choices, iterations,
            trees=tuple(Node(worker.memory[0].show() if ended else worker.nodes, state=state) for worker in owners),
            nodes=nodes,
            most_nodes=sum(worker.capacity for worker in workers),
            memory=nodes * self.node.dtype.itemsize,
            full=any(worker.work.tree.full for worker in workers),
        )  # fmt: skip
        return result if ended else replace(result, trees=())

    def step(self, worker: Worker, root: Any) -> Step:
        """A function that runs simulations in a worker's tree."""
        arguments = (worker.nodes, worker.work, root, worker.settings)
        return lambda n: int(self.parts.simulate(*arguments, n))

    def choices(self, worker: Worker, player: int) -> list[Choice]:
        """What a worker's tree says about the actions of a player."""
        own = self.parts.choices
        return choices_of(Node(worker.nodes)) if own is None else own(worker, player)

    def _check(self) -> None:
        """Refuse options that do not fit the game."""
        card, options, algorithm = self.game.card, self.options, self.algorithm
        if options.rollout_depth is not None and not card.searching.evaluations:
            raise BadOption(
                f"{self.label}: option 'rollout_depth': {card.name} has no evaluation; only none is allowed"
            )
        if options.evaluation is not None and not algorithm.evaluates(options):
            raise BadOption(
                f"{self.label}: option 'evaluation' needs a rollout_depth or a max_depth; without, rollouts play to "
                "the end"
            )
        least = (algorithm.most_children(self.game) + 1) * options.threads * algorithm.trees(options)
        if options.nodes < least:
            raise BadOption(
                f"{self.label}: option 'nodes' = {options.nodes} is too small: {card.name} with {options.threads} "
                f"thread{'s' * (options.threads > 1)} needs at least {least}"
            )

    def _prepare(self) -> None:
        """Compile now, or load from the cache, so that no decision waits for it."""
        worker = self.workers[0]
        root = worker.form(self.game.card.rules.State)
        if self.parts.network is None:
            self.compiled(self.parts.simulate, worker.nodes, worker.work, root, worker.settings, 0)
        else:
            self.compiled(self.parts.network.prepare, worker, root)
        write(worker.nodes[ROOT], 0, 0.0)
        if self.transplant is not None:
            self.transplant(worker.nodes, ROOT, block(worker.node, 1, worker.plain), worker.work)
        if self.parts.prepare is not None:
            self.parts.prepare(worker)

    def _settled(self, left: float) -> bool:
        """Whether the most visited action keeps its lead even if another one gets all remaining simulations of each
        thread, divided by early_factor."""
        choices = merge([choices_of(Node(worker.nodes)) for worker in self.owners])
        if any(choice.proven for choice in choices):
            return False
        visits = sorted((choice.visits for choice in choices), reverse=True)
        if len(visits) < 2:
            return len(visits) == 1
        could_come = left * self.options.threads / (self.parts.early_factor if visits[0] >= ENOUGH else 1)
        return bool(visits[0] - visits[1] > could_come)

    def _path(self, state: State, player: int) -> list[int] | None:
        """The path from the root of the last tree to this position, if that tree can be reused."""
        if self.transplant is None or self.last is None:
            return None
        if self.parts.one_player and player != self.last.player:
            return None
        return self.last.path(state)

    def _plant(self, worker: Worker, path: list[int] | None, iterations: float = inf) -> bool:
        """A tree for the next search, with this many iterations on each thread: the subtree at the end of the path, or
        a root alone. Whether there is such a subtree."""
        old, at = worker.nodes, ROOT
        for action in path or ():
            at = int(find_next(old, at, action))  # transplant would be compiled again for a NumPy integer
            if at == NONE:
                break
        kept = bool(path) and at != NONE
        # an iteration adds the children of one node, or one child: these are in blocks of 1, 2, 4, ..., less than four
        # times their number in all; in an open loop it may add more
        grows = (self.algorithm.most_children(self.game) + 4) * (self.options.threads if self.shared else 1)
        worker.clear(inf if kept or self.parts.open_loop else 1 + grows * iterations, keep=kept)
        if kept:
            self.transplant(old, at, worker.nodes, worker.work)
        return kept
