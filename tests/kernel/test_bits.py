"""Sets as bits of a word."""

from __future__ import annotations

import random

import pytest

from spinney.kernel import bind
from spinney.kernel.bits import count, lowest, mix, nth


def make_all():
    def how_many(bits):
        return count(bits)

    def first(bits):
        return lowest(bits)

    def after(bits, n):
        return nth(bits, n)

    def mixed(bits):
        return mix(bits)

    return how_many, first, after, mixed


@pytest.mark.parametrize("plain", [True, False])
def test_bits(plain):
    how_many, first, after, mixed = bind(make_all, "bits", plain=plain)
    choose = random.Random(1)
    for _ in range(300):
        bits = choose.getrandbits(choose.randint(1, 60)) | 1 << choose.randint(0, 59)
        places = [i for i in range(60) if bits >> i & 1]
        assert how_many(bits) == len(places)
        assert first(bits) == places[0]
        n = choose.randrange(len(places))
        assert after(bits, n) == places[n]
        assert mixed(bits) == mix(bits) < 2**63
    assert how_many(0) == 0


def test_mixing_tells_words_apart():
    """Small words, and words that differ in their upper bits alone, have different numbers, and different last bits."""
    for words in (range(4096), [i << 48 for i in range(4096)]):
        numbers = [mix(word) for word in words]
        assert len(set(numbers)) == 4096
        assert len({number & 1023 for number in numbers}) > 900
