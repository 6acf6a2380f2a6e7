"""Back-up: what a simulation adds to the nodes on its path.

A back-up rule is `(nodes, work, o)`: it takes the rewards in `work.path.reward` from the leaf of the path to the root.
`BACKUPS` has all of them by name. The solver is here, too: a node whose exact value is known is proven, and so may its
ancestors be (Winands et al. 2008).
"""

from __future__ import annotations

from spinney.games.card import CHANCE
from spinney.kernel import rule
from spinney.search.tree import CERTAIN, NEVER_PROVEN, NONE, SOME_PROVEN


@rule
def take_exact(path, node):
    """Replace the rewards of the path by the value of a proven node."""
    for player in range(len(node.value)):
        path.reward[player] = node.value[player] / node.visits


@rule(inline=True)
def mean_backup(nodes, work, o):
    """Add the rewards to every node of the path. Where selection preferred a proven child, that child's value counts
    from there up."""
    path = work.path
    i, passed = path.depth, path.passed
    while i >= 0:
        if passed > 0 and path.passed_depth[passed - 1] == i:
            passed -= 1
            take_exact(path, nodes[path.passed_child[passed]])
        node = nodes[path.node[i]]
        node.visits += 1
        for player in range(len(node.value)):
            node.value[player] += path.reward[player]
        i -= 1


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


BACKUPS = {"mean": mean_backup, "minimax": minimax_backup}
"""The back-up rules by name."""


@rule
def add_value(node, exact, scale):
    """Add to a node's summed rewards so that its mean moves by a share of an exact value."""
    for player in range(len(node.value)):
        node.value[player] += scale * node.visits * exact.value[player] / exact.visits


@rule
def prove(nodes, at):
    """One of its children is proven: prove the node if that decides it, by a certain win of the mover, or because every
    child is proven."""
    parent = nodes[at]
    if parent.expanded in (0, NEVER_PROVEN):
        return False
    parent.expanded = SOME_PROVEN
    best, unproven, listed = NONE, 0, 0.0
    for child in range(parent.first, parent.first + parent.count):
        node = nodes[child]
        listed += node.weight
        if node.proven == 0:
            unproven += 1
        elif parent.mover >= 0 and (
            best == NONE
            or node.value[parent.mover] / node.visits > nodes[best].value[parent.mover] / nodes[best].visits
        ):
            best = child
    if parent.mover == CHANCE:
        if unproven > 0:
            return False
    elif best == NONE or (unproven > 0 and nodes[best].value[parent.mover] < CERTAIN * nodes[best].visits):
        return False
    for player in range(len(parent.value)):
        parent.value[player] = 0.0
    if parent.mover == CHANCE:
        for child in range(parent.first, parent.first + parent.count):
            add_value(parent, nodes[child], nodes[child].weight / listed)
    else:
        add_value(parent, nodes[best], 1.0)
    parent.proven = 1
    return True


@rule
def prove_path(nodes, path, depth):
    """A child of the node at this depth of the path is proven: prove the node and its ancestors as far as possible."""
    i = depth
    while i >= 0 and prove(nodes, path.node[i]):
        i -= 1
