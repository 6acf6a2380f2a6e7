"""Transpositions: one node per position, so that the tree becomes a directed graph without cycles.

A child in the tree is an edge: it has the action, and its own visits (`edge_visits`). The first edge that reaches a
position is its node, too. Another edge that reaches the same position has a `link` to that node, and no children of its
own. Positions are equal if the game's rule `position_hash` says so; a game in which positions can come again must have
what tells them apart in the hash, such as the number of the move.

Selection uses the visits of the edge and the mean of the node that it leads to (UCT2 of Childs et al. 2008). The mean
of a node is that of its own first evaluation and of the nodes below, each as often as its edge was followed. A plain
sum of the rewards that passed through would be wrong, because a node may be known better than by the simulations
through one parent. When a simulation follows an edge, the back-up replaces what the edge has given to its parent so far
(`given`).

Nodes are found by their hash in chained buckets. The first node of a bucket is in `work.buckets`, which is not cleared
between decisions: an entry is valid if it names a node in use that belongs to this bucket (`home`).
"""

from __future__ import annotations

from spinney.kernel import Record, i32, rule
from spinney.kernel.bits import mix
from spinney.search.backup import take_exact
from spinney.search.tree import NONE

BUCKETS = 1 << 18
"""Few enough to stay in the cache of the processor."""


class Buckets(Record):
    """The first node of each bucket."""

    head = i32[BUCKETS]


def make_position_node(rules):
    """A function from a child that was selected to the node of its position, which is in `work.state`."""
    position_hash = rules.position_hash

    @rule
    def position_node(nodes, work, child):
        node = nodes[child]
        if node.link != NONE:
            return node.link
        if node.visits > 0:
            return child
        key = position_hash(work.state)
        home = mix(key) & (BUCKETS - 1)
        first = work.buckets.head[home]
        if first <= NONE or first >= work.tree.used or nodes[first].home != home:
            first = NONE
        found = first
        while found != NONE and nodes[found].key != key:
            found = nodes[found].next
        if found == NONE:
            node.key = key
            node.home = home
            node.next = first
            work.buckets.head[home] = child
            return child
        node.link = found
        return found

    return position_node


@rule
def graph_backup(nodes, work, o):
    """Add a visit to the nodes and edges of the path, and let each edge give its parent the mean of its node. Where
    selection preferred a proven child, that child's value counts at the parent instead."""
    path = work.path
    passed = path.passed
    leaf = nodes[path.node[path.depth]]
    leaf.visits += 1
    for player in range(len(leaf.value)):
        leaf.value[player] += path.reward[player]
    i = path.depth
    while i > 0:
        node, edge = nodes[path.node[i]], nodes[path.edge[i]]
        i -= 1
        parent = nodes[path.node[i]]
        parent.visits += 1
        edge.edge_visits += 1
        if passed > 0 and path.passed_depth[passed - 1] == i:
            passed -= 1
            preferred = nodes[path.passed_child[passed]]
            take_exact(path, nodes[preferred.link] if preferred.link != NONE else preferred)
            for player in range(len(parent.value)):
                parent.value[player] += path.reward[player]
        else:
            edge.counted += 1
            for player in range(len(parent.value)):
                worth = edge.counted * node.value[player] / node.visits
                parent.value[player] += worth - edge.given[player]
                edge.given[player] = worth
