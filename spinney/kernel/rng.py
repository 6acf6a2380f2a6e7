"""Random numbers: the generator sfc32, with its state in a record.

All intermediate numbers fit signed 64-bit integers, so plain and compiled code draw the same numbers from the same
seed. Each thread has its own record; there is no global generator.
"""

from __future__ import annotations

import secrets
from typing import Any

from spinney.kernel.record import Record, i64
from spinney.kernel.rule import rule

MASK = 0xFFFFFFFF

SETUP, DICE, PICKS = 0, 1, 2
"""Streams of a game: its first position, chance, and the choices of players who draw their actions."""
PLAYERS, OPENINGS, BELIEFS, SEARCHES, GUESSES, DEFAULTS = (purpose << 20 for purpose in range(6, 12))
"""The first of 2**20 streams each for hand-written players, openings, beliefs, searches (one per thread),
determinizations, and default orders. Nothing else has these, so that the same seed for a game and for an agent makes
independent numbers."""


class Rng(Record):
    a = i64
    b = i64
    c = i64
    count = i64


@rule(inline=True)
def next32(rng: Any) -> int:
    """The next 32 random bits."""
    b, c = rng.b, rng.c & MASK  # masked once more, so that compilers see the rotation of a 32-bit number
    t: int = (rng.a + b + rng.count) & MASK
    rng.count = (rng.count + 1) & MASK
    rng.a = b ^ (b >> 9)
    rng.b = (c + (c << 3)) & MASK
    rng.c = (((c << 21) | (c >> 11)) + t) & MASK
    return t


@rule(inline=True)
def below(rng: Any, n: int) -> int:
    """A uniform integer in [0, n), for n up to 2**31."""
    return (next32(rng) * n) >> 32


@rule(inline=True)
def uniform(rng: Any) -> float:
    """A uniform float in [0, 1)."""
    return next32(rng) * 2.0**-32


@rule
def seed(rng: Any, value: int, stream: int) -> None:
    """Seed a generator. Different streams of the same seed are independent sequences."""
    rng.a = value & MASK
    rng.b = (value >> 32) & MASK
    rng.c = stream & MASK
    rng.count = 1
    for _ in range(12):
        next32(rng)


def seeded(value: int | None, stream: int = 0) -> Rng:
    """A plain generator with a seed: any integer, or None for a random seed."""
    rng = Rng()
    seed(rng, secrets.randbits(63) if value is None else value, stream)
    return rng
