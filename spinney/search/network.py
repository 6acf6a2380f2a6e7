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
from math import inf, sqrt
from typing import Any, Literal

import numpy as np
import pydantic

from spinney.errors import BadOption
from spinney.games import Card, Game, State
from spinney.games.card import OVER, TOGETHER
from spinney.kernel import Record, assign, bind, block, f64, i32, i64, rule
from spinney.search.budget import SLICE, Budget
from spinney.search.driver import TreeSearch, Worker
from spinney.search.found import Edge, Found, Node
from spinney.search.joint import best_joint, grow_joint
from spinney.search.planes import encoder_of
from spinney.search.playout import make_sample
from spinney.search.simulation import make_descent
from spinney.search.together import TogetherOptions, TogetherSearch, make_open_actions
from spinney.search.tree import GROWN, NONE, back_up, find, grow, path_record
from spinney.search.weights import Evaluator, load

PENDING, ASKED = 4, 8
"""In a node's `grown`: the network has still to answer about it; or has answered, and its children are all there."""


WHOLE = 1 << 30
"""More simulations than fill a batch."""


class NetworkOptions(TogetherOptions):
    """What can be set about search with a network."""

    weights: str | None = pydantic.Field(
        None, description="the network: one that comes with the game, or a file; none: the game's usual one"
    )
    batch: int = pydantic.Field(16, ge=1, le=1024, description="most leaves of one batch")
    c: float = pydantic.Field(1.0, ge=0, le=1e6, allow_inf_nan=False, description="weight of the prior")
    select: Literal["joint", "decoupled"] = pydantic.Field(
        "decoupled", description="players who move together: by the product of their priors, or each by itself"
    )
    blend: float = pydantic.Field(
        0.0,
        ge=0,
        le=1,
        description="part of a leaf's value that comes from rollouts; all of it if the network has none",
    )
    patience: int = pydantic.Field(
        0,
        ge=0,
        le=1_000_000,
        description="visits before the network is asked about a node; rollouts judge it until then",
    )
    virtual: int = pydantic.Field(
        1, ge=1, le=100, description="visits that a way down counts as lost, until it is known"
    )


class Settings(Record):
    """The options that compiled code reads."""

    c = f64
    joint = i64
    blend = f64
    shares = i64  # 1: values are divided by their sum
    patience = i64
    batch = i64
    virtual = i64
    cutoff = i64
    horizon = i64
    rollouts = i64
    open_loop = i64


class Leaf(Record):
    """A way down the tree that waits for the network."""

    row = i32  # its first row in the batch, or -1: another way to a leaf that is in the batch already
    grown = i32  # what the node was: at the horizon, a node that has children is a leaf again


class Harvest(Record):
    """What was gathered from one tree."""

    leaves = i64
    rows = i64
    asked = i64  # leaves that are in the batch
    done = i64  # simulations: to these, and to others that need no network


@rule(inline=True)
def not_grown(node):
    return node.grown in (0, PENDING)


@rule
def weigh_down(nodes, path, visits):
    """Add visits without reward to a way down the tree; or, if negative, take them back."""
    for depth in range(path.depth + 1):
        nodes[path.node[depth]].visits += visits


@rule
def best_by_prior(nodes, parent, player, c):
    """The child with the highest bound, for a player who moves alone."""
    node = nodes[parent]
    usual = node.value[player] / node.visits if node.visits > 0 else 0.0
    wish = c * sqrt(node.visits)
    child = node.first
    best, best_bound = child, -1.0
    while child != NONE:
        one = nodes[child]
        mean = one.value[player] / one.visits if one.visits > 0 else usual
        bound = mean + wish * one.weight / (1.0 + one.visits)
        if bound > best_bound:
            best, best_bound = child, bound
        child = one.next
    return best


