"""A position from the point of view of one snake: its head in the middle, facing up, and walls around the board.

The frame is the paper's. 21x21 squares hold a whole board of 11x11 wherever the head is; of larger boards the squares
farther away are left out. Each snake has three planes: its head, its body, its health. The player's own snake comes
first, then the other living snakes, the nearest head first; with more than four snakes, the farthest are left out. The
planes of absent snakes are zero. The head of a snake that is shorter than the player's is 0.5 instead of 1. A square of
a body holds the number of turns until it is left, if the snake does not eat, divided by 16, which gives the order of
the segments and the length of the snake. Hazards are left out, and the edges of a wrapped board are walls.
"""

from spinney.games.battlesnake.state import ALIVE, DOWN, FOOD, FULL_HEALTH, LEFT, UP, column, onward, row, square, step
from spinney.games.encoding import Encoder
from spinney.kernel import rule

SIDE = 21
MIDDLE = SIDE // 2
CELLS = SIDE * SIDE
SEEN = 4
"""The number of snakes that have planes."""
HEADS, BODIES, HEALTHS, SNAKE_PLANES = 0, 1, 2, 3
FOOD_PLANE = SEEN * SNAKE_PLANES
WALL_PLANE = FOOD_PLANE + 1
PLANES = WALL_PLANE + 1
LONG = 16.0
"""The number of turns that is 1 in the plane of a body."""
SHORTER = 0.5
FAR = 1000

CLOCKWISE = (0, 2, 3, 1)
"""For up, down, left and right: the number of clockwise quarter turns from up."""


@rule(inline=True)
def frame(x, y, head_x, head_y, facing):
    """The index of a square in the planes of a snake, or -1 if it is outside of them."""
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
def encode_snake(s, one, planes, at, viewer):
    """The three planes of a snake, from the point of view of the viewer."""
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
    """All planes from the point of view of a living snake."""
    for i in range(PLANES * CELLS):
        planes[at + i] = 0.0
    x, y, facing = column(int(s.head[player])), row(int(s.head[player])), s.facing[player]
    encode_snake(s, player, planes, at, player)
    shown, last, last_one = 1, -1, -1
    while shown < SEEN:
        nearest, away = -1, FAR  # of the snakes that are farther than the last one encoded
        for one in range(s.players):
            if one != player and s.cause[one] == ALIVE:
                distance = abs(column(int(s.head[one])) - x) + abs(row(int(s.head[one])) - y)
                later = distance > last or (distance == last and one > last_one)
                if later and distance < away:
                    nearest, away = one, distance
        if nearest < 0:
            break
        encode_snake(s, nearest, planes, at + shown * SNAKE_PLANES * CELLS, player)
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
    """Left, forward or right; -1 for back."""
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
