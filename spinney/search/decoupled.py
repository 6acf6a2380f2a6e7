"""Decoupled search of simultaneous moves: each player has its own statistics at a node and chooses by itself.

Three selection rules (Lanctot et al. 2013, Tak et al. 2014), each for a player as if it were alone at the node:

- `uct`: upper confidence bounds on the player's own means. Strong in practice; where the best strategy is mixed it
  need not converge to it;
- `exp3`: draws in proportion to exp(eta * gains), where a gain is divided by the probability of its action;
- `regret`: draws in proportion to the positive regrets; the regret of another action is estimated from the joint
  action that it would have made.

The average strategies of the last two approach an equilibrium in games of two players with a constant sum.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import pydantic

from spinney.kernel import rule
from spinney.kernel.bits import lowest
from spinney.search.learning import MOVE_LEARNING
from spinney.search.memory import Worker
from spinney.search.options import (
    BoundsOptions,
    EvaluationOptions,
    SearchOptions,
    SimulationOptions,
    SimultaneousOptions,
    key_of,
)
from spinney.search.result import Choice
from spinney.search.simultaneous import most_children, simultaneous_parts, why_not_simultaneous
from spinney.search.simultaneous_selection import PLAYER_RULES, joint_child, move_node, open_moves
from spinney.search.tree import ROOT
from spinney.search.tree_search import Parts, TreeAlgorithm, TreeSearch


class DecoupledOptions(BoundsOptions, SimultaneousOptions, SimulationOptions, EvaluationOptions, SearchOptions):
    """Options of decoupled search."""

    select: Annotated[str, key_of(PLAYER_RULES)] = pydantic.Field(
        "uct", description="selection rule of each player at a node: uct, exp3 or regret"
    )
    c: float = pydantic.Field(0.3, ge=0, le=1e6, allow_inf_nan=False, description="exploration constant of uct")
    explore: float = pydantic.Field(
        0.1, gt=0, le=1, description="exp3 and regret: the part of a strategy that is uniform"
    )


def make_decoupled_choice(rules, choose):
    """The choice of a child by a player rule: the joint action of all players' choices."""
    moves = rules.moves

    @rule(inline=True)
    def child_of(nodes, work, at, o):
        joint, scale = 0, 1
        for player in range(len(work.path.open)):
            bits = open_moves(nodes, at, player, moves)
            move = lowest(bits) if bits else 0
            if bits & (bits - 1) != 0:
                move = choose(nodes, work, at, player, bits, o)
            joint += move * scale
            scale *= moves
        return joint_child(nodes, work, at, joint)

    return child_of


def build_decoupled(search: TreeSearch) -> Parts:
    game, options = search.game, search.options
    moves, choose, learning = game.card.bound_rules.moves, PLAYER_RULES[options.select], MOVE_LEARNING[options.select]
    parts = simultaneous_parts(
        search, make_decoupled_choice, choose, learning, c=options.c, explore=options.explore
    )  # fmt: skip
    by_visits = parts.choices

    def by_strategy(worker: Worker, player: int) -> list[Choice]:
        """The choices with the average strategy of the player."""
        assert by_visits is not None
        found, nodes = by_visits(worker, player), worker.nodes
        first = int(move_node(nodes, ROOT, player, moves))
        weights = [float(nodes[first + choice.action].strategy) * (choice.share > 0) for choice in found]
        total = sum(weights)
        return [
            replace(choice, share=weight / total if total else choice.share)
            for choice, weight in zip(found, weights, strict=True)
        ]

    if options.select != "uct":
        parts.choices = by_strategy
    return parts


DECOUPLED = TreeAlgorithm(
    label="decoupled",
    summary="Tree search in which each player of a simultaneous move chooses by its own statistics.",
    options=DecoupledOptions,
    refuses=why_not_simultaneous,
    search=TreeSearch,
    build=build_decoupled,
    most_children=most_children,
)
