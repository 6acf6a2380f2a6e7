"""The tree: nodes are records in one block of memory, and the children of a node are contiguous in it.

Most nodes get all their children at once. Some get them one by one: chance outcomes as they are drawn, joint actions as
they are chosen, and actions in an open-loop search, where the legal actions depend on chance. When such a node has no
room for another child, its children move to a place twice as large. So the index of a child is valid only until another
child is added to its parent.

Where players move simultaneously, a node has a child for every player and move, player by player, with the statistics
of that move over all moves of the others. What joint actions lead to are the children of the first of these.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, cast

from spinney.games.card import SIMULTANEOUS
from spinney.kernel import Record, assign, below, f32, f64, i8, i32, i64, rule

ROOT = 0
NONE = 0
"""No child: the root is no node's child."""

EXPANDED, SOME_PROVEN, NEVER_PROVEN, DOMINATED = 1, 2, 3, 16
"""In a node's `expanded`: all its children are in the tree; besides, one is proven, or the node has bounds
(score_bounds.py), or it can never be proven. Of a simultaneous move: it is searched; or no more, it is dominated."""
EXPANDING, PROVING = -1, -1
"""In `expanded` and `proven`, in a tree that several threads grow: one of them is writing the children or the value."""

NO_ACTION = -1

MAX_DEPTH = 512
"""The depth limit of the tree; below it there are only rollouts."""

CERTAIN = 1.0 - 1e-9
"""A proven reward that cannot be beaten (rewards are in 0..1)."""

SIZES = 31
"""Blocks of 1, 2, 4, ... nodes, from which children have moved, are used again."""


@cache
def node_record(players: int) -> type[Record]:
    """A node for a number of players: 24 bytes, and 8 per player."""

    class Node(Record):
        visits = i32
        first = i32  # first child
        count = i32  # number of children
        action = i32  # action or chance outcome that leads here
        weight = f32  # prior or bias of the action, probability of the outcome, or how often the action was available
        mover = i8  # who moves here
        proven = i8  # 1: the value is exact; PROVING: soon
        expanded = i8  # 0, EXPANDED, SOME_PROVEN, NEVER_PROVEN or DOMINATED; EXPANDING: soon
        room = i8  # the children are in a block of 2 ** (room - 1) nodes; 0: one without room for more
        value = f64[players]  # summed rewards

    return Node


EXTRAS: dict[str, Callable[[int], dict[str, Any]]] = {
    # minimax value of the evaluations below, for lookahead
    "minimax": lambda players: {"minimax": f64[players]},
    # summed squares of the rewards, for UCB1-Tuned
    "squares": lambda players: {"squares": f64[players]},
    # simulations in which the parent's mover made this action at or after the parent, and its summed rewards in them
    "amaf": lambda players: {"amaf_visits": i32, "amaf_value": f64},
    # the value of a proven node, in a tree that several threads grow; see shared.py
    "shared": lambda players: {"exact": f64[players]},
    # importance-weighted rewards (exp3) or regrets of a player's simultaneous move, and its summed strategies
    "strategy": lambda players: {"gain": f64, "strategy": f64},
    # what each player gets at least and at most; see score_bounds.py
    "bounds": lambda players: {"lower": f32[players], "upper": f32[players]},
    # one node per position; see graph.py
    "graph": lambda players: {
        "key": i64, "given": f64[players], "counted": i32, "edge_visits": i32, "link": i32, "home": i32,
        "next": i32,
    },
}  # fmt: skip
"""Further statistics of a node, by name: the fields for a number of players."""


@cache
def extended_record(players: int, extras: tuple[str, ...]) -> type[Record]:
    """A node with further statistics."""
    base, kind = node_record(players), cast(Any, type(Record))
    fields = {field: it for name in extras for field, it in EXTRAS[name](players).items()}
    made: type[Record] = kind("ExtendedNode", (base,), fields) if fields else base
    return made


def make_reset(extras):
    """A function that initialises the further statistics of a new node."""
    squares, amaf, graph, strategy = (name in extras for name in ("squares", "amaf", "graph", "strategy"))

    @rule(inline=True)
    def reset(node):
        if squares:
            for player in range(len(node.value)):
                node.squares[player] = 0.0
        if amaf:
            node.amaf_visits = 0
            node.amaf_value = 0.0
        if strategy:
            node.gain = 0.0
            node.strategy = 0.0
        if graph:
            node.link = NONE
            node.home = NO_ACTION
            node.counted = 0
            node.edge_visits = 0
            for player in range(len(node.value)):
                node.given[player] = 0.0

    return reset


class Tree(Record):
    """The memory of a tree, or one thread's part of it."""

    nodes = i64  # nodes in the tree
    used = i64  # where unused memory begins: the nodes in use, with those that are kept free
    limit = i64  # where it ends
    full = i64  # 1: a node could not be added for lack of memory
    free = i32[SIZES]  # the first free block of each size, whose `first` is the next one


@rule
def clear(tree, limit):
    """A tree that is only a root, in memory for a number of nodes."""
    tree.nodes = 1
    tree.used = 1
    tree.limit = limit
    tree.full = 0
    for size in range(SIZES):
        tree.free[size] = NONE


