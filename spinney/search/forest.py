"""Monte Carlo forest search: a tree for every piece, and simulations that all trees learn from.

For games in which a player moves many pieces at once, so that the moves of all of them together are too many for one
tree. A simulation plays whole turns. Each piece goes down its own tree, then follows the game's default policy. Each
has a score of its own in the end, and its tree learns whether that is more than the piece's mean score in the search of
the last turn: 1, or 0 if it is less, 1/2 if it is equal.

In one iteration, all trees walk down to a leaf, which gets a child for each order, and as many simulations are run as
there are orders: in the k-th, every piece tries its k-th new child. So no child is without a visit.

The game asks for one order after the other. The search is made at the first order of a player's turn; the others are
answered from its plan.
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
from spinney.kernel import Record, Rng, assign, bind, block, f64, i8, i32, i64, rule, seeded
from spinney.kernel.record import numbers
from spinney.search.base import Search, SearchOptions, form
from spinney.search.parallel import run_workers
from spinney.search.result import Choice, SearchResult, result_of
from spinney.search.tree import NONE

DEEPEST = 64
ALL, NOBODY = -1, -2
"""In place of the piece that follows its tree in a simulation."""


class ForestOptions(SearchOptions):
    """What can be set about forest search."""

    c: float = pydantic.Field(sqrt(2), ge=0, allow_inf_nan=False, description="exploration constant")
    depth: int = pydantic.Field(50, ge=1, le=DEEPEST, description="turns in a simulation, and the depth of a tree")
    separate_simulations: bool = pydantic.Field(
        False, description="a simulation for each piece, in which the others follow the default policy"
    )
    reward_mode: Literal["own", "total"] = pydantic.Field(
        "own", description="what a piece learns from: its own score, or the total of all pieces of its player"
    )
    baseline: int = pydantic.Field(
        10, ge=1, le=1000, description="simulations by the default policy for pieces without a mean score"
    )
    nodes: int = pydantic.Field(2_000_000, ge=1000, le=100_000_000, description="most nodes of all trees together")


class Leaf(Record):
    """A node of a tree; its children lie side by side."""

    visits = i32
    first = i32  # NONE: it has no children
    value = f64  # summed rewards


@cache
def forest_record(most: int) -> type[Record]:
    """All trees, by the number of the piece, and the simulation that is going on."""

    class Forest(Record):
        used = i64  # nodes
        room = i64
        pieces = i64
        order = i64  # whose new children come next; 0: all walk down first
        turn = i64  # the piece that is simulated, if each is alone
        depth = i64
        c = f64
        alone = i8
        common = i8
        id = i32[most]
        owner = i8[most]
        known = i8[most]  # 1: there is a mean of the last turn
        goal = f64[most]  # the mean score of the last turn: what there is to beat
        total = f64[most]  # of scores in this search
        tries = i32[most]
        score = f64[most]
        length = i32[most]  # of the path in the tree, the root not counted
        done = i32[most]  # steps of it that have been made
        at = i32[most]  # a piece's number in the simulation, or NO_PIECE
        started = i32[most]  # and the other way round
        grown = i8[most]  # 1: the last node of the path has new children
        node = i32[most, DEEPEST + 1]
        step = i8[most, DEEPEST + 1]

    return Forest


def make(mover, rules, orders):
    """What begins a search, and what runs simulations, for one game."""
    (
        pieces,
        piece_id,
        piece_owner,
        _,
        begin_search,
        begin_simulation,
        give_order,
        default_order,
        play_turn,
        piece_score,
        resets_baseline,
    ) = rules

    @rule
    def grow(nodes, f, at):
        """Give a node a child for each order, if there is room."""
        if f.used + orders > f.room:
            return False
        nodes[at].first = f.used
        for n in range(f.used, f.used + orders):
            nodes[n].visits = 0
            nodes[n].first = NONE
            nodes[n].value = 0.0
        f.used += orders
        return True

    @rule
    def walk_down(nodes, f, k):
        """From the root of a piece's tree to a leaf, by the highest bounds; the leaf gets children."""
        at, depth = k + 1, 0  # node 0 is nobody's
        f.node[k, 0] = at
        while depth < f.depth and nodes[at].first != NONE:
            first = nodes[at].first
            logarithm = log(nodes[at].visits)
            best, most = 0, -1.0
            for order in range(orders):
                child = nodes[first + order]
                bound = child.value / child.visits + f.c * sqrt(logarithm / child.visits)
                if bound > most:
                    best, most = order, bound
            f.step[k, depth] = best
            depth += 1
            at = first + best
            f.node[k, depth] = at
        f.length[k] = depth
        f.grown[k] = int(depth < f.depth and grow(nodes, f, at))

    @rule
    def match_pieces(s, f):
        """After a turn: which pieces are still there."""
        n, k = pieces(s), 0
        for i in range(n):
            number = piece_id(s, i)
            while k < f.pieces and f.id[k] < number:
                f.at[k] = NO_PIECE
                k += 1
            if k < f.pieces and f.id[k] == number:
                f.at[k] = i
                f.started[i] = k
                k += 1
            else:
                f.started[i] = NO_PIECE
        while k < f.pieces:
            f.at[k] = NO_PIECE
            k += 1
        return n

    @rule
    def simulate(f, root, s, g, rng, who):
        """Play turns; whoever follows a tree goes down it first. What every piece has scored."""
        assign(s, root)
        begin_simulation(s, g)
        n = int(f.pieces)
        for k in range(n):
            f.at[k] = k
            f.started[k] = k
            follows = who == ALL or k - who == 0
            f.done[k] = 0 if follows else f.length[k]
        for _ in range(f.depth):
            for i in range(n):
                k = int(f.started[i])
                if k != NO_PIECE and f.done[k] < f.length[k]:
                    if give_order(s, g, i, k, int(f.step[k, f.done[k]])):
                        f.done[k] += 1
                else:
                    default_order(s, g, i, k, rng)
            play_turn(s, g)
            n = match_pieces(s, f)
            if mover(s) == OVER:
                break
        for k in range(f.pieces):
            f.score[k] = piece_score(s, g, int(f.at[k]), k)

    @rule
    def reward(f, k):
        """Whether a piece, or all of its player, did better than last turn."""
        score, mean = f.score[k], f.goal[k]
        if f.common:
            score, mean = 0.0, 0.0
            for other in range(f.pieces):
                if f.owner[other] == f.owner[k]:
                    score += f.score[other]
                    mean += f.goal[other]
        return 1.0 if score > mean else 0.5 if score == mean else 0.0

    @rule
    def learn(nodes, f, k, order):
        """A tree learns from a simulation in which its piece made an order after its path, if there is a child."""
        f.total[k] += f.score[k]
        f.tries[k] += 1
        won = reward(f, k)
        for depth in range(f.length[k] + 1):
            node = nodes[f.node[k, depth]]
            node.visits += 1
            node.value += won
        if f.grown[k]:
            child = nodes[nodes[f.node[k, f.length[k]]].first + order]
            child.visits += 1
            child.value += won

    @rule
    def append(f, k, order):
        """The piece tries one of its new children."""
        if f.grown[k]:
            f.step[k, f.length[k]] = order
            f.length[k] += 1

    def begin(nodes, f, root, g):
        """A search begins, with new trees; how many pieces have no mean yet."""
        begin_search(root, g)
        f.pieces = pieces(root)
        f.used = f.pieces + 1
        f.order = 0
        f.turn = 0
        unknown = 0
        for k in range(f.pieces):
            nodes[k + 1].visits = 0
            nodes[k + 1].first = NONE
            nodes[k + 1].value = 0.0
            f.id[k] = piece_id(root, k)
            f.owner[k] = piece_owner(root, k)
            f.total[k] = 0.0
            f.tries[k] = 0
            f.length[k] = 0
            if f.known[k] == 0 or resets_baseline(root, k):
                f.known[k] = 0
                f.goal[k] = 0.0
                unknown += 1
        return unknown

    def measure(f, root, s, g, rng, simulations):
        """Simulations by the default policy; the scores of pieces that have no mean are added up."""
        for _ in range(simulations):
            simulate(f, root, s, g, rng, NOBODY)
            for k in range(f.pieces):
                if f.known[k] == 0:
                    f.goal[k] += f.score[k]
        return simulations

    def search(nodes, f, root, s, g, rng, simulations):
        """Run simulations; all trees learn from each, or the one whose turn it is."""
        if f.pieces == 0:
            return 0
        for _ in range(simulations):
            order = int(f.order)
            who = int(f.turn) if f.alone else ALL
            first, last = (who, who + 1) if f.alone else (0, int(f.pieces))
            for k in range(first, last):
                if order == 0:
                    walk_down(nodes, f, k)
                append(f, k, order)
            simulate(f, root, s, g, rng, who)
            for k in range(first, last):
                f.length[k] -= f.grown[k]
                learn(nodes, f, k, order)
            f.order = (order + 1) % orders
            if f.order == 0:
                f.turn = (f.turn + 1) % f.pieces
        return simulations

    return begin, measure, search


