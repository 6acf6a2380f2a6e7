"""A transposition table: values and best moves of searched positions, for when the search reaches them again.

Positions are told apart by the game's rule `position_hash`. Two of them rarely have the same hash. A stored move is
tried only if it is legal, so a collision can at worst give a wrong value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spinney.kernel import Record, block, f64, i8, i32, i64, rule
from spinney.kernel.bits import mix
from spinney.search.tree import CERTAIN

SIZE = 1 << 20
"""Entries, a power of two; 24 bytes each."""
PATHS = 1 << 16
"""Entries for positions that are told apart by the moves from the root, of one decision: few enough for the CPU's
cache."""
EMPTY, EXACT, LOWER, UPPER = 0, 1, 2, 3
"""Whether the value of an entry is exact, or a bound."""
EXACT_DEPTH = 127
"""As a depth: the value does not depend on any evaluation."""


class Entry(Record):
    hash = i64
    value = f64  # for the player to move
    action = i32  # the best move
    depth = i8  # plies searched
    bound = i8


def new_table(entry: type[Record], size: int, plain: bool) -> Any:
    """An empty table."""
    table = block(entry, size, plain)
    if not plain:
        table.view(np.uint8)[:] = 0  # np.zeros would leave it to the first decision to get the memory, page by page
    return table


@rule(inline=True)
def index(table, hash):
    """The only entry in which a position may be."""
    return mix(hash) & (len(table) - 1)


@rule(inline=True)
def lookup(table, hash):
    """The entry of a position, or -1."""
    at = index(table, hash)
    return at if table[at].hash == hash and table[at].bound != EMPTY else -1


@rule(inline=True)
def cuts_off(entry, depth, alpha, beta):
    """Whether an entry saves the search: it is deep enough, and exact or a bound that causes a cutoff."""
    if entry.depth < depth:
        return False
    if entry.bound == LOWER:
        return entry.value >= beta
    if entry.bound == UPPER:
        return entry.value <= alpha
    return True


@rule
def store(table, hash, depth, alpha, beta, value, action):
    """Store a searched position: the latest replaces others, but of one position the deepest search stays."""
    if not 1.0 - CERTAIN < value < CERTAIN:  # evaluations are never that certain
        depth = EXACT_DEPTH
    entry = table[index(table, hash)]
    if entry.hash == hash and entry.bound != EMPTY and entry.depth > depth:
        return
    entry.hash = hash
    entry.value = value
    entry.action = action
    entry.depth = depth
    entry.bound = LOWER if value >= beta else UPPER if value <= alpha else EXACT
