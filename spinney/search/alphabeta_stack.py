"""The stack of alpha-beta: the line of moves that is searched, with all moves of each position on it, and their order.

First comes the best move of an earlier search of the position, then killer moves, then the others in the order of the
evaluation after them.
"""

from __future__ import annotations

from functools import cache

from spinney.kernel import Record, f64, i8, i32, i64, rule
from spinney.search.tree import CERTAIN, NO_ACTION

DEEPEST = 64
KILLERS = 2
SEARCHED = 2.0
"""Above every value: the `worth` of a move that has been searched at this depth."""
FUTILITY_DEPTH = 3
"""Plies before the end of a line in which reverse futility pruning applies."""


class AlphaBetaSettings(Record):
    """The options that compiled code reads."""

    deepest = i64
    killers = i64
    futility_margin = f64
    root_margin = f64


@cache
def stack_record(actions: int) -> type[Record]:
    class Stack(Record):
        depth = i64  # of the current iteration of iterative deepening
        ply = i64  # where on the line the search is; -1: a new depth begins
        guesses = i64  # evaluations that the values of this depth depend on
        owed = i64  # evaluations beyond those that were asked for
        research = i64  # 1: a null-window search failed high, and the move is searched again
        over = i64  # 1: more search changes nothing
        best = i32  # the index of the best move at the root
        mover = i8[DEEPEST]
        n = i32[DEEPEST]  # moves, 0 if the value was known without them
        left = i32[DEEPEST]  # plies to search from here
        tried = i32[DEEPEST]  # the move that leads on
        number = i32[DEEPEST]  # moves searched before it
        scout = i8[DEEPEST]  # 1: it is searched with a null window
        ordered = i8[DEEPEST]  # 1: all moves of the position have been evaluated for the order
        hash = i64[DEEPEST]
        guessed = i64[DEEPEST]  # `guesses` when the position was entered
        known_best = i32[DEEPEST]  # the best move of an earlier search, or NO_ACTION
        chosen = i32[DEEPEST]  # the best move so far
        killer = i32[DEEPEST, KILLERS]  # moves that caused cutoffs at the same ply, the latest first
        floor = f64[DEEPEST]  # alpha at first
        alpha = f64[DEEPEST]
        beta = f64[DEEPEST]
        top = f64[DEEPEST]  # the best value so far
        action = i32[DEEPEST, actions]
        worth = f64[DEEPEST, actions]  # the order to search in: value after the move
        known = i8[DEEPEST, actions]  # 1: the move ends the game
        last = f64[actions]  # the root's values at this depth, or at the last one
        spent = i32[actions]  # evaluations below each move of the root

    return Stack


@rule
def find(stack, ply, action):
    """The index of an action among the moves of a position, or -1."""
    for i in range(stack.n[ply]):
        if stack.action[ply, i] == action:
            return i
    return -1


@rule
def next_favourite(stack, ply, o):
    """The best move of an earlier search, or a killer move, that has not been searched; or -1."""
    if stack.known_best[ply] != NO_ACTION:
        i = find(stack, ply, stack.known_best[ply])
        if i >= 0 and stack.worth[ply, i] < SEARCHED:
            return i
    if o.killers:
        for k in range(KILLERS):
            i = find(stack, ply, stack.killer[ply, k])
            if i >= 0 and stack.worth[ply, i] < SEARCHED:
                return i
    return -1


@rule
def killers_first(stack, ply, o):
    """Move the killer moves of a position to the front."""
    if o.killers:
        first = 0
        for k in range(KILLERS):
            i = find(stack, ply, stack.killer[ply, k])
            if i >= first:
                action = stack.action[ply, first]
                stack.action[ply, first] = stack.action[ply, i]
                stack.action[ply, i] = action
                first += 1


@rule
def next_move(stack, ply):
    """The most promising move that has not been searched, or -1."""
    best, most = -1, -1.0
    for i in range(stack.n[ply]):
        worth = stack.worth[ply, i]
        better = most < worth < SEARCHED
        best = i if better else best
        most = worth if better else most
    return best


@rule
def note(stack, ply, i, value, o):
    """A move has been searched: its value counts if it is the best. Whether it causes a cutoff."""
    stack.worth[ply, i] = SEARCHED
    stack.number[ply] += 1
    action = stack.action[ply, i]
    if ply == 0:
        stack.last[i] = value
        if value > stack.top[0] and value > 1.0 - CERTAIN:  # if all is lost, the best move of the last depth
            stack.best = i
    if value > stack.top[ply]:
        stack.top[ply] = value
        stack.chosen[ply] = action
    stack.alpha[ply] = max(stack.alpha[ply], value - o.root_margin if ply == 0 else value)
    if stack.top[ply] < stack.beta[ply]:
        return False
    if stack.killer[ply, 0] != action:
        stack.killer[ply, 1] = stack.killer[ply, 0]
        stack.killer[ply, 0] = action
    return True


@rule
def answer(stack):
    """The index of the move to play, wherever the search was stopped: the best so far; if that is lost at this depth,
    the most promising of those that may not be."""
    if stack.ply >= 0 and stack.number[0] > 0 and stack.top[0] < 1.0 - CERTAIN:
        i = next_move(stack, 0)
        if i >= 0 and stack.worth[0, i] > 1.0 - CERTAIN:
            return i
    return stack.best


@rule
def futile(stack, ply, value, o):
    """Reverse futility pruning: whether the evaluation of a position, a value for its mover, exceeds beta by the margin
    for each ply left. It then counts as the value."""
    left = stack.left[ply]
    if left > FUTILITY_DEPTH or value < stack.beta[ply] + o.futility_margin * left:
        return False
    stack.top[ply] = value
    stack.guesses += 1
    stack.n[ply] = 0
    return True


@rule
def end_depth(stack, o):
    """All moves of the root are searched: whether a deeper search can change the choice."""
    certain = not 1.0 - CERTAIN < stack.top[0] < CERTAIN
    stack.over = int(certain or stack.guesses == 0 or stack.depth >= o.deepest)
    stack.ply = -1
