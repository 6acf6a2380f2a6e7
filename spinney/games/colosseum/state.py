"""The state of a game: which sides of the cells are open, and which walls hang together.

Cells are numbered row by row from the top left, and a set of cells is a few words of whole rows, a bit for each cell.
Two such sets hold all walls: the cells that are open to the right, and those that are open below. The border is
closed, so bits that leave a row or the board are masked out by the walls themselves.

A wall runs between two corners of cells. It cuts something off exactly if other walls, or the border, already join
these two corners. `joined` keeps track of that: all corners of walls that touch have one name. So most moves need no
search for who can still reach whom.
"""

from spinney.kernel import Record, i8, i16, i32, i64, rule

MAX_PLAYERS = 2
SMALLEST, LARGEST = 3, 16
"""Cells on a side. On a smaller board than 3x3 the players are apart from the start."""
BITS = 60
"""Cells in a word at most: no shift by one cell may touch the sign."""
WORDS = 6
"""Words for the largest board, three rows in each."""
SET = WORDS + 1
"""From one set of reached cells to the next: an empty word follows the last."""
SETS = 4
HELD, LOST = 2 * SET, 3 * SET
"""Where the sets begin of the cells that one of two who flood the board reaches first, and the other."""
CORNERS = LARGEST * LARGEST + LARGEST
BORDER, FREE = 0, -1
"""What `joined` says of corners without a wall: on the border, and elsewhere."""
BELOW, BESIDE = 0, WORDS
"""Where in `open` the two sets begin."""
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
    column = i64  # the cells of the first column of a word
    full = i64  # all cells of a word
    cell = i16[MAX_PLAYERS]
    score = i16[MAX_PLAYERS]  # cells of the own region, when the game is over
    open = i64[2 * WORDS]  # cells that are open below, and cells that are open to the right
    reached = i64[SETS * SET]  # memory for walks and floods, empty between them
    joined = i16[CORNERS]  # walls that touch have one name: that of a corner among theirs


@rule
def clear_board(s, size):
    """A board without walls."""
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
    for word in range(SETS * SET):
        s.reached[word] = 0
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
    """The cell that has a side of a cell as its own right or lower one."""
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
    """Put a wall on an open side of a cell. Whether it closes a ring of walls, so that something is cut off."""
    cell = keeper(s, cell, side)
    word = word_of(s, cell)
    way = side & 1
    s.open[way * WORDS + word] &= ~(1 << (cell - word * s.span))
    corner = cell + s.size  # the one to the lower right; those of the upper border come first
    return join(s, corner, corner - (s.size if way else 1))  # before the first corner of a row is a border, too


@rule(inline=True)
def join(s, one, other):
    """Put up a wall between two corners; whether other walls join them already."""
    name, old = int(s.joined[one]), int(s.joined[other])
    if FREE in (name, old):
        name = max(name, old)
        if name == FREE:
            name = one
        s.joined[one] = name
        s.joined[other] = name
        return False
    if name != old:
        for corner in range(s.size * (s.size + 1)):
            s.joined[corner] = name if s.joined[corner] == old else s.joined[corner]
    return name == old


@rule(inline=True)
def walls(s, cell):
    """How many sides of a cell are closed."""
    n = 0
    for side in range(SIDES):
        if not is_open(s, cell, side):
            n += 1
    return n


@rule(inline=True)
def beyond(s, cell, side):
    """The cell on the other side of an open side."""
    return cell + (-s.size if side == UP else 1 if side == RIGHT else -1 if side == LEFT else s.size)
