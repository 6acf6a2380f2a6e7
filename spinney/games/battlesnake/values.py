"""What a position is worth to each snake: guesses for unfinished games, and other rewards than victory."""

from spinney.games.battlesnake.rules import reward
from spinney.games.battlesnake.space import territory
from spinney.games.battlesnake.state import ALIVE, NOBODY
from spinney.games.parts import Rule
from spinney.kernel import rule

WORTH_OF_LENGTH = 2.0
"""Squares of territory that a piece of the body is worth."""
HUNGRY = 50
"""Health from which on downwards a snake is worth less."""


@rule
def space(s, out):
    """The share that a living snake has of all worth: squares it reaches first and its length, less if it is hungry.

    The last snake living has everything, and when none is left those who fell last share it. Alone, a snake has the
    mean of the parts of the board that it fills and that it can reach.
    """
    if s.living <= 1 and s.players > 1:
        reward(s, out)
        return
    territory(s, out, NOBODY, 0)
    if s.players == 1:
        out.reward[0] = min(1.0, (s.length[0] + out.reward[0]) / (2 * s.width * s.height))
        return
    total = 0.0
    for player in range(s.players):
        if s.cause[player] == ALIVE:
            worth = 1.0 + out.reward[player] + WORTH_OF_LENGTH * s.length[player]
            worth *= min(1.0, (s.health[player] + HUNGRY) / (2 * HUNGRY))
            out.reward[player] = worth
            total += worth
    for player in range(s.players):
        out.reward[player] /= total


@rule
def survival(s, out):
    """The paper's: the living share one, the fallen have nothing."""
    for player in range(s.players):
        out.reward[player] = 1.0 / s.living if s.cause[player] == ALIVE else 0.0


@rule
def length(s, out):
    """The share in the length of all snakes, fallen ones as long as they were. Alone: the part of the board filled."""
    if s.players == 1:
        reward(s, out)
        return
    total = 0
    for player in range(s.players):
        total += s.length[player]
    for player in range(s.players):
        out.reward[player] = s.length[player] / total


@rule
def kills(s, out):
    """The share of the others that a snake has eliminated."""
    for player in range(s.players):
        out.reward[player] = 0.0
    for player in range(s.players):
        by = s.by[player]
        if by >= 0 and by != player:
            out.reward[by] += 1.0 / (s.players - 1)
    for player in range(s.players):
        out.reward[player] = min(1.0, out.reward[player])


HURRY = 100
"""Turns after which a quick victory is worth three quarters."""


@rule
def speed(s, out):
    """Victory, worth the more the sooner: all at the start of the game, and half in the very long run."""
    reward(s, out)
    for player in range(s.players):
        out.reward[player] *= 0.5 + 0.5 * HURRY / (HURRY + s.turn)


EVALUATIONS: dict[str, Rule] = {"space": space, "survival": survival}
REWARDS: dict[str, Rule] = {"survival": survival, "length": length, "kills": kills, "speed": speed}
