"""Random numbers: sfc32, whose state is a record.

All intermediate numbers fit 64 bits with a sign, so plain and compiled code draw the same numbers from the
same seed. One record per thread; nothing is global.
"""

from __future__ import annotations

import secrets

from spinney.kernel.record import Record, i64
from spinney.kernel.rule import rule

MASK = 0xFFFFFFFF


class Rng(Record):
    a = i64
    b = i64
    c = i64
    count = i64


@rule(inline=True)
def next32(rng):
    """The next 32 random bits."""
    b, c = rng.b, rng.c
    t = (rng.a + b + rng.count) & MASK
    rng.count = (rng.count + 1) & MASK
    rng.a = b ^ (b >> 9)
    rng.b = (c + (c << 3)) & MASK
    rng.c = (((c << 21) | (c >> 11)) + t) & MASK
    return t


@rule(inline=True)
def below(rng, n):
    """A uniform integer in [0, n), for n up to 2**31."""
    return (next32(rng) * n) >> 32


@rule(inline=True)
def uniform(rng):
    """A uniform float in [0, 1)."""
    return next32(rng) * 2.0**-32


@rule
def seed(rng, value, stream):
    """Start a sequence: the same value and stream give the same numbers, other streams independent ones."""
    rng.a = value & MASK
    rng.b = (value >> 32) & MASK
    rng.c = stream & MASK
    rng.count = 1
    for _ in range(12):
        next32(rng)


def seeded(value: int | None, stream: int = 0) -> Rng:
    """A plain generator; seeds may be any integer, and none is a new one every time."""
    rng = Rng()
    seed(rng, secrets.randbits(63) if value is None else value, stream)
    return rng
