"""Back-up: what a simulation adds to the nodes on its path.

A back-up rule is `(nodes, work, o)`: it takes the rewards in `work.path.reward` from the leaf of the path to the root.
`BACKUPS` has all of them by name, but for that of transpositions, which is in graph.py. The solver is here, too: a node
whose exact value is known is proven, and so may its ancestors be (Winands et al. 2008).

With three players or more, `paranoid` and `best_reply` change the rewards before they are backed up: `oppose`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from spinney.games.card import CHANCE
from spinney.kernel import rule
from spinney.search.shared import make_adding, make_expansion, make_proof, make_readers
from spinney.search.tree import CERTAIN, NEVER_PROVEN, NONE, SOME_PROVEN


def make_take_exact(shared=False):
    """A function that replaces the rewards of the path by the value of a proven node."""
    _, exact_value, _, _ = make_readers(shared)

    @rule
    def take_exact(path, node):
        for player in range(len(node.value)):
            path.reward[player] = exact_value(node, player)

    return take_exact


take_exact = make_take_exact()


def make_mean_backup(squared=False, shared=False):
    """Add the rewards to every node of the path, and their squares if a selection rule needs the variance. Where
    selection preferred a proven child, that child's value counts from there up."""
    take_exact = make_take_exact(shared)
    _, add_visit, add_reward, add_square = make_adding(shared)

    @rule(inline=True)
    def backup(nodes, work, o):
        path = work.path
        i, passed = path.depth, path.passed
        while i >= 0:
            if passed > 0 and path.passed_depth[passed - 1] == i:
                passed -= 1
                take_exact(path, nodes[path.passed_child[passed]])
            node = nodes[path.node[i]]
            for player in range(len(node.value)):
                add_reward(node, player, path.reward[player])
                if squared:
                    add_square(node, player, path.reward[player])
            add_visit(node, o)
            i -= 1

    return backup


mean_backup, squares_backup = make_mean_backup(), make_mean_backup(squared=True)


@rule(inline=True)
def minimax_backup(nodes, work, o):
    """The means, and besides the minimax values of the evaluations, for implicit minimax (Lanctot et al. 2014)."""
    mean_backup(nodes, work, o)
    minimax_path(nodes, work)


@rule
def minimax_path(nodes, work):
    """From the leaf up: each node gets the minimax value of its best child."""
    path = work.path
    i = path.depth
    while i >= 0:
        parent = nodes[path.node[i]]
        best, most = NONE, -1.0
        for child in range(parent.first, parent.first + parent.count):
            value = nodes[child].minimax[parent.mover]
            better = value > most
            best = child if better else best
            most = value if better else most
        if best != NONE:
            for player in range(len(parent.minimax)):
                parent.minimax[player] = nodes[best].minimax[player]
        i -= 1


class Backup(NamedTuple):
    """A way to back up rewards."""

    rule: Callable[..., Any]
    exact: Callable[..., Any]
    """For simulations that end at a proven node."""


BACKUPS = {
    "mean": Backup(mean_backup, mean_backup),
    "minimax": Backup(minimax_backup, mean_backup),
    "squares": Backup(squares_backup, squares_backup),
}
"""The back-up rules by name."""


@rule
def oppose(work):
    """The others have the opposite interest: each gets what the searcher does not get."""
    path, searcher = work.path, work.out.searcher
    for player in range(len(path.reward)):
        if player != searcher:
            path.reward[player] = 1.0 - path.reward[searcher]


def make_prove_path(graph=False, shared=False):
    """A function for a path on which a child of the node at a depth is proven: it proves the node and its ancestors as
    far as possible. With transpositions, a child may be a link to a node elsewhere."""
    is_proven, exact_value, _, _ = make_readers(shared)
    claim_proof, end_proof = make_proof(shared)
    _, _, announce = make_expansion(shared)

    @rule(inline=True)
    def known(nodes, child):
        """The node that a child stands for."""
        if graph:
            return nodes[nodes[child].link] if nodes[child].link != NONE else nodes[child]
        return nodes[child]

    @rule
    def clear_value(node):
        for player in range(len(node.value)):
            if shared:
                node.exact[player] = 0.0
            else:
                node.value[player] = 0.0

    @rule
    def add_value(node, child, scale):
        """Add a share of a child's exact value: to the summed rewards, so that the mean moves by it, or to `exact`."""
        for player in range(len(node.value)):
            if shared:
                node.exact[player] += scale * child.exact[player]
            else:
                node.value[player] += scale * node.visits * child.value[player] / child.visits

    @rule
    def prove(nodes, at):
        """One of its children is proven: prove the node if that decides it, by a certain win of the mover, or because
        every child is proven."""
        parent = nodes[at]
        if parent.expanded in (0, NEVER_PROVEN):
            return False
        announce(parent, SOME_PROVEN)
        best, unproven, listed, most = NONE, 0, 0.0, -1.0
        for child in range(parent.first, parent.first + parent.count):
            node = known(nodes, child)
            listed += nodes[child].weight
            if not is_proven(node):
                unproven += 1
            elif parent.mover >= 0:
                value = exact_value(node, parent.mover)
                if value > most:
                    best, most = child, value
        if parent.mover == CHANCE:
            if unproven > 0:
                return False
        elif best == NONE or (unproven > 0 and most < CERTAIN):
            return False
        if not claim_proof(parent):  # another thread has proven it
            return False
        clear_value(parent)
        if parent.mover == CHANCE:
            for child in range(parent.first, parent.first + parent.count):
                add_value(parent, known(nodes, child), nodes[child].weight / listed)
        else:
            add_value(parent, known(nodes, best), 1.0)
        end_proof(parent)
        return True

    @rule
    def prove_path(nodes, path, depth):
        i = depth
        while i >= 0 and prove(nodes, path.node[i]):
            i -= 1

    return prove_path
