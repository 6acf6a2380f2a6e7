"""Learning: what a search remembers of a simulation besides visits and means.

A learning rule is `(nodes, work, o)`, called after the back-up of every simulation. Values of actions over all
simulations are learnt by rules in action_values.py, which `make_learning` composes. Searches of simultaneous moves
compose theirs from an update rule `(nodes, work, at, player, move, joint, o)`, called for each active player of each
node of the path: the player made a move, its digit of the joint action. `MOVE_LEARNING` has these by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from spinney.games.card import SIMULTANEOUS
from spinney.kernel import rule
from spinney.kernel.bits import count
from spinney.search.action_values import learn_amaf, learn_history, learn_ngrams
from spinney.search.simultaneous_selection import exp3_strategy, move_node, open_moves, regret_strategy
from spinney.search.tree import NO_ACTION, NONE, find


@rule
def learn_nothing(nodes, work, o):
    """Visits and means are enough."""


@rule(inline=True)
def update_nothing(nodes, work, at, player, move, joint, o):
    """Visits and means of the moves are enough."""


@rule
def add_importance_weighted(nodes, work, at, player, move, joint, o):
    """Sum the rewards of each move, divided by its probability, for `exp3`."""
    worth = work.path.worth
    first, bits = move_node(nodes, at, player, worth.shape[1]), open_moves(nodes, at, player, worth.shape[1])
    exp3_strategy(nodes, work, at, player, bits, o)
    probability = (1.0 - o.explore) * worth[player, move] + o.explore / count(bits)
    for other in range(worth.shape[1]):
        nodes[first + other].strategy += worth[player, other]
    nodes[first + move].gain += work.path.reward[player] / probability


@rule
def add_regrets(nodes, work, at, player, move, joint, o):
    """Sum the regrets of all other moves, for `regret`: the mean of the joint action that differs in this move alone,
    or of the node where that has not been tried, less the reward."""
    node, worth, reward = nodes[at], work.path.worth, work.path.reward[player]
    moves = worth.shape[1]
    first, bits, scale = move_node(nodes, at, player, moves), open_moves(nodes, at, player, moves), moves**player
    regret_strategy(nodes, work, at, player, bits, o)
    for other in range(moves):
        nodes[first + other].strategy += worth[player, other]
        if other != move and (bits >> other) & 1:
            child = find(nodes, node.first, joint + (other - move) * scale)
            if child != NONE and nodes[child].visits > 0:
                nodes[first + other].gain += nodes[child].value[player] / nodes[child].visits - reward
            else:
                nodes[first + other].gain += node.value[player] / node.visits - reward


def make_learning(kinds):
    """The learning rule of some kinds of action values (action_values.py)."""
    amaf, history, ngrams = "amaf" in kinds, "history" in kinds, "ngrams" in kinds

    @rule
    def learn(nodes, work, o):
        if amaf:
            learn_amaf(nodes, work, o)
        if history:
            learn_history(nodes, work, o)
        if ngrams:
            learn_ngrams(nodes, work, o)

    return learn if kinds else learn_nothing


class MoveLearning(NamedTuple):
    """What a search of simultaneous moves remembers of each player's move at a node."""

    update: Callable[..., Any]
    extras: tuple[str, ...] = ()
    """The further statistics of a node that it needs (tree.py)."""


MEANS = MoveLearning(update_nothing)
MOVE_LEARNING = {
    "uct": MEANS,
    "exp3": MoveLearning(add_importance_weighted, ("strategy",)),
    "regret": MoveLearning(add_regrets, ("strategy",)),
}
"""What decoupled search learns, by the selection rule that it belongs to."""


@rule
def add_move_visits(nodes, path, depth, joint, visits):
    """Add visits to the moves of a joint action at a node of the path, if it has simultaneous moves."""
    at, moves = path.node[depth], path.worth.shape[1]
    if nodes[at].mover == SIMULTANEOUS:
        for player in range(len(path.open)):
            nodes[move_node(nodes, at, player, moves) + joint % moves].visits += visits
            joint //= moves


def make_move_learning(update):
    """The learning rule of simultaneous moves: visits and rewards of every player's move at every node of the path."""

    @rule
    def learn(nodes, work, o):
        path = work.path
        players, moves = len(path.open), path.worth.shape[1]
        for depth in range(path.depth + (path.overflow != NO_ACTION)):
            at = path.node[depth]
            if nodes[at].mover == SIMULTANEOUS:
                joint = path.overflow if depth == path.depth else nodes[path.node[depth + 1]].action
                rest = joint
                for player in range(players):
                    move = rest % moves
                    rest //= moves
                    node = nodes[move_node(nodes, at, player, moves) + move]
                    if node.expanded:
                        node.visits += 1
                        for one in range(players):
                            node.value[one] += path.reward[one]
                        update(nodes, work, at, player, move, joint, o)

    return learn
