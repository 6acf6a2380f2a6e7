"""Pig: throw a die as often as you dare; a one loses the turn's points. The first to reach the goal wins."""

import sys

import pydantic

from spinney import CHANCE, OVER, Board, Card, Options
from spinney.kernel import Record, below, i8, i16, rule

MAX_PLAYERS = 4
MAX_ACTIONS = 6  # the most that is ever listed: the faces of the die
THROW, HOLD = 0, 1


class PigOptions(Options):
    players: int = pydantic.Field(2, ge=2, le=MAX_PLAYERS, description="how many play")
    goal: int = pydantic.Field(50, ge=10, le=1000, description="points that win")


class State(Record):
    players = i8
    goal = i16
    turn = i8
    in_air = i8  # 1: the die is thrown and has not landed
    pot = i16  # points of this turn, not yet banked
    score = i16[MAX_PLAYERS]


@rule
def start(s, config, rng):
    s.players = config.players
    s.goal = config.goal


@rule
def mover(s):
    if s.score[s.turn] + s.pot >= s.goal:
        return OVER
    return CHANCE if s.in_air else s.turn


@rule
def legal(s, player, out):
    out.action[0] = THROW
    out.action[1] = HOLD
    return 2 if s.pot > 0 else 1


@rule
def chance(s, rng):
    return 1 + below(rng, 6)


@rule
def outcomes(s, out):
    for face in range(1, 7):
        out.action[face - 1] = face
        out.weight[face - 1] = 1 / 6
    return 6


@rule
def apply(s, action):
    if not s.in_air and action == THROW:
        s.in_air = 1
    elif s.in_air and action > 1:
        s.pot += action
        s.in_air = 0
    else:  # held, or threw a one
        if not s.in_air:
            s.score[s.turn] += s.pot
        s.pot, s.in_air, s.turn = 0, 0, (s.turn + 1) % s.players


@rule
def reward(s, out):
    for player in range(s.players):
        out.reward[player] = 1.0 if player == s.turn else 0.0


@rule
def heuristic(s, player, out, rng):
    """Holds at twenty."""
    return HOLD if s.pot >= 20 else THROW


def draw(s):
    scores = "   ".join(f"player {p + 1}: {s.score[p]}" for p in range(s.players))
    return f"{scores}   to reach {s.goal}   player {s.turn + 1} has {s.pot} in the pot"


def name_action(s, action):
    return f"a {action}" if s.in_air else ("throw", "hold")[action]


GAME = Card(
    "pig", "Pig", "Throw or hold; a one loses the turn.", sys.modules[__name__], Board(draw, name_action),
    players={"heuristic": heuristic}, options=PigOptions,
)  # fmt: skip
