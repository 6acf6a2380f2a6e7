"""Room on the board: which cells can be reached, in how many steps, and which hang together."""

from spinney.games.colosseum.state import LEFT, RIGHT, UP, word_of
from spinney.kernel import rule


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
def open_cells(s, word, side):
    """The cells of a word that are open on a side."""
    if side == RIGHT:
        return s.right[word]
    if side == LEFT:
        return s.right[word] << 1
    if side == UP:
        above = s.below[word - 1] >> s.lift if word > 0 else 0
        return (s.below[word] << s.size) & s.full | above
    return s.below[word]


@rule(inline=True)
def put(s, cell):
    """Only this cell is reached."""
    for word in range(s.words):
        s.reached[word] = 0
    word = word_of(s, cell)
    s.reached[word] = 1 << (cell - word * s.span)


@rule(inline=True)
def has(s, cell):
    """Whether a cell is reached."""
    word = word_of(s, cell)
    return (s.reached[word] >> (cell - word * s.span)) & 1 == 1


@rule(inline=True)
def spread(s, word, here):
    """The cells next to those of a word, in the same word."""
    right, below = s.right[word], s.below[word]
    beside = (here & right) << 1 | (here >> 1) & right
    return beside | ((here & below) << s.size) & s.full | (here >> s.size) & below


@rule
def reach(s, player):
    """Reach the cells that a player can walk to, and its own."""
    put(s, s.cell[player])
    other = s.cell[1 - player]
    taken = word_of(s, other)
    free = ~(1 << (other - taken * s.span))
    for _ in range(s.steps):
        from_above = 0
        for word in range(s.words):
            here = s.reached[word]
            more = here | spread(s, word, here) | from_above
            more |= ((s.reached[word + 1] & s.row) << s.lift) & s.below[word]
            from_above = (here & s.below[word]) >> s.lift
            s.reached[word] = more & free if word == taken else more


@rule
def flood(s, cell, goal):
    """Reach all that hangs together with a cell; stop early if a goal (not -1) is among it."""
    put(s, cell)
    changed = 1
    while changed != 0 and not (goal >= 0 and has(s, goal)):
        changed = 0
        from_above = 0
        for word in range(s.words):
            here = s.reached[word]
            more = here | from_above | ((s.reached[word + 1] & s.row) << s.lift) & s.below[word]
            more |= spread(s, word, more)
            more |= spread(s, word, more)
            from_above = (more & s.below[word]) >> s.lift
            s.reached[word] = more
            changed |= here ^ more


@rule
def reached(s):
    """How many cells are reached."""
    n = 0
    for word in range(s.words):
        n += count(s.reached[word])
    return n
