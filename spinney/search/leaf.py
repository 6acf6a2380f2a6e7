"""Leaf evaluation: what a new node of the tree is worth.

A leaf rule is `(nodes, work, at, o) -> bool`: it evaluates the node at `at`, whose position is in `work.state`, and
leaves the rewards of all players in `work.path.reward`. It returns whether a child of the node is proven by that. It
may change `work.state`. A rule is made for a game by `make(rules, legal, choose, evaluate, solver, widens, traced)`,
where `choose(work, player, o)` is the choice of actions in rollouts, and the last three say whether there is a solver,
progressive widening, and a trace of the actions; `LEAVES` has all of them by name. Networks evaluate leaves in batches;
see batching.py.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

from spinney.games.card import OVER
from spinney.kernel import assign, rule
from spinney.search.rollout import make_sample
from spinney.search.tree import NONE, expand, sort_children


class Leaf(NamedTuple):
    """A way to evaluate leaves."""

    make: Callable[..., Any]
    is_leaf: Callable[..., Any]
    """`(node) -> bool`: whether the descent ends at a node."""
    expands: bool
    """Whether the rule adds the children of a leaf; else selection does."""


@rule(inline=True)
def never_visited(node):
    return node.visits == 0


@rule(inline=True)
def not_expanded(node):
    return node.expanded == 0


def make_rollout(rules, legal, choose, evaluate, solver=False, widens=False, traced=False):
    """Rollouts."""
    sample = make_sample(rules, choose, evaluate, traced)

    @rule(inline=True)
    def rollout(nodes, work, at, o):
        sample(work, o)
        return False

    return rollout


def make_lookahead(rules, legal, choose, evaluate, solver, widens, traced=False):
    """The evaluation of all children at once; the best of them counts."""
    mover, apply, reward = rules.mover, rules.apply, rules.reward

    @rule(inline=True)
    def value_of(s, work):
        """The reward or the evaluation of a position, to the path. Whether the game is over."""
        over = mover(s) == OVER
        if over:
            reward(s, work.out)
        else:
            evaluate(s, work.out)
        for player in range(len(work.path.reward)):
            work.path.reward[player] = work.out.reward[player]
        return over

    @rule
    def lookahead(nodes, work, at, o):
        s, spare, path = work.state, work.spare, work.path
        player = mover(s)
        if (
            player == OVER
            or nodes[at].expanded != 0
            or not expand(nodes, work, at, legal(s, player, work.out), False)
        ):  # fmt: skip
            value_of(s, work)
            for one in range(len(path.reward)):
                nodes[at].minimax[one] = path.reward[one]
            return False
        proven, best, most = False, NONE, -inf
        first = nodes[at].first
        for child in range(first, first + nodes[at].count):
            node = nodes[child]
            assign(spare, s)
            apply(spare, node.action)
            node.mover = mover(spare)
            if value_of(spare, work):
                proven = True
                node.proven = int(solver)
            node.visits = 1
            for one in range(len(path.reward)):
                node.value[one] = path.reward[one]
                node.minimax[one] = path.reward[one]
            node.weight = path.reward[player]
            if path.reward[player] > most:
                best, most = child, path.reward[player]
        for one in range(len(path.reward)):
            path.reward[one] = nodes[best].minimax[one]
        if widens:
            sort_children(nodes, work, at)
        return proven

    return lookahead


LEAVES = {
    "rollout": Leaf(make_rollout, never_visited, expands=False),
    "lookahead": Leaf(make_lookahead, not_expanded, expands=True),
}
"""The ways to evaluate leaves, by name."""
