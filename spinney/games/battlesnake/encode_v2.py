"""A position as a snake sees it that counts room: the paper's planes, and six with what floods find out.

Four have numbers on three squares alone, those that the snake may enter next: left of its head, ahead of it and right
of it. Where a move is certain death at once, they stay empty. Two divide the board: squares that the snake reaches
before all others, and squares that another does.
"""

from dataclasses import replace

from spinney.games.battlesnake import encode as paper
from spinney.games.battlesnake.encode import CELLS, MIDDLE, SIDE, encode, frame, output
from spinney.games.battlesnake.rules import safe_moves
from spinney.games.battlesnake.space import LINE, REACHED, flood, includes, look, territory, threat
from spinney.games.battlesnake.state import ALIVE, MOVES, NOBODY, column, row, square, step
from spinney.kernel import rule

FIRST = paper.PLANES
"""The first plane that is added."""
ROOM, TERRITORY, MEAL, DANGER, OWN, OTHERS = range(FIRST, FIRST + 6)
PLANES = OTHERS + 1
BESIDE = (MIDDLE * SIDE + MIDDLE - 1, (MIDDLE - 1) * SIDE + MIDDLE, MIDDLE * SIDE + MIDDLE + 1)
"""Where the squares left of the head, ahead of it and right of it lie in the frame."""


@rule
def consider(s, player, first, out, planes, at):
    """What a snake finds out about a square that it may enter next, to the place of that square in each plane."""
    area = s.width * s.height
    look(s, out)
    path, food = flood(s, out, first, False)
    territory(s, out, player, first)
    planes[at + ROOM * CELLS] = path / area
    planes[at + TERRITORY * CELLS] = out.reward[player] / area
    planes[at + MEAL * CELLS] = 1.0 / food
    planes[at + DANGER * CELLS] = 1.0 if threat(s, player, first) else 0.0


@rule
def divide(s, player, out, planes, at):
    """The squares that a snake reaches before all others, and those that others do, to a plane each."""
    head = int(s.head[player])
    territory(s, out, NOBODY, 0)
    for y in range(s.height):
        for x in range(s.width):
            cell = frame(x, y, column(head), row(head), s.facing[player])
            if cell >= 0:
                for one in range(s.players):
                    if s.cause[one] == ALIVE and includes(out, REACHED + LINE * one, square(x, y)):
                        planes[at + (OWN if one == player else OTHERS) * CELLS + cell] = 1.0


@rule
def encode_outlook(s, player, out, planes, at):
    """All planes as a living snake sees them."""
    encode(s, player, out, planes, at)
    for i in range(FIRST * CELLS, PLANES * CELLS):
        planes[at + i] = 0.0
    safe = safe_moves(s, player)
    for direction in range(MOVES):
        turn = output(s, player, direction)
        if turn >= 0 and (safe >> direction) & 1:
            consider(s, player, step(s, int(s.head[player]), direction), out, planes, at + BESIDE[turn])
    divide(s, player, out, planes, at)


ENCODER = replace(
    paper.ENCODER,
    version=2,
    planes=(*paper.ENCODER.planes, "room", "territory", "meal", "danger", "own ground", "others' ground"),
    encode=encode_outlook,
)
