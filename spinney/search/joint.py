"""MAS-MCTS (Archinuk et al.): a child per joint action, chosen by the players' values together.

A player's value of a joint action is the mean reward of all simulations in which it made its move there, whatever the
others did. The values of the players, normalised over the joint actions, are Q; the paper leaves open how they become
one number, here it is their sum. U prefers what has been tried little:

    Q(a) + c * P(a) * sqrt(sum of all visits / (1 + visits of a)),    P(a) = product of the players' priors

Priors are uniform here; with those of a network it is a selection rule of `net_search`.
"""

from __future__ import annotations

import pydantic

from spinney.kernel import rule
from spinney.search.learning import MEANS
from spinney.search.options import (
    BoundsOptions,
    EvaluationOptions,
    SearchOptions,
    SimulationOptions,
    SimultaneousOptions,
)
from spinney.search.simultaneous import most_children, simultaneous_parts, why_not_simultaneous
from spinney.search.simultaneous_selection import mas_mcts
from spinney.search.tree_search import Parts, TreeAlgorithm, TreeSearch


class JointOptions(BoundsOptions, SimultaneousOptions, SimulationOptions, EvaluationOptions, SearchOptions):
    """Options of MAS-MCTS."""

    c: float = pydantic.Field(0.05, ge=0, le=1e6, allow_inf_nan=False, description="weight of exploration")


def make_joint_choice(rules, choose):
    """The choice of a child by a joint rule."""
    is_active = rules.is_active

    @rule(inline=True)
    def child_of(nodes, work, at, o):
        for player in range(len(work.path.open)):
            work.path.open[player] = is_active(work.state, player)
        return choose(nodes, work, at, o)

    return child_of


def build_joint(search: TreeSearch) -> Parts:
    return simultaneous_parts(search, make_joint_choice, mas_mcts, MEANS, c=search.options.c)


JOINT = TreeAlgorithm(
    label="joint",
    summary="Tree search over joint actions, for simultaneous moves (MAS-MCTS).",
    options=JointOptions,
    refuses=why_not_simultaneous,
    search=TreeSearch,
    build=build_joint,
    most_children=most_children,
)
