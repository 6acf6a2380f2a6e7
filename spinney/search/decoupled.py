"""Decoupled search for players who move together: each keeps its own statistics at a node and chooses by itself.

Three ways to choose (Lanctot et al. 2013, Tak et al. 2014), each player as if it were alone at the node:

- `uct`: upper confidence bounds on the player's own means. Strong in practice; where the best play is a mixture it
  need not find it, for it chases whatever the others did lately.
- `exp3`: draws in proportion to exp(eta * gains), where a gain is divided by how likely it was to be drawn.
- `regret`: draws in proportion to what the player regrets not having played; the regret of another action is taken
  from the joint action that it would have made.

The last two approach an equilibrium in their average strategies, in games of two players with a constant sum.
"""

from __future__ import annotations

from functools import cache
from math import exp, inf, log, sqrt
from typing import Any, Literal

import pydantic

from spinney.games import Game
from spinney.games.card import CHANCE, SIMULTANEOUS
from spinney.kernel import Record, below, bind, f64, i32, i64, rule
from spinney.kernel.bits import count, lowest, nth
from spinney.search.result import Choice
from spinney.search.simulation import make_chance_child, make_rollout, make_simulation, never_visited
from spinney.search.simultaneous import SimultaneousOptions, SimultaneousSearch, make_open_actions
from spinney.search.tree import GROWN, NO_ACTION, NONE, ROOT, find, find_or_add, node_record
from spinney.search.tree_search import Worker

UCT, EXP3, REGRET = 0, 1, 2
METHODS = {"uct": UCT, "exp3": EXP3, "regret": REGRET}


class DecoupledOptions(SimultaneousOptions):
    """What can be set about decoupled search."""

    select: Literal["uct", "exp3", "regret"] = pydantic.Field("uct", description="how each player chooses at a node")
    c: float = pydantic.Field(0.3, ge=0, le=1e6, allow_inf_nan=False, description="exploration constant of uct")
    explore: float = pydantic.Field(
        0.1, gt=0, le=1, description="exp3 and regret: the part of a strategy that is uniform"
    )


class Settings(Record):
    """The options that compiled code reads."""

    method = i64
    c = f64
    explore = f64
    rollout_depth = i64
    max_depth = i64
    rollouts = i64
    solver = i64
    open_loop = i64


@cache
def decoupled_record(players: int, moves: int) -> type[Record]:
    """A node with each player's own statistics."""

    class Node(node_record(players)):  # type: ignore[misc]
        open = i32[players]  # actions worth searching, as bits; 0: does not act
        tried = i32[players, moves]
        gain = f64[players, moves]  # summed rewards (uct), weighted rewards (exp3) or regrets
        strategy = f64[players, moves]  # summed strategies

    return Node


@rule
def by_bound(node, player, bits, moves, c, rng):
    """The action with the highest upper confidence bound; those not yet tried come first, in random order."""
    untried = 0
    for action in range(moves):
        if (bits >> action) & 1 and node.tried[player, action] == 0:
            untried |= 1 << action
    if untried:
        return nth(untried, below(rng, count(untried)))
    best, best_bound = 0, -inf
    wish = c * sqrt(log(node.visits))
    for action in range(moves):
        if (bits >> action) & 1:
            n = node.tried[player, action]
            bound = node.gain[player, action] / n + wish / sqrt(n)
            if bound > best_bound:
                best, best_bound = action, bound
    return best


@rule
def write_strategy(node, player, path, moves, o):
    """A player's strategy at a node, without exploration, to the path's `worth`."""
    bits = node.open[player]
    n = count(bits)
    total, most = 0.0, -inf
    for action in range(moves):
        if (bits >> action) & 1:
            most = max(most, node.gain[player, action])
    eta = o.explore / n
    for action in range(moves):
        weight = 0.0
        if (bits >> action) & 1:
            if o.method == EXP3:
                weight = exp(eta * (node.gain[player, action] - most))
            else:
                weight = max(0.0, node.gain[player, action])
        path.worth[player, action] = weight
        total += weight
    for action in range(moves):
        if total > 0.0:
            path.worth[player, action] /= total
        else:
            path.worth[player, action] = 1.0 / n if (bits >> action) & 1 else 0.0


@rule
def drawn(node, player, path, moves, rng, o):
    """An action drawn from a player's strategy; now and then any open action."""
    bits = node.open[player]
    if below(rng, 1 << 20) < o.explore * (1 << 20):
        return nth(bits, below(rng, count(bits)))
    write_strategy(node, player, path, moves, o)
    luck = below(rng, 1 << 30) / (1 << 30)
    action = last = lowest(bits)
    while action < moves:
        if (bits >> action) & 1:
            last = action
            luck -= path.worth[player, action]
            if luck < 0.0:
                return action
        action += 1
    return last


@rule
def learn_bound(node, player, action, reward):
    node.gain[player, action] += reward


