"""The two halves of a search with a network, compiled: leaves are chosen for a batch, and learn what it says of them.

Between the two, the network is asked (network.py). Until then a way down the tree counts as visited and lost.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from spinney.games.card import OVER, SIMULTANEOUS
from spinney.kernel import Record, assign, f64, i32, i64, rule
from spinney.search.joint import best_joint, grow_joint
from spinney.search.rollout import make_sample
from spinney.search.simulation import make_descent
from spinney.search.simultaneous import make_open_actions
from spinney.search.tree import GROWN, NONE, back_up, find, grow, path_record

PENDING, ASKED = 4, 8
"""In a node's `grown`: the network has still to answer about it; or has answered, and its children are all there."""


class Settings(Record):
    """The options that compiled code reads."""

    c = f64
    joint = i64
    rollout_mix = f64
    shares = i64  # 1: values are divided by their sum
    min_visits = i64
    batch = i64
    virtual_loss = i64
    rollout_depth = i64
    max_depth = i64
    rollouts = i64
    open_loop = i64


class Leaf(Record):
    """A way down the tree that waits for the network."""

    row = i32  # its first row in the batch, or -1: another way to a leaf that is in the batch already
    grown = i32  # what the node was: at the max_depth, a node that has children is a leaf again


class BatchCounts(Record):
    """What was gathered from one tree."""

    leaves = i64
    rows = i64
    asked = i64  # leaves that are in the batch
    done = i64  # simulations: to these, and to others that need no network


def network_path(players: int, moves: int) -> type[Record]:
    """A way down the tree with room for each player's priors, and for what the network says."""
    base = path_record(players, moves)
    if (base, players, moves) not in _paths:

        class NetworkPath(base):  # type: ignore[misc, valid-type]
            prior = f64[players, moves]
            guess = f64[players]

        _paths[base, players, moves] = NetworkPath
    return _paths[base, players, moves]


_paths: dict[Any, type[Record]] = {}


@rule(inline=True)
def not_grown(node):
    return node.grown in (0, PENDING)


@rule
def weigh_down(nodes, path, visits):
    """Add visits without reward to a way down the tree; or, if negative, take them back."""
    for depth in range(path.depth + 1):
        nodes[path.node[depth]].visits += visits


@rule
def best_by_prior(nodes, parent, player, c):
    """The child with the highest bound, for a player who moves alone."""
    node = nodes[parent]
    usual = node.value[player] / node.visits if node.visits > 0 else 0.0
    wish = c * sqrt(node.visits)
    child = node.first
    best, best_bound = child, -1.0
    while child != NONE:
        one = nodes[child]
        mean = one.value[player] / one.visits if one.visits > 0 else usual
        bound = mean + wish * one.weight / (1.0 + one.visits)
        if bound > best_bound:
            best, best_bound = child, bound
        child = one.next
    return best


@rule
def best_for_each(nodes, parent, path, c, moves):
    """The child that is made when each of those who move together takes the action with its own highest bound.

    A child's weight is the product of all priors; a player's own prior is the sum over all that the others may do.
    """
    players = len(path.open)
    for player in range(players):
        for action in range(moves):
            path.tried[player, action] = 0.0
            path.worth[player, action] = 0.0
            path.prior[player, action] = 0.0
    node = nodes[parent]
    child = node.first
    while child != NONE:
        one = nodes[child]
        code = one.action
        for player in range(players):
            action = code % moves
            code //= moves
            path.prior[player, action] += one.weight
            if one.visits > 0:
                path.tried[player, action] += one.visits
                path.worth[player, action] += one.value[player]
        child = one.next
    wish = c * sqrt(node.visits)
    joint, scale = 0, 1
    for player in range(players):
        if path.open[player]:
            usual = node.value[player] / node.visits if node.visits > 0 else 0.0
            best, best_bound = 0, -1.0
            for action in range(moves):
                if path.prior[player, action] > 0.0:
                    n = path.tried[player, action]
                    mean = path.worth[player, action] / n if n > 0.0 else usual
                    bound = mean + wish * path.prior[player, action] / (1.0 + n)
                    if bound > best_bound:
                        best, best_bound = action, bound
            joint += best * scale
        scale *= moves
    found = find(nodes, parent, joint)
    return found if found != NONE else node.first


@rule
def reweigh_joint(nodes, parent, path, moves):
    """New priors for the joint actions of a node, from each player's in the path's `worth`."""
    child = nodes[parent].first
    while child != NONE:
        code, prior = nodes[child].action, 1.0
        for player in range(len(path.open)):
            if path.open[player]:
                prior *= path.worth[player, code % moves]
            code //= moves
        nodes[child].weight = prior
        child = nodes[child].next


