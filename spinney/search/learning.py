"""Learning: what a search remembers of a simulation besides visits and means.

A learning rule is `(nodes, work, o)`, called after the back-up of every simulation. Decoupled search composes its own
from an update rule `(nodes, work, at, player, action, joint, o)`, called for each active player of each node of the
path: the player made an action, its digit of the joint action. `LEARNING` and `UPDATES`
have the rules by name.
"""

from __future__ import annotations

from spinney.games.card import SIMULTANEOUS
from spinney.kernel import rule
from spinney.kernel.bits import count
from spinney.search.selection import exp3_strategy, regret_strategy
from spinney.search.tree import NO_ACTION, NONE, find


@rule
def learn_nothing(nodes, work, o):
    """Visits and means are enough."""


@rule
def add_reward(nodes, work, at, player, action, joint, o):
    """Sum the rewards of each action, for `uct`."""
    nodes[at].gain[player, action] += work.path.reward[player]


@rule
def add_importance_weighted(nodes, work, at, player, action, joint, o):
    """Sum the rewards of each action, divided by its probability, for `exp3`."""
    node, worth = nodes[at], work.path.worth
    exp3_strategy(node, work, player, o)
    probability = (1.0 - o.explore) * worth[player, action] + o.explore / count(node.open[player])
    for other in range(worth.shape[1]):
        node.strategy[player, other] += worth[player, other]
    node.gain[player, action] += work.path.reward[player] / probability


@rule
def add_regrets(nodes, work, at, player, action, joint, o):
    """Sum the regrets of all other actions, for `regret`: the mean of the joint action that differs in this action
    alone, or of the node where that has not been tried, less the reward."""
    node, worth, reward = nodes[at], work.path.worth, work.path.reward[player]
    moves = worth.shape[1]
    scale = moves**player
    regret_strategy(node, work, player, o)
    for other in range(moves):
        node.strategy[player, other] += worth[player, other]
        if other != action and (node.open[player] >> other) & 1:
            child = find(nodes, at, joint + (other - action) * scale)
            if child != NONE and nodes[child].visits > 0:
                node.gain[player, other] += nodes[child].value[player] / nodes[child].visits - reward
            else:
                node.gain[player, other] += node.value[player] / node.visits - reward


LEARNING = {"none": learn_nothing}
"""The learning rules by name."""
UPDATES = {"uct": add_reward, "exp3": add_importance_weighted, "regret": add_regrets}
"""The update rules of decoupled search, by the selection rule that they belong to."""


def make_decoupled_learning(update):
    """The learning rule of decoupled search: every player's own statistics at every node of the path."""

    @rule
    def learn(nodes, work, o):
        path = work.path
        moves = path.worth.shape[1]
        for depth in range(path.depth + (path.overflow != NO_ACTION)):
            at = path.node[depth]
            node = nodes[at]
            if node.mover == SIMULTANEOUS:
                joint = path.overflow if depth == path.depth else nodes[path.node[depth + 1]].action
                rest = joint
                for player in range(len(path.open)):
                    action = rest % moves
                    rest //= moves
                    if node.open[player]:
                        node.tried[player, action] += 1
                        update(nodes, work, at, player, action, joint, o)

    return learn
