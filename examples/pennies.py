"""Matching pennies with a bias: two players show a side of a coin at the same time.

The first wins if the sides match, the second if they do not; but two tails are a draw. In equilibrium both show heads
one time in three. Try: spinney watch examples/pennies.py "decoupled(select=regret, choice=strategy)" random
"""

import sys

from spinney import OVER, SIMULTANEOUS, Board, Card
from spinney.kernel import Record, i8, rule

MAX_PLAYERS = 2
MAX_ACTIONS = 2
MOVES = 2  # actions of simultaneous moves are less than this
HEADS, TAILS = 0, 1


class State(Record):
    shown = i8
    sides = i8[2]


@rule
def start(s, config, rng):
    pass


@rule
def mover(s):
    return OVER if s.shown else SIMULTANEOUS


@rule
def is_active(s, player):
    """Both are to choose, once."""
    return s.shown == 0


@rule
def legal(s, player, out):
    out.action[0] = HEADS
    out.action[1] = TAILS
    return 2


@rule
def apply_joint(s, out):
    for player in range(2):
        s.sides[player] = out.joint[player]
    s.shown = 1


@rule
def apply(s, action):
    """Never called: all moves are simultaneous, and there is no chance."""


@rule
def reward(s, out):
    match = s.sides[0] == s.sides[1]
    out.reward[0] = 0.0 if not match else 1.0 if s.sides[0] == HEADS else 0.5
    out.reward[1] = 1.0 - out.reward[0]


def draw(s):
    return " ".join("HT"[side] for side in s.sides) if s.shown else "? ?"


def name_action(s, action):
    return ("heads", "tails")[action]


GAME = Card(
    "pennies", "Matching pennies", "Show the same side, or the other.", sys.modules[__name__], Board(draw, name_action)
)  # fmt: skip
