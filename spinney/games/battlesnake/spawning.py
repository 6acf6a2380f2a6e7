"""Chance after a turn: food spawns, and in a royale game hazards advance from one side."""

from spinney.games.battlesnake.state import (
    FINISHED,
    MAX_PLAYERS,
    MOVE,
    SHRINK,
    SPAWN,
    SQUARES,
    STRIDE,
    owner,
    put_food,
    square,
)
from spinney.kernel import below, rule

NONE = 0
"""The outcome without food. The number of a square is the outcome that food spawns there."""
SIDES = SQUARES
"""Outcomes from here on: hazards advance by one line from the left, the right, below or above."""
TRIES = 32
"""The number of random squares that are tried before the free ones are counted."""


@rule
def begin_spawning(s):
    """Begin the chance steps of a turn: food, if any may spawn."""
    s.missing = max(0, s.minimum_food - s.food)
    if not s.constrictor and (s.missing > 0 or s.food_chance > 1):
        s.phase = SPAWN
    else:
        end_spawning(s)


@rule(inline=True)
def end_spawning(s):
    """After the food: hazards, if they advance on this turn."""
    s.missing = 0
    if s.royale and s.turn % s.shrink_every == 0:
        s.phase = SHRINK
    else:
        end_turn(s)


@rule(inline=True)
def end_turn(s):
    """Begin the next turn, or end the game if at most one snake lives; a game for one goes on until that snake dies."""
    s.phase = MOVE if s.living > 1 or (s.living == 1 and s.players == 1) else FINISHED


@rule
def chance(s, rng):
    """The square where food spawns, or NONE; or the side from which hazards advance."""
    if s.phase == SHRINK:
        return SIDES + below(rng, 4)
    if (
        s.missing == 0 and below(rng, 100) >= s.food_chance - 1
    ):  # official rules: a number of 1..100 is less than the chance
        return NONE
    return any_free(s, rng)


@rule
def outcomes(s, out):
    """All outcomes and their probabilities."""
    if s.phase == SHRINK:
        for side in range(4):
            out.action[side] = SIDES + side
            out.weight[side] = 0.25
        return 4
    n = 0
    if s.missing == 0:
        out.action[0] = NONE
        n = 1
    for y in range(s.height):
        for x in range(s.width):
            if is_free(s, square(x, y)):
                out.action[n] = square(x, y)
                n += 1
    if n == 0:  # food must spawn, but no square is free
        out.action[0] = NONE
        n = 1
    for i in range(n):
        out.weight[i] = 1.0 / n
    if s.missing == 0 and n > 1:
        some = (s.food_chance - 1) / 100
        out.weight[0] = 1.0 - some
        for i in range(1, n):
            out.weight[i] = some / (n - 1)
    elif s.missing == 0:
        out.weight[0] = 1.0
    return n


@rule
def default_outcome(s):
    """No food and no new hazards, even where the rules do not allow it."""
    return NONE


@rule
def apply(s, outcome):
    """Place a piece of food, or let hazards advance. After NONE no more food is placed this turn."""
    if s.phase == SHRINK:
        if outcome >= SIDES:
            shrink(s, outcome - SIDES)
        end_turn(s)
        return
    if outcome == NONE:
        end_spawning(s)
        return
    put_food(s, outcome)
    s.missing -= 1
    if s.missing <= 0:
        end_spawning(s)


@rule
def is_free(s, at):
    """Whether food may spawn on a square: it is empty, and not next to the head of a living snake."""
    return s.cell[at] == 0 and not (
        is_head(s, at + 1) or is_head(s, at - 1) or is_head(s, at + STRIDE) or is_head(s, at - STRIDE)
    )


@rule(inline=True)
def is_head(s, at):
    """Whether the head of a living snake is on a square."""
    player = owner(s, at)
    return 0 <= player < MAX_PLAYERS and s.head[player] == at


@rule
def any_free(s, rng):
    """A free square, all equally likely, or NONE."""
    for _ in range(TRIES):
        at = square(below(rng, s.width), below(rng, s.height))
        if is_free(s, at):
            return at
    n = 0
    for at in range(SQUARES):
        if is_free(s, at):
            n += 1
    if n == 0:
        return NONE
    n = below(rng, n)
    at = 0
    while n > 0 or not is_free(s, at):
        if is_free(s, at):
            n -= 1
        at += 1
    return at


@rule
def shrink(s, side):
    """Fill the first line from a side that has squares without a hazard. Only the hazards on the board decide which."""
    lines, across = (s.width, s.height) if side < 2 else (s.height, s.width)
    for i in range(lines):
        line = i if side % 2 == 0 else lines - 1 - i
        added = 0
        for j in range(across):
            at = square(line, j) if side < 2 else square(j, line)
            if s.hazard[at] == 0:
                s.hazard[at] = 1
                added += 1
        if added > 0:
            s.hazards += added
            return
