"""MAS-MCTS (Archinuk et al.): one child per joint action of those who move together.

Each player's view of a joint action is the mean reward of all simulations in which it made the action that it has
there, whatever the others did. The players' views together, normalised over the joint actions, are Q; U prefers what
the priors recommend and what has been tried little:

    Q(a) + c * P(a) * sqrt(sum of all visits / (1 + visits of a)),    P(a) = product of the players' priors

The paper leaves open how the views of the players become one number; here it is their sum.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import pydantic

from spinney.games import Game
from spinney.games.card import CHANCE, SIMULTANEOUS
from spinney.kernel import Record, below, bind, f64, i64, rule
from spinney.kernel.bits import count, lowest, nth
from spinney.search.simulation import (
    make_chance_child,
    make_rollout,
    make_simulation,
    never_visited,
    nothing_learnt,
)
from spinney.search.simultaneous import SimultaneousOptions, SimultaneousSearch, make_open_actions
from spinney.search.tree import GROWN, NONE, write


class JointOptions(SimultaneousOptions):
    """What can be set about MAS-MCTS."""

    c: float = pydantic.Field(0.05, ge=0, le=1e6, allow_inf_nan=False, description="weight of exploration")
    prior: str = pydantic.Field("uniform", description="uniform, or a player whose actions are preferred")
    trust: float = pydantic.Field(0.5, ge=0, le=1, description="the part of the prior that is the player's")


class Settings(Record):
    """The options that compiled code reads."""

    c = f64
    trust = f64
    rollout_depth = i64
    max_depth = i64
    rollouts = i64
    solver = i64
    open_loop = i64


@rule
def grow_joint(nodes, tree, parent, path, rng, moves):
    """Give a node a child per combination of open actions; False if there is no room.

    A path's `worth` has each player's prior. The list starts at a random place, so that no action is always first.
    """
    total, players = 1, len(path.open)
    for player in range(players):
        total *= max(1, count(path.open[player]))
    first = tree.used
    if first + total > len(nodes):
        tree.full = 1
        return False
    shift = below(rng, total)
    for i in range(total):
        rest, code, scale, prior = (i + shift) % total, 0, 1, 1.0
        for player in range(players):
            bits = path.open[player]
            if bits:
                n = count(bits)
                action = nth(bits, rest % n)
                rest //= n
                code += action * scale
                prior *= path.worth[player, action]
            scale *= moves
        child = nodes[first + i]
        write(child, code, prior)
        child.next = first + i + 1
    nodes[first + total - 1].next = NONE
    nodes[parent].first = first
    nodes[parent].grown = GROWN
    tree.used = first + total
    return True


@rule
def best_joint(nodes, parent, path, c, moves):
    """The child with the highest Q + U."""
    players, total = len(path.open), 0
    for player in range(players):
        for action in range(moves):
            path.tried[player, action] = 0.0
            path.worth[player, action] = 0.0
    child = nodes[parent].first
    while child != NONE:
        node = nodes[child]
        if node.visits > 0:
            total += node.visits
            code = node.action
            for player in range(players):
                path.tried[player, code % moves] += node.visits
                path.worth[player, code % moves] += node.value[player]
                code //= moves
        child = node.next
    for player in range(players):
        for action in range(moves):
            if path.tried[player, action] > 0.0:
                path.worth[player, action] /= path.tried[player, action]
            elif nodes[parent].visits > 0:  # an action not yet tried counts as the position does
                path.worth[player, action] = nodes[parent].value[player] / nodes[parent].visits
    sum_of_q = 0.0
    child = nodes[parent].first
    while child != NONE:
        sum_of_q += joint_worth(nodes[child].action, path, moves)
        child = nodes[child].next
    norm = 1.0 / sum_of_q if sum_of_q > 0.0 else 0.0
    child = nodes[parent].first
    best, best_value = child, -1.0
    while child != NONE:
        node = nodes[child]
        q = norm * joint_worth(node.action, path, moves)
        value = q + c * node.weight * sqrt(total / (1.0 + node.visits))
        better = value > best_value
        best = child if better else best
        best_value = value if better else best_value
        child = node.next
    return best


@rule(inline=True)
def joint_worth(code, path, moves):
    """What the players together think of a joint action."""
    worth = 0.0
    for player in range(len(path.open)):
        if path.open[player]:
            worth += path.worth[player, code % moves]
        code //= moves
    return worth


def make(rules, policy, evaluate, prior):
    """The search for one game, rollout policy, evaluation and prior."""
    is_active, moves = rules.is_active, rules.moves
    chance_child, open_actions = make_chance_child(rules), make_open_actions(rules)

    @rule
    def set_priors(s, path, out, rng, trust):
        """Each player's prior over its open actions."""
        for player in range(len(path.open)):
            bits = path.open[player]
            n = count(bits)
            for action in range(moves):
                path.worth[player, action] = (1.0 - trust) / n if (bits >> action) & 1 else 0.0
            if trust > 0.0 and bits:
                wished = prior(s, player, out, rng)
                if not (bits >> wished) & 1:
                    wished = lowest(bits)
                path.worth[player, wished] += trust

    @rule(inline=True)
    def child_of(nodes, tree, at, s, player, out, path, depth, rng, o):
        """Where to go from a node in position s; NONE if the tree is full."""
        if player == CHANCE:
            return chance_child(nodes, tree, at, s, out, rng)
        if player != SIMULTANEOUS:  # who moves alone is left to the rollout
            return NONE
        if nodes[at].grown == 0:
            open_actions(s, path, out)
            set_priors(s, path, out, rng, o.trust)
            if not grow_joint(nodes, tree, at, path, rng, moves):
                return NONE
        else:
            for one in range(len(path.open)):
                path.open[one] = is_active(s, one)
        return best_joint(nodes, at, path, o.c, moves)

    return make_simulation(rules, child_of, never_visited, make_rollout(rules, policy, evaluate), nothing_learnt)


class Joint(SimultaneousSearch[JointOptions]):
    """Tree search over joint actions, for players who move together (MAS-MCTS)."""

    label = "joint"

    @classmethod
    def most_children(cls, game: Game) -> int:
        joint_actions: int = game.card.bound_rules.moves**game.players
        return max(joint_actions, super().most_children(game))

    def bind(self, game: Game, options: JointOptions) -> tuple[Any, Record]:
        has_prior = options.prior != "uniform"
        entry = bind(
            make,
            f"{game.name}/joint",
            plain=options.plain,
            rules=self.joint_rules(game, options),
            policy=self.policy,
            evaluate=self.evaluate,
            prior=self._player("prior", options.prior if has_prior else "random"),
        )
        settings = Settings(
            c=options.c,
            trust=options.trust if has_prior else 0.0,
            rollout_depth=self.rollout_depth,
            max_depth=self.max_depth,
            rollouts=options.rollouts,
            solver=0,
            open_loop=int(self.open_loop),
        )
        return entry, settings
