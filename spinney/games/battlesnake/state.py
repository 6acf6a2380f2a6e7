"""The state of a game: a grid that holds for each square whose body is on it, and where that body continues.

A square of the grid holds the number of a snake from 1 (0: none), the direction to the next segment nearer its head,
and whether there is food. A body is its tail and the directions from there on, so that a move changes two squares
whatever the length of the snake. Only at the tail can several segments share a square: `stacked` counts them.

The board is surrounded by squares of wall, so that no step leaves the grid.
"""

from spinney.kernel import Record, i8, i16, i32, i64, rule

MAX_PLAYERS = 8
LONGEST = 25
"""The most squares that a side of the board may have."""
STRIDE = LONGEST + 2
SQUARES = STRIDE * STRIDE
START_LENGTH = 3
FULL_HEALTH = 100
NOBODY = -1

UP, DOWN, LEFT, RIGHT = 0, 1, 2, 3
MOVES = 4
"""The number of moves of a snake; (0, 0) is the lower left square, and up is y + 1."""

FOOD = 1
WALL = 9 << 3
"""A square of wall, encoded like the body of a ninth snake."""

MOVE, SPAWN, SHRINK, FINISHED = 0, 1, 2, 3
"""Phases: the snakes move, food is placed, the side from which hazards advance is drawn, the game is over."""

ALIVE, UNTOLD, OUT_OF_HEALTH, WALL_COLLISION, HAZARD, SELF_COLLISION, BODY_COLLISION, HEAD_COLLISION = range(8)
"""Why a snake was eliminated; UNTOLD if a position does not say. From SELF_COLLISION on, its body still collides with
other snakes on the turn of its elimination."""


class State(Record):
    players = i8
    width = i8
    height = i8
    wrapped = i8  # 1: a snake that leaves the board enters on the opposite side
    constrictor = i8  # 1: all snakes grow every turn, and there is no food
    royale = i8  # 1: hazards advance from the sides
    food_chance = i8
    minimum_food = i16
    hazard_damage = i16
    shrink_every = i16
    turn = i32
    phase = i8
    living = i8
    food = i16  # pieces on the board
    missing = i16  # pieces of food to be placed this turn to reach the minimum
    hazards = i32  # their number; several on one square are counted each
    head = i16[MAX_PLAYERS]
    tail = i16[MAX_PLAYERS]
    length = i16[MAX_PLAYERS]
    stacked = i16[MAX_PLAYERS]  # segments on the square of the tail, less one
    health = i8[MAX_PLAYERS]
    facing = i8[MAX_PLAYERS]  # the direction of the last move
    cause = i8[MAX_PLAYERS]
    by = i8[MAX_PLAYERS]  # the snake that eliminated it, or NOBODY
    fell = i32[MAX_PLAYERS]  # the turn of its elimination
    cell = i8[SQUARES]  # 8 x snake from 1 + 2 x direction + FOOD
    hazard = i8[SQUARES]  # hazards on a square


WORD = 62
"""The most bits of a word of a bitboard; fewer than 64, so that no word is negative."""
WORDS = 15
"""Words of the largest bitboard: 13 with two rows of the board each, and an empty one on either side."""


class Scratch(Record):
    """Working memory of flood fills (see space.py). A set of squares is a bitboard: words from 1 on, each of which has
    the bits of as many rows as fit."""

    words = i64  # words of the board
    pitch = i64  # bits of a row: one more than the columns, so that neighbouring rows do not touch
    top = i64  # the shift to the last row of a word
    word = i64[STRIDE]  # the word of a row of the grid
    shift = i64[STRIDE]  # the shift of a row of the grid in its word, for columns of the grid
    empty = i64[WORDS]  # squares without a body
    food = i64[WORDS]
    odd = i64[WORDS]  # the squares of one colour, if the board were a chessboard
    open = i64[WORDS]  # squares that a fill may still enter
    goals = i64[WORDS]
    reached = i64[MAX_PLAYERS, WORDS]
    frontier = i64[MAX_PLAYERS, WORDS]  # squares that are reached with the next move
    ground = i64[MAX_PLAYERS, WORDS]  # squares that each snake reaches before all others, for encoders
    grounds = i64[WORDS]  # those of all snakes
    living = i64  # the number of living snakes
    order = i64[MAX_PLAYERS]  # these, the longest first
    tail = i64[MAX_PLAYERS]  # the square that each body leaves next; 0: none
    territory = i64[MAX_PLAYERS]  # the number of squares that each snake reaches first


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
    """The next square in a direction; from the edge of a wrapped board, the square on the opposite side."""
    to = at + (STRIDE if direction < LEFT else -1) * (1 - 2 * (direction & 1))  # up, down, left, right
    if s.wrapped and s.cell[to] == WALL:
        to = wrap(s, to, direction)
    return to


@rule
def wrap(s, at, direction):
    """The square of a wrapped board that a snake enters if it leaves the board in a direction, to a square of wall."""
    if direction == UP:
        return at - s.height * STRIDE
    if direction == DOWN:
        return at + s.height * STRIDE
    return at + s.width if direction == LEFT else at - s.width


@rule(inline=True)
def owner(s, at):
    """The snake whose body is on a square; NOBODY; or MAX_PLAYERS for the wall."""
    return (s.cell[at] >> 3) - 1


@rule(inline=True)
def onward(s, at):
    """The direction from a segment of a body to the next one nearer the head."""
    return (s.cell[at] >> 1) & 3


@rule
def clear_board(s):
    """Make an empty board of the state's size, with walls around it."""
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
    """Place a new snake of full health, all of it on one square."""
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
    """Place a piece of food."""
    s.cell[at] |= FOOD
    s.food += 1
