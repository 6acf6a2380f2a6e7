"""Monte Carlo forest search: a tree for every piece, and simulations that all trees learn from.

For games in which a player moves many pieces at once, so that their joint moves are too many for one tree. A
simulation plays whole turns. Each piece descends its own tree, then follows the game's default policy. At the end each
piece has a score, and its tree learns whether that is more than the piece's mean score in the search of the last turn:
1, or 0 if it is less, 1/2 if it is equal.

In one iteration, all trees are descended to a leaf, which gets a child for each order, and as many simulations are run
as there are orders: in the k-th, every piece tries its k-th new child. So no child is without a visit.

The game asks for one order after the other. The search is made once for all orders of a player's turn (`plan_turn`).
"""

from __future__ import annotations

from functools import cache
from math import log, sqrt
from typing import Any, Literal

import numpy as np
import pydantic

from spinney.clock import Clock, spend
from spinney.games import Card, Game, State
from spinney.games.card import NO_PIECE, OVER
from spinney.games.parts import PieceStats
from spinney.kernel import DEFAULTS, SEARCHES, Record, Rng, assign, bind, block, f64, i8, i32, i64, rule, seeded
from spinney.kernel.record import numbers
from spinney.search.base import Algorithm, Search
from spinney.search.options import SearchOptions
from spinney.search.parallel import run_steps
from spinney.search.result import Choice, SearchResult, result_of
from spinney.search.selection import ucb1_direct
from spinney.search.tree import NONE
from spinney.search.workspace import fill_rng, form, nested_record

DEEPEST = 64
BASELINE = 10
"""Simulations by the default policy for pieces without a mean score."""
ALL, NOBODY = -1, -2
"""In place of the piece that follows its tree in a simulation."""


class ForestOptions(SearchOptions):
    """Options of forest search."""

    c: float = pydantic.Field(sqrt(2), ge=0, allow_inf_nan=False, description="exploration constant")
    depth: int = pydantic.Field(50, ge=1, le=DEEPEST, description="turns in a simulation, and the depth of a tree")
    separate_simulations: bool = pydantic.Field(
        False, description="a simulation for each piece, in which the others follow the default policy"
    )
    reward_mode: Literal["own", "total"] = pydantic.Field(
        "own", description="what a piece learns from: its own score, or the total of all pieces of its player"
    )
    nodes: int = pydantic.Field(2_000_000, ge=1000, le=100_000_000, description="most nodes of all trees together")


class ForestSettings(Record):
    """The options that compiled code reads."""

    c = f64
    depth = i64
    nodes = i64
    separate = i64
    total = i64


class PieceNode(Record):
    """A node of a tree; its children are contiguous."""

    visits = i32
    first = i32  # NONE: it has no children
    value = f64  # summed rewards


@cache
def trees_record(most: int) -> type[Record]:
    """All trees, by the index of the piece, and the current simulation."""

    class Trees(Record):
        used = i64  # nodes in use
        pieces = i64
        order = i64  # the order that is tried at new children; 0: all trees are descended first
        turn = i64  # the piece that is simulated, with separate simulations
        id = i32[most]
        owner = i8[most]
        known = i8[most]  # 1: there is a mean score of the last turn
        goal = f64[most]  # the mean score of the last turn: the baseline
        total = f64[most]  # summed scores of this search
        tries = i32[most]
        score = f64[most]
        length = i32[most]  # of the path in the tree, without the root
        done = i32[most]  # steps of it that have been made
        at = i32[most]  # the piece's index in the simulation, or NO_PIECE
        started = i32[most]  # and the inverse
        expanded = i8[most]  # 1: the last node of the path has new children
        node = i32[most, DEEPEST + 1]
        step = i8[most, DEEPEST + 1]

    return Trees


