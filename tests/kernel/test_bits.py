"""Sets as bits of a word."""

from __future__ import annotations

import random

import pytest

from spinney.kernel import bind
from spinney.kernel.bits import count, lowest, nth


def make_all():
    def how_many(bits):
        return count(bits)

    def first(bits):
        return lowest(bits)

    def after(bits, n):
        return nth(bits, n)

    return how_many, first, after


@pytest.mark.parametrize("plain", [True, False])
def test_bits(plain):
    how_many, first, after = bind(make_all, "bits", plain=plain)
    choose = random.Random(1)
    for _ in range(300):
        bits = choose.getrandbits(choose.randint(1, 60)) | 1 << choose.randint(0, 59)
        places = [i for i in range(60) if bits >> i & 1]
        assert how_many(bits) == len(places)
        assert first(bits) == places[0]
        n = choose.randrange(len(places))
        assert after(bits, n) == places[n]
    assert how_many(0) == 0
