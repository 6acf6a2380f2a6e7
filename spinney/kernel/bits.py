"""Bit sets in 64-bit words, and hashing of words."""

from spinney.kernel.rule import rule


@rule(inline=True)
def count(bits: int) -> int:
    """The number of set bits. LLVM compiles this form to a single popcnt instruction."""
    bits = bits - ((bits >> 1) & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((bits * 0x0101010101010101) >> 56) & 255


@rule(inline=True)
def lowest(bits: int) -> int:
    """The index of the lowest set bit."""
    return count(~bits & (bits - 1))


@rule(inline=True)
def nth(bits: int, n: int) -> int:
    """The index of the n-th set bit, counted from 0 and from the lowest."""
    for _ in range(n):
        bits &= bits - 1
    return lowest(bits)


@rule(inline=True)
def mix(bits: int) -> int:
    """A 63-bit hash of a 63-bit word. It is a bijection, so different words have different hashes."""
    bits = ((bits ^ bits >> 32) * 0x1E3779B97F4A7C15) & 0x7FFFFFFFFFFFFFFF
    return bits ^ (bits >> 29)
