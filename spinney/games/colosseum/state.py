"""The state of a game: which sides of the cells are open, and which walls are connected.

Cells are numbered row by row from the top left. A set of cells is a bitboard: a few words of whole rows, with a bit for
each cell. Two such sets hold all walls: the cells that are open to the right, and those that are open below. The border
is closed, so that bits which leave a row or the board are masked out by the walls themselves.

A wall runs between two corners of cells. It cuts off a part of the board exactly if other walls, or the border, already
connect these two corners. `joined` has the connected components: all corners of walls that touch have the same label.
Therefore most moves need no search for whether the players can still reach each other.
"""

from spinney.kernel import Record, i8, i16, i32, i64, rule

MAX_PLAYERS = 2
SMALLEST, LARGEST = 3, 16
"""Cells on a side. On boards smaller than 3x3 the players would be separated from the start."""
BITS = 60
"""The most cells in a word: a shift by one cell must not reach the sign bit."""
WORDS = 6
"""The number of words for the largest board, with three rows in each."""
SET = WORDS + 1
"""The size of a set in working memory: loops over words read one word ahead."""
CORNERS = LARGEST * LARGEST + LARGEST
BORDER, FREE = 0, -1
"""The labels in `joined` of corners without a wall: on the border, and elsewhere."""
BELOW, BESIDE = 0, WORDS
"""The indices in `open` at which the two sets begin."""
UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3
SIDES = 4


class State(Record):
    size = i8  # cells on a side
    steps = i8  # the most steps of a walk
    mover = i8
    words = i8  # number of words of a set of cells
    span = i8  # number of cells in a word, which are whole rows
    lift = i8  # cells from the first row of a word to its last
    inverse = i32  # 65536 divided by the span, rounded up
    column = i64  # the cells of a word in the first column
    full = i64  # all cells of a word
    cell = i16[MAX_PLAYERS]
    score = i16[MAX_PLAYERS]  # cells of a player's region, when the game is over
    open = i64[2 * WORDS]  # cells that are open below, and cells that are open to the right
    flooded = i64[SET]  # working memory of `region`, which `apply` needs; empty between calls
    joined = i16[CORNERS]  # the label of the connected walls at a corner: the number of one of their corners


class Scratch(Record):
    """Working memory: sets of cells."""

    reached = i64[SET]  # cells that a player can walk to
    mine = i64[SET]  # cells that the first of two flood fills has reached, and the second
    theirs = i64[SET]
    held = i64[SET]  # cells that the first of two flood fills reaches before the other, and the second
    lost = i64[SET]
    gaps_beside = i64[WORDS]  # cells with a gap on their right, and below them; see `find_gaps`
    gaps_below = i64[WORDS]


@rule
def clear_board(s, size):
    """Make a board without walls."""
    most = BITS // size
    s.size = size
    s.steps = (size + 1) // 2
    s.words = (size + most - 1) // most
    rows = (size + s.words - 1) // s.words
    s.span = rows * size
    s.lift = s.span - size
    s.inverse = 65536 // s.span + 1
    s.full = (1 << s.span) - 1
    s.column = s.full // ((1 << size) - 1)
    for word in range(WORDS):
        s.open[BELOW + word] = 0
        s.open[BESIDE + word] = 0
    for word in range(SET):
        s.flooded[word] = 0
    for corner in range(CORNERS):
        s.joined[corner] = FREE
    for corner in range(size):
        s.joined[corner] = BORDER
    for cell in range(size * size):
        word = word_of(s, cell)
        bit = 1 << (cell - word * s.span)
        if cell % size < size - 1:
            s.open[BESIDE + word] |= bit
        if cell < size * size - size:
            s.open[BELOW + word] |= bit
        if cell % size == size - 1 or cell >= size * size - size:
            s.joined[cell + size] = BORDER


@rule(inline=True)
def word_of(s, cell):
    """The number of the word that a cell is in: the cell divided by the span."""
    return (cell * s.inverse) >> 16


@rule(inline=True)
def keeper(s, cell, side):
    """The cell whose right or lower side is the given side of a cell."""
    return cell - (s.size if side == UP else 1 if side == LEFT else 0)


@rule(inline=True)
def is_open(s, cell, side):
    """Whether there is no wall, and no border, on a side of a cell."""
    cell = keeper(s, cell, side)
    if cell < 0:
        return False
    word = word_of(s, cell)
    return (s.open[(side & 1) * WORDS + word] >> (cell - word * s.span)) & 1 == 1


@rule
def close(s, cell, side):
    """Put a wall on an open side of a cell. Return whether it closes a ring of walls, so that a part is cut off."""
    cell = keeper(s, cell, side)
    word = word_of(s, cell)
    way = side & 1
    s.open[way * WORDS + word] &= ~(1 << (cell - word * s.span))
    corner = cell + s.size  # at the lower right; the corners of the upper border come first
    return join(
        s, corner, corner - (s.size if way else 1)
    )  # the corner before the first one of a row is on the border, too


@rule(inline=True)
def join(s, one, other):
    """Connect two corners by a wall; return whether other walls connected them already. The label of connected walls
    is the least number of their corners, so that it does not depend on the order of the walls."""
    first, second = int(s.joined[one]), int(s.joined[other])
    if first == second and first != FREE:
        return True
    name = min(one if first == FREE else first, other if second == FREE else second)
    s.joined[one] = name
    s.joined[other] = name
    old = max(first, second)
    if old not in (FREE, name):
        for corner in range(s.size * (s.size + 1)):
            s.joined[corner] = name if s.joined[corner] == old else s.joined[corner]
    return False


@rule(inline=True)
def walls(s, cell):
    """The number of closed sides of a cell."""
    n = 0
    for side in range(SIDES):
        if not is_open(s, cell, side):
            n += 1
    return n


@rule(inline=True)
def beyond(s, cell, side):
    """The neighbour of a cell beyond an open side."""
    return cell + (-s.size if side == UP else 1 if side == RIGHT else -1 if side == LEFT else s.size)
