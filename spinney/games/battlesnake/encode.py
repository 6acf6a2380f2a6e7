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
CENTRE = MIDDLE * SIDE + MIDDLE
"""The index of the head in a plane."""
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
def strides(facing):
    """How the index in a plane changes with a step to the right on the board, and with a step up."""
    if facing == UP:
        return 1, -SIDE
    if facing == DOWN:
        return -1, SIDE
    return (SIDE, 1) if facing == LEFT else (-SIDE, -1)


@rule(inline=True)
def first_seen(head):
    """The first column or row of the board that is in the planes, by that of the head."""
    return max(0, head - MIDDLE)


@rule(inline=True)
def end_seen(head, side):
    """The column or row after the last one that is in the planes."""
    return min(side, head + MIDDLE + 1)


@rule
def encode_snake(s, one, planes, at, viewer):
    """The three planes of a snake, from the point of view of the viewer."""
    head_x, head_y = column(int(s.head[viewer])), row(int(s.head[viewer]))
    right, up = strides(s.facing[viewer])
    place = int(s.tail[one])
    left = 1 + s.stacked[one]
    more = s.length[one] - s.stacked[one] - 1
    while True:
        x, y = column(place) - head_x, row(place) - head_y
        is_seen = abs(x) <= MIDDLE and abs(y) <= MIDDLE
        cell = at + CENTRE + x * right + y * up
        if more == 0:
            break
        if is_seen:
            planes[BODIES * CELLS + cell] = left / LONG
        left += 1
        more -= 1
        place = step(s, place, onward(s, place))
    if is_seen:
        planes[HEADS * CELLS + cell] = SHORTER if s.length[one] < s.length[viewer] else 1.0
        planes[HEALTHS * CELLS + cell] = s.health[one] / FULL_HEALTH


@rule
def encode(s, player, out, planes, at):
    """All planes from the point of view of a living snake."""
    for i in range(WALL_PLANE * CELLS):
        planes[at + i] = 0.0
    for i in range(WALL_PLANE * CELLS, PLANES * CELLS):
        planes[at + i] = 1.0
    x, y = column(int(s.head[player])), row(int(s.head[player]))
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
    right, up = strides(s.facing[player])
    for board_y in range(first_seen(y), end_seen(y, s.height)):
        cell = at + CENTRE + (board_y - y) * up + (first_seen(x) - x) * right
        for board_x in range(first_seen(x), end_seen(x, s.width)):
            planes[WALL_PLANE * CELLS + cell] = 0.0
            if s.cell[square(board_x, board_y)] & FOOD:
                planes[FOOD_PLANE * CELLS + cell] = 1.0
            cell += right


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