@rule
def learn_exp3(node, player, action, reward, path, moves, o):
    """Weigh a reward by how unlikely the action was."""
    write_strategy(node, player, path, moves, o)
    chance = (1.0 - o.explore) * path.worth[player, action] + o.explore / count(node.open[player])
    for other in range(moves):
        node.strategy[player, other] += path.worth[player, other]
    node.gain[player, action] += reward / chance


@rule
def learn_regret(nodes, at, player, action, code, reward, path, moves, scale, o):
    """Add what each other action would have given beyond the reward: the mean of the joint action that differs in
    it alone, or of the position where that has not been tried."""
    node = nodes[at]
    write_strategy(node, player, path, moves, o)
    for other in range(moves):
        node.strategy[player, other] += path.worth[player, other]
        if other != action and (node.open[player] >> other) & 1:
            child = find(nodes, at, code + (other - action) * scale)
            if child != NONE and nodes[child].visits > 0:
                node.gain[player, other] += nodes[child].value[player] / nodes[child].visits - reward
            else:
                node.gain[player, other] += node.value[player] / node.visits - reward


def make(rules, policy, evaluate):
    """The search for one game, rollout policy and evaluation."""
    moves = rules.moves
    chance_child, open_actions = make_chance_child(rules), make_open_actions(rules)

    @rule
    def open_node(node, s, path, out):
        """The first visit beyond a leaf: what is open to whom, and nothing known of it."""
        open_actions(s, path, out)
        for player in range(len(path.open)):
            node.open[player] = path.open[player]
            for action in range(moves):
                node.tried[player, action] = 0
                node.gain[player, action] = 0.0
                node.strategy[player, action] = 0.0
        node.grown = GROWN

    @rule(inline=True)
    def child_of(nodes, tree, at, s, player, out, path, depth, rng, o):
        """Where to go from a node in position s; NONE if the tree is full."""
        if player == CHANCE:
            return chance_child(nodes, tree, at, s, out, rng)
        if player != SIMULTANEOUS:  # who moves alone is left to the rollout
            return NONE
        node = nodes[at]
        if node.grown == 0:
            open_node(node, s, path, out)
        code, scale = 0, 1
        for one in range(len(path.open)):
            bits = node.open[one]
            if bits & (bits - 1) == 0:
                action = lowest(bits) if bits else 0
            elif o.method == UCT:
                action = by_bound(node, one, bits, moves, o.c, rng)
            else:
                action = drawn(node, one, path, moves, rng, o)
            code += action * scale
            scale *= moves
        child = find_or_add(nodes, tree, at, code)
        if child == NONE:  # a full tree goes on learning from its last nodes
            path.made = code
        return child

    @rule
    def learn(nodes, path, o):
        """Tell every player at every node of the path what its action has brought."""
        for depth in range(path.depth + (path.made != NO_ACTION)):
            at = path.node[depth]
            node = nodes[at]
            if node.mover == SIMULTANEOUS:
                code, scale = path.made if depth == path.depth else nodes[path.node[depth + 1]].action, 1
                for player in range(len(path.open)):
                    action = code // scale % moves
                    if node.open[player]:
                        node.tried[player, action] += 1
                        if o.method == UCT:
                            learn_bound(node, player, action, path.reward[player])
                        elif o.method == EXP3:
                            learn_exp3(node, player, action, path.reward[player], path, moves, o)
                        else:
                            learn_regret(nodes, at, player, action, code, path.reward[player], path, moves, scale, o)
                    scale *= moves

    return make_simulation(rules, child_of, never_visited, make_rollout(rules, policy, evaluate), learn)


class Decoupled(SimultaneousSearch[DecoupledOptions]):
    """Tree search in which each of those who move together chooses by its own statistics."""

    label = "decoupled"

    def node(self, game: Game) -> type[Record]:
        return decoupled_record(game.players, game.card.bound_rules.moves)

    def bind(self, game: Game, options: DecoupledOptions) -> tuple[Any, Record]:
        entry = bind(
            make,
            f"{game.name}/decoupled",
            plain=options.plain,
            rules=self.joint_rules(game, options),
            policy=self.policy,
            evaluate=self.evaluate,
        )
        settings = Settings(
            method=METHODS[options.select],
            c=options.c,
            explore=options.explore,
            rollout_depth=self.rollout_depth,
            max_depth=self.max_depth,
            rollouts=options.rollouts,
            solver=0,
            open_loop=int(self.open_loop),
        )
        return entry, settings

    def edges(self, worker: Worker, player: int) -> list[Choice]:
        found = super().edges(worker, player)
        if self.options.select == "uct":
            return found
        weights = [float(worker.nodes[ROOT].strategy[player, edge.action]) for edge in found]
        total = sum(weights)
        return [
            Choice(edge.action, edge.visits, edge.values, share=weight / total if total else edge.share)
            for edge, weight in zip(found, weights, strict=True)
        ]
