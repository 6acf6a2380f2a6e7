"""Pig: roll a die as often as you dare; a one loses the points of the turn. The first to bank the goal wins.

A roll is two steps: the action, and the face of the die, which is chance. After `horizon` actions the game ends without
a winner. With `piglet`, every face but the one counts a single point, and there are two outcomes: a one, or not.
Actions, chance outcomes and movers are those of OpenSpiel.
"""

from spinney.games.card import CHANCE, OVER
from spinney.kernel import Record, below, i8, i32, rule, uniform

MAX_PLAYERS = 10
MAX_FACES = 20
MAX_ACTIONS = MAX_FACES
"""The most that is ever listed: the faces of the die."""
ACTIONS = 2
ROLL, STOP = 0, 1
NOBODY = -1
OPEN_SPIEL = "pig()"


class State(Record):
    players = i8
    faces = i8
    piglet = i8  # every face but the one counts one point
    turn = i8  # whose turn it is
    phase = i8  # the player to move, or CHANCE or OVER
    winner = i8
    goal = i32
    left = i32  # actions until the game ends without a winner
    need = i32  # points that the player whose turn it is lacks, without those of this turn
    total = i32  # points of this turn, not yet banked
    score = i32[MAX_PLAYERS]


@rule
def start(s, config, rng):
    """Nobody has any points."""
    s.players = config.players
    s.faces = config.diceoutcomes
    s.piglet = 1 if config.piglet else 0
    s.goal = config.winscore
    s.need = config.winscore
    s.left = config.horizon
    s.winner = NOBODY


@rule(inline=True)
def mover(s):
    return int(s.phase)


@rule(inline=True)
def legal(s, player, out):
    """Roll or stop; only stop with enough points to win."""
    if s.total >= s.need:
        out.action[0] = STOP
        return 1
    out.action[0] = ROLL
    out.action[1] = STOP
    return 2


@rule(inline=True)
def chance(s, rng):
    """The face of the die, counted from 0; in a game of piglet 0 for a one, else 1."""
    if s.piglet:
        return 0 if uniform(rng) < 1.0 / s.faces else 1
    return below(rng, s.faces)


@rule
def outcomes(s, out):
    """All faces, equally likely; in a game of piglet a one, or not."""
    if s.piglet:
        out.action[0] = 0
        out.weight[0] = 1.0 / s.faces
        out.action[1] = 1
        out.weight[1] = 1.0 - 1.0 / s.faces
        return 2
    for face in range(s.faces):
        out.action[face] = face
        out.weight[face] = 1.0 / s.faces
    return int(s.faces)


@rule(inline=True)
def apply(s, action):
    """Roll or stop, or the die lands."""
    if s.phase == CHANCE:
        if action == 0:
            pass_on(s)
        else:
            s.total += 1 if s.piglet else action + 1
            s.phase = s.turn
        return
    s.left -= 1
    if action == ROLL:
        s.phase = CHANCE if s.left != 0 else OVER
        return
    if s.total != 0:
        s.score[s.turn] += s.total
    if s.total >= s.need:
        s.winner = s.turn
    pass_on(s)
    if s.left == 0 or s.winner != NOBODY:
        s.phase = OVER


@rule(inline=True)
def pass_on(s):
    """It is the next player's turn."""
    s.turn = s.turn + 1 if s.turn + 1 < s.players else 0
    s.total = 0
    s.need = s.goal - s.score[s.turn]
    s.phase = s.turn


@rule
def reward(s, out):
    """1 for the winner. Without a winner, all have the reward that is 0 in OpenSpiel: one half."""
    for player in range(s.players):
        if s.winner == NOBODY:
            out.reward[player] = 0.5
        else:
            out.reward[player] = 1.0 if player == s.winner else 0.5 - 0.5 / (s.players - 1)


def scores(s):
    """The points banked."""
    return [int(s.score[player]) for player in range(s.players)]
