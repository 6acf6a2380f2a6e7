"""Tic-tac-toe: three by three cells; three marks in a line win."""

from spinney.games.card import OVER
from spinney.kernel import Record, i64, rule

CELLS = 9
MAX_ACTIONS = CELLS
MAX_PLAYERS = 2
OPEN_SPIEL = "tic_tac_toe()"
NOBODY = -1
ALL = (1 << CELLS) - 1
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
"""Rows, columns and diagonals; bit i is cell i, counted from the top left in reading order."""


class State(Record):
    marks = i64[MAX_PLAYERS]  # one bit per cell
    turn = i64  # player to move, or OVER
    winner = i64


@rule
def start(s, config, rng):
    """An empty board."""
    s.winner = NOBODY


@rule(inline=True)
def mover(s):
    return s.turn


@rule
def legal(s, player, out):
    """The empty cells."""
    taken = s.marks[0] | s.marks[1]
    n = 0
    for cell in range(CELLS):
        if not (taken >> cell) & 1:
            out.action[n] = cell
            n += 1
    return n


@rule
def has_line(marks):
    """Whether three marks are in a line."""
    for line in LINES:
        if marks & line == line:
            return True
    return False


@rule
def apply(s, cell):
    """Put a mark of the player to move on a cell."""
    player = s.turn
    s.marks[player] |= 1 << cell
    if has_line(s.marks[player]):
        s.winner = player
        s.turn = OVER
    elif s.marks[0] | s.marks[1] == ALL:
        s.turn = OVER
    else:
        s.turn = 1 - player


@rule
def position_hash(s):
    """A number that is unique to a position: the marks of both players."""
    return s.marks[0] << CELLS | s.marks[1]


@rule
def reward(s, out):
    """1 for the winner, one half each for a draw."""
    for player in range(MAX_PLAYERS):
        out.reward[player] = 0.5 if s.winner == NOBODY else 1.0 if s.winner == player else 0.0