@rule
def best_for_each(nodes, parent, path, c, moves):
    """The child that is made when each of those who move together takes the action with its own highest bound.

    A child's weight is the product of all priors; a player's own prior is the sum over all that the others may do.
    """
    players = len(path.open)
    for player in range(players):
        for action in range(moves):
            path.tried[player, action] = 0.0
            path.worth[player, action] = 0.0
            path.prior[player, action] = 0.0
    node = nodes[parent]
    child = node.first
    while child != NONE:
        one = nodes[child]
        code = one.action
        for player in range(players):
            action = code % moves
            code //= moves
            path.prior[player, action] += one.weight
            if one.visits > 0:
                path.tried[player, action] += one.visits
                path.worth[player, action] += one.value[player]
        child = one.next
    wish = c * sqrt(node.visits)
    joint, scale = 0, 1
    for player in range(players):
        if path.open[player]:
            usual = node.value[player] / node.visits if node.visits > 0 else 0.0
            best, best_bound = 0, -1.0
            for action in range(moves):
                if path.prior[player, action] > 0.0:
                    n = path.tried[player, action]
                    mean = path.worth[player, action] / n if n > 0.0 else usual
                    bound = mean + wish * path.prior[player, action] / (1.0 + n)
                    if bound > best_bound:
                        best, best_bound = action, bound
            joint += best * scale
        scale *= moves
    found = find(nodes, parent, joint)
    return found if found != NONE else node.first


@rule
def reweigh_joint(nodes, parent, path, moves):
    """New priors for the joint actions of a node, from each player's in the path's `worth`."""
    child = nodes[parent].first
    while child != NONE:
        code, prior = nodes[child].action, 1.0
        for player in range(len(path.open)):
            if path.open[player]:
                prior *= path.worth[player, code % moves]
            code //= moves
        nodes[child].weight = prior
        child = nodes[child].next


