"""The paper's planes, and six more with the results of flood fills.

Four of these have values only on the three squares that the snake may enter next: left of its head, ahead of it and
right of it. They are zero where a move is certain death on this turn. The other two are the squares that the snake
reaches before all others, and those that another snake does.
"""

from dataclasses import replace

from spinney.games.battlesnake import encode as paper
from spinney.games.battlesnake.encode import CELLS, MIDDLE, SIDE, encode, frame, output
from spinney.games.battlesnake.rules import safe_moves
from spinney.games.battlesnake.space import begin_fill, bit, flood, is_threatened, read_board, territory
from spinney.games.battlesnake.state import ALIVE, MOVES, NOBODY, column, row, square, step
from spinney.kernel import rule

FIRST = paper.PLANES
"""The first of the additional planes."""
ROOM, TERRITORY, MEAL, DANGER, OWN, OTHERS = range(FIRST, FIRST + 6)
PLANES = OTHERS + 1
BESIDE = (MIDDLE * SIDE + MIDDLE - 1, (MIDDLE - 1) * SIDE + MIDDLE, MIDDLE * SIDE + MIDDLE + 1)
"""The indices of the squares left of the head, ahead of it and right of it in a plane."""


@rule
def encode_move(s, player, first, work, planes, at):
    """The values of a square that the snake may enter next in the four planes; `at` is its index in the first plane."""
    area = s.width * s.height
    begin_fill(s, work)
    path, food = flood(s, work, first, False)
    territory(s, work, player, first)
    planes[at + ROOM * CELLS] = path / area
    planes[at + TERRITORY * CELLS] = work.territory[player] / area
    planes[at + MEAL * CELLS] = 1.0 / food
    planes[at + DANGER * CELLS] = 1.0 if is_threatened(s, player, first) else 0.0


@rule
def encode_territory(s, player, work, planes, at):
    """The plane of the squares that the snake reaches before all others, and the plane of those that others do."""
    head = int(s.head[player])
    territory(s, work, NOBODY, 0)
    for y in range(s.height):
        for x in range(s.width):
            cell = frame(x, y, column(head), row(head), s.facing[player])
            if cell >= 0:
                for one in range(s.players):
                    if s.cause[one] == ALIVE and work.reached[one, work.word[y + 1]] & bit(work, square(x, y)):
                        planes[at + (OWN if one == player else OTHERS) * CELLS + cell] = 1.0


@rule
def encode_all(s, player, out, planes, at):
    """All planes from the point of view of a living snake."""
    encode(s, player, out, planes, at)
    for i in range(FIRST * CELLS, PLANES * CELLS):
        planes[at + i] = 0.0
    read_board(s, out.scratch)
    safe = safe_moves(s, player)
    for direction in range(MOVES):
        turn = output(s, player, direction)
        if turn >= 0 and (safe >> direction) & 1:
            encode_move(s, player, step(s, int(s.head[player]), direction), out.scratch, planes, at + BESIDE[turn])
    encode_territory(s, player, out.scratch, planes, at)


ENCODER = replace(
    paper.ENCODER,
    version=2,
    planes=(*paper.ENCODER.planes, "room", "territory", "meal", "danger", "own ground", "others' ground"),
    encode=encode_all,
)
