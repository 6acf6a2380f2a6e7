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
from functools import cache
from typing import Annotated

import pydantic

from spinney.kernel import Record, f64, i32, rule
from spinney.kernel.bits import lowest
from spinney.search.learning import UPDATES, make_decoupled_learning
from spinney.search.memory import Worker
from spinney.search.options import EvaluationOptions, SearchOptions, SimulationOptions, SimultaneousOptions, key_of
from spinney.search.result import Choice
from spinney.search.selection import PLAYER_RULES
from spinney.search.simultaneous import make_open_actions, simultaneous_parts, why_not_simultaneous
from spinney.search.tree import EXPANDED, NONE, ROOT, find_or_add, node_record
from spinney.search.tree_search import Parts, TreeAlgorithm, TreeSearch


class DecoupledOptions(SimultaneousOptions, SimulationOptions, EvaluationOptions, SearchOptions):
    """Options of decoupled search."""

    select: Annotated[str, key_of(PLAYER_RULES)] = pydantic.Field(
        "uct", description="selection rule of each player at a node: uct, exp3 or regret"
    )
    c: float = pydantic.Field(0.3, ge=0, le=1e6, allow_inf_nan=False, description="exploration constant of uct")
    explore: float = pydantic.Field(
        0.1, gt=0, le=1, description="exp3 and regret: the part of a strategy that is uniform"
    )


@cache
def decoupled_record(players: int, moves: int) -> type[Record]:
    """A node with each player's own statistics."""

    class DecoupledNode(node_record(players)):  # type: ignore[misc]
        open = i32[players]  # actions to search, as bits; 0: the player does not act
        tried = i32[players, moves]
        gain = f64[players, moves]  # summed rewards (uct), importance-weighted rewards (exp3) or regrets
        strategy = f64[players, moves]  # summed strategies

    return DecoupledNode


def make_decoupled_choice(rules, choose):
    """The choice of a child by a player rule: the joint action of all players' choices."""
    moves, open_actions = rules.moves, make_open_actions(rules)

    @rule
    def open_node(node, work):
        """The first visit beyond a leaf: write the actions of each player, without statistics."""
        open_actions(work)
        for player in range(len(work.path.open)):
            node.open[player] = work.path.open[player]
            for action in range(moves):
                node.tried[player, action] = 0
                node.gain[player, action] = 0.0
                node.strategy[player, action] = 0.0
        node.expanded = EXPANDED

    @rule(inline=True)
    def child_of(nodes, work, at, o):
        node = nodes[at]
        if node.expanded == 0:
            open_node(node, work)
        joint, scale = 0, 1
        for one in range(len(work.path.open)):
            bits = node.open[one]
            action = lowest(bits) if bits else 0
            if bits & (bits - 1) != 0:
                action = choose(node, work, one, o)
            joint += action * scale
            scale *= moves
        child = find_or_add(nodes, work, at, joint)
        if child == NONE:  # the last nodes of a full tree still learn
            work.path.overflow = joint
        return child

    return child_of


def build_decoupled(search: TreeSearch) -> Parts:
    game, options = search.game, search.options
    choose, learn = PLAYER_RULES[options.select], make_decoupled_learning(UPDATES[options.select])
    parts = simultaneous_parts(
        search, make_decoupled_choice, choose, learn, c=options.c, explore=options.explore
    )  # fmt: skip
    parts.node = decoupled_record(game.players, game.card.bound_rules.moves)
    by_visits = parts.choices

    def by_strategy(worker: Worker, player: int) -> list[Choice]:
        """The choices with the average strategy of the player."""
        assert by_visits is not None
        found = by_visits(worker, player)
        weights = [float(worker.nodes[ROOT].strategy[player, choice.action]) for choice in found]
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
)
