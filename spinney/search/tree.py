"""The tree: nodes are records in one block of memory, and a node's children are a linked list.

Linked, because children may come one by one: chance outcomes as they are met, and actions in an open-loop search,
where what is legal depends on the dice. The children of an ordinary node are made together and lie side by side.
Growth, back-up, proof and transplanting are small rules here, which every tree search shares.
"""

from __future__ import annotations

from functools import cache

from spinney.games.card import CHANCE
from spinney.kernel import Record, assign, below, f32, f64, i8, i16, i32, i64, rule

ROOT = 0
NONE = 0
"""No child: the root is nobody's child."""

GROWN, SOME_PROVEN, NEVER_PROVEN = 1, 2, 3

NO_ACTION = -1

MAX_DEPTH = 512
"""How deep the tree may grow; below that, only rollouts."""

CERTAIN = 1.0 - 1e-9
"""A proven reward that cannot be beaten (rewards are in 0..1)."""


@cache
def node_record(players: int) -> type[Record]:
    """A node for a game of so many players: 24 bytes, and 8 more a player."""

    class Node(Record):
        visits = i32
        first = i32  # first child
        next = i32  # next child of the same parent
        action = i32  # action or chance outcome that leads here
        weight = f32  # bias of the action, probability of the outcome, or how often the action could be chosen
        mover = i8  # who moves here
        proven = i8  # 1: the value is exact
        grown = i16  # GROWN: all its children are there; SOME_PROVEN, NEVER_PROVEN: besides, what is proven
        value = f64[players]  # summed rewards

    return Node


@cache
def judged_record(players: int) -> type[Record]:
    """A node of a tree whose nodes have all been evaluated: 8 bytes a player more."""

    class Judged(node_record(players)):  # type: ignore[misc]
        guess = f64[players]  # minimax over the evaluations below

    return Judged


class Tree(Record):
    """What belongs to the whole tree."""

    used = i64  # nodes in use
    full = i64  # 1: there was no room for a node


@cache
def path_record(players: int, moves: int = 1) -> type[Record]:
    """One simulation's way down the tree, and what came of it.

    Where players move together there is room to think about each one's actions at a node: which are open, as bits, and
    two figures for each.
    """

    class Path(Record):
        depth = i64
        node = i32[MAX_DEPTH]
        notes = i64  # where a proven child was passed by, whose value counts from there up
        noted_depth = i32[MAX_DEPTH]
        noted_child = i32[MAX_DEPTH]
        reward = f64[players]
        made = i64  # a joint action for which there was no room, or NO_ACTION
        meant = i64  # the action that is made, where a child stands for several that look alike
        open = i64[players]
        tried = f64[players, moves]
        worth = f64[players, moves]

    return Path


@rule(inline=True)
def write(node, action, weight):
    """A node without visits or children."""
    node.visits = 0
    node.first = NONE
    node.next = NONE
    node.action = action
    node.weight = weight
    node.mover = 0
    node.proven = 0
    node.grown = 0
    for player in range(len(node.value)):
        node.value[player] = 0.0


@rule
def grow(nodes, tree, parent, out, n, rng, weighted):
    """Give a node all its children, in random order; False if there is no room, or there are none."""
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
    nodes[parent].grown = GROWN
    tree.used = first + n
    return True


@rule
def put_in_order(nodes, parent, out):
    """Link the children of a node anew, highest weight first. They must lie side by side."""
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
def find_or_add(nodes, tree, parent, action):
    """The child that an action leads to, made if need be; NONE if there is no room."""
    return find_or_add_after(nodes, tree, parent, NONE, action)


@rule
def find_or_add_after(nodes, tree, parent, last, action):
    """The same, looked for behind another child first, and added there: for actions that come in much the same order
    every time. `last` may be NONE, for the first one."""
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


@rule
def exact(path, node):
    """Take a proven node's value for the rewards of the path."""
    for player in range(len(node.value)):
        path.reward[player] = node.value[player] / node.visits


@rule(inline=True)
def back_up(nodes, path):
    """Add the path's rewards to every node on it, from the leaf up; what was noted on the way counts from there."""
    i, note = path.depth, path.notes
    while i >= 0:
        if note > 0 and path.noted_depth[note - 1] == i:
            note -= 1
            exact(path, nodes[path.noted_child[note]])
        node = nodes[path.node[i]]
        node.visits += 1
        for player in range(len(node.value)):
            node.value[player] += path.reward[player]
        i -= 1


@rule
def settle(node, like, scale):
    """Make a node's mean the exact value of another one, as a share of a chance node or as a whole."""
    for player in range(len(node.value)):
        node.value[player] += scale * node.visits * like.value[player] / like.visits


@rule
def prove(nodes, at):
    """One of its children is proven: settle a node if that decides it, by a sure win for the mover, or because every
    child is exact."""
    parent = nodes[at]
    if parent.grown in (0, NEVER_PROVEN):
        return False
    parent.grown = SOME_PROVEN
    best, open_children, listed = NONE, 0, 0.0
    child = parent.first
    while child != NONE:
        node = nodes[child]
        listed += node.weight
        if node.proven == 0:
            open_children += 1
        elif parent.mover >= 0 and (
            best == NONE
            or node.value[parent.mover] / node.visits > nodes[best].value[parent.mover] / nodes[best].visits
        ):
            best = child
        child = node.next
    if parent.mover == CHANCE:
        if open_children > 0:
            return False
    elif best == NONE or (open_children > 0 and nodes[best].value[parent.mover] < CERTAIN * nodes[best].visits):
        return False
    for player in range(len(parent.value)):
        parent.value[player] = 0.0
    if parent.mover == CHANCE:
        child = parent.first
        while child != NONE:
            settle(parent, nodes[child], nodes[child].weight / listed)
            child = nodes[child].next
    else:
        settle(parent, nodes[best], 1.0)
    parent.proven = 1
    return True


@rule
def prove_path(nodes, path, depth):
    """A child of the node at some depth of the path is proven: settle it and its ancestors as far as that reaches."""
    i = depth
    while i >= 0 and prove(nodes, path.node[i]):
        i -= 1


@rule
def minimax_path(nodes, path):
    """After the leaf's children were evaluated: what the best play by these evaluations leads to, from there up."""
    i = path.depth
    while i >= 0:
        parent = nodes[path.node[i]]
        child = parent.first
        best, most = NONE, -1.0
        while child != NONE:
            worth = nodes[child].guess[parent.mover]
            better = worth > most
            best = child if better else best
            most = worth if better else most
            child = nodes[child].next
        if best != NONE:
            for player in range(len(parent.guess)):
                parent.guess[player] = nodes[best].guess[player]
        i -= 1


def make_transplant():
    """Copying a subtree to a new block, breadth first: what was a node's subtree becomes a tree of its own."""

    def transplant(source, at, nodes, tree):
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
        tree.used = used
        tree.full = 0

    return transplant
