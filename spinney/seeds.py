"""Seeds derived from one seed, and the seat orders of a matchup: what tournaments and training share."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import permutations
from math import factorial, prod

MOST_ORDERS = 24
"""A matchup with more seat orders than this is only rotated."""


def derive(seed: int, *names: object) -> int:
    """A seed for one purpose, derived from the seed of the run and the names of the purpose."""
    text = "/".join(map(str, (seed, *names)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def seat_orders(matchup: Sequence[int]) -> list[tuple[int, ...]]:
    """All distinct seat orders of the agents in a matchup, or only its rotations if there are too many."""
    count = factorial(len(matchup)) // prod(factorial(matchup.count(agent)) for agent in set(matchup))
    if count <= MOST_ORDERS:
        return sorted(set(permutations(matchup)))
    return sorted({(*matchup[first:], *matchup[:first]) for first in range(len(matchup))})
