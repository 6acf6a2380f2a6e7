"""The two compiled halves of a search with a network: selecting leaves for a batch, and using the network's answers.

The network is asked between the two (network.py). Until then the path of a leaf has a virtual loss: it counts as
visited and lost, so that the leaves of one batch differ.
"""

from __future__ import annotations

from functools import cache

from spinney.games.card import OVER, SIMULTANEOUS
from spinney.kernel import Nested, Record, assign, f64, i32, i64, rule
from spinney.search.backup import mean_backup
from spinney.search.rollout import make_sample
from spinney.search.selection import puct_child
from spinney.search.simulation import make_descent
from spinney.search.simultaneous import expand_joint, make_open_actions, uniform_priors
from spinney.search.tree import EXPANDED, MAX_DEPTH, NONE, expand, find
from spinney.search.workspace import Settings, path_record

PENDING, ASKED = 4, 8
"""In a node's `expanded`: the network has been asked about it; or has answered, and its children are in the tree."""


class NetworkSettings(Settings):
    """The options of search with a network."""

    c = f64
    rollout_mix = f64
    normalise = i64  # 1: the values of all players are divided by their sum
    min_visits = i64
    batch = i64
    virtual_loss = i64


@cache
def leaf_record(position: type[Record], players: int) -> type[Record]:
    """A leaf that waits for the network, with its position and its path."""

    class PendingLeaf(Record):
        row = i32  # its first row in the batch, or -1: another path to a leaf that is in the batch already
        expanded = i32  # what it was of the node: at the depth limit, a node that has children is a leaf again
        state = Nested(position)
        depth = i64
        node = i32[MAX_DEPTH]
        open = i64[players]

    return PendingLeaf


class Batch(Record):
    """What was selected in one tree."""

    leaves = i64
    rows = i64
    asked = i64  # leaves that have rows
    done = i64  # simulations: those, and the ones that need no network


@cache
def network_path(players: int, moves: int) -> type[Record]:
    """The path, with each player's priors and what the network answers."""

    class NetworkPath(path_record(players, moves)):  # type: ignore[misc]
        prior = f64[players, moves]
        answer = f64[players]

    return NetworkPath


@rule(inline=True)
def unanswered(node):
    return node.expanded in (0, PENDING)


@rule
def add_visits(nodes, leaf, visits):
    """Add visits without reward to the path of a leaf: a virtual loss; if negative, take it back."""
    for depth in range(leaf.depth + 1):
        nodes[leaf.node[depth]].visits += visits


@rule
def copy_path(target, source):
    """Copy the path of a leaf, to the workspace or from it."""
    target.depth = source.depth
    for depth in range(source.depth + 1):
        target.node[depth] = source.node[depth]
    for player in range(len(source.open)):
        target.open[player] = source.open[player]


@rule
def reweigh_joint(nodes, work, parent):
    """New priors for the joint actions of a node, from each player's in the path's `worth`."""
    path = work.path
    moves = path.worth.shape[1]
    child = nodes[parent].first
    while child != NONE:
        joint, prior = nodes[child].action, 1.0
        for player in range(len(path.open)):
            if path.open[player]:
                prior *= path.worth[player, joint % moves]
            joint //= moves
        nodes[child].weight = prior
        child = nodes[child].next