def make(rules, encode, output, size, policy, evaluate):
    """The two halves of the search for one game: choosing leaves, and learning what the network says of them."""
    mover, reward, acts, moves = rules.mover, rules.reward, rules.acts, rules.moves
    legal = rules.sensible
    open_actions = make_open_actions(rules)
    sample = make_sample(rules, policy, evaluate)

    @rule(inline=True)
    def child_of(nodes, tree, at, s, player, out, path, depth, rng, o):
        """Where to go from a node in position s; NONE from one that the network is to be asked about."""
        grown = nodes[at].grown
        if grown in (0, PENDING) or (grown == GROWN and nodes[at].visits >= o.patience):
            return NONE
        if player != TOGETHER:
            return best_by_prior(nodes, at, player, o.c)
        for one in range(len(path.open)):
            path.open[one] = acts(s, one)
        if o.joint:
            return best_joint(nodes, at, path, o.c, moves)
        return best_for_each(nodes, at, path, o.c, moves)

    descend = make_descent(rules, child_of, not_grown)

    @rule
    def write_priors(s, path, priors, row, known):
        """Each player's probabilities of its open actions to the path's `worth`: the network's, or all equal."""
        for player in range(len(path.open)):
            bits = path.open[player]
            if bits:
                total, count = 0.0, 0
                for action in range(moves):
                    path.worth[player, action] = 0.0
                    if (bits >> action) & 1:
                        count += 1
                        place = output(s, player, action) if known else -1
                        if place >= 0:
                            path.worth[player, action] = float(priors[row, place])
                            total += path.worth[player, action]
                for action in range(moves):
                    if (bits >> action) & 1:
                        if total > 0.0:
                            path.worth[player, action] /= total
                        else:
                            path.worth[player, action] = 1.0 / count
                row += 1

    @rule
    def write_weights(s, player, out, n, priors, row, known):
        """The probabilities of a player's n actions to `out.weight`."""
        total = 0.0
        for i in range(n):
            place = output(s, player, out.action[i]) if known else -1
            out.weight[i] = float(priors[row, place]) if place >= 0 else 0.0
            total += out.weight[i]
        for i in range(n):
            out.weight[i] = out.weight[i] / total if total > 0.0 else 1.0 / n

    @rule
    def expand(nodes, tree, at, s, player, out, path, priors, row, rng, known):
        """Give a node its children, or new probabilities to those that it has."""
        if player == TOGETHER:
            write_priors(s, path, priors, row, known)
            if nodes[at].grown == 0:
                grow_joint(nodes, tree, at, path, rng, moves)
            else:
                reweigh_joint(nodes, at, path, moves)
        else:
            n = legal(s, player, out)
            write_weights(s, player, out, n, priors, row, known)
            if nodes[at].grown == 0:
                grow(nodes, tree, at, out, n, rng, True)
            else:
                for i in range(n):
                    child = find(nodes, at, out.action[i])
                    if child != NONE:
                        nodes[child].weight = out.weight[i]
        if known and nodes[at].grown == GROWN:
            nodes[at].grown = ASKED

    def select(nodes, tree, root, s, spare, out, paths, states, leaves, planes, priors, first, harvest, rng, o, n):
        """Choose leaves for n simulations, encode them from a row of the batch on, and weigh their ways down."""
        harvest.leaves, harvest.rows, harvest.asked, harvest.done = 0, 0, 0, 0
        while harvest.done < n and harvest.asked < o.batch and harvest.leaves < len(leaves):
            assign(s, root)
            path = paths[harvest.leaves]
            at = descend(nodes, tree, s, out, path, rng, o)
            node = nodes[at]
            node.mover = mover(s)
            if node.mover == OVER:
                reward(s, out)
                for player in range(len(path.reward)):
                    path.reward[player] = out.reward[player]
                back_up(nodes, path)
                harvest.done += 1
                continue
            if node.grown == PENDING and path.depth == 0:
                break
            if node.mover == TOGETHER:
                open_actions(s, path, out)
            if node.grown in (0, GROWN) and node.visits < o.patience and path.depth > 0:
                if node.grown == 0:
                    expand(nodes, tree, at, s, node.mover, out, path, priors, 0, rng, False)
                sample(s, spare, out, path, rng, o)
                back_up(nodes, path)
                harvest.done += 1
                continue
            leaf = leaves[harvest.leaves]
            leaf.row = -1
            if node.grown != PENDING:
                leaf.row = harvest.rows
                leaf.grown = node.grown
                node.grown = PENDING
                harvest.asked += 1
                harvest.done += 1
                assign(states[harvest.leaves], s)
                if node.mover == TOGETHER:
                    for player in range(len(path.open)):
                        if path.open[player]:
                            encode(s, player, planes, (first + harvest.rows) * size)
                            harvest.rows += 1
                else:
                    encode(s, node.mover, planes, (first + harvest.rows) * size)
                    harvest.rows += 1
            weigh_down(nodes, path, o.virtual)
            harvest.leaves += 1

    @rule
    def judge(s, spare, out, path, player, values, row, rng, o):
        """What a leaf is worth to everybody, to the path: as the network says, as rollouts say, or in between."""
        players = len(path.reward)
        if o.blend < 1.0:
            total = 0.0
            for one in range(players):
                path.guess[one] = 0.0
                if player == TOGETHER:
                    if path.open[one]:
                        path.guess[one] = float(values[row])
                        row += 1
                elif player == one:
                    path.guess[one] = float(values[row])
                else:
                    path.guess[one] = (1.0 - float(values[row])) / (players - 1)
                total += path.guess[one]
            if o.shares and total > 0.0:
                for one in range(players):
                    path.guess[one] /= total
        if o.blend > 0.0:
            sample(s, spare, out, path, rng, o)
        for one in range(players):
            if o.blend == 0.0:
                path.reward[one] = path.guess[one]
            elif o.blend < 1.0:
                path.reward[one] = o.blend * path.reward[one] + (1.0 - o.blend) * path.guess[one]

    def learn(nodes, tree, spare, out, paths, states, leaves, priors, values, first, harvest, rng, o):
        """Give the leaves their children and their values, and take the virtual losses back."""
        for i in range(harvest.leaves):
            weigh_down(nodes, paths[i], -o.virtual)
        for i in range(harvest.leaves):
            if leaves[i].row < 0:
                continue
            path, s = paths[i], states[i]
            at, row = path.node[path.depth], first + leaves[i].row
            nodes[at].grown = leaves[i].grown
            player = nodes[at].mover
            if nodes[at].grown != ASKED:
                expand(nodes, tree, at, s, player, out, path, priors, row, rng, True)
            judge(s, spare, out, path, player, values, row, rng, o)
            back_up(nodes, path)

    return select, learn


class Crop:
    """The room for a batch of one tree."""

    def __init__(self, game: Game, plain: bool, batch: int) -> None:
        moves = game.card.bound_rules.moves
        room = 2 * batch  # several ways may lead to one leaf
        self.paths: Any = block(network_path(game.players, moves), room, plain)
        self.states: Any = block(game.card.rules.State, room, plain)
        self.leaves: Any = block(Leaf, room, plain)
        self.harvest: Any = Harvest() if plain else Harvest.native()


def network_path(players: int, moves: int) -> type[Record]:
    """A way down the tree with room for each player's priors, and for what the network says."""
    base = path_record(players, moves)
    if (base, players, moves) not in _paths:

        class NetworkPath(base):  # type: ignore[misc, valid-type]
            prior = f64[players, moves]
            guess = f64[players]

        _paths[base, players, moves] = NetworkPath
    return _paths[base, players, moves]


