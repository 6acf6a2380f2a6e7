"""A position as one snake sees it: its head in the middle, the way it faces up, and walls around the board.

The frame is the paper's. 21 squares each way hold a whole board of 11x11 wherever the head is; of larger boards the
farther squares are left out. A snake has three planes: its head, its body, its health. First comes the snake itself,
then the others that live, the nearest head first; with more than four snakes, the farthest are left out. The planes of
snakes that are not there stay empty. The head of a snake that is shorter than the one who looks counts half. A square
of a body holds the turns until it is left, if nobody eats, over 16: so bodies have an order from neck to tail, and the
neck tells how long the snake is. Hazards are not seen, and the edges of a wrapped board look like walls.
"""

from spinney.games.battlesnake.state import (
    ALIVE,
    DOWN,
    FOOD,
    FULL_HEALTH,
    LEFT,
    UP,
    column,
    onward,
    row,
    square,
    step,
)
from spinney.games.encoding import Encoder
from spinney.kernel import rule

SIDE = 21
MIDDLE = SIDE // 2
CELLS = SIDE * SIDE
SEEN = 4
"""Snakes that have planes."""
HEADS, BODIES, HEALTHS, SNAKE_PLANES = 0, 1, 2, 3
FOOD_PLANE = SEEN * SNAKE_PLANES
WALL_PLANE = FOOD_PLANE + 1
PLANES = WALL_PLANE + 1
LONG = 16.0
"""Turns that count as 1 in the plane of a body."""
SHORTER = 0.5
FAR = 1000

CLOCKWISE = (0, 2, 3, 1)
"""Quarter turns to the right from up: of up, down, left and right."""


@rule(inline=True)
def frame(x, y, head_x, head_y, facing):
    """Where a square lies in the frame of a snake: an index into a plane, or -1 if it is too far away."""
    right, ahead = x - head_x, y - head_y
    if facing == DOWN:
        right, ahead = -right, -ahead
    elif facing == LEFT:
        right, ahead = ahead, -right
    elif facing != UP:
        right, ahead = -ahead, right
    if abs(right) > MIDDLE or abs(ahead) > MIDDLE:
        return -1
    return (MIDDLE - ahead) * SIDE + MIDDLE + right


@rule
def show(s, one, planes, at, viewer):
    """The three planes of a snake, in the frame of the one who looks."""
    x, y, facing = column(int(s.head[viewer])), row(int(s.head[viewer])), s.facing[viewer]
    place = int(s.tail[one])
    left = 1 + s.stacked[one]
    for _ in range(s.length[one] - s.stacked[one] - 1):
        cell = frame(column(place), row(place), x, y, facing)
        if cell >= 0:
            planes[at + BODIES * CELLS + cell] = left / LONG
        left += 1
        place = step(s, place, onward(s, place))
    cell = frame(column(place), row(place), x, y, facing)
    if cell >= 0:
        planes[at + HEADS * CELLS + cell] = SHORTER if s.length[one] < s.length[viewer] else 1.0
        planes[at + HEALTHS * CELLS + cell] = s.health[one] / FULL_HEALTH


@rule
def encode(s, player, out, planes, at):
    """All planes as a living snake sees them."""
    for i in range(PLANES * CELLS):
        planes[at + i] = 0.0
    x, y, facing = column(int(s.head[player])), row(int(s.head[player])), s.facing[player]
    show(s, player, planes, at, player)
    shown, last, last_one = 1, -1, -1
    while shown < SEEN:
        nearest, away = -1, FAR  # of those that come after the last one shown
        for one in range(s.players):
            if one != player and s.cause[one] == ALIVE:
                distance = abs(column(int(s.head[one])) - x) + abs(row(int(s.head[one])) - y)
                later = distance > last or (distance == last and one > last_one)
                if later and distance < away:
                    nearest, away = one, distance
        if nearest < 0:
            break
        show(s, nearest, planes, at + shown * SNAKE_PLANES * CELLS, player)
        shown, last, last_one = shown + 1, away, nearest
    for i in range(CELLS):
        planes[at + WALL_PLANE * CELLS + i] = 1.0
    for row_of_board in range(s.height):
        for column_of_board in range(s.width):
            cell = frame(column_of_board, row_of_board, x, y, facing)
            if cell >= 0:
                planes[at + WALL_PLANE * CELLS + cell] = 0.0
                if s.cell[square(column_of_board, row_of_board)] & FOOD:
                    planes[at + FOOD_PLANE * CELLS + cell] = 1.0


@rule
def output(s, player, action):
    """Left, forward, right; back is none of them."""
    turn = (CLOCKWISE[action] - CLOCKWISE[s.facing[player]] + 5) % 4
    return turn if turn < 3 else -1


WHOSE = ("own", "nearest", "second nearest", "third nearest")

ENCODER = Encoder(
    version=1,
    planes=(
        *(f"{whose} {what}" for whose in WHOSE for what in ("head", "body", "health")),
        "food",
        "wall",
    ),
    height=SIDE,
    width=SIDE,
    outputs=("left", "forward", "right"),
    encode=encode,
    output=output,
    mirror=(2, 1, 0),
)  # fmt: skip
