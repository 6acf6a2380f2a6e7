"""The state of a game of snakes: a grid whose squares know whose body lies on them, and which way that body goes on.

A square of the grid holds the number of a snake from 1 (0: nobody), the direction to the next square nearer its head,
and whether there is food. So a body is its tail and the directions from there on, and a move changes two squares
however long the snake is. Only at the tail can several pieces of a body share a square: `stacked` counts them.

Around the board lie squares of wall, so that no step leaves the grid.
"""

from spinney.kernel import Record, i8, i16, i32, rule

MAX_PLAYERS = 8
LONGEST = 25
"""Squares on the longest side that a board may have."""
STRIDE = LONGEST + 2
SQUARES = STRIDE * STRIDE
START_LENGTH = 3
FULL_HEALTH = 100
NOBODY = -1

UP, DOWN, LEFT, RIGHT = 0, 1, 2, 3
MOVES = 4
"""What a snake can choose; (0, 0) is the lowest square on the left, and up is y + 1."""

FOOD = 1
WALL = 9 << 3
"""A square of wall, as if it were the body of a ninth snake."""

MOVE, SPAWN, SHRINK, FINISHED = 0, 1, 2, 3
"""Phases: snakes are to move, food is to be placed, a side of the hazards is to be drawn, the game is over."""

ALIVE, UNTOLD, OUT_OF_HEALTH, WALL_COLLISION, HAZARD, SELF_COLLISION, BODY_COLLISION, HEAD_COLLISION = range(8)
"""Why a snake was eliminated; UNTOLD in positions that come without it. From SELF_COLLISION on, it was in the way of
others on the turn it fell."""


class State(Record):
    players = i8
    width = i8
    height = i8
    wrapped = i8  # 1: who leaves the board enters on the other side
    constrictor = i8  # 1: everybody grows every turn, and there is no food
    royale = i8  # 1: hazards move in from the sides
    food_chance = i8
    minimum_food = i16
    hazard_damage = i16
    shrink_every = i16
    turn = i32
    phase = i8
    living = i8
    food = i16  # pieces on the board
    missing = i16  # pieces to be placed this turn to reach the minimum
    hazards = i32  # how many there are, those on one square counted each
    head = i16[MAX_PLAYERS]
    tail = i16[MAX_PLAYERS]
    length = i16[MAX_PLAYERS]
    stacked = i16[MAX_PLAYERS]  # pieces on the square of the tail, but for one
    health = i8[MAX_PLAYERS]
    facing = i8[MAX_PLAYERS]  # the way of the last move
    cause = i8[MAX_PLAYERS]
    by = i8[MAX_PLAYERS]  # who eliminated it, or NOBODY
    fell = i32[MAX_PLAYERS]  # the turn on which it was eliminated
    cell = i8[SQUARES]  # 8 x snake from 1 + 2 x direction + FOOD
    hazard = i8[SQUARES]  # hazards on a square


@rule(inline=True)
def square(x, y):
    """The number of a square in the grid."""
    return (y + 1) * STRIDE + x + 1


@rule(inline=True)
def column(at):
    """The x of a square."""
    return at % STRIDE - 1


@rule(inline=True)
def row(at):
    """The y of a square."""
    return at // STRIDE - 1


@rule(inline=True)
def step(s, at, direction):
    """The next square in a direction; from the edge of a wrapped board, the square on the other side."""
    to = at + (STRIDE if direction == UP else -STRIDE if direction == DOWN else -1 if direction == LEFT else 1)
    if s.wrapped and s.cell[to] == WALL:
        to = around(s, to, direction)
    return to


@rule
def around(s, at, direction):
    """The square of a wrapped board that is entered by leaving it in a direction, to a square of wall."""
    if direction == UP:
        return at - s.height * STRIDE
    if direction == DOWN:
        return at + s.height * STRIDE
    return at + s.width if direction == LEFT else at - s.width


@rule(inline=True)
def owner(s, at):
    """The snake whose body is on a square; NOBODY; or MAX_PLAYERS, the wall."""
    return (s.cell[at] >> 3) - 1


@rule(inline=True)
def onward(s, at):
    """The direction from a piece of a body to the next one nearer the head."""
    return (s.cell[at] >> 1) & 3


@rule
def clear_board(s):
    """An empty board of the state's size, and walls around it."""
    for at in range(SQUARES):
        s.cell[at] = WALL
        s.hazard[at] = 0
    for y in range(s.height):
        for x in range(s.width):
            s.cell[square(x, y)] = 0
    s.food = 0
    s.hazards = 0
    s.living = 0


@rule
def put_snake(s, player, at):
    """A new snake of full health, all of it on one square."""
    s.head[player] = at
    s.tail[player] = at
    s.length[player] = START_LENGTH
    s.stacked[player] = START_LENGTH - 1
    s.health[player] = FULL_HEALTH
    s.facing[player] = UP
    s.cause[player] = ALIVE
    s.by[player] = NOBODY
    s.fell[player] = 0
    s.cell[at] = (player + 1) << 3
    s.living += 1


@rule
def put_food(s, at):
    s.cell[at] |= FOOD
    s.food += 1
