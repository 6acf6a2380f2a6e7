"""Morpion solitaire: draw as many lines as you can, each through one new point and points that are there.

The first points are the outline of a cross. In the variant 5D a line has five points, and lines of one direction share
no point; in 5T they may share an end. 4D and 4T have lines of four points, and a smaller cross.
Try: spinney watch examples/morpion.py "nrpa(seconds=1)"
"""

import sys

import pydantic

from spinney import OVER, Board, Card, Options
from spinney.games.picture import INK, LINE, PAPER, PLAYERS, QUIET, Picture, disc, labels, line
from spinney.kernel import Record, i8, i16, rule

EDGE = 4  # cells around the board that stay empty, so that no line leaves the array
SIDE = 24  # of the board: games of the highest scores stay inside
SIZE = SIDE + 2 * EDGE
BOUNDS = ((35, 62), (121, 485))
"""Moves that no game of 4D, 4T, 5D, 5T exceeds (M. Quist 2008, by enumeration, for 4D and 4T; Kawamura and others 2013;
Michalewski and others 2015)."""
MOST_MOVES = 485
MAX_ACTIONS = 5 * (36 + MOST_MOVES)  # in each direction, a point is in five lines at most, and such a line has four
MAX_PLAYERS = 1
ACTIONS = SIZE * SIZE * 4 * 5
POINT, BORDER = 16, 32
"""Flags of a cell; the lower bits are those of the four directions, for lines that are drawn."""
STEPS = (1, SIZE, SIZE + 1, 1 - SIZE)
DIRECTIONS = ("across", "down", "falling", "rising")


class MorpionOptions(Options):
    points: int = pydantic.Field(5, ge=4, le=5, description="points of a line")
    touching: bool = pydantic.Field(False, description="lines of one direction may share an end")


class State(Record):
    points = i8  # of a line
    taken = i8  # cells of a line that another one of its direction must not have: without the last if they may touch
    bound = i16
    moves = i16
    choices = i16
    cell = i8[SIZE * SIZE]
    choice = i16[MAX_ACTIONS]  # what is legal
    made = i16[MOST_MOVES]


@rule
def start(s, config, rng):
    s.points = config.points
    s.taken = s.points - config.touching
    s.bound = BOUNDS[s.points - 4][config.touching]
    side = s.points - 1
    corner = EDGE + (SIDE - 3 * side + 2) // 2
    for y in range(SIZE):
        for x in range(SIZE):
            if not (EDGE <= x < SIZE - EDGE and EDGE <= y < SIZE - EDGE):
                s.cell[y * SIZE + x] = BORDER
            elif on_outline(x - corner, y - corner, side):
                s.cell[y * SIZE + x] = POINT
    for at in range(EDGE * SIZE, (SIZE - EDGE) * SIZE):
        for direction in range(4):
            add_line(s, at, direction)


@rule
def in_cross(x, y, side):
    """Whether a cell is in the cross, which has three squares across and three down."""
    last = 3 * side - 3
    middle = side - 1 <= x <= last - side + 1 or side - 1 <= y <= last - side + 1
    return middle and 0 <= x <= last and 0 <= y <= last


