"""Walks and regions: which cells a player can walk to, and which cells are connected. `work` is the game's Scratch."""

from spinney.games.colosseum.state import BELOW, BESIDE, LEFT, RIGHT, UP, word_of
from spinney.kernel import rule
from spinney.kernel.bits import count


@rule(inline=True)
def open_cells(s, word, side):
    """The cells of a word that are open on a side."""
    above = s.open[BELOW + word - 1] if word > 0 else 0
    return on_side(s, side, s.open[BESIDE + word], s.open[BELOW + word], above)


@rule(inline=True)
def on_side(s, side, beside, below, above):
    """The cells of a word whose upper, right, lower or left side is in a set of sides. A side is in the set if the cell
    on its left is in `beside`, or the cell above it in `below` (in `above`, if that cell is in the previous word)."""
    if side == UP:
        return (below << s.size) & s.full | above >> s.lift
    return beside if side == RIGHT else beside << 1 if side == LEFT else below


@rule
def find_gaps(s, work):
    """Find the gaps: open sides with a wall at both ends.

    `corners` are the lower right corners of cells that touch a wall; left of the first column and above the first row
    is the border.
    """
    size, lift, full = s.size, s.lift, s.full
    corners_above, first_row = 0, (1 << size) - 1
    for word in range(s.words):
        beside, below = s.open[BESIDE + word], s.open[BELOW + word]
        under = (~beside & full) >> size
        if word + 1 < s.words:
            under |= (~s.open[BESIDE + word + 1] << lift) & full
        corners = ~(beside & below) & full | (~below & full) >> 1 | under
        work.gaps_below[word] = below & corners & (corners << 1 | s.column)
        work.gaps_beside[word] = beside & corners & (corners << size | corners_above >> lift | first_row)
        corners_above, first_row = corners, 0


@rule(inline=True)
def gaps(s, work, word, side):
    """The cells of a word with a gap on a side."""
    above = work.gaps_below[word - 1] if word > 0 else 0
    return on_side(s, side, work.gaps_beside[word], work.gaps_below[word], above)


@rule(inline=True)
def bit_in(s, cell, word):
    """The bit of a cell in a word, or 0 if the cell is in another word."""
    return 1 << (cell - word * s.span) if word_of(s, cell) == word else 0


@rule(inline=True)
def has(s, cells, cell):
    """Whether a cell is in a set."""
    word = word_of(s, cell)
    return (cells[word] >> (cell - word * s.span)) & 1 == 1


@rule(inline=True)
def spread(cells, right, below, size):
    """Cells and their neighbours in the same word. The caller must mask out bits beyond the word."""
    beside = (cells & right) << 1 | (cells >> 1) & right
    return cells | beside | (cells & below) << size | (cells >> size) & below


@rule
def reach(s, player, work):
    """Write the cells that a player can walk to, its own among them, to `work.reached`."""
    reached, home, other = work.reached, s.cell[player], s.cell[1 - player]
    taken = word_of(s, other)
    free = s.full & ~(1 << (other - taken * s.span))
    if s.words == 1:
        walk_one(s, reached, home, free)
    elif s.words == 2:
        walk_two(s, reached, home, free if taken == 0 else s.full, free if taken == 1 else s.full)
    elif s.words == 3:
        walk_three(
            s, reached, home,
            free if taken == 0 else s.full, free if taken == 1 else s.full, free if taken == 2 else s.full,
        )  # fmt: skip
    else:
        walk_many(s, reached, home, taken, free)


# The same walk for one, two, three and more words: on boards up to 12x12, the sets stay in registers.


@rule(inline=True)
def walk_one(s, reached, home, free):
    size, beside, below = s.size, s.open[BESIDE], s.open[BELOW]
    cells = 1 << home
    for _ in range(s.steps):
        cells = spread(cells, beside, below, size) & free
    reached[0] = cells


@rule(inline=True)
def walk_two(s, reached, home, free_0, free_1):
    size, lift = s.size, s.lift
    beside_0, beside_1 = s.open[BESIDE], s.open[BESIDE + 1]
    below_0, below_1 = s.open[BELOW], s.open[BELOW + 1]
    cells_0, cells_1 = bit_in(s, home, 0), bit_in(s, home, 1)
    for _ in range(s.steps):
        down_0, up_1 = (cells_0 & below_0) >> lift, (cells_1 << lift) & below_0
        cells_0 = (spread(cells_0, beside_0, below_0, size) | up_1) & free_0
        cells_1 = (spread(cells_1, beside_1, below_1, size) | down_0) & free_1
    reached[0], reached[1] = cells_0, cells_1


@rule(inline=True)
def walk_three(s, reached, home, free_0, free_1, free_2):
    size, lift = s.size, s.lift
    beside_0, beside_1, beside_2 = s.open[BESIDE], s.open[BESIDE + 1], s.open[BESIDE + 2]
    below_0, below_1, below_2 = s.open[BELOW], s.open[BELOW + 1], s.open[BELOW + 2]
    cells_0, cells_1, cells_2 = bit_in(s, home, 0), bit_in(s, home, 1), bit_in(s, home, 2)
    for _ in range(s.steps):
        down_0, up_1 = (cells_0 & below_0) >> lift, (cells_1 << lift) & below_0
        down_1, up_2 = (cells_1 & below_1) >> lift, (cells_2 << lift) & below_1
        cells_0 = (spread(cells_0, beside_0, below_0, size) | up_1) & free_0
        cells_1 = (spread(cells_1, beside_1, below_1, size) | down_0 | up_2) & free_1
        cells_2 = (spread(cells_2, beside_2, below_2, size) | down_1) & free_2
    reached[0], reached[1], reached[2] = cells_0, cells_1, cells_2


@rule(inline=True)
def walk_many(s, reached, home, taken, free):
    size, lift, full = s.size, s.lift, s.full
    for word in range(s.words):
        reached[word] = bit_in(s, home, word)
    for _ in range(s.steps):
        down = 0
        cells = reached[0]
        for word in range(s.words):
            beside, below, following = s.open[BESIDE + word], s.open[BELOW + word], reached[word + 1]
            more = spread(cells, beside, below, size) | down | (following << lift) & below
            down = (cells & below) >> lift
            reached[word] = more & (free if word == taken else full)
            cells = following


@rule
def region(s, cell, goal):
    """The number of cells that are connected with a cell; 0 if a goal (not -1) is among them."""
    word = word_of(s, cell)
    s.flooded[word] = 1 << (cell - word * s.span)
    changed = 1
    while changed != 0 and not (goal >= 0 and has(s, s.flooded, goal)):
        changed = 0
        down = 0
        for word in range(s.words):
            cells, beside, below = s.flooded[word], s.open[BESIDE + word], s.open[BELOW + word]
            more = cells | down | (s.flooded[word + 1] << s.lift) & below
            more = spread(more, beside, below, s.size) & s.full
            more = spread(more, beside, below, s.size) & s.full
            down = (more & below) >> s.lift
            s.flooded[word] = more
            changed |= cells ^ more
    n = count_cells(s, s.flooded)
    for word in range(s.words):
        s.flooded[word] = 0
    return n if changed == 0 else 0


@rule(inline=True)
def count_cells(s, cells):
    """The number of cells in a set."""
    n = 0
    for word in range(s.words):
        n += count(cells[word])
    return n
