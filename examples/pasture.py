"""Pasture, a tiny game of many pieces: sheep on a ring of meadows, which all move at once and eat if they are alone.

One shepherd, three sheep on nine meadows, four turns. Each turn every sheep goes left, stays or goes right, and eats
the grass of its meadow, unless another sheep is there. The shepherd orders one sheep after the other.
"""

import sys

from spinney import OVER, Board, Card, Pieces
from spinney.games.card import NO_PIECE
from spinney.kernel import Record, below, f64, i8, rule

MAX_ACTIONS = ORDERS = 3
MAX_PLAYERS = 1
SHEEP, MEADOWS, TURNS = 3, 9, 4
GRASS = (7, 0, 0, 0, 1, 9, 0, 0, 4)
MAX_PIECES = SHEEP
START = (1, 4, 8)
"""Where the sheep begin. The first and the last are next to the same good meadow."""


class State(Record):
    turn = i8
    piece = i8
    at = i8[SHEEP]
    order = i8[SHEEP]
    eaten = i8[SHEEP]


class Guide(Record):
    before = f64[SHEEP]


@rule
def start(s, config, rng):
    for i in range(SHEEP):
        s.at[i] = START[i]


@rule
def mover(s):
    return OVER if s.turn == TURNS else 0


@rule
def legal(s, player, out):
    for order in range(3):
        out.action[order] = order
    return 3


@rule
def apply(s, action):
    s.order[s.piece] = action
    s.piece += 1
    if s.piece == SHEEP:
        carry_out(s)


@rule
def carry_out(s):
    for i in range(SHEEP):
        s.at[i] = (s.at[i] + s.order[i] - 1) % MEADOWS
        s.order[i] = 1
    for i in range(SHEEP):
        alone = True
        for j in range(SHEEP):
            alone &= i == j or s.at[i] != s.at[j]
        if alone:
            s.eaten[i] += GRASS[s.at[i]]
    s.piece = 0
    s.turn += 1


@rule
def reward(s, out):
    out.reward[0] = (s.eaten[0] + s.eaten[1] + s.eaten[2]) / 128


@rule
def pieces(s):
    return SHEEP


@rule
def piece_id(s, i):
    return i


@rule
def piece_owner(s, i):
    return 0


@rule
def asked(s):
    return int(s.piece) if s.piece < SHEEP else NO_PIECE


@rule
def begin_search(s, g):
    for i in range(SHEEP):
        g.before[i] = s.eaten[i]


@rule
def begin_simulation(s, g):
    pass


@rule
def give_order(s, g, i, k, order):
    s.order[i] = order
    return True


@rule
def default_order(s, g, i, k, rng):
    s.order[i] = below(rng, 3)


@rule
def play_turn(s, g):
    carry_out(s)


@rule
def piece_score(s, g, i, k):
    return s.eaten[i] - g.before[i]


@rule
def resets_baseline(s, i):
    return True


def name_action(s, action):
    return ("left", "stay", "right")[action]


MODULE = sys.modules[__name__]
GAME = Card(
    "pasture", "Pasture", "Sheep eat where they are alone.", MODULE, Board(repr, name_action), pieces=Pieces(MODULE)
)
