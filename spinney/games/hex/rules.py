"""Hex: stones on a board of hexagons; player 0 connects the top with the bottom, player 1 the left with the right.

Cells are numbered in reading order, each row half a cell further to the right than the one above: the six neighbours of
a cell are those beside it, two above it (straight and right) and two below it (straight and left). Nobody can draw.
There is no swap. Actions, their order and movers are those of OpenSpiel.

A set of cells is two numbers: the first WORD cells, and the rest. Both have more bits for the edges of the board. The
state has the stones of each player that are connected with its first edge, the top or the left. A player wins when one
of these touches the edge opposite.
"""

import numpy as np

from spinney.games.card import OVER
from spinney.kernel import Record, i8, i64, rule
from spinney.kernel.bits import lowest, mix

MAX_SIZE = 11
MAX_ACTIONS = MAX_SIZE * MAX_SIZE
MAX_PLAYERS = 2
OPEN_SPIEL = "hex()"
NOBODY = -1
WORD = 61
"""Cells in the first word."""
EDGES = ((1 << WORD, 0), (1 << (WORD + 1), 0), (0, 1 << WORD), (0, 1 << (WORD + 1)))
"""The top, the bottom, the left and the right edge as sets."""
BOTTOM, RIGHT = EDGES[1][0], EDGES[3][1]


def _neighbours(size: int, cell: int) -> tuple[int, int]:
    """The neighbours of a cell, and the edges that it touches, as a set."""
    found = [0, 0]
    row, column = divmod(cell, size)
    for down, right in ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)):
        r, c = row + down, column + right
        if 0 <= r < size and 0 <= c < size:
            found[(r * size + c) // WORD] |= 1 << ((r * size + c) % WORD)
    for touches, edge in zip((row == 0, row == size - 1, column == 0, column == size - 1), EDGES, strict=True):
        if touches:
            found = [word | bit for word, bit in zip(found, edge, strict=True)]
    return found[0], found[1]


NEIGHBOURS = np.array(
    [_neighbours(size, cell) for size in range(1, MAX_SIZE + 1) for cell in range(MAX_ACTIONS)], np.int64
)
"""The neighbours of each cell, and the edges that it touches, of boards of all sizes."""


class State(Record):
    size = i8
    turn = i8  # player to move, or OVER
    winner = i8
    empty = i64[2]  # the empty cells
    stones = i64[4]  # two words for each player
    joined = i64[4]  # those of them that are connected with the player's first edge, and this edge itself


@rule
def start(s, config, rng):
    """An empty board."""
    s.size = config.board_size
    s.winner = NOBODY
    for cell in range(config.board_size**2):
        s.empty[cell // WORD] |= 1 << (cell % WORD)
    for player in range(MAX_PLAYERS):
        for word in range(2):
            s.joined[2 * player + word] = EDGES[2 * player][word]


@rule(inline=True)
def mover(s):
    return int(s.turn)


@rule(inline=True)
def is_empty(s, cell):
    """1 if a cell has no stone."""
    word = 1 if cell >= WORD else 0
    return (s.empty[word] >> (cell - WORD * word)) & 1


@rule
def legal(s, player, out):
    """The empty cells in reading order."""
    n, first, second = 0, s.empty[0], s.empty[1]
    for cell in range(s.size * s.size):
        out.action[n] = cell  # without a branch: whether a cell is empty is hard to predict
        n += (first if cell < WORD else second) >> (cell if cell < WORD else cell - WORD) & 1
    return n


@rule(inline=True)
def near(s, cell, word):
    """A word of the neighbours of a cell, and of the edges that it touches."""
    return int(NEIGHBOURS[(s.size - 1) * MAX_ACTIONS + cell, word])


@rule(inline=True)
def apply(s, cell):
    """Put a stone of the player to move on a cell."""
    player = s.turn
    word = 1 if cell >= WORD else 0
    bit = 1 << (cell - WORD * word)
    s.empty[word] ^= bit
    s.stones[2 * player + word] |= bit
    s.turn = 1 - player
    touched = (near(s, cell, 0) & s.joined[2 * player]) | (near(s, cell, 1) & s.joined[2 * player + 1])
    if touched != 0 and join(s, player, cell):
        s.winner = player
        s.turn = OVER


@rule
def join(s, player, cell):
    """Connect a stone with the first edge of its player, and all stones that it is connected with. Returns whether
    one of them touches the other edge."""
    own_first, own_second = s.stones[2 * player], s.stones[2 * player + 1]
    joined_first, joined_second = s.joined[2 * player], s.joined[2 * player + 1]
    todo_first, todo_second, seen_first, seen_second = 0, 0, 0, 0
    if cell < WORD:
        todo_first = 1 << cell
    else:
        todo_second = 1 << (cell - WORD)
    joined_first |= todo_first
    joined_second |= todo_second
    while todo_first | todo_second != 0:
        if todo_first != 0:
            cell = lowest(todo_first)
            todo_first &= todo_first - 1
        else:
            cell = WORD + lowest(todo_second)
            todo_second &= todo_second - 1
        first, second = near(s, cell, 0), near(s, cell, 1)
        seen_first |= first
        seen_second |= second
        more_first, more_second = first & own_first & ~joined_first, second & own_second & ~joined_second
        joined_first |= more_first
        joined_second |= more_second
        todo_first |= more_first
        todo_second |= more_second
    s.joined[2 * player], s.joined[2 * player + 1] = joined_first, joined_second
    return (seen_first & BOTTOM if player == 0 else seen_second & RIGHT) != 0


@rule
def position_hash(s):
    """Different numbers for almost all different positions; the stones also tell who is to move."""
    key = mix(s.stones[0])
    for word in range(1, 4):
        key = mix(key ^ s.stones[word])
    return key


@rule
def reward(s, out):
    """1 for the winner."""
    for player in range(MAX_PLAYERS):
        out.reward[player] = 1.0 if s.winner == player else 0.0
