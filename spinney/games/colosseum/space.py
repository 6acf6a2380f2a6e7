"""Room on the board: which cells can be reached, in how many steps, and which hang together."""

from spinney.games.colosseum.state import BELOW, BESIDE, LEFT, LOST, RIGHT, SET, UP, word_of
from spinney.kernel import rule
from spinney.kernel.bits import count


@rule(inline=True)
def open_cells(s, word, side):
    """The cells of a word that are open on a side."""
    above = s.open[BELOW + word - 1] if word > 0 else 0
    return on_side(s, side, s.open[BESIDE + word], s.open[BELOW + word], above)


@rule(inline=True)
def on_side(s, side, beside, below, above):
    """The cells of a word that have one of some sides as their upper, right, lower or left one. Sides are given as the
    cells on their left (`beside`) or above them (`below`; in the word above, `above`)."""
    if side == UP:
        return (below << s.size) & s.full | above >> s.lift
    return beside if side == RIGHT else beside << 1 if side == LEFT else below


@rule
def note_gaps(s):
    """Note the gaps: open sides with a wall at both ends, beside cells in the second set, below them in the fourth. A
    corner is that to the lower right of a cell; beyond the first column and row is the border."""
    size, lift, full = s.size, s.lift, s.full
    corners_above, first_row = 0, (1 << size) - 1
    for word in range(s.words):
        beside, below = s.open[BESIDE + word], s.open[BELOW + word]
        under = (~beside & full) >> size
        if word + 1 < s.words:
            under |= (~s.open[BESIDE + word + 1] << lift) & full
        corners = ~(beside & below) & full | (~below & full) >> 1 | under
        s.reached[LOST + word] = below & corners & (corners << 1 | s.column)
        s.reached[SET + word] = beside & corners & (corners << size | corners_above >> lift | first_row)
        corners_above, first_row = corners, 0


@rule(inline=True)
def gaps(s, word, side):
    """The cells of a word with a gap on a side."""
    above = s.reached[LOST + word - 1] if word > 0 else 0
    return on_side(s, side, s.reached[SET + word], s.reached[LOST + word], above)


@rule(inline=True)
def put(s, begin, cell):
    """Begin a set of reached cells with one."""
    word = word_of(s, cell)
    s.reached[begin + word] = 1 << (cell - word * s.span)


@rule(inline=True)
def has(s, cell):
    """Whether a cell is reached."""
    word = word_of(s, cell)
    return (s.reached[word] >> (cell - word * s.span)) & 1 == 1


@rule(inline=True)
def spread(cells, right, below, size):
    """Cells and their neighbours in the same word. What leaves the word is to be masked out."""
    beside = (cells & right) << 1 | (cells >> 1) & right
    return cells | beside | (cells & below) << size | (cells >> size) & below


@rule
def reach(s, player):
    """Reach the cells that a player can walk to, and its own. They are to be forgotten after use: only a move changes
    a state."""
    put(s, 0, s.cell[player])
    other = s.cell[1 - player]
    taken = word_of(s, other)
    free = s.full & ~(1 << (other - taken * s.span))
    if s.words == 1:
        walk_one(s, free)
    elif s.words == 2:
        walk_two(s, free if taken == 0 else s.full, free if taken == 1 else s.full)
    elif s.words == 3:
        walk_three(
            s, free if taken == 0 else s.full, free if taken == 1 else s.full, free if taken == 2 else s.full
        )  # fmt: skip
    else:
        walk_many(s, taken, free)


# The same walk for one, two, three and more words: on boards up to 12x12, all stays in registers.


@rule(inline=True)
def walk_one(s, free):
    size, beside, below = s.size, s.open[BESIDE], s.open[BELOW]
    cells = s.reached[0]
    for _ in range(s.steps):
        cells = spread(cells, beside, below, size) & free
    s.reached[0] = cells


@rule(inline=True)
def walk_two(s, free_0, free_1):
    size, lift = s.size, s.lift
    beside_0, beside_1 = s.open[BESIDE], s.open[BESIDE + 1]
    below_0, below_1 = s.open[BELOW], s.open[BELOW + 1]
    cells_0, cells_1 = s.reached[0], s.reached[1]
    for _ in range(s.steps):
        down_0, up_1 = (cells_0 & below_0) >> lift, (cells_1 << lift) & below_0
        cells_0 = (spread(cells_0, beside_0, below_0, size) | up_1) & free_0
        cells_1 = (spread(cells_1, beside_1, below_1, size) | down_0) & free_1
    s.reached[0] = cells_0
    s.reached[1] = cells_1


@rule(inline=True)
def walk_three(s, free_0, free_1, free_2):
    size, lift = s.size, s.lift
    beside_0, beside_1, beside_2 = s.open[BESIDE], s.open[BESIDE + 1], s.open[BESIDE + 2]
    below_0, below_1, below_2 = s.open[BELOW], s.open[BELOW + 1], s.open[BELOW + 2]
    cells_0, cells_1, cells_2 = s.reached[0], s.reached[1], s.reached[2]
    for _ in range(s.steps):
        down_0, up_1 = (cells_0 & below_0) >> lift, (cells_1 << lift) & below_0
        down_1, up_2 = (cells_1 & below_1) >> lift, (cells_2 << lift) & below_1
        cells_0 = (spread(cells_0, beside_0, below_0, size) | up_1) & free_0
        cells_1 = (spread(cells_1, beside_1, below_1, size) | down_0 | up_2) & free_1
        cells_2 = (spread(cells_2, beside_2, below_2, size) | down_1) & free_2
    s.reached[0] = cells_0
    s.reached[1] = cells_1
    s.reached[2] = cells_2


@rule(inline=True)
def walk_many(s, taken, free):
    size, lift, full = s.size, s.lift, s.full
    for _ in range(s.steps):
        down = 0
        cells = s.reached[0]
        for word in range(s.words):
            beside, below, following = s.open[BESIDE + word], s.open[BELOW + word], s.reached[word + 1]
            more = spread(cells, beside, below, size) | down | (following << lift) & below
            down = (cells & below) >> lift
            s.reached[word] = more & (free if word == taken else full)
            cells = following


@rule
def region(s, cell, goal):
    """How many cells hang together with a cell; 0 if a goal (not -1) is among them."""
    put(s, 0, cell)
    changed = 1
    while changed != 0 and not (goal >= 0 and has(s, goal)):
        changed = 0
        down = 0
        for word in range(s.words):
            cells, beside, below = s.reached[word], s.open[BESIDE + word], s.open[BELOW + word]
            more = cells | down | (s.reached[word + 1] << s.lift) & below
            more = spread(more, beside, below, s.size) & s.full
            more = spread(more, beside, below, s.size) & s.full
            down = (more & below) >> s.lift
            s.reached[word] = more
            changed |= cells ^ more
    n = forget(s, 0)
    return n if changed == 0 else 0


@rule(inline=True)
def forget(s, begin):
    """Empty a set of reached cells; how many there were."""
    n = 0
    for word in range(begin, begin + s.words):
        n += count(s.reached[word])
        s.reached[word] = 0
    return n