def make_forest(mover, rules, orders):
    """The functions of the search for one game: begin, measure the baseline, search."""
    pieces, piece_id, piece_owner = rules.pieces, rules.piece_id, rules.piece_owner
    begin_search, begin_simulation, play_turn = rules.begin_search, rules.begin_simulation, rules.play_turn
    give_order, default_order = rules.give_order, rules.default_order
    piece_score, resets_baseline = rules.piece_score, rules.resets_baseline

    @rule
    def expand(nodes, trees, at, o):
        """Give a node a child for each order; False if there is no memory."""
        if trees.used + orders > o.nodes:
            return False
        nodes[at].first = trees.used
        for n in range(trees.used, trees.used + orders):
            nodes[n].visits = 0
            nodes[n].first = NONE
            nodes[n].value = 0.0
        trees.used += orders
        return True

    @rule
    def descend(nodes, trees, k, o):
        """From the root of a piece's tree to a leaf, by the highest bounds; the leaf gets children."""
        at, depth = k + 1, 0  # node 0 is no tree's
        trees.node[k, 0] = at
        while depth < o.depth and nodes[at].first != NONE:
            first = nodes[at].first
            log_parent = log(nodes[at].visits)
            best, most = 0, -1.0
            for order in range(orders):
                child = nodes[first + order]
                bound = ucb1_direct(child.value, child.visits, log_parent, o.c)
                if bound > most:
                    best, most = order, bound
            trees.step[k, depth] = best
            depth += 1
            at = first + best
            trees.node[k, depth] = at
        trees.length[k] = depth
        trees.expanded[k] = int(depth < o.depth and expand(nodes, trees, at, o))

    @rule
    def match_pieces(s, trees):
        """After a turn: which pieces are still there."""
        n, k = pieces(s), 0
        for i in range(n):
            number = piece_id(s, i)
            while k < trees.pieces and trees.id[k] < number:
                trees.at[k] = NO_PIECE
                k += 1
            if k < trees.pieces and trees.id[k] == number:
                trees.at[k] = i
                trees.started[i] = k
                k += 1
            else:
                trees.started[i] = NO_PIECE
        while k < trees.pieces:
            trees.at[k] = NO_PIECE
            k += 1
        return n

    @rule
    def simulate(work, root, who, o):
        """Play turns; pieces that follow a tree begin with its path. The score of every piece."""
        trees, s, g = work.trees, work.state, work.guide
        assign(s, root)
        begin_simulation(s, g)
        n = int(trees.pieces)
        for k in range(n):
            trees.at[k] = k
            trees.started[k] = k
            follows = who == ALL or k - who == 0
            trees.done[k] = 0 if follows else trees.length[k]
        for _ in range(o.depth):
            for i in range(n):
                k = int(trees.started[i])
                if k != NO_PIECE and trees.done[k] < trees.length[k]:
                    if give_order(s, g, i, k, int(trees.step[k, trees.done[k]])):
                        trees.done[k] += 1
                else:
                    default_order(s, g, i, k, work.rng)
            play_turn(s, g)
            n = match_pieces(s, trees)
            if mover(s) == OVER:
                break
        for k in range(trees.pieces):
            trees.score[k] = piece_score(s, g, int(trees.at[k]), k)

    @rule
    def reward(trees, k, o):
        """Whether a piece, or all of its player, did better than the baseline."""
        score, mean = trees.score[k], trees.goal[k]
        if o.total:
            score, mean = 0.0, 0.0
            for other in range(trees.pieces):
                if trees.owner[other] == trees.owner[k]:
                    score += trees.score[other]
                    mean += trees.goal[other]
        return 1.0 if score > mean else 0.5 if score == mean else 0.0

    @rule
    def back_up(nodes, trees, k, order, o):
        """Add the reward of a piece to its path, and to the new child of the order that it tried."""
        trees.total[k] += trees.score[k]
        trees.tries[k] += 1
        won = reward(trees, k, o)
        for depth in range(trees.length[k] + 1):
            node = nodes[trees.node[k, depth]]
            node.visits += 1
            node.value += won
        if trees.expanded[k]:
            child = nodes[nodes[trees.node[k, trees.length[k]]].first + order]
            child.visits += 1
            child.value += won

    @rule
    def append(trees, k, order):
        """Let the piece try one of its new children."""
        if trees.expanded[k]:
            trees.step[k, trees.length[k]] = order
            trees.length[k] += 1

    def begin(nodes, work, root):
        """Begin a search with new trees; the number of pieces without a baseline."""
        trees = work.trees
        begin_search(root, work.guide)
        trees.pieces = pieces(root)
        trees.used = trees.pieces + 1
        trees.order = 0
        trees.turn = 0
        unknown = 0
        for k in range(trees.pieces):
            nodes[k + 1].visits = 0
            nodes[k + 1].first = NONE
            nodes[k + 1].value = 0.0
            trees.id[k] = piece_id(root, k)
            trees.owner[k] = piece_owner(root, k)
            trees.total[k] = 0.0
            trees.tries[k] = 0
            trees.length[k] = 0
            if trees.known[k] == 0 or resets_baseline(root, k):
                trees.known[k] = 0
                trees.goal[k] = 0.0
                unknown += 1
        return unknown

    def measure(work, root, o, n):
        """Run n simulations by the default policy; sum the scores of pieces without a baseline."""
        trees = work.trees
        for _ in range(n):
            simulate(work, root, NOBODY, o)
            for k in range(trees.pieces):
                if trees.known[k] == 0:
                    trees.goal[k] += trees.score[k]
        return n

    def search(nodes, work, root, o, n):
        """Run n simulations; all trees learn from each, or the one whose turn it is."""
        trees = work.trees
        if trees.pieces == 0:
            return 0
        for _ in range(n):
            order = int(trees.order)
            who = int(trees.turn) if o.separate else ALL
            first, last = (who, who + 1) if o.separate else (0, int(trees.pieces))
            for k in range(first, last):
                if order == 0:
                    descend(nodes, trees, k, o)
                append(trees, k, order)
            simulate(work, root, who, o)
            for k in range(first, last):
                trees.length[k] -= trees.expanded[k]
                back_up(nodes, trees, k, order, o)
            trees.order = (order + 1) % orders
            if trees.order == 0:
                trees.turn = (trees.turn + 1) % trees.pieces
        return n

    return begin, measure, search


