"""Who sits where: seats are rotated evenly, and the games of one rotation share their dice."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import factorial, prod

from spinney.errors import BadOption

MOST_ORDERS = 24
"""Fields with more seat orders than this are only rotated."""


@dataclass(frozen=True)
class Pairing:
    """One game to play."""

    number: int
    seed: int
    """Start of the game's own chance; the same for all seat orders of one field."""
    seats: tuple[int, ...]
    """The agent in each seat, by its place among the different agents."""


def schedule(specs: Sequence[str], players: int, games: int, seed: int) -> list[Pairing]:
    """Games of all fields in all seat orders, again and again with new dice, up to a number of games.

    As many agents as players make one field; more make every combination. An agent named twice sits twice.
    """
    if len(specs) < players:
        raise BadOption(f"{players} players need at least {players} agents; {len(specs)} given")
    known = list(dict.fromkeys(specs))
    fields = sorted({tuple(sorted(known.index(spec) for spec in field)) for field in combinations(specs, players)})
    tables = [seats for field in fields for seats in orders(field)]
    return [
        Pairing(number, derive(seed, "dice", number // len(tables)), tables[number % len(tables)])
        for number in range(games)
    ]  # fmt: skip


def orders(field: Sequence[int]) -> list[tuple[int, ...]]:
    """The seat orders of a field: all of them if they are few, else every rotation."""
    count = factorial(len(field)) // prod(factorial(field.count(agent)) for agent in set(field))
    if count <= MOST_ORDERS:
        return sorted(set(permutations(field)))
    return sorted({tuple(field[(i + k) % len(field)] for i in range(len(field))) for k in range(len(field))})


def derive(seed: int, *names: object) -> int:
    """A seed for one purpose, from the seed of the whole."""
    text = "/".join(map(str, (seed, *names)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1