def make_halves(rules, encode, output, size, policy, evaluate):
    """The two halves of the search for one game: choosing leaves, and learning what the network says of them."""
    mover, reward, is_active, moves = rules.mover, rules.reward, rules.is_active, rules.moves
    legal = rules.plausible
    open_actions = make_open_actions(rules)
    sample = make_sample(rules, policy, evaluate)

    @rule(inline=True)
    def child_of(nodes, tree, at, s, player, out, path, depth, rng, o):
        """Where to go from a node in position s; NONE from one that the network is to be asked about."""
        grown = nodes[at].grown
        if grown in (0, PENDING) or (grown == GROWN and nodes[at].visits >= o.min_visits):
            return NONE
        if player != SIMULTANEOUS:
            return best_by_prior(nodes, at, player, o.c)
        for one in range(len(path.open)):
            path.open[one] = is_active(s, one)
        if o.joint:
            return best_joint(nodes, at, path, o.c, moves)
        return best_for_each(nodes, at, path, o.c, moves)

    descend = make_descent(rules, child_of, not_grown)

    @rule
    def write_priors(s, path, priors, row, known):
        """Each player's probabilities of its open actions to the path's `worth`: the network's, or all equal."""
        for player in range(len(path.open)):
            bits = path.open[player]
            if bits:
                total, count = 0.0, 0
                for action in range(moves):
                    path.worth[player, action] = 0.0
                    if (bits >> action) & 1:
                        count += 1
                        place = output(s, player, action) if known else -1
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
    def write_weights(s, player, out, n, priors, row, known):
        """The probabilities of a player's n actions to `out.weight`."""
        total = 0.0
        for i in range(n):
            place = output(s, player, out.action[i]) if known else -1
            out.weight[i] = float(priors[row, place]) if place >= 0 else 0.0
            total += out.weight[i]
        for i in range(n):
            out.weight[i] = out.weight[i] / total if total > 0.0 else 1.0 / n

    @rule
    def expand(nodes, tree, at, s, player, out, path, priors, row, rng, known):
        """Give a node its children, or new probabilities to those that it has."""
        if player == SIMULTANEOUS:
            write_priors(s, path, priors, row, known)
            if nodes[at].grown == 0:
                grow_joint(nodes, tree, at, path, rng, moves)
            else:
                reweigh_joint(nodes, at, path, moves)
        else:
            n = legal(s, player, out)
            write_weights(s, player, out, n, priors, row, known)
            if nodes[at].grown == 0:
                grow(nodes, tree, at, out, n, rng, True)
            else:
                for i in range(n):
                    child = find(nodes, at, out.action[i])
                    if child != NONE:
                        nodes[child].weight = out.weight[i]
        if known and nodes[at].grown == GROWN:
            nodes[at].grown = ASKED

    def select(nodes, tree, root, s, spare, out, paths, states, leaves, planes, priors, first, harvest, rng, o, n):
        """Choose leaves for n simulations, encode them from a row of the batch on, and weigh their ways down."""
        harvest.leaves, harvest.rows, harvest.asked, harvest.done = 0, 0, 0, 0
        while harvest.done < n and harvest.asked < o.batch and harvest.leaves < len(leaves):
            assign(s, root)
            path = paths[harvest.leaves]
            at = descend(nodes, tree, s, out, path, rng, o)
            node = nodes[at]
            node.mover = mover(s)
            if node.mover == OVER:
                reward(s, out)
                for player in range(len(path.reward)):
                    path.reward[player] = out.reward[player]
                back_up(nodes, path)
                harvest.done += 1
                continue
            if node.grown == PENDING and path.depth == 0:
                break
            if node.mover == SIMULTANEOUS:
                open_actions(s, path, out)
            if node.grown in (0, GROWN) and node.visits < o.min_visits and path.depth > 0:
                if node.grown == 0:
                    expand(nodes, tree, at, s, node.mover, out, path, priors, 0, rng, False)
                sample(s, spare, out, path, rng, o)
                back_up(nodes, path)
                harvest.done += 1
                continue
            leaf = leaves[harvest.leaves]
            leaf.row = -1
            if node.grown != PENDING:
                leaf.row = harvest.rows
                leaf.grown = node.grown
                node.grown = PENDING
                harvest.asked += 1
                harvest.done += 1
                assign(states[harvest.leaves], s)
                if node.mover == SIMULTANEOUS:
                    for player in range(len(path.open)):
                        if path.open[player]:
                            encode(s, player, out, planes, (first + harvest.rows) * size)
                            harvest.rows += 1
                else:
                    encode(s, node.mover, out, planes, (first + harvest.rows) * size)
                    harvest.rows += 1
            weigh_down(nodes, path, o.virtual_loss)
            harvest.leaves += 1

    @rule
    def judge(s, spare, out, path, player, values, row, rng, o):
        """What a leaf is worth to everybody, to the path: as the network says, as rollouts say, or in between."""
        players = len(path.reward)
        if o.rollout_mix < 1.0:
            total = 0.0
            for one in range(players):
                path.guess[one] = 0.0
                if player == SIMULTANEOUS:
                    if path.open[one]:
                        path.guess[one] = float(values[row])
                        row += 1
                elif player == one:
                    path.guess[one] = float(values[row])
                else:
                    path.guess[one] = (1.0 - float(values[row])) / (players - 1)
                total += path.guess[one]
            if o.shares and total > 0.0:
                for one in range(players):
                    path.guess[one] /= total
        if o.rollout_mix > 0.0:
            sample(s, spare, out, path, rng, o)
        for one in range(players):
            if o.rollout_mix == 0.0:
                path.reward[one] = path.guess[one]
            elif o.rollout_mix < 1.0:
                path.reward[one] = o.rollout_mix * path.reward[one] + (1.0 - o.rollout_mix) * path.guess[one]

    def learn(nodes, tree, spare, out, paths, states, leaves, priors, values, first, harvest, rng, o):
        """Give the leaves their children and their values, and take the virtual losses back."""
        for i in range(harvest.leaves):
            weigh_down(nodes, paths[i], -o.virtual_loss)
        for i in range(harvest.leaves):
            if leaves[i].row < 0:
                continue
            path, s = paths[i], states[i]
            at, row = path.node[path.depth], first + leaves[i].row
            nodes[at].grown = leaves[i].grown
            player = nodes[at].mover
            if nodes[at].grown != ASKED:
                expand(nodes, tree, at, s, player, out, path, priors, row, rng, True)
            judge(s, spare, out, path, player, values, row, rng, o)
            back_up(nodes, path)

    return select, learn