class Forest(Search[ForestOptions]):
    """A tree for every piece, and simulations that all of them learn from."""

    label = "forest"
    plans_turns = True

    def __init__(self, game: Game, options: ForestOptions) -> None:
        super().__init__(game, options)
        card, plain = game.card, options.plain
        assert card.pieces is not None
        module: Any = card.pieces.rules
        self.orders: int = module.ORDERS
        self.begin, self.measure, self.entry = bind(
            make, f"{card.name}/forest", plain=plain, mover=self.rules.mover, rules=card.piece_rules, orders=self.orders
        )
        self.rng = form(Rng, plain, seeded(options.seed))
        self.spare = form(card.rules.State, plain)
        self.guide = form(module.Guide, plain)
        self.nodes = block(Leaf, options.nodes + module.MAX_PIECES + 1, plain)
        self.forest = form(forest_record(module.MAX_PIECES), plain)
        self.forest.room, self.forest.depth, self.forest.c = options.nodes, options.depth, options.c
        self.forest.alone, self.forest.common = int(options.separate_simulations), int(options.reward_mode == "total")
        self.means: dict[int, float] = {}
        """The mean score of each piece in the last search, by its id."""
        self.wishes = PieceStats(np.zeros((0, self.orders)), np.zeros((0, self.orders)), np.zeros(0))
        """What the last search found, by the number of the piece."""
        self._usual = card.player(card.searching.rollout)
        self._out: Any = card.out()
        first = form(card.rules.State, plain, game.start(seed=1).record)
        self._compiled(self.begin, self.nodes, self.forest, first, self.guide)
        self._compiled(self.measure, self.forest, first, self.spare, self.guide, self.rng, 0)
        self._compiled(self.entry, self.nodes, self.forest, first, self.spare, self.guide, self.rng, 0)

    @classmethod
    def refuses(cls, card: Card) -> str | None:
        return None if card.pieces is not None else "its turns are not made of orders to many pieces"

    def run(self, state: State, clock: Clock | None = None, player: int | None = None) -> SearchResult:
        player = self._mover(state, player)
        actions, simulations = self.plan_turn(state, player, clock)
        return self.order_result(state, player, actions[0], simulations)

    def plan_turn(self, state: State, player: int, clock: Clock | None = None) -> tuple[list[int], int]:
        clock, record = self.limit(clock, state, player), state.record
        rules, f, plain = self.game.card.piece_rules, self.forest, self.options.plain
        n = int(rules.pieces(record))
        for k in range(n):
            mean = self.means.get(int(rules.piece_id(record, k)))
            f.known[k], f.goal[k] = int(mean is not None), mean or 0.0
        root = form(type(record), plain, record.copy())
        shared = (f, root, self.spare, self.guide, self.rng)
        if self.begin(self.nodes, f, root, self.guide):
            half = clock.part(0.5)
            tries = spend(lambda count: int(self.measure(*shared, count)), self.options.baseline, half)
            for k in range(n):
                f.goal[k] /= 1 if f.known[k] else tries
        made = run_workers([lambda count: int(self.entry(self.nodes, *shared, count))], clock)
        self.means = {
            int(f.id[k]): float(f.total[k] / f.tries[k]) if f.tries[k] else float(f.goal[k]) for k in range(n)
        }
        self.wishes = self._wishes(n)
        pieces = self.game.card.pieces
        command = None if pieces is None else pieces.command
        return (self._best_orders if command is None else command)(record, player, self.wishes), made

    def _wishes(self, n: int) -> PieceStats:
        visits, values = np.zeros((n, self.orders), np.int64), np.full((n, self.orders), 0.5)
        for k in range(n):
            first = int(self.nodes[k + 1].first)
            if first != NONE:
                children = [numbers(self.nodes[first + order]) for order in range(self.orders)]
                visits[k] = [child["visits"] for child in children]
                values[k] = [child["value"] / max(1, child["visits"]) for child in children]
        return PieceStats(visits, values, np.array(list(self.means.values())))

    def _best_orders(self, record: Any, player: int, wishes: PieceStats) -> list[int]:
        """Each piece's most visited order; the game's usual player decides the rest."""
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
                action = int(self._usual(s, player, self._out, self._rng_of(record)))
            else:
                pieces.add(i)
                action = max(legal, key=lambda order: wishes.visits[i, order] if order < self.orders else -1)
            actions.append(action)
            rules.apply(s, action)
        return actions

    def _rng_of(self, record: Any) -> Rng:
        """Random numbers for a plain rule."""
        return seeded(self.options.seed, int(self.game.card.piece_rules.pieces(record)))

    def order_result(self, state: State, player: int, action: int, iterations: int) -> SearchResult:
        """What the search found out about the piece that is asked for; of another question, the answer alone."""
        i, choices = int(self.game.card.piece_rules.asked(state.record)), []
        for order in state.legal(player):
            visits, means = 0, [0.0] * self.game.players
            if i == NO_PIECE:
                visits = int(order == action)
            elif order < self.orders:
                visits, means[player] = int(self.wishes.visits[i, order]), float(self.wishes.values[i, order])
            choices.append(Choice(order, visits, tuple(means)))
        return result_of(
            state, player, action, choices, iterations, nodes=int(self.forest.used),
            full=bool(self.forest.used + self.orders > self.forest.room),
        )  # fmt: skip
