"""A transposition table: what a search has found out about positions, for when it comes to them again.

Positions are told apart by the game's rule `key`. Two of them rarely share a key; a move that is remembered is tried
only if it is legal, so the worst that can come of it is a wrong value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spinney.kernel import Record, block, f64, i8, i32, i64, rule
from spinney.kernel.bits import mix
from spinney.search.tree import CERTAIN

SIZE = 1 << 20
"""Entries, a power of two; 24 bytes each."""
NOTHING, EXACT, AT_LEAST, AT_MOST = 0, 1, 2, 3
"""What the value of an entry is."""


SURE = 127
"""As a depth: the value does not depend on any evaluation."""


class Entry(Record):
    key = i64
    value = f64  # for the player to move
    action = i32  # what was best
    depth = i8  # how many moves ahead was looked
    bound = i8


def new_table(size: int, plain: bool) -> Any:
    """An empty table."""
    table = block(Entry, size, plain)
    if not plain:
        table.view(np.uint8)[:] = 0  # np.zeros would leave it to the first decision to get the memory, page by page
    return table


@rule(inline=True)
def place(table, key):
    """The number of the only entry in which a position may be."""
    return mix(key) & (len(table) - 1)


@rule(inline=True)
def recall(table, key):
    """The number of the entry of a position, or -1."""
    at = place(table, key)
    return at if table[at].key == key and table[at].bound != NOTHING else -1


@rule(inline=True)
def settles(entry, depth, alpha, beta):
    """Whether a value is enough to go on without a search: it is as deep as asked for, and no bound that leaves it open
    where between alpha and beta it lies."""
    if entry.depth < depth:
        return False
    if entry.bound == AT_LEAST:
        return entry.value >= beta
    if entry.bound == AT_MOST:
        return entry.value <= alpha
    return True


@rule
def remember(table, key, depth, alpha, beta, value, action):
    """A position has been searched; the latest of those that share an entry has it, and of one position the deepest."""
    if not 1.0 - CERTAIN < value < CERTAIN:  # evaluations are never that sure
        depth = SURE
    entry = table[place(table, key)]
    if entry.key == key and entry.bound != NOTHING and entry.depth > depth:
        return
    entry.key = key
    entry.value = value
    entry.action = action
    entry.depth = depth
    entry.bound = AT_LEAST if value >= beta else AT_MOST if value <= alpha else EXACT
