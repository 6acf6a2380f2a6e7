"""The state of a game: which sides of the cells are open, and which walls hang together.

Cells are numbered row by row from the top left, and a set of cells is a few words of whole rows, a bit for each cell.
Two such sets hold all walls: the cells that are open to the right, and those that are open below. The border is
closed, so bits that leave a row or the board are masked out by the walls themselves.

A wall runs between two corners of cells. It cuts something off exactly if other walls, or the border, already join
these two corners. `joined` keeps track of that: it is a forest over the corners, as in a union-find, whose trees are
the walls that touch. So most moves need no search for who can still reach whom.
"""

from spinney.kernel import Record, i8, i16, i32, i64, rule

MAX_PLAYERS = 2
SMALLEST, LARGEST = 3, 16
"""Cells on a side. On a smaller board than 3x3 the players are apart from the start."""
BITS = 60
"""Cells in a word at most: no shift by one cell may touch the sign."""
WORDS = 6
"""Words for the largest board, three rows in each."""
CORNERS = LARGEST * LARGEST + LARGEST
BORDER = 0
"""The tree that the border belongs to is named by its first corner."""
UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3
SIDES = 4


class State(Record):
    size = i8  # cells on a side
    steps = i8  # how far a player may walk
    mover = i8
    words = i8  # words of a set of cells
    span = i8  # cells of a word, which are whole rows
    lift = i8  # from the first row of a word to its last
    inverse = i32  # of the span, times 65536
    row = i64  # the cells of the first row of a word
    full = i64  # all cells of a word
    cell = i16[MAX_PLAYERS]
    score = i16[MAX_PLAYERS]  # cells of the own region, when the game is over
    right = i64[WORDS]  # cells that are open to the right
    below = i64[WORDS]
    reached = i64[WORDS + 1]  # what the last walk or flood has reached
    joined = i16[CORNERS]  # the next corner on the way to the one that names the tree of walls


@rule
def clear_board(s, size):
    """A board without walls."""
    rows = min(BITS // size, size)
    s.size = size
    s.steps = (size + 1) // 2
    s.words = (size + rows - 1) // rows
    s.span = rows * size
    s.lift = s.span - size
    s.inverse = 65536 // s.span + 1
    s.row = (1 << size) - 1
    s.full = (1 << s.span) - 1
    for word in range(WORDS):
        s.right[word] = 0
        s.below[word] = 0
        s.reached[word] = 0
    s.reached[WORDS] = 0
    for corner in range(CORNERS):
        s.joined[corner] = corner
    for corner in range(size):
        s.joined[corner] = BORDER
    for cell in range(size * size):
        word = word_of(s, cell)
        bit = 1 << (cell - word * s.span)
        if cell % size < size - 1:
            s.right[word] |= bit
        if cell < size * size - size:
            s.below[word] |= bit
        if cell % size == size - 1 or cell >= size * size - size:
            s.joined[cell + size] = BORDER


@rule(inline=True)
def word_of(s, cell):
    """The number of the word that a cell is in: the cell divided by the span."""
    return (cell * s.inverse) >> 16


@rule(inline=True)
def is_open(s, cell, side):
    """Whether there is no wall, and no border, on a side of a cell."""
    if side == UP:
        cell -= s.size
    elif side == LEFT:
        cell -= 1
    if cell < 0:
        return False
    word = word_of(s, cell)
    edges = s.right[word] if side == RIGHT or side == LEFT else s.below[word]
    return (edges >> (cell - word * s.span)) & 1 == 1


@rule
def close(s, cell, side):
    """Put a wall on an open side of a cell. Whether it closes a ring of walls, so that something is cut off."""
    if side == UP:
        cell -= s.size
    elif side == LEFT:
        cell -= 1
    word = word_of(s, cell)
    bit = 1 << (cell - word * s.span)
    corner = cell + s.size  # the corner to the lower right; those of the upper border come first
    if side == RIGHT or side == LEFT:
        s.right[word] &= ~bit
        return join(s, corner, corner - s.size)
    s.below[word] &= ~bit
    return join(s, corner, corner - 1)  # left of the first cell of a row is the border, as is right of the row before


@rule(inline=True)
def join(s, one, other):
    """Join the trees of two corners; whether they are one tree already."""
    one, other = tree(s, one), tree(s, other)
    if one == other:
        return True
    s.joined[max(one, other)] = min(one, other)  # so the border names its tree for ever
    return False


@rule(inline=True)
def tree(s, corner):
    """The corner that names a tree. The way to it gets shorter for the next time."""
    above = int(s.joined[corner])
    while above != corner:
        s.joined[corner] = s.joined[above]
        corner = above
        above = int(s.joined[corner])
    return corner


@rule(inline=True)
def walls(s, cell):
    """How many sides of a cell are closed."""
    n = 0
    for side in range(SIDES):
        if not is_open(s, cell, side):
            n += 1
    return n