class Forest(Search[ForestOptions]):
    """A tree for every piece, and simulations that all of them learn from."""

    plans_turns = True

    def __init__(self, algorithm: Algorithm, game: Game, options: ForestOptions) -> None:
        super().__init__(algorithm, game, options)
        card, plain = game.card, options.plain
        assert card.pieces is not None
        module: Any = card.pieces.rules
        self.orders: int = module.ORDERS
        self.begin, self.measure, self.entry = bind(
            make_forest, f"{card.name}/forest", plain=plain, mover=self.rules.mover, rules=card.piece_rules,
            orders=self.orders,
        )  # fmt: skip
        settings = ForestSettings(
            c=options.c, depth=options.depth, nodes=options.nodes, separate=int(options.separate_simulations),
            total=int(options.reward_mode == "total"),
        )  # fmt: skip
        self.settings = form(ForestSettings, plain, settings)
        self.nodes = block(PieceNode, options.nodes + module.MAX_PIECES + 1, plain)
        trees = trees_record(module.MAX_PIECES)
        work = nested_record("ForestWorkspace", trees=trees, rng=Rng, state=card.rules.State, guide=module.Guide)
        self.work = form(work, plain)
        fill_rng(self.work.rng, seeded(options.seed, SEARCHES))
        self.means: dict[int, float] = {}
        """The mean score of each piece in the last search, by its id."""
        self.stats = PieceStats(np.zeros((0, self.orders)), np.zeros((0, self.orders)), np.zeros(0))
        """What the last search found, by the index of the piece."""
        self._default = card.player(card.searching.rollout)
        self._out: Any = card.out()
        self._command = card.pieces.make_command() if card.pieces.make_command else self._best_orders
        first = form(card.rules.State, plain, game.start(seed=1).record)
        self.compiled(self.begin, self.nodes, self.work, first)
        self.compiled(self.measure, self.work, first, self.settings, 0)
        self.compiled(self.entry, self.nodes, self.work, first, self.settings, 0)

    def run(self, state: State, clock: Clock | None = None, player: int | None = None) -> SearchResult:
        player = self._mover(state, player)
        actions, simulations = self.plan_turn(state, player, clock)
        return self.order_result(state, player, actions[0], simulations)

    def plan_turn(self, state: State, player: int, clock: Clock | None = None) -> tuple[list[int], int]:
        clock, record = self.limit(clock, state, player), state.record
        rules, trees, plain = self.game.card.piece_rules, self.work.trees, self.options.plain
        n = int(rules.pieces(record))
        for k in range(n):
            mean = self.means.get(int(rules.piece_id(record, k)))
            trees.known[k], trees.goal[k] = int(mean is not None), mean or 0.0
        root = form(type(record), plain, record.copy())
        arguments = (self.work, root, self.settings)
        if self.begin(self.nodes, self.work, root):
            tries = spend(lambda count: int(self.measure(*arguments, count)), BASELINE, clock.part(1 / 2))
            for k in range(n):
                trees.goal[k] /= 1 if trees.known[k] else tries

        def found(done: int) -> SearchResult:
            stats = self._stats(n)
            order = self._command(record, player, stats)[0]
            return self._result(state, player, order, done, stats)

        made = run_steps([lambda count: int(self.entry(self.nodes, *arguments, count))], clock, found)
        self.stats = self._stats(n)
        self.means = {int(trees.id[k]): float(mean) for k, mean in enumerate(self.stats.scores)}
        return self._command(record, player, self.stats), made

    def _stats(self, n: int) -> PieceStats:
        visits, values = np.zeros((n, self.orders), np.int64), np.full((n, self.orders), 0.5)
        for k in range(n):
            first = int(self.nodes[k + 1].first)
            if first != NONE:
                children = [numbers(self.nodes[first + order]) for order in range(self.orders)]
                visits[k] = [child["visits"] for child in children]
                values[k] = [child["value"] / max(1, child["visits"]) for child in children]
        trees = self.work.trees
        scores = [float(trees.total[k] / trees.tries[k] if trees.tries[k] else trees.goal[k]) for k in range(n)]
        return PieceStats(visits, values, np.array(scores))

    def _best_orders(self, record: Any, player: int, stats: PieceStats) -> list[int]:
        """Each piece's most visited order; the game's default player decides the rest."""
        rules, asked = self.game.card.rules, self.game.card.piece_rules.asked
        s, actions, pieces = record.copy(), [], set()
        while rules.mover(s) == player:
            i = int(asked(s))
            if i in pieces:  # the next turn has begun
                break
            n = rules.legal(s, player, self._out)
            legal = [int(action) for action in self._out.action[:n]]
            if i == NO_PIECE:
                self._out.searcher = player
                rng = seeded(self.options.seed, DEFAULTS + int(self.game.card.piece_rules.pieces(record)))
                action = int(self._default(s, player, self._out, rng))
            else:
                pieces.add(i)
                action = max(legal, key=lambda order: stats.visits[i, order] if order < self.orders else -1)
            actions.append(action)
            rules.apply(s, action)
        return actions

    def order_result(self, state: State, player: int, action: int, iterations: int) -> SearchResult:
        """What the search found out about the piece that is asked for; of another question, the answer alone."""
        return self._result(state, player, action, iterations, self.stats)

    def _result(self, state: State, player: int, action: int, iterations: int, stats: PieceStats) -> SearchResult:
        i, choices = int(self.game.card.piece_rules.asked(state.record)), []
        for order in state.legal(player):
            visits, values = 0, [0.0] * self.game.players
            if i == NO_PIECE:
                visits = int(order == action)
            elif order < self.orders:
                visits, values[player] = int(stats.visits[i, order]), float(stats.values[i, order])
            choices.append(Choice(order, visits, tuple(values)))
        used = int(self.work.trees.used)
        full = used + self.orders > self.options.nodes
        return result_of(
            state, player, action, choices, iterations, nodes=used, most_nodes=self.options.nodes,
            memory=used * PieceNode.dtype.itemsize, full=full,
        )  # fmt: skip


def why_no_pieces(card: Card) -> str | None:
    return None if card.pieces is not None else "its turns are not made of orders to many pieces"


FOREST = Algorithm(
    label="forest",
    summary="A tree for every piece, and simulations that all of them learn from.",
    options=ForestOptions,
    refuses=why_no_pieces,
    search=Forest,
)
