"""Evaluations of unfinished games, and rewards other than victory."""

from spinney.games.battlesnake.rules import reward
from spinney.games.battlesnake.space import read_board, territory
from spinney.games.battlesnake.state import ALIVE, NOBODY
from spinney.games.parts import Rule
from spinney.kernel import rule

SEGMENT_VALUE = 2.0
"""Squares of territory that count as much as a segment of the body."""
HUNGRY = 50
"""The health below which the score of a snake is reduced."""


@rule
def space(s, out):
    """A living snake's share of the sum of all scores: the squares that it reaches first and its length, reduced if it
    is hungry.

    If at most one snake is left, it is the reward of the game. In a game for one, it is the mean of the part of the
    board that the snake fills and of the part that it can reach.
    """
    if s.living <= 1 and s.players > 1:
        reward(s, out)
        return
    read_board(s, out.scratch)
    territory(s, out.scratch, NOBODY, 0)
    squares = out.scratch.territory
    if s.players == 1:
        out.reward[0] = min(1.0, (s.length[0] + squares[0]) / (2 * s.width * s.height))
        return
    total = 0.0
    for player in range(s.players):
        score = 0.0
        if s.cause[player] == ALIVE:
            score = 1.0 + squares[player] + SEGMENT_VALUE * s.length[player]
            score *= min(1.0, (s.health[player] + HUNGRY) / (2 * HUNGRY))
        out.reward[player] = score
        total += score
    for player in range(s.players):
        out.reward[player] /= total


@rule
def survival(s, out):
    """The paper's: survivors share 1, eliminated snakes get 0."""
    for player in range(s.players):
        out.reward[player] = 1.0 / s.living if s.cause[player] == ALIVE else 0.0


@rule
def length(s, out):
    """The share of the total length of all snakes; an eliminated snake keeps its last length. In a game for one: the
    part of the board that is filled."""
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
    """The share of its opponents that a snake has eliminated."""
    for player in range(s.players):
        out.reward[player] = 0.0
    for player in range(s.players):
        by = s.by[player]
        if by >= 0 and by != player:
            out.reward[by] += 1.0 / (s.players - 1)
    for player in range(s.players):
        out.reward[player] = min(1.0, out.reward[player])


HURRY = 100
"""The number of turns after which `speed` gives three quarters for a victory."""


@rule
def speed(s, out):
    """Victory, discounted by the number of turns: from 1 at the start of the game towards one half."""
    reward(s, out)
    for player in range(s.players):
        out.reward[player] *= 0.5 + 0.5 * HURRY / (HURRY + s.turn)


@rule
def alone(s, out):
    """Victory, but if the last k snakes are eliminated together, that is worth only 1/k^2 to the searcher: it does not
    count as won. The others may still go for it."""
    reward(s, out)
    if s.players > 1:
        out.reward[out.searcher] *= out.reward[out.searcher]


EVALUATIONS: dict[str, Rule] = {"space": space, "survival": survival}
REWARDS: dict[str, Rule] = {"survival": survival, "length": length, "kills": kills, "speed": speed, "alone": alone}
