"""The two compiled halves of a search with a network: selecting leaves for a batch, and using the network's answers.

Both work on several trees, whose leaves share the batch. The network is asked between the two (network.py). Until then
the path of a leaf has a virtual loss: it counts as visited and lost, so that the leaves of one batch differ.

A tree keeps the network's latest answers, because the positions of one decision are often those of the next again.
"""

from __future__ import annotations

from functools import cache

from spinney.games.card import OVER, SIMULTANEOUS
from spinney.kernel import Nested, Record, assign, digest, f32, f64, i32, i64, rule
from spinney.search.backup import mean_backup
from spinney.search.learning import add_move_visits, make_move_learning, update_nothing
from spinney.search.rollout import by_policy, make_sample
from spinney.search.selection import puct_child
from spinney.search.simulation import make_descent
from spinney.search.simultaneous import make_open_node, uniform_priors
from spinney.search.simultaneous_selection import joint_prior, move_node
from spinney.search.tree import (
    EXPANDED,
    MAX_DEPTH,
    NO_ACTION,
    NONE,
    ROOT,
    clear,
    expand,
    find,
    find_next,
    make_reset,
    write,
)
from spinney.search.workspace import Settings, path_record

PENDING, ASKED = 4, 8
"""In a node's `expanded`: the network has been asked about it; or has answered, and its children are in the tree."""

KEPT = 256
"""Positions of which a tree keeps the network's answers."""
UNKNOWN = -1
WANTED, DONE, SENT, COUNTS = 0, 1, 2, 3
"""The rows of the array `counts`, which has a column for each tree: simulations wanted and made, and the leaves that
have rows in the batch."""


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
        row = i32  # its first row in the batch, or -1
        rows = i32  # 0: another path to a leaf that is in the batch already
        kept = i32  # where its answer is kept, or UNKNOWN
        expanded = i32  # what it was of the node: at the depth limit, a node that has children is a leaf again
        key = i64
        state = Nested(position)
        depth = i64
        action = i32[MAX_DEPTH]  # the path, by what leads to its nodes: they may move in memory meanwhile
        open = i64[players]

    return PendingLeaf


@cache
def answers_record(players: int, outputs: int) -> type[Record]:
    """The latest answers of the network, each of them for all players who were to move."""

    class Answers(Record):
        next = i64  # where the next one is written
        key = i64[KEPT]  # the digest of the position; 0: none
        prior = f32[KEPT * players, outputs]
        value = f32[KEPT * players]

    return Answers


class Batch(Record):
    """What was selected in one tree."""

    leaves = i64
    asked = i64  # leaves that the network is asked about, or has been before
    done = i64  # simulations: those, and the ones that need no network


@cache
def network_path(players: int, moves: int, outputs: int) -> type[Record]:
    """The path, with what the network answers."""

    class NetworkPath(path_record(players, moves)):  # type: ignore[misc]
        output = f64[players, outputs]  # of each player to move: the probabilities of the outputs
        win = f64[players]  # and the value
        answer = f64[players]

    return NetworkPath


@rule(inline=True)
def recall(answers, key):
    """Where the answer for a position is kept, or UNKNOWN."""
    found = UNKNOWN
    for i in range(KEPT):
        if answers.key[i] == key:
            found = i
    return found


@rule
def read_answer(work, leaf, priors, values):
    """The answer for a leaf to the path, from the batch or from those that are kept."""
    path, answers = work.path, work.answers
    players, outputs = len(path.win), path.output.shape[1]
    for i in range(leaf.rows):
        for output in range(outputs):
            if leaf.kept == UNKNOWN:
                path.output[i, output] = float(priors[leaf.row + i, output])
            else:
                path.output[i, output] = float(answers.prior[leaf.kept * players + i, output])
        path.win[i] = float(values[leaf.row + i] if leaf.kept == UNKNOWN else answers.value[leaf.kept * players + i])


@rule
def keep_answer(work, leaf, priors, values):
    """Keep the answer for a leaf of the batch, in place of the oldest one."""
    path, answers = work.path, work.answers
    players, outputs, at = len(path.win), path.output.shape[1], answers.next
    answers.next = (at + 1) % KEPT
    answers.key[at] = leaf.key
    for i in range(leaf.rows):
        for output in range(outputs):
            answers.prior[at * players + i, output] = priors[leaf.row + i, output]
        answers.value[at * players + i] = values[leaf.row + i]


@rule(inline=True)
def unanswered(node):
    return node.expanded in (0, PENDING)


@rule
def add_visits(nodes, path, visits):
    """Add visits without reward to a path: a virtual loss; if negative, take it back."""
    for depth in range(path.depth + 1):
        nodes[path.node[depth]].visits += visits
        if depth < path.depth:
            add_move_visits(nodes, path, depth, nodes[path.node[depth + 1]].action, visits)