@rule
def on_outline(x, y, side):
    inside = True
    for i in range(9):
        inside = inside and in_cross(x + i % 3 - 1, y + i // 3 - 1, side)
    return in_cross(x, y, side) and not inside


@rule
def add_line(s, at, direction):
    """List a line from a cell, if it may be drawn: one point of it is missing, and no other line is in its way."""
    step = STEPS[direction]
    missing, there = 0, 0
    for i in range(s.points):
        cell = s.cell[at + i * step]
        if cell & BORDER or (i < s.taken and cell & 1 << direction):
            return
        there += 1 if cell & POINT else 0
        missing = missing if cell & POINT else i
    if there == s.points - 1:
        s.choice[s.choices] = (at * 4 + direction) * 5 + missing
        s.choices += 1


@rule
def mover(s):
    return OVER if s.choices == 0 else 0


@rule
def legal(s, player, out):
    for i in range(s.choices):
        out.action[i] = s.choice[i]
    return s.choices


@rule
def apply(s, action):
    at, direction, new = action // 20, action // 5 % 4, action % 5
    step = STEPS[direction]
    point = at + new * step
    s.cell[point] |= POINT
    for i in range(s.taken):
        s.cell[at + i * step] |= 1 << direction
    s.made[s.moves] = action
    s.moves += 1
    before = s.choices
    s.choices = 0
    for i in range(before):
        other = s.choice[i]
        start, way = other // 20, other // 5 % 4
        free = start + other % 5 * STEPS[way] != point
        if way == direction:
            for k in range(s.taken):
                free = free and not s.cell[start + k * step] & 1 << way
        if free:
            s.choice[s.choices] = other
            s.choices += 1
    for way in range(4):
        for k in range(s.points):
            add_line(s, point - k * STEPS[way], way)


@rule
def reward(s, out):
    """The part of the bound."""
    out.reward[0] = s.moves / s.bound


def scores(s):
    return [s.moves]


def place(at):
    """Column and row of a cell."""
    return at % SIZE - EDGE, at // SIZE - EDGE


def name_action(s, action):
    """The new point, the direction of the line, and which of its points is new."""
    x, y = place(action // 20 + action % 5 * STEPS[action // 5 % 4])
    return f"{chr(ord('a') + x)}{y + 1} {DIRECTIONS[action // 5 % 4]} {action % 5 + 1}"


def draw(s):
    """The points with two columns and two rows for each cell, and lines between them."""
    grid = [[" "] * (2 * SIZE) for _ in range(2 * SIZE)]
    used = [at for at in range(SIZE * SIZE) if s.cell[at] & POINT]
    for at in used:
        grid[2 * (at // SIZE)][2 * (at % SIZE)] = "o"
    for action in s.made[: s.moves]:
        at, way = action // 20, action // 5 % 4
        for k in range(s.points - 1):
            one, two = at + k * STEPS[way], at + (k + 1) * STEPS[way]
            row, column = one // SIZE + two // SIZE, one % SIZE + two % SIZE
            grid[row][column] = "-|\\/"[way] if grid[row][column] == " " else "X"
    rows, columns = ({at // SIZE for at in used}, {at % SIZE for at in used})
    left, right = min(columns), max(columns)
    text = []
    for row in range(2 * min(rows), 2 * max(rows) + 1):
        label = "" if row % 2 else row // 2 - EDGE + 1
        text.append(f"{label:>2} {''.join(grid[row][2 * left : 2 * right + 1])}".rstrip())
    letters = " ".join(chr(ord("a") + x - EDGE) for x in range(left, right + 1))
    return "\n".join([*text, f"   {letters}", f"{s.moves} lines, {s.choices} can be drawn"])


def picture(s):
    marks = dict(labels((chr(ord("a") + x) for x in range(SIDE)), range(1, SIDE + 1), SIDE - 1))
    new = {}
    for number, action in enumerate(s.made[: s.moves]):
        at, way = action // 20, action // 5 % 4
        (x, y), (dx, dy) = place(at), ((1, 0), (0, 1), (1, 1), (1, -1))[way]
        last = number == s.moves - 1
        far = s.points - 1
        marks["line", number] = line(x, y, far * dx, far * dy, PLAYERS[0] if last else LINE)
        new[at + action % 5 * STEPS[way]] = last
    for at in range(SIZE * SIZE):
        if s.cell[at] & POINT:
            colour = INK if at not in new else PLAYERS[0] if new[at] else QUIET
            marks["point", at] = disc(*place(at), colour, 0.45)
    head = f"{s.moves} lines, {s.choices} can be drawn"
    return Picture(SIDE, SIDE, [PAPER] * SIDE * SIDE, marks, head)


GAME = Card(
    "morpion", "Morpion solitaire", "Draw lines through five points, as many as you can.", sys.modules[__name__],
    Board(draw, name_action, picture), options=MorpionOptions,
)  # fmt: skip