@rule(inline=True)
def write(node, action, weight):
    """Initialise a node: no visits, no children."""
    node.visits = 0
    node.first = NONE
    node.count = 0
    node.action = action
    node.weight = weight
    node.mover = 0
    node.proven = 0
    node.expanded = 0
    node.room = 0
    for player in range(len(node.value)):
        node.value[player] = 0.0


@rule(inline=True)
def reserve(work, n):
    """The first of n new nodes; NONE if there is no memory."""
    tree = work.tree
    first = tree.used
    if first + n > tree.limit:
        tree.full = 1
        return NONE
    tree.used = first + n
    return first


@rule
def add_children(nodes, work, parent, n, weighted):
    """Add a child for each of n actions in `work.out`, in random order; False if there is no memory or no action."""
    out, rng = work.out, work.rng
    if n <= 0:
        return False
    first = reserve(work, n)
    if first == NONE:
        return False
    for i in range(n - 1, 0, -1):  # a random order, so that no action is always tried first
        j = below(rng, i + 1)
        out.action[i], out.action[j] = out.action[j], out.action[i]
        if weighted:
            out.weight[i], out.weight[j] = out.weight[j], out.weight[i]
    for i in range(n):
        write(nodes[first + i], out.action[i], out.weight[i] if weighted else 0.0)
    node = nodes[parent]
    node.first = first
    node.count = n
    work.tree.nodes += n
    return True


@rule(inline=True)
def expand(nodes, work, parent, n, weighted):
    """Add all children of a node, for n actions in `work.out`; False if there is no memory or no action."""
    if not add_children(nodes, work, parent, n, weighted):
        return False
    nodes[parent].expanded = EXPANDED
    return True


@rule
def sort_children(nodes, work, parent):
    """Sort the children of a node by weight, highest first; not if the tree is full."""
    out, free = work.out, work.tree.used
    first, n = nodes[parent].first, nodes[parent].count
    if free + n > work.tree.limit:
        return
    for i in range(n):
        out.action[i] = first + i
    gap, moved = n, True
    while gap > 1 or moved:  # comb sort
        gap = max(1, gap * 10 // 13)
        moved = False
        for i in range(n - gap):
            one, other = out.action[i], out.action[i + gap]
            if nodes[one].weight < nodes[other].weight:
                out.action[i], out.action[i + gap] = other, one
                moved = True
    for i in range(n):
        assign(nodes[free + i], nodes[out.action[i]])
    for i in range(n):
        assign(nodes[first + i], nodes[free + i])


@rule
def look_up(nodes, parent, place, action):
    """The child that an action leads to, or NONE, looked up from a place among the children on."""
    first, end = nodes[parent].first, nodes[parent].first + nodes[parent].count
    for child in range(first + place, end):
        if nodes[child].action == action:
            return child
    for child in range(first, first + place):
        if nodes[child].action == action:
            return child
    return NONE


@rule(inline=True)
def find_from(nodes, parent, place, action):
    """The same, quick for actions that are looked up in nearly the same order every time."""
    child = nodes[parent].first + place
    if place < nodes[parent].count and nodes[child].action == action:
        return child
    return look_up(nodes, parent, place, action)


@rule(inline=True)
def find(nodes, parent, action):
    """The child that an action leads to, or NONE."""
    return look_up(nodes, parent, 0, action)


@rule
def find_next(nodes, at, action):
    """The node that an action or a joint action leads to, or NONE."""
    parent = nodes[at].first if nodes[at].mover == SIMULTANEOUS else at
    return find(nodes, parent, action)


@rule
def move_children(nodes, work, parent):
    """Move the children of a node to a place with room for more; False if there is no memory."""
    tree, node = work.tree, nodes[parent]
    n, size = node.count, 0
    while 1 << size <= n:
        size += 1
    first = tree.free[size]
    if first != NONE:
        tree.free[size] = nodes[first].first
    else:
        first = reserve(work, 1 << size)
        if first == NONE:
            return False
    for i in range(n):
        assign(nodes[first + i], nodes[node.first + i])
    if node.room > 0:
        nodes[node.first].first = tree.free[node.room - 1]
        tree.free[node.room - 1] = node.first
    node.first = first
    node.room = size + 1
    return True


@rule
def add(nodes, work, parent, place, action):
    """Add a child at a place among the children of a node, which may move; NONE if there is no memory."""
    node = nodes[parent]
    full = node.room == 0 or node.count == 1 << (node.room - 1)
    if full and not move_children(nodes, work, parent):
        return NONE
    child = node.first + place
    for i in range(node.first + node.count, child, -1):
        assign(nodes[i], nodes[i - 1])
    write(nodes[child], action, 0.0)
    node.count += 1
    work.tree.nodes += 1
    return child


@rule
def find_or_add(nodes, work, parent, action):
    """The child that an action leads to, added if it is missing; NONE if there is no memory."""
    child = find(nodes, parent, action)
    return child if child != NONE else add(nodes, work, parent, nodes[parent].count, action)


def make_transplant():
    """A function that copies a subtree to another block, breadth first, where it is a tree of its own."""

    def transplant(source, at, nodes, work):
        clear(work.tree, len(nodes))
        assign(nodes[ROOT], source[at])
        used, i = 1, 0
        while i < used:
            node = nodes[i]
            old = node.first
            if node.count > 0:
                node.first = used
                node.room = 0
            for child in range(old, old + node.count):
                assign(nodes[used], source[child])
                used += 1
            i += 1
        work.tree.nodes = used
        work.tree.used = used

    return transplant
