"""The line of moves that alpha-beta is looking at, with all moves of each position on it, and which of them is next.

First comes what was best when the position was searched before, then moves that were too good for the other player in
positions as far ahead, then the others in the order of the evaluation after them.
"""

from __future__ import annotations

from functools import cache

from spinney.kernel import Record, f64, i8, i32, i64, rule
from spinney.search.tree import CERTAIN, NO_ACTION

DEEPEST = 32
KILLERS = 2
SEARCHED = 2.0
"""Above every value: what `worth` says of a move that has been searched at this depth."""
STANDING = 3
"""How many moves before the end of the line an evaluation may be believed."""


@cache
def line_record(actions: int) -> type[Record]:
    class Line(Record):
        depth = i64  # how deep the search goes now
        ply = i64  # where on the line it is; -1: a new depth begins
        deepest = i64
        endgame = i64
        reduce = i64
        killers = i64
        guesses = i64  # evaluations that the values of this depth depend on
        owed = i64  # evaluations beyond those that were asked for
        again = i64  # 1: a move turned out better than the first look at it was meant for
        over = i64  # 1: more search changes nothing
        margin = f64  # by how much, for each move left, a position must look too good to be left alone
        best = i32  # the number of the best move at the root
        mover = i8[DEEPEST]
        n = i32[DEEPEST]  # moves, 0 if the value was known without them
        left = i32[DEEPEST]  # moves to look ahead from here
        tried = i32[DEEPEST]  # the move that leads on
        number = i32[DEEPEST]  # how many moves were searched before it
        reduced = i32[DEEPEST]  # by how much less deep it is looked at
        narrow = i8[DEEPEST]  # 1: it is only asked whether it is better than the best so far
        ordered = i8[DEEPEST]  # 1: all moves of the position have been given an order
        key = i64[DEEPEST]
        guessed = i64[DEEPEST]  # evaluations that the values of this depth depended on when the position was entered
        known_best = i32[DEEPEST]  # the best move of an earlier search, or NO_ACTION
        chosen = i32[DEEPEST]  # the best move so far
        killer = i32[DEEPEST, KILLERS]  # moves that ended the work on a position this far ahead, the latest first
        floor = f64[DEEPEST]  # alpha at first
        alpha = f64[DEEPEST]
        beta = f64[DEEPEST]
        top = f64[DEEPEST]  # the best value so far
        action = i32[DEEPEST, actions]
        worth = f64[DEEPEST, actions]  # the order to search in: value after the move
        known = i8[DEEPEST, actions]  # 1: the move ends the game
        last = f64[actions]  # the root's values at this depth, or at the last one
        spent = i32[actions]  # evaluations below each move of the root

    return Line


@rule
def find(line, ply, action):
    """The number of an action among the moves of a position, or -1."""
    for i in range(line.n[ply]):
        if line.action[ply, i] == action:
            return i
    return -1


@rule
def next_favourite(line, ply):
    """A move that was good before, here or elsewhere, and has not been searched; or -1."""
    if line.known_best[ply] != NO_ACTION:
        i = find(line, ply, line.known_best[ply])
        if i >= 0 and line.worth[ply, i] < SEARCHED:
            return i
    if line.killers:
        for k in range(KILLERS):
            i = find(line, ply, line.killer[ply, k])
            if i >= 0 and line.worth[ply, i] < SEARCHED:
                return i
    return -1


@rule
def killers_first(line, ply):
    """Exchange the first moves of a position for its killers."""
    if line.killers:
        first = 0
        for k in range(KILLERS):
            i = find(line, ply, line.killer[ply, k])
            if i >= first:
                action = line.action[ply, first]
                line.action[ply, first] = line.action[ply, i]
                line.action[ply, i] = action
                first += 1


@rule
def next_move(line, ply):
    """The most promising move that has not been searched, or -1."""
    best, most = -1, -1.0
    for i in range(line.n[ply]):
        worth = line.worth[ply, i]
        better = most < worth < SEARCHED
        best = i if better else best
        most = worth if better else most
    return best


@rule
def note(line, ply, i, value):
    """A move has been searched: its value counts if it is the best. Whether the rest need not be looked at."""
    line.worth[ply, i] = SEARCHED
    line.number[ply] += 1
    action = line.action[ply, i]
    if ply == 0:
        line.last[i] = value
        if value > line.top[0] and value > 1.0 - CERTAIN:  # if all is lost, what looked best one move earlier
            line.best = i
    if value > line.top[ply]:
        line.top[ply] = value
        line.chosen[ply] = action
    line.alpha[ply] = max(line.alpha[ply], value)
    if line.top[ply] < line.beta[ply]:
        return False
    if line.killer[ply, 0] != action:  # it may be as good elsewhere
        line.killer[ply, 1] = line.killer[ply, 0]
        line.killer[ply, 0] = action
    return True


@rule
def answer(line):
    """The number of the move to play, wherever the search was stopped: the best so far; if that has turned out lost at
    this depth, the most promising of those that may not be."""
    if line.ply >= 0 and line.number[0] > 0 and line.top[0] < 1.0 - CERTAIN:
        i = next_move(line, 0)
        if i >= 0 and line.worth[0, i] > 1.0 - CERTAIN:
            return i
    return line.best


@rule
def stands(line, ply, value):
    """Whether a position near the end of the line looks so much too good for the other player that its moves need not
    be looked at. By its evaluation it is worth a value to its mover, who mostly has a move that keeps it."""
    left = line.left[ply]
    if left > STANDING or value < line.beta[ply] + line.margin * left:
        return False
    line.top[ply] = value
    line.guesses += 1
    line.n[ply] = 0
    return True


@rule
def end_depth(line):
    """All moves of the root are searched: what is known now."""
    sure = not 1.0 - CERTAIN < line.top[0] < CERTAIN
    line.over = int(sure or line.guesses == 0 or line.depth == line.deepest)
    line.ply = -1


@rule
def reduction(line, ply):
    """How much less deep to look at the next move."""
    n = line.number[ply]
    if line.reduce == 0 or n < line.reduce:
        return 0
    return min(line.left[ply] - 2, 1 if n < 4 * line.reduce else 2)
