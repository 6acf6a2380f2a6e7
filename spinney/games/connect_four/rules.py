"""Connect four: seven columns, six rows; four stones in a line win.

A set of cells is one 64-bit number. A column takes seven bits: six cells from the bottom up, and one that stays empty,
so that lines never run over from one column into the next. A state holds all stones, and those of the player to move.
"""

from spinney.games.card import OVER
from spinney.kernel import Record, i64, rule

COLUMNS, ROWS = 7, 6
HEIGHT = ROWS + 1
MAX_ACTIONS = COLUMNS
MAX_PLAYERS = 2
OPEN_SPIEL = "connect_four()"
CELLS = COLUMNS * ROWS
NOBODY = -1
BOTTOM = sum(1 << (column * HEIGHT) for column in range(COLUMNS))
"""The lowest cell of each column."""


class State(Record):
    own = i64  # stones of the player to move; when the game is over, of the one whose turn it would be
    filled = i64  # all stones
    count = i64  # their number
    turn = i64  # player to move, or OVER
    winner = i64


@rule
def start(s, config, rng):
    """An empty board."""
    s.winner = NOBODY


@rule(inline=True)
def mover(s):
    return s.turn


@rule(inline=True)
def stones_of(s, player):
    """The stones of a player."""
    return s.own if player == s.count & 1 else s.own ^ s.filled


@rule(inline=True)
def is_full(filled, column):
    """Whether the top cell of a column is filled."""
    return (filled >> (column * HEIGHT + ROWS - 1)) & 1


@rule
def legal(s, player, out):
    """The columns that are not full, from left to right."""
    n = 0
    for column in range(COLUMNS):
        if not is_full(s.filled, column):
            out.action[n] = column
            n += 1
    return n


@rule(inline=True)
def drop(filled, column):
    """The cell in which a stone comes to rest: adding the bottom bit carries up to the first empty cell."""
    bottom = 1 << (column * HEIGHT)
    return (filled + bottom) & (((1 << ROWS) - 1) << (column * HEIGHT))


@rule(inline=True)
def has_line(stones):
    """Whether four stones are in a line in a column, a row or a diagonal."""
    pairs = stones & (stones >> 1)
    lines = pairs & (pairs >> 2)
    pairs = stones & (stones >> HEIGHT)
    lines |= pairs & (pairs >> (2 * HEIGHT))
    pairs = stones & (stones >> (HEIGHT - 1))
    lines |= pairs & (pairs >> (2 * (HEIGHT - 1)))
    pairs = stones & (stones >> (HEIGHT + 1))
    lines |= pairs & (pairs >> (2 * (HEIGHT + 1)))
    return lines != 0


@rule(inline=True)
def apply(s, column):
    """Drop a stone of the player to move."""
    stones = s.own | drop(s.filled, column)
    s.own ^= s.filled
    s.filled |= stones
    s.count += 1
    if has_line(stones):
        s.winner = s.turn
        s.turn = OVER
    elif s.count == CELLS:
        s.turn = OVER
    else:
        s.turn = s.count & 1


@rule
def position_hash(s):
    """A number that is unique to a position: each column has the stones of the player who moved last, and a bit above
    the highest stone."""
    return s.filled + BOTTOM + (s.own ^ s.filled)


@rule
def reward(s, out):
    """1 for the winner, one half each for a draw."""
    for player in range(MAX_PLAYERS):
        out.reward[player] = 0.5 if s.winner == NOBODY else 1.0 if s.winner == player else 0.0