@rule
def keep_path(nodes, path, leaf):
    """Keep the path of a leaf with it."""
    leaf.depth = path.depth
    for depth in range(path.depth + 1):
        leaf.action[depth] = nodes[path.node[depth]].action
    for player in range(len(path.open)):
        leaf.open[player] = path.open[player]


@rule
def find_path(nodes, path, leaf):
    """The path of a leaf, back to the workspace."""
    path.depth = leaf.depth
    for depth in range(leaf.depth):
        path.node[depth + 1] = find_next(nodes, path.node[depth], leaf.action[depth + 1])
    for player in range(len(leaf.open)):
        path.open[player] = leaf.open[player]


@rule
def reweigh_moves(nodes, work, at):
    """New priors for the moves of a node, from the path's `worth`, and so for its joint actions."""
    path = work.path
    players, moves = len(path.open), path.worth.shape[1]
    for player in range(players):
        for move in range(moves):
            nodes[move_node(nodes, at, player, moves) + move].weight = path.worth[player, move]
    known = nodes[nodes[at].first]
    for child in range(known.first, known.first + known.count):
        nodes[child].weight = joint_prior(nodes, at, path, nodes[child].action)


def make_halves(rules, prepare, encode, output, size, policy, evaluate, choose):
    """The two halves of the search for one game: selecting leaves, and learning from the network's answers."""
    mover, reward, is_active, moves = rules.mover, rules.reward, rules.is_active, rules.moves
    legal, is_simultaneous = rules.plausible, rules.is_simultaneous
    find_moves, open_node = make_open_node(rules, make_reset(()))
    learn_moves = make_move_learning(update_nothing)
    sample = make_sample(rules, by_policy(policy), evaluate)

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
        child = choose(nodes, work, at, o)
        work.path.overflow = NO_ACTION  # without memory for a child, the network is asked about the node again
        return child

    descend = make_descent(rules, choose_child, unanswered, True)

    @rule(inline=True)
    def backup(nodes, work, o):
        mean_backup(nodes, work, o)
        if is_simultaneous:
            learn_moves(nodes, work, o)

    @rule
    def joint_priors(work):
        """Each player's probabilities of its open actions to the path's `worth`."""
        s, path = work.state, work.path
        row = 0
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
                            path.worth[player, action] = path.output[row, place]
                            total += path.worth[player, action]
                for action in range(moves):
                    if (bits >> action) & 1:
                        if total > 0.0:
                            path.worth[player, action] /= total
                        else:
                            path.worth[player, action] = 1.0 / count
                row += 1

    @rule
    def action_priors(work, player, n):
        """The probabilities of a player's n actions to `out.weight`."""
        s, out = work.state, work.out
        total = 0.0
        for i in range(n):
            place = output(s, player, out.action[i])
            out.weight[i] = work.path.output[0, place] if place >= 0 else 0.0
            total += out.weight[i]
        for i in range(n):
            out.weight[i] = out.weight[i] / total if total > 0.0 else 1.0 / n

    @rule
    def set_children(nodes, work, at, player, n):
        """Give a node its children with the priors that were written, or new priors to those that it has."""
        if nodes[at].expanded == 0:
            if player == SIMULTANEOUS:
                open_node(nodes, work, at)
            else:
                expand(nodes, work, at, n, True)
        elif player == SIMULTANEOUS:
            reweigh_moves(nodes, work, at)
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
    def expand_by_network(nodes, work, at, player):
        """Give a node its children with the network's priors."""
        n = 0
        if player == SIMULTANEOUS:
            joint_priors(work)
        else:
            n = legal(work.state, player, work.out)
            action_priors(work, player, n)
        set_children(nodes, work, at, player, n)
        if nodes[at].expanded == EXPANDED:
            nodes[at].expanded = ASKED

    @rule
    def encode_leaf(work, leaf, player, planes, row):
        """Write a position to the batch, for each player to move, unless its answer is kept; the next free row."""
        leaf.key = digest(work.state) | 1
        leaf.kept = recall(work.answers, leaf.key)
        leaf.row = row
        if leaf.kept == UNKNOWN:
            prepare(work.state, work.out)
        for one in range(len(leaf.open)):
            if leaf.open[one] if player == SIMULTANEOUS else player == one:
                if leaf.kept == UNKNOWN:
                    encode(work.state, one, work.out, planes, (row + leaf.rows) * size)
                leaf.rows += 1
        return row + leaf.rows if leaf.kept == UNKNOWN else row

    @rule
    def select_leaves(nodes, work, root, o, leaves, planes, row, n):
        """Select leaves for n simulations in a tree, and encode them from a row of the batch on; the next free row."""
        path, batch = work.path, work.batch
        batch.leaves, batch.asked, batch.done = 0, 0, 0
        while batch.done < n and batch.asked < o.batch and batch.leaves < len(leaves):
            assign(work.state, root)
            at = descend(nodes, work, o)
            node, player = nodes[at], mover(work.state)
            if player != OVER or node.expanded == 0:  # with other chance outcomes, the game may go on from a node
                node.mover = player
            if player == OVER:
                reward(work.state, work.out)
                for one in range(len(path.reward)):
                    path.reward[one] = work.out.reward[one]
                backup(nodes, work, o)
                batch.done += 1
                continue
            if node.expanded == PENDING and path.depth == 0:
                break
            if node.mover == SIMULTANEOUS:
                find_moves(work)
            if node.expanded in (0, EXPANDED) and node.visits < o.min_visits and path.depth > 0:
                if node.expanded == 0:
                    expand_uniformly(nodes, work, at, node.mover)
                sample(work, o)
                backup(nodes, work, o)
                batch.done += 1
                continue
            leaf = leaves[batch.leaves]
            leaf.rows = 0
            keep_path(nodes, path, leaf)
            if node.expanded != PENDING:
                leaf.expanded = node.expanded
                node.expanded = PENDING
                batch.asked += 1
                batch.done += 1
                assign(leaf.state, work.state)
                row = encode_leaf(work, leaf, node.mover, planes, row)
            add_visits(nodes, path, o.virtual_loss)
            batch.leaves += 1
        return row

    def select(nodes, works, roots, o, leaves, planes, counts):
        """Select leaves in each tree for the simulations that are wanted; the number of rows of the batch."""
        row = 0
        for tree in range(len(works)):
            wanted = counts[WANTED, tree]
            row = select_leaves(nodes[tree], works[tree], roots[tree], o, leaves[tree], planes, row, wanted)
            batch, asked = works[tree].batch, 0
            for i in range(batch.leaves):
                asked += leaves[tree][i].rows > 0 and leaves[tree][i].kept == UNKNOWN
            counts[DONE, tree] = batch.done
            counts[SENT, tree] = asked
        return row

    @rule
    def evaluate_leaf(work, player, o):
        """The rewards of a leaf to the path: the network's values, those of rollouts, or a mix of both."""
        path = work.path
        players = len(path.reward)
        if o.rollout_mix < 1.0:
            total, row = 0.0, 0
            for one in range(players):
                path.answer[one] = 0.0
                if player == SIMULTANEOUS:
                    if path.open[one]:
                        path.answer[one] = path.win[row]
                        row += 1
                elif player == one:
                    path.answer[one] = path.win[0]
                else:
                    path.answer[one] = (1.0 - path.win[0]) / (players - 1)
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

    @rule
    def learn_leaves(nodes, work, o, leaves, priors, values):
        """Expand and evaluate the leaves of a tree by the network's answers, and take the virtual losses back."""
        path = work.path
        path.passed, path.overflow, path.node[0] = 0, NO_ACTION, ROOT
        for i in range(work.batch.leaves):
            find_path(nodes, path, leaves[i])
            add_visits(nodes, path, -o.virtual_loss)
        for i in range(work.batch.leaves):
            leaf = leaves[i]
            if leaf.rows > 0:
                find_path(nodes, path, leaf)
                assign(work.state, leaf.state)
                read_answer(work, leaf, priors, values)
                at = path.node[path.depth]
                nodes[at].expanded = leaf.expanded
                player = nodes[at].mover
                if nodes[at].expanded != ASKED:
                    expand_by_network(nodes, work, at, player)
                evaluate_leaf(work, player, o)
                backup(nodes, work, o)
        for i in range(work.batch.leaves):
            if leaves[i].rows > 0 and leaves[i].kept == UNKNOWN:
                keep_answer(work, leaves[i], priors, values)

    def learn(nodes, works, o, leaves, priors, values):
        """Use the network's answers in each tree."""
        for tree in range(len(works)):
            learn_leaves(nodes[tree], works[tree], o, leaves[tree], priors, values)

    return select, learn


