"""Breakthrough (Troyka 2000): two armies of pawns; the first pawn on the opponent's home row wins.

A pawn moves one row forward, straight or diagonally, and captures diagonally only. Player 0 begins, moves from row 0
upwards in numbers, and sits at the top of the board. Actions, their order and movers are those of OpenSpiel.

The pawns of a player are one number, in which a row takes eight bits. They are counted from the player's row 0 for
player 0 and from row 1 for player 1, so that straight ahead of a pawn of either player is the same bit of the other
one. A pawn that arrives on the last row ends the game and is kept in `arrived`: no set has a bit for it.
"""

from spinney.games.card import OVER
from spinney.kernel import Record, i8, i64, rule
from spinney.kernel.bits import lowest, mix

MAX_SIDE, MIN_SIDE = 8, 2
STRIDE = 8
TWO_ROWS = 6
"""From this number of rows on, each army has two rows of pawns."""
DIRECTIONS = 3
MAX_ACTIONS = 2 * MAX_SIDE * DIRECTIONS
"""The most that is ever listed: three moves of each pawn."""
ACTIONS = MAX_SIDE * MAX_SIDE * 2 * DIRECTIONS * 2
MAX_PLAYERS = 2
OPEN_SPIEL = "breakthrough()"
NOBODY = -1
FIRST_COLUMN = sum(1 << (STRIDE * row) for row in range(MAX_SIDE - 1))


class State(Record):
    rows = i8
    columns = i8
    turn = i8  # player to move, or OVER
    winner = i8
    arrived = i8  # at the end: the cell of the pawn that has arrived, or NOBODY
    pawns = i64[MAX_PLAYERS]


@rule
def start(s, config, rng):
    """Two rows of pawns each, or one on a short board."""
    s.rows = config.rows
    s.columns = config.columns
    s.winner = NOBODY
    s.arrived = NOBODY
    deep = 2 if config.rows >= TWO_ROWS else 1
    row = (1 << config.columns) - 1
    for i in range(deep):
        s.pawns[0] |= row << (STRIDE * i)
        s.pawns[1] |= row << (STRIDE * (config.rows - 2 - i))


@rule(inline=True)
def mover(s):
    return int(s.turn)


@rule(inline=True)
def to_first(s, player):
    """The pawns that may move towards the first column, with or without a capture."""
    own = s.pawns[player]
    taken = own >> (STRIDE - 1) if player == 0 else own << (STRIDE + 1)
    return own & ~FIRST_COLUMN & ~taken


@rule(inline=True)
def straight(s, player):
    """The pawns that may move straight ahead."""
    own = s.pawns[player]
    taken = own >> STRIDE if player == 0 else own << STRIDE
    return own & ~taken & ~s.pawns[1 - player]


@rule(inline=True)
def to_last(s, player):
    """The pawns that may move towards the last column, with or without a capture."""
    own = s.pawns[player]
    taken = own >> (STRIDE + 1) if player == 0 else own << (STRIDE - 1)
    return own & ~(FIRST_COLUMN << (s.columns - 1)) & ~taken


@rule(inline=True)
def action_of(s, player, bit, side):
    """The action of a pawn that moves to a side: 0 towards the first column, 1 straight ahead, 2 towards the last."""
    cell = s.columns * ((bit >> 3) + player) + (bit & 7)
    captures = (s.pawns[1 - player] << 1 >> (bit + side)) & 1 & ~side
    return 12 * cell + 2 * (DIRECTIONS * player + side) + captures


@rule
def legal(s, player, out):
    """The moves of each pawn in reading order, from the first column to the last."""
    first, ahead, last = to_first(s, player), straight(s, player), to_last(s, player)
    left, n = first | ahead | last, 0
    while left != 0:
        bit = lowest(left)
        if (first >> bit) & 1:
            out.action[n] = action_of(s, player, bit, 0)
            n += 1
        if (ahead >> bit) & 1:
            out.action[n] = action_of(s, player, bit, 1)
            n += 1
        if (last >> bit) & 1:
            out.action[n] = action_of(s, player, bit, 2)
            n += 1
        left &= left - 1
    return n


@rule(inline=True)
def origin(s, action):
    """The bit of the pawn that an action moves, in the set of its player."""
    cell = action // 12
    return STRIDE * (cell // s.columns - (action % 12 >= 6)) + cell % s.columns


@rule(inline=True)
def apply(s, action):
    """Move a pawn; the other player loses the pawn that it captures."""
    player = s.turn
    side = (action % 12) // 2 - DIRECTIONS * player
    bit = origin(s, action)
    beside = bit + side - 1  # the same cell as the target in the set of the other player
    s.pawns[player] ^= 1 << bit
    s.pawns[1 - player] &= ~((action & 1) << beside)
    last = s.rows - 2 if player == 0 else 0
    if bit >> 3 == last:
        s.arrived = (s.columns * (s.rows - 1) if player == 0 else 0) + (beside & 7)
    else:
        s.pawns[player] |= 1 << (beside + (STRIDE if player == 0 else -STRIDE))
    if bit >> 3 == last or s.pawns[1 - player] == 0:
        s.winner = player
        s.turn = OVER
    else:
        s.turn = 1 - player


@rule
def position_hash(s):
    """Different numbers for almost all different positions."""
    code = s.arrived + 2 if s.arrived != NOBODY else 1 if s.turn == 1 else 0
    return mix(mix(s.pawns[0]) ^ s.pawns[1] ^ code << (STRIDE * (MAX_SIDE - 1)))


@rule
def reward(s, out):
    """1 for the winner."""
    for player in range(MAX_PLAYERS):
        out.reward[player] = 1.0 if s.winner == player else 0.0