_paths: dict[Any, type[Record]] = {}


@dataclass
class Plot:
    """A tree, and the position at its root."""

    search: Network
    worker: Worker
    root: Any
    crop: Crop

    def wants(self, n: int) -> int:
        """How many rows of a batch so many simulations may need."""
        return min(n, self.search.options.batch) * (self.search.game.players if self.search.together else 1)


def grow_all(plots: Sequence[Plot], evaluator: Evaluator, counts: Sequence[int]) -> list[int]:
    """Let trees grow by some simulations each, at most a batch of each, all evaluated at once; return how many."""
    search = plots[0].search
    encoder = encoder_of(search.game.card)
    wanted = sum(plot.wants(n) for plot, n in zip(plots, counts, strict=True))
    planes = np.empty((wanted, *encoder.shape), np.float32)
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

    def __init__(self, budget: Budget) -> None:
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


class Network(TogetherSearch[NetworkOptions]):
    """Tree search guided by a network, evaluated in batches: PUCT, for players who move in turn or together."""

    label = "net_search"

    @classmethod
    def refuses(cls, card: Card) -> str | None:
        if card.encoder is None:
            return "it has no encoder"
        if card.has_hidden:
            return "it hides things from its players"
        return "its players move in turn, and it has chance" if card.has_chance and not card.moves_together else None

    @classmethod
    def most_children(cls, game: Game) -> int:
        joint_actions: int = game.card.bound_rules.moves**game.players
        return joint_actions if game.card.moves_together else int(game.card.rules.MAX_ACTIONS)

    def bind(self, game: Game, options: NetworkOptions) -> tuple[Any, Record]:
        self.together = game.card.moves_together
        self.evaluator = load(game.card, options.weights)
        encoder = encoder_of(game.card)
        rules = self.joint_rules(game, options)
        if options.chance == "list" or (options.reuse and options.chance != "quiet"):
            raise BadOption(
                f"{self.label}: option 'chance' = '{options.chance}': chance has no nodes here; quiet and sample are "
                "allowed, and with reuse=true quiet alone"
            )
        self.open_loop = True
        self.select, self.learn = bind(
            make,
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
            blend=options.blend if self.evaluator.has_values else 1.0,
            shares=int(self.evaluator.shares),
            patience=options.patience,
            batch=options.batch,
            virtual=options.virtual,
            cutoff=self.cutoff,
            horizon=self.horizon,
            rollouts=options.rollouts,
            open_loop=1,
        )
        return None, settings

    @classmethod
    def evaluates(cls, options: NetworkOptions) -> bool:  # noqa: ARG003  # a rollout may be cut off, or none be made
        return True

    def plot(self, worker: Worker, root: Any) -> Plot:
        """A tree to be grown, with others or by itself."""
        if id(worker) not in self._crops:
            self._crops[id(worker)] = Crop(self.game, self.options.plain, self.options.batch)
        return Plot(self, worker, root, self._crops[id(worker)])

    def run(self, state: State, budget: Budget | None = None, player: int | None = None) -> Found:
        budget = budget or self.budget(state)
        self._budget = budget
        return super().run(state, budget, player) if self.together else TreeSearch.run(self, state, budget, player)

    def edges(self, worker: Worker, player: int) -> list[Edge]:
        return super().edges(worker, player) if self.together else TreeSearch.edges(self, worker, player)

    def _way(self, history: list[tuple[int, int]]) -> list[int]:
        return super()._way(history) if self.together else TreeSearch._way(self, history)

    def _path_since(self, state: State) -> list[int] | None:
        return super()._path_since(state) if self.together else TreeSearch._path_since(self, state)

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
                if budget.seconds < inf:
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
        self._crops: dict[int, Crop] = {}
        worker = self.workers[0]
        plot = self.plot(worker, worker.form(self.game.card.rules.State))
        self._compiled(grow_all, [plot], self.evaluator, [0])
        self._compile_transplant()
        if self.together:
            self._compile_tally()
        shape = encoder_of(self.game.card).shape
        for rows in (1, self.game.players * self.options.batch):  # the first calls of a runtime are slow
            self.evaluator(np.zeros((rows, *shape), np.float32))