def make_decisions(rules, output, columns):
    """Two functions for self-play: to begin a tree for a position, and to read the decision of a tree."""
    mover, is_active, moves = rules.mover, rules.is_active, rules.moves

    def plant(nodes, works, roots, tree):
        """A tree that is only a root."""
        work, root = works[tree], roots[tree]
        write(nodes[tree, ROOT], 0, 0.0)
        nodes[tree, ROOT].mover = mover(root)
        clear(work.tree, nodes.shape[1])
        work.out.searcher = max(0, mover(root))
        if mover(root) == SIMULTANEOUS:
            while not is_active(root, work.out.searcher):
                work.out.searcher += 1

    def read(nodes, roots, tree, visits, outputs, values):
        """The visits of each player's actions, the network's outputs for these, and each player's mean reward."""
        root = nodes[tree, ROOT]
        for player in range(len(values)):
            values[player] = root.value[player] / root.visits
            for action in range(columns):
                visits[player, action] = 0
        for child in range(root.first, root.first + root.count):
            player = root.mover
            if root.mover == SIMULTANEOUS:
                player = (child - root.first) // moves
            visits[player, nodes[tree, child].action] = nodes[tree, child].visits
        for player in range(len(values)):
            for action in range(columns):
                if visits[player, action] > 0:
                    outputs[player, action] = output(roots[tree], player, action)

    return plant, read
