"""Selection rules: the formulas by which a search chooses a child of a node of its tree.

The players who move one after the other choose by a bound, `(node, player, n, mean, explore, work, o) -> float`: how
promising a child is to the player who moves. `n` is the number of visits of the child, and `mean` its mean reward; of a
child without visits, the mean reward of its parent. `explore` is the part of the formula that depends on the parent
alone, which is computed once by `(n, o) -> float` from the parent's visits n. First play urgency is part of a bound: it
has to rate a child without visits. The progressive bias is added to any bound.

A new rule is a function here, and a line in `BOUNDS`, which also says what else a node keeps for it, and what is learnt
of actions (action_values.py). The option `select` of a search names one of them. The rules of simultaneous moves are in
simultaneous_selection.py.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log, sqrt
from typing import Any, NamedTuple

from spinney.kernel import below, rule
from spinney.search.action_values import history_mean
from spinney.search.shared import make_readers
from spinney.search.tree import NONE, add, find_from

TABLE = 16384
"""Visits for which the factors of UCB1 are looked up: saves a division, a square root and a logarithm."""


class Bound(NamedTuple):
    """A bound, and the part of it that depends on the parent."""

    bound: Callable[..., Any]
    explore: Callable[..., Any]
    extras: tuple[str, ...] = ()
    """What else a node keeps for it (tree.py)."""
    learns: tuple[str, ...] = ()
    """Which values of actions are learnt for it (action_values.py)."""
    has_prior: bool = False
    """Whether the weight of a child is the prior probability of its action."""
    refers: bool = False
    """Whether AMAF values are those of an ancestor with enough visits."""


@rule(inline=True)
def root_log(n, o):
    """sqrt(c^2 * log(n)), with the constant and the base of the logarithm from the options. From TABLE visits on, n is
    rounded down to a number of the table times a power of two."""
    if n < TABLE:
        return o.root_log[n]
    doublings = 0
    while n >= TABLE:
        n >>= 1
        doublings += 1
    return sqrt(o.root_log[n] * o.root_log[n] + doublings * o.c2_log2)


@rule(inline=True)
def inverse_root(n, o):
    """1 / sqrt(n)."""
    return o.inverse_root[n] if n < TABLE else 1.0 / sqrt(n)


@rule(inline=True)
def ucb1(node, player, n, mean, explore, work, o):
    """UCB1 (Auer et al. 2002): mean + c * sqrt(log(parent's visits) / visits)."""
    if n == 0:
        return o.fpu
    return mean + explore * inverse_root(n, o)


@rule(inline=True)
def log_of_visits(n, o):
    return log(max(1, n))


@rule(inline=True)
def ucb1_tuned(node, player, n, mean, explore, work, o):
    """UCB1-Tuned (Auer et al. 2002): the variance of the rewards, with a bound of its own, replaces the constant."""
    if n == 0:
        return o.fpu
    variance = max(0.0, node.squares[player] / n - mean * mean) + sqrt(2.0 * explore / n)
    return mean + o.c * sqrt(explore / n * min(0.25, variance))


@rule(inline=True)
def root_of_visits(n, o):
    return o.c * sqrt(n)


@rule(inline=True)
def puct(mean, prior, n, explore):
    """PUCT (Silver et al. 2017): mean + c * prior * sqrt(parent's visits) / (1 + visits)."""
    return mean + explore * prior / (1.0 + n)


@rule(inline=True)
def puct_bound(node, player, n, mean, explore, work, o):
    """PUCT with the prior in the node's weight. Unless `fpu` is given, an untried action has the mean of its parent."""
    if n == 0 and o.fpu < inf:
        mean = o.fpu
    return puct(mean, node.weight, n, explore)


@rule(inline=True)
def with_amaf(n, mean, amaf_visits, amaf_mean, explore, o):
    """RAVE (Gelly and Silver 2011, with the weights of Cazenave 2015): mean and AMAF mean, where the AMAF mean counts
    less the more visits there are, and one half at `equivalence` visits."""
    if amaf_visits == 0.0:
        return o.fpu if n == 0 else mean + explore * inverse_root(n, o)
    beta = amaf_visits / (n + amaf_visits + n * amaf_visits / o.equivalence)
    return mean + beta * (amaf_mean - mean) + explore * inverse_root(n, o)


@rule(inline=True)
def rave(node, player, n, mean, explore, work, o):
    """RAVE by the AMAF value of the node itself."""
    return with_amaf(n, mean, float(node.amaf_visits), node.amaf_value / max(1, node.amaf_visits), explore, o)


@rule(inline=True)
def grave(node, player, n, mean, explore, work, o):
    """GRAVE (Cazenave 2015): the AMAF value is that of the nearest ancestor with enough visits."""
    amaf, action = work.amaf, node.action
    if action >= amaf.made.shape[1]:
        return with_amaf(n, mean, 0.0, 0.0, explore, o)
    return with_amaf(n, mean, amaf.visits[player, action], amaf.mean[player, action], explore, o)


@rule(inline=True)
def progressive_history(node, player, n, mean, explore, work, o):
    """Progressive history (Nijssen and Winands 2011): UCB1, and the mean reward of the action in the whole search. The
    weight of that falls with the visits in which the action did not win."""
    if n == 0 and o.fpu == inf:
        return o.fpu
    first = o.fpu if n == 0 else mean + explore * inverse_root(n, o)
    lost = 0.0 if n == 0 else (1.0 - mean) * n
    return first + o.history * history_mean(work.history, player, node.action, 0.0) / (lost + 1.0)


BOUNDS = {
    "ucb1": Bound(ucb1, root_log),
    "ucb1_tuned": Bound(ucb1_tuned, log_of_visits, extras=("squares",)),
    "puct": Bound(puct_bound, root_of_visits, has_prior=True),
    "rave": Bound(rave, root_log, extras=("amaf",), learns=("amaf",)),
    "grave": Bound(grave, root_log, extras=("amaf",), learns=("amaf",), refers=True),
    "progressive_history": Bound(progressive_history, root_log, learns=("history",)),
}
"""The bounds by name."""
SAMPLED_BOUNDS = {name: bound for name, bound in BOUNDS.items() if not bound.has_prior}
"""Those for nodes whose actions differ from simulation to simulation: hidden information, open loop."""


def ucb1_tables(c: float, log_base: float) -> dict[str, Any]:
    """The settings from which UCB1 is computed."""
    c2 = c**2 / log(log_base)
    visits = range(1, TABLE)
    return {
        "c2_log2": c2 * log(2),
        "c": c,
        "root_log": [0.0, *(sqrt(c2 * log(n)) for n in visits)],
        "inverse_root": [1.0, *(1.0 / sqrt(n) for n in visits)],
    }


def make_child_selection(
    bound, reset, biased=False, widens=False, minimax=False, hidden=False, graph=False, draws_ties=False, shared=False
):  # fmt: skip
    """The three ways to choose the child with the highest bound, with or without progressive bias, progressive widening
    and implicit minimax, where the mean of a child is mixed with its minimax value. With transpositions, a child has
    the visits of its edge, and the value of the node that it leads to. With `draws_ties`, one of several best available
    children is drawn: otherwise players who do not see each other's choices would move in lockstep. In a shared tree,
    the virtual loss of this simulation is not counted."""
    explore_part = bound.explore
    bound_of = bound.bound
    is_proven, exact_value, visits_of, visits_before = make_readers(shared)

    @rule(inline=True)
    def known(nodes, child):
        """The node that a child stands for."""
        if graph:
            return nodes[nodes[child].link] if nodes[child].link != NONE else nodes[child]
        return nodes[child]

    @rule(inline=True)
    def mean_of(node, n, player, o):
        """The mean reward of a node with n visits; 0 without visits."""
        root = inverse_root(n, o)
        return node.value[player] * root * root

    @rule(inline=True)
    def rate(nodes, child, player, first_mean, explore, work, o):
        """The bound of a child, with its progressive bias."""
        node = nodes[child]
        n = node.edge_visits if graph else visits_of(node)
        if n == 0:
            first = bound_of(node, player, 0, first_mean, explore, work, o)
            if biased:
                first += o.first_bias * node.weight
            return first
        other = known(nodes, child)
        mean = mean_of(other, other.visits if graph else n, player, o)
        if minimax:
            mean += o.minimax * (node.minimax[player] - mean)
        rating = bound_of(node, player, n, mean, explore, work, o)
        if biased:
            rating += o.bias * node.weight / (n + o.bias_after)
        return rating

    @rule(inline=True)
    def considered(node, n, o):
        """How many children of a node with n visits are considered."""
        if widens:
            return min(node.count, 1 + int(o.widen * sqrt(n)))
        return node.count

    @rule(inline=True)
    def best_child(nodes, work, parent, player, o):
        """The child with the highest bound, where none is proven."""
        n, first = visits_before(nodes[parent], o), nodes[parent].first
        explore, first_mean = explore_part(n, o), mean_of(nodes[parent], n, player, o)
        best, best_bound = first, -inf
        for child in range(first, first + considered(nodes[parent], n, o)):
            rating = rate(nodes, child, player, first_mean, explore, work, o)
            if rating == inf:
                return child
            better = rating > best_bound  # without a branch: which child wins is hard to predict
            best = child if better else best
            best_bound = rating if better else best_bound
        return best

    @rule
    def best_unproven(nodes, work, parent, player, o):
        """The child with the highest bound among those not proven: there is nothing to learn below proven ones.

        If a proven child is worth more than that bound, the player prefers it, and its value counts from here up: the
        path keeps it.
        """
        path = work.path
        n, first = visits_before(nodes[parent], o), nodes[parent].first
        explore, left = explore_part(n, o), considered(nodes[parent], n, o)
        first_mean = mean_of(nodes[parent], n, player, o)
        best, best_bound = first, -inf
        proven, proven_value = NONE, -inf
        for child in range(first, first + nodes[parent].count):
            node = known(nodes, child)
            if is_proven(node):
                value = exact_value(node, player)
                if value > proven_value:
                    proven, proven_value = child, value
            elif left > 0:
                left -= 1
                rating = rate(nodes, child, player, first_mean, explore, work, o)
                if rating > best_bound:
                    best, best_bound = child, rating
        if proven_value > best_bound:
            path.passed_depth[path.passed] = path.depth
            path.passed_child[path.passed] = proven
            path.passed += 1
        return best

    @rule(inline=True)
    def best_available(nodes, work, parent, player, n, o):
        """The child with the highest bound among the n actions in `work.out`; missing ones are added. NONE if there is
        no memory for the first.

        With hidden information an action is legal in some determinizations only: the number of times that it was
        available, which its weight keeps, replaces the parent's visits (Cowling et al. 2012). Among untried actions
        one is drawn.
        """
        visits = nodes[parent].visits
        explore, first_mean = explore_part(visits, o), mean_of(nodes[parent], visits, player, o)
        best, best_bound, untried, place = -1, -inf, 0, 0  # places among the children, which may move
        for i in range(n):
            child = find_from(nodes, parent, place, work.out.action[i])
            if child == NONE:
                child = add(nodes, work, parent, place, work.out.action[i])
                if child == NONE:
                    break
                reset(nodes[child])
                best += best >= place
            node = nodes[child]
            place = child - nodes[parent].first
            if hidden:
                node.weight += 1.0
                explore = explore_part(int(node.weight), o)
            rating = rate(nodes, child, player, first_mean, explore, work, o)
            if rating > best_bound:
                best, best_bound = place, rating
                untried = 1
            elif hidden and rating == best_bound and (draws_ties or node.visits == 0):
                untried += 1
                if below(work.rng, untried) == 0:
                    best = place
            place += 1
        return nodes[parent].first + best if best >= 0 else NONE

    return best_child, best_unproven, best_available


@rule
def puct_child(nodes, at, player, o):
    """The child with the highest PUCT bound. An untried action has the mean of its parent."""
    parent = nodes[at]
    fpu = parent.value[player] / parent.visits if parent.visits > 0 else 0.0
    explore = o.c * sqrt(parent.visits)
    best, best_bound = parent.first, -1.0
    for child in range(parent.first, parent.first + parent.count):
        node = nodes[child]
        mean = node.value[player] / node.visits if node.visits > 0 else fpu
        bound = puct(mean, node.weight, node.visits, explore)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@rule(inline=True)
def ucb1_direct(value, visits, log_parent, c):
    """UCB1 of a summed reward, for the trees of `forest`: every child has been visited."""
    return value / visits + c * sqrt(log_parent / visits)
