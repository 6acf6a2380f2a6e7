"""Random numbers: known, uniform, and the same in both forms."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from spinney.kernel import Rng, below, bind, next32, seed, seeded, uniform


def make_draws():
    def draws(rng, total, n):
        for i in range(len(total)):
            total[i] = next32(rng) if n == 0 else below(rng, n)
        return uniform(rng)

    return draws


def test_first_numbers_of_sfc32():
    """By hand from the definition: a = 1, b = c = 0, counter 1, twelve rounds thrown away."""
    a, b, c, count, mask = 1, 0, 0, 1, 0xFFFFFFFF
    expected = []
    for _ in range(15):
        t = (a + b + count) & mask
        count += 1
        a, b = b ^ (b >> 9), (c + (c << 3)) & mask
        c = (((c << 21) | (c >> 11)) & mask) + t & mask
        expected.append(t)
    rng = seeded(1)
    assert [next32(rng) for _ in range(3)] == expected[12:]


@given(st.integers(-(2**63), 2**63 - 1), st.integers(0, 2**20), st.integers(0, 2**31))
def test_plain_and_compiled_draw_the_same(value, stream, n):
    plain, native = seeded(value, stream), Rng.native(seeded(value, stream))
    import numpy as np

    total = np.zeros(50, np.int64)
    last = bind(make_draws, "test/draws")(native, total, n)
    again = [0] * 50
    assert bind(make_draws, "test/draws", plain=True)(plain, again, n) == last
    assert again == total.tolist()
    assert Rng.plain(native) == plain


def test_below_is_uniform():
    rng, n = seeded(3), 60_000
    counts = Counter(below(rng, 6) for _ in range(n))
    chi_square = sum((counts[face] - n / 6) ** 2 / (n / 6) for face in range(6))
    assert chi_square < 20.5  # 0.1 % point for 5 degrees of freedom


def test_streams_and_seeds_differ():
    firsts = set()
    for value in range(50):
        for stream in range(4):
            rng = Rng()
            seed(rng, value, stream)
            firsts.add(next32(rng))
    assert len(firsts) == 200