def make_halves(rules, encode, output, size, policy, evaluate, choose):
    """The two halves of the search for one game: selecting leaves, and learning from the network's answers."""
    mover, reward, is_active, moves = rules.mover, rules.reward, rules.is_active, rules.moves
    legal = rules.plausible
    open_actions = make_open_actions(rules)
    sample = make_sample(rules, policy, evaluate)

    @rule(inline=True)
    def choose_child(nodes, work, at, player, o):
        """The child to go to; NONE at a node about which the network is to be asked."""
        expanded = nodes[at].expanded
        if expanded in (0, PENDING) or (expanded == EXPANDED and nodes[at].visits >= o.min_visits):
            return NONE
        if player != SIMULTANEOUS:
            return puct_child(nodes, at, player, o)
        for one in range(len(work.path.open)):
            work.path.open[one] = is_active(work.state, one)
        return choose(nodes, work, at, o)

    descend = make_descent(rules, choose_child, unanswered)

    @rule
    def joint_priors(work, priors, row):
        """Each player's probabilities of its open actions to the path's `worth`."""
        s, path = work.state, work.path
        for player in range(len(path.open)):
            bits = path.open[player]
            if bits:
                total, count = 0.0, 0
                for action in range(moves):
                    path.worth[player, action] = 0.0
                    if (bits >> action) & 1:
                        count += 1
                        place = output(s, player, action)
                        if place >= 0:
                            path.worth[player, action] = float(priors[row, place])
                            total += path.worth[player, action]
                for action in range(moves):
                    if (bits >> action) & 1:
                        if total > 0.0:
                            path.worth[player, action] /= total
                        else:
                            path.worth[player, action] = 1.0 / count
                row += 1

    @rule
    def action_priors(work, player, n, priors, row):
        """The probabilities of a player's n actions to `out.weight`."""
        s, out = work.state, work.out
        total = 0.0
        for i in range(n):
            place = output(s, player, out.action[i])
            out.weight[i] = float(priors[row, place]) if place >= 0 else 0.0
            total += out.weight[i]
        for i in range(n):
            out.weight[i] = out.weight[i] / total if total > 0.0 else 1.0 / n

    @rule
    def set_children(nodes, work, at, player, n):
        """Give a node its children with the priors that were written, or new priors to those that it has."""
        if nodes[at].expanded == 0:
            if player == SIMULTANEOUS:
                expand_joint(nodes, work, at)
            else:
                expand(nodes, work, at, n, True)
        elif player == SIMULTANEOUS:
            reweigh_joint(nodes, work, at)
        else:
            for i in range(n):
                child = find(nodes, at, work.out.action[i])
                if child != NONE:
                    nodes[child].weight = work.out.weight[i]

    @rule
    def expand_uniformly(nodes, work, at, player):
        """Give a node its children, all equally likely."""
        n = 0
        if player == SIMULTANEOUS:
            uniform_priors(work)
        else:
            n = legal(work.state, player, work.out)
            for i in range(n):
                work.out.weight[i] = 1.0 / n
        set_children(nodes, work, at, player, n)

    @rule
    def expand_by_network(nodes, work, at, player, priors, row):
        """Give a node its children with the network's priors."""
        n = 0
        if player == SIMULTANEOUS:
            joint_priors(work, priors, row)
        else:
            n = legal(work.state, player, work.out)
            action_priors(work, player, n, priors, row)
        set_children(nodes, work, at, player, n)
        if nodes[at].expanded == EXPANDED:
            nodes[at].expanded = ASKED

    @rule
    def encode_leaf(work, leaf, player, planes, first):
        """Write a position to the batch, for each active player."""
        batch = work.batch
        leaf.row = batch.rows
        if player == SIMULTANEOUS:
            for one in range(len(leaf.open)):
                if leaf.open[one]:
                    encode(work.state, one, work.out, planes, (first + batch.rows) * size)
                    batch.rows += 1
        else:
            encode(work.state, player, work.out, planes, (first + batch.rows) * size)
            batch.rows += 1

    def select(nodes, work, root, o, leaves, planes, first, n):
        """Select leaves for n simulations, and encode them from a row of the batch on."""
        path, batch = work.path, work.batch
        batch.leaves, batch.rows, batch.asked, batch.done = 0, 0, 0, 0
        while batch.done < n and batch.asked < o.batch and batch.leaves < len(leaves):
            assign(work.state, root)
            at = descend(nodes, work, o)
            node = nodes[at]
            node.mover = mover(work.state)
            if node.mover == OVER:
                reward(work.state, work.out)
                for player in range(len(path.reward)):
                    path.reward[player] = work.out.reward[player]
                mean_backup(nodes, work, o)
                batch.done += 1
                continue
            if node.expanded == PENDING and path.depth == 0:
                break
            if node.mover == SIMULTANEOUS:
                open_actions(work)
            if node.expanded in (0, EXPANDED) and node.visits < o.min_visits and path.depth > 0:
                if node.expanded == 0:
                    expand_uniformly(nodes, work, at, node.mover)
                sample(work, o)
                mean_backup(nodes, work, o)
                batch.done += 1
                continue
            leaf = leaves[batch.leaves]
            leaf.row = -1
            copy_path(leaf, path)
            if node.expanded != PENDING:
                leaf.expanded = node.expanded
                node.expanded = PENDING
                batch.asked += 1
                batch.done += 1
                assign(leaf.state, work.state)
                encode_leaf(work, leaf, node.mover, planes, first)
            add_visits(nodes, leaf, o.virtual_loss)
            batch.leaves += 1

    @rule
    def evaluate_leaf(work, player, values, row, o):
        """The rewards of a leaf to the path: the network's values, those of rollouts, or a mix of both."""
        path = work.path
        players = len(path.reward)
        if o.rollout_mix < 1.0:
            total = 0.0
            for one in range(players):
                path.answer[one] = 0.0
                if player == SIMULTANEOUS:
                    if path.open[one]:
                        path.answer[one] = float(values[row])
                        row += 1
                elif player == one:
                    path.answer[one] = float(values[row])
                else:
                    path.answer[one] = (1.0 - float(values[row])) / (players - 1)
                total += path.answer[one]
            if o.normalise and total > 0.0:
                for one in range(players):
                    path.answer[one] /= total
        if o.rollout_mix > 0.0:
            sample(work, o)
        for one in range(players):
            if o.rollout_mix == 0.0:
                path.reward[one] = path.answer[one]
            elif o.rollout_mix < 1.0:
                path.reward[one] = o.rollout_mix * path.reward[one] + (1.0 - o.rollout_mix) * path.answer[one]

    def learn(nodes, work, o, leaves, priors, values, first):
        """Expand and evaluate the leaves by the network's answers, and take the virtual losses back."""
        path = work.path
        path.passed = 0
        for i in range(work.batch.leaves):
            add_visits(nodes, leaves[i], -o.virtual_loss)
        for i in range(work.batch.leaves):
            leaf = leaves[i]
            if leaf.row < 0:
                continue
            copy_path(path, leaf)
            assign(work.state, leaf.state)
            at, row = path.node[path.depth], first + leaf.row
            nodes[at].expanded = leaf.expanded
            player = nodes[at].mover
            if nodes[at].expanded != ASKED:
                expand_by_network(nodes, work, at, player, priors, row)
            evaluate_leaf(work, player, values, row, o)
            mean_backup(nodes, work, o)

    return select, learn
