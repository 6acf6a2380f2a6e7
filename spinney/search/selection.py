"""UCB1, by which tree searches choose among the children of a node: the options, the bounds, and the choice."""

from __future__ import annotations

from math import e, inf, log, sqrt
from typing import Any, Literal, Self

import pydantic

from spinney.games.card import ROLES
from spinney.kernel import Record, below, f64, i64, rule
from spinney.search.beliefs import SEATS
from spinney.search.tree import NONE, find_or_add_after
from spinney.search.tree_search import SimulationOptions


class UcbOptions(SimulationOptions):
    """What can be set about every search that chooses by UCB1."""

    c: float = pydantic.Field(sqrt(2), ge=0, le=1e6, allow_inf_nan=False, description="exploration constant of UCB1")
    log_base: float = pydantic.Field(e, gt=1, le=1e6, allow_inf_nan=False, description="base of the logarithm in UCB1")
    fpu: float = pydantic.Field(
        inf, gt=-inf, description="value of an action not yet tried; infinite: try each once before any twice"
    )
    prune_with: str | None = pydantic.Field(
        None, description="which of the game's static checks leaves actions out; none: none of them"
    )
    opponents: str | None = pydantic.Field(
        None, description="the player or cast that the others are taken for; none: each does what is best for itself"
    )
    opponent_prior: float = pydantic.Field(
        1.0, ge=0, le=1, description="how likely each of the others is such a player, before it has done anything"
    )
    choice: Literal["visits", "value", "secure"] = pydantic.Field(
        "visits", description="final choice: most visits, highest value, or highest value less c / sqrt(visits)"
    )
    early_stop: bool = pydantic.Field(
        False, description="stop when the rest of the budget cannot change which action has most visits"
    )
    early_factor: float = pydantic.Field(
        1.0, ge=1, le=1e6, allow_inf_nan=False, description="with early: count so many times less of the rest"
    )

    @pydantic.model_validator(mode="after")
    def _early_needs_visits(self) -> Self:
        if self.early_stop and self.choice != "visits":
            raise ValueError(f"early_stop=true goes with choice=visits, not with choice={self.choice}")
        if self.early_factor > 1 and not self.early_stop:
            raise ValueError(f"early_factor={self.early_factor:g} goes with early_stop=true")
        return self

    @pydantic.model_validator(mode="after")
    def _trust_needs_others(self) -> Self:
        if self.opponent_prior < 1 and self.opponents is None:
            raise ValueError(
                f"opponent_prior={self.opponent_prior:g} needs others: nobody is named whom the others are taken for"
            )
        return self


TABLE = 2048
"""Visits for which the two factors of UCB1's square root are looked up: a division, a root and a logarithm less."""


FAR = 1 << 31
"""More children than a node can have."""


class Settings(Record):
    """The options that compiled code reads."""

    explore = f64  # c squared, per unit of natural logarithm
    wish = f64[TABLE]  # sqrt(explore * log(n)), the parent's part of the bound
    root = f64[TABLE]  # 1 / sqrt(n), the child's part
    fpu = f64
    bias = f64
    bias_after = f64  # added to the visits that divide the bias
    first_bias = f64
    widen = f64
    minimax = f64
    sure = i64  # the others are one player, for certain
    equals = i64  # the others may be players who do what is best for them
    belief = f64[SEATS, ROLES]  # how likely each player has each role
    rollout_depth = i64
    max_depth = i64
    rollouts = i64
    solver = i64
    open_loop = i64


@rule(inline=True)
def parents_part(n, o):
    """What a parent's visits contribute to the exploration term of its children."""
    return o.wish[n] if n < TABLE else sqrt(o.explore * log(n))


@rule(inline=True)
def considered(n, o):
    """How many children of a node with n visits are looked at."""
    return 1 + int(o.widen * sqrt(n)) if o.widen > 0.0 else FAR


def make_selection(judged, hidden=False):
    """The three ways to choose a child, where nodes have been evaluated or not, and where things are hidden or not."""

    @rule(inline=True)
    def ucb(node, player, wish, o):
        """The upper confidence bound of a child; `wish` is its parent's part."""
        n = node.visits
        if n == 0:
            return o.fpu + o.first_bias * node.weight
        root = o.root[n] if n < TABLE else 1.0 / sqrt(n)
        bound = node.value[player] * root * root
        if judged:
            bound += o.minimax * (node.guess[player] - bound)
        bound += wish * root
        if o.bias != 0.0:
            bound += o.bias * node.weight / (n + o.bias_after)
        return bound

    @rule
    def best_child(nodes, parent, player, o):
        """The child with the highest bound, where none is proven."""
        n = nodes[parent].visits
        wish, left = parents_part(n, o), considered(n, o)
        child = nodes[parent].first
        best, best_bound = child, -inf
        while child != NONE and left > 0:
            node = nodes[child]
            bound = ucb(node, player, wish, o)
            if bound == inf:
                return child
            better = bound > best_bound  # without a branch: which child wins is hard to predict
            best = child if better else best
            best_bound = bound if better else best_bound
            child = node.next
            left -= 1
        return best

    @rule
    def best_unproven(nodes, parent, player, path, depth, o):
        """The child with the highest bound, proven ones aside: there is nothing to learn below them.

        If a proven one is worth more than that bound, the player would rather take it, and its value is what counts
        from here up: that is noted in the path.
        """
        n = nodes[parent].visits
        wish, left = parents_part(n, o), considered(n, o)
        child = nodes[parent].first
        best, best_bound = child, -inf
        sure, sure_value = NONE, -inf
        while child != NONE:
            node = nodes[child]
            if node.proven:
                value = node.value[player] / node.visits
                if value > sure_value:
                    sure, sure_value = child, value
            elif left > 0:
                left -= 1
                bound = ucb(node, player, wish, o)
                if bound > best_bound:
                    best, best_bound = child, bound
            child = node.next
        if sure_value > best_bound:
            path.noted_depth[path.notes] = depth
            path.noted_child[path.notes] = sure
            path.notes += 1
        return best

    @rule
    def best_legal(nodes, tree, parent, player, out, n, rng, o):
        """The child with the highest bound among the n actions in `out`; new ones are added. NONE if there is no
        room.

        Where things are hidden, an action is legal in some worlds only: how often it was is what counts for it in place
        of the parent's visits. The weight keeps that count. Which of those not yet tried comes first is drawn."""
        wish = parents_part(nodes[parent].visits, o)
        best, best_bound, untried, child = NONE, -inf, 0, NONE
        for i in range(n):
            child = find_or_add_after(nodes, tree, parent, child, out.action[i])
            if child == NONE:
                return best
            node = nodes[child]
            if hidden:
                node.weight += 1.0
                wish = parents_part(int(node.weight), o)
            bound = ucb(node, player, wish, o)
            if bound > best_bound:
                best, best_bound = child, bound
                untried = 1
            elif hidden and bound == best_bound and node.visits == 0:
                untried += 1
                if below(rng, untried) == 0:
                    best = child
        return best

    return best_child, best_unproven, best_legal


def bounds(c: float, log_base: float) -> dict[str, Any]:
    """The settings from which UCB1 is computed."""
    explore = c**2 / log(log_base)
    visits = range(1, TABLE)
    return {
        "explore": explore,
        "wish": [0.0, *(sqrt(explore * log(n)) for n in visits)],
        "root": [1.0, *(1.0 / sqrt(n) for n in visits)],
    }
