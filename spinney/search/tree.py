"""The tree: nodes are records in one block of memory, and the children of a node are a linked list.

Linked, because children may be added one by one: chance outcomes as they are drawn, and actions in an open-loop
search, where the legal actions depend on chance. The children of other nodes are added together and are contiguous.
"""

from __future__ import annotations

from functools import cache

from spinney.kernel import Record, assign, below, f32, f64, i8, i16, i32, i64, rule

ROOT = 0
NONE = 0
"""No child: the root is no node's child."""

EXPANDED, SOME_PROVEN, NEVER_PROVEN = 1, 2, 3
"""In a node's `expanded`: all its children are in the tree; besides, one is proven, or the node can never be proven."""

NO_ACTION = -1

MAX_DEPTH = 512
"""The depth limit of the tree; below it there are only rollouts."""

CERTAIN = 1.0 - 1e-9
"""A proven reward that cannot be beaten (rewards are in 0..1)."""


@cache
def node_record(players: int) -> type[Record]:
    """A node for a number of players: 24 bytes, and 8 per player."""

    class Node(Record):
        visits = i32
        first = i32  # first child
        next = i32  # next sibling
        action = i32  # action or chance outcome that leads here
        weight = f32  # prior or bias of the action, probability of the outcome, or how often the action was available
        mover = i8  # who moves here
        proven = i8  # 1: the value is exact
        expanded = i16  # 0, EXPANDED, SOME_PROVEN or NEVER_PROVEN
        value = f64[players]  # summed rewards

    return Node


@cache
def minimax_record(players: int) -> type[Record]:
    """A node with a static evaluation, for lookahead: 8 bytes per player more."""

    class MinimaxNode(node_record(players)):  # type: ignore[misc]
        minimax = f64[players]  # minimax over the evaluations below

    return MinimaxNode


class Tree(Record):
    """The size of a tree."""

    used = i64  # nodes in use
    full = i64  # 1: a node could not be added for lack of memory


@rule(inline=True)
def write(node, action, weight):
    """Initialise a node: no visits, no children."""
    node.visits = 0
    node.first = NONE
    node.next = NONE
    node.action = action
    node.weight = weight
    node.mover = 0
    node.proven = 0
    node.expanded = 0
    for player in range(len(node.value)):
        node.value[player] = 0.0


@rule
def expand(nodes, work, parent, n, weighted):
    """Add a child for each of n actions in `work.out`, in random order; False if there is no memory or no action."""
    tree, out, rng = work.tree, work.out, work.rng
    first = tree.used
    if n <= 0:
        return False
    if first + n > len(nodes):
        tree.full = 1
        return False
    for i in range(n - 1, 0, -1):  # a random order, so that no action is always tried first
        j = below(rng, i + 1)
        out.action[i], out.action[j] = out.action[j], out.action[i]
        if weighted:
            out.weight[i], out.weight[j] = out.weight[j], out.weight[i]
    for i in range(n):
        child = nodes[first + i]
        write(child, out.action[i], out.weight[i] if weighted else 0.0)
        child.next = first + i + 1
    nodes[first + n - 1].next = NONE
    nodes[parent].first = first
    nodes[parent].expanded = EXPANDED
    tree.used = first + n
    return True


@rule
def sort_children(nodes, work, parent):
    """Relink the children of a node, highest weight first. They must be contiguous."""
    out = work.out
    first, n = nodes[parent].first, 0
    child = first
    while child != NONE:
        out.action[n] = child
        n += 1
        child = nodes[child].next
    gap, moved = n, True
    while gap > 1 or moved:  # comb sort
        gap = max(1, gap * 10 // 13)
        moved = False
        for i in range(n - gap):
            one, other = out.action[i], out.action[i + gap]
            if nodes[one].weight < nodes[other].weight:
                out.action[i], out.action[i + gap] = other, one
                moved = True
    nodes[parent].first = out.action[0]
    for i in range(n - 1):
        nodes[out.action[i]].next = out.action[i + 1]
    nodes[out.action[n - 1]].next = NONE


@rule
def find(nodes, parent, action):
    """The child that an action leads to, or NONE."""
    child = nodes[parent].first
    while child != NONE and nodes[child].action != action:
        child = nodes[child].next
    return child


@rule
def find_or_add(nodes, work, parent, action):
    """The child that an action leads to, added if it is missing; NONE if there is no memory."""
    return find_or_add_after(nodes, work, parent, NONE, action)


@rule
def find_or_add_after(nodes, work, parent, last, action):
    """The same, but the list is searched from another child on, and a new child is added behind that one: quick for
    actions that are looked up in nearly the same order every time. For the first of them `last` is NONE."""
    first = nodes[parent].first
    start = first if last == NONE else nodes[last].next
    child = start
    while child != NONE and nodes[child].action != action:
        child = nodes[child].next
    if child != NONE:
        return child
    child = first
    while child != start and nodes[child].action != action:
        child = nodes[child].next
    if child != start:
        return child
    tree = work.tree
    if tree.used == len(nodes):
        tree.full = 1
        return NONE
    child = tree.used
    tree.used = child + 1
    write(nodes[child], action, 0.0)
    nodes[child].next = start
    if last == NONE:
        nodes[parent].first = child
    else:
        nodes[last].next = child
    return child


def make_transplant():
    """A function that copies a subtree to another block, breadth first, where it is a tree of its own."""

    def transplant(source, at, nodes, work):
        assign(nodes[ROOT], source[at])
        nodes[ROOT].next = NONE
        used, i = 1, 0
        while i < used:
            old = nodes[i].first
            if old != NONE:
                nodes[i].first = used
            while old != NONE:
                assign(nodes[used], source[old])
                old = nodes[used].next
                if old != NONE:
                    nodes[used].next = used + 1
                used += 1
            i += 1
        work.tree.used = used
        work.tree.full = 0

    return transplant
