"""Sets as bits of a word, and numbers made of many."""

from spinney.kernel.rule import rule


@rule(inline=True)
def count(bits):
    """How many bits of a word are set. Written in the one way that becomes a single instruction when compiled."""
    bits = bits - ((bits >> 1) & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((bits * 0x0101010101010101) >> 56) & 255


@rule(inline=True)
def lowest(bits):
    """The number of the lowest bit that is set."""
    return count(~bits & (bits - 1))


@rule(inline=True)
def nth(bits, n):
    """The number of the bit that is set when n lower ones are."""
    for _ in range(n):
        bits &= bits - 1
    return lowest(bits)


@rule(inline=True)
def mix(bits):
    """A number of 63 bits for a word of as many: no other word has the same, and words that differ little have quite
    different ones."""
    bits = ((bits ^ bits >> 32) * 0x1E3779B97F4A7C15) & 0x7FFFFFFFFFFFFFFF
    return bits ^ (bits >> 29)
