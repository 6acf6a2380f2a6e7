"""The paper's planes, and six more with the results of flood fills.

Four of these have values only on the three squares that the snake may enter next: left of its head, ahead of it and
right of it. They are zero where a move is certain death on this turn. The other two are the squares that the snake
reaches before all others, and those that another snake does.
"""

from dataclasses import replace

from spinney.games.battlesnake import encode as paper
from spinney.games.battlesnake.encode import CELLS, CENTRE, SIDE, encode, end_seen, first_seen, output, strides
from spinney.games.battlesnake.rules import safe_moves
from spinney.games.battlesnake.space import begin_fill, flood, is_threatened, read_board, territory
from spinney.games.battlesnake.state import MOVES, NOBODY, WORDS, column, row, step
from spinney.kernel import rule

FIRST = paper.PLANES
"""The first of the additional planes."""
ROOM, TERRITORY, MEAL, DANGER, OWN, OTHERS = range(FIRST, FIRST + 6)
PLANES = OTHERS + 1
BESIDE = (CENTRE - 1, CENTRE - SIDE, CENTRE + 1)
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
def prepare(s, out):
    """What all snakes see: the squares that each of them reaches before all others."""
    work = out.scratch
    read_board(s, work)
    territory(s, work, NOBODY, 0)
    for k in range(WORDS):
        work.grounds[k] = 0
        for i in range(work.living):
            work.ground[work.order[i], k] = work.reached[work.order[i], k]
            work.grounds[k] |= work.reached[work.order[i], k]


@rule
def encode_territory(s, player, work, planes, at):
    """The plane of the squares that the snake reaches before all others, and the plane of those that others do."""
    x, y = column(int(s.head[player])), row(int(s.head[player]))
    right, up = strides(s.facing[player])
    for board_y in range(first_seen(y), end_seen(y, s.height)):
        k, start = work.word[board_y + 1], work.shift[board_y + 1] + 1
        own = work.ground[player, k] >> start
        others = (work.grounds[k] >> start) & ~own
        cell = at + CENTRE + (board_y - y) * up + (first_seen(x) - x) * right
        for board_x in range(first_seen(x), end_seen(x, s.width)):
            planes[OWN * CELLS + cell] = (own >> board_x) & 1
            planes[OTHERS * CELLS + cell] = (others >> board_x) & 1
            cell += right


@rule
def encode_all(s, player, out, planes, at):
    """All planes from the point of view of a living snake."""
    encode(s, player, out, planes, at)
    for i in range(FIRST * CELLS, PLANES * CELLS):
        planes[at + i] = 0.0
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
    prepare=prepare,
    encode=encode_all,
)
