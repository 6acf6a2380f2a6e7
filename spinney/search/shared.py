"""A tree that several threads grow (tree parallelism, Chaslot et al. 2008): how its nodes are read and changed.

Visits and rewards are added by atomic operations, so that none is lost. On its way down, a simulation adds a virtual
loss to every node: visits without reward, which keep the other threads from following it. Its back-up removes them.

The children of a node are written by the thread that changes `expanded` from 0 to EXPANDING, in its own part of the
memory, and are there for the others when it is EXPANDED. A thread that comes in between evaluates the node as a leaf.

A proven value is written by the thread that changes `proven` from 0 to PROVING, and is there for the others when it is
1. It has a field of its own, `exact`, because simulations that went through the node before still add their rewards to
`value`.

Each function here is made for a shared tree or for one of a single thread, whose code has nothing of this.
"""

from __future__ import annotations

from spinney.kernel import add_at, compare_and_swap, fetch_add, load, rule, store
from spinney.search.tree import EXPANDING, PROVING


def make_readers(shared):
    """How the state of a node is read: whether it is proven, its exact value then, its visits, and the visits that a
    node on the path has without this simulation."""

    @rule(inline=True)
    def is_proven(node):
        return load(node, "proven") > 0 if shared else node.proven != 0

    @rule(inline=True)
    def exact_value(node, player):
        return node.exact[player] if shared else node.value[player] / node.visits

    @rule(inline=True)
    def visits_of(node):
        return load(node, "visits") if shared else node.visits

    @rule(inline=True)
    def visits_before(node, o):
        return load(node, "visits") - o.virtual_loss if shared else node.visits

    return is_proven, exact_value, visits_of, visits_before


def make_expansion(shared):
    """Three functions of the expansion of a node: its state, the claim of one thread to expand it, and the announcement
    of its new state."""

    @rule(inline=True)
    def state_of(node):
        return load(node, "expanded") if shared else node.expanded

    @rule(inline=True)
    def claim(node):
        return compare_and_swap(node, "expanded", 0, EXPANDING) if shared else True

    @rule(inline=True)
    def announce(node, state):
        if shared:
            store(node, "expanded", state)
        else:
            node.expanded = state

    return state_of, claim, announce


def make_proof(shared):
    """Two functions of the proof of a node: the claim of one thread to write its exact value, and the end of that."""

    @rule(inline=True)
    def claim_proof(node):
        return compare_and_swap(node, "proven", 0, PROVING) if shared else True

    @rule(inline=True)
    def end_proof(node):
        if shared:
            store(node, "proven", 1)
        else:
            node.proven = 1

    return claim_proof, end_proof


def make_adding(shared):
    """Functions that add to a node: a virtual loss, a visit (which takes the virtual loss back), rewards, and their
    squares."""

    @rule(inline=True)
    def add_virtual_loss(node, o):
        if shared:
            fetch_add(node, "visits", o.virtual_loss)

    @rule(inline=True)
    def add_visit(node, o):
        if shared:
            if o.virtual_loss != 1:
                fetch_add(node, "visits", 1 - o.virtual_loss)
        else:
            node.visits += 1

    @rule(inline=True)
    def add_reward(node, player, reward):
        if shared:
            if reward != 0.0:  # an atomic operation costs more than the question
                add_at(node, "value", player, reward)
        else:
            node.value[player] += reward

    @rule(inline=True)
    def add_square(node, player, reward):
        if shared:
            add_at(node, "squares", player, reward * reward)
        else:
            node.squares[player] += reward * reward

    return add_virtual_loss, add_visit, add_reward, add_square
