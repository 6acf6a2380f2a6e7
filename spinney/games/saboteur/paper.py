"""The parts of the paper's agent other than its search: its opening and its evaluation.

The paper gives the values of tiles and, for the opening, of cells. For later turns it only says that cells nearer to
the nugget have higher values; the numbers here are those of the authors' program.
"""

import numpy as np

from spinney.games.parts import Rule
from spinney.games.saboteur import rules, tiles
from spinney.games.saboteur.state import CELLS, SIZE, UNKNOWN, column_of, has, is_joined, row_of
from spinney.games.saboteur.tunnel import map_action
from spinney.kernel import below, rule

NONE = -1
OPENING_TURNS = 8
MALUS_TURN = 10
MIDDLE = 5
"""The column of the entrance and of the middle objective."""
NOT_FUNCTIONAL = -1
SAME_COLUMN, LEFT_OF_TARGET, RIGHT_OF_TARGET = 0, tiles.SHAPES, 2 * tiles.SHAPES
"""The indices at which the three sets of tile values begin in the table."""

_FUNCTIONAL = ("10", "7_flip", "7", "9_flip", "9", "5_flip", "5", "8", "6", "6_flip", "0")
_VALUES = (
    (20, 60, 0, 0, 70, 0, 60, 100, 90, 90, 80),
    (50, 70, 0, 60, 80, 40, 0, 100, 0, 90, 60),
    (50, 0, 40, 60, 80, 0, 70, 100, 90, 0, 60),
)
TILE_VALUES = np.array(
    [
        dict(zip(_FUNCTIONAL, row, strict=True)).get(name, NOT_FUNCTIONAL)
        for row in _VALUES
        for name in tiles.SHAPE_NAMES
    ],
    np.int64,
)
FIRST_ROW, FIRST_COLUMN, ROWS, COLUMNS = 5, 3, 4, 5
OPENING_VALUES = np.array(
    [[300, 400, 0, 400, 300], [600, 700, 800, 700, 600], [700, 800, 900, 800, 700], [800, 900, 1000, 900, 800]],
    np.int64,
)
ROW_VALUES = np.array([0, 0, 0, 0, 0, 40, 50, 60, 70, 80, 90, 100, 107.5, 90])
"""The value of a cell in the nugget's column, by row."""
PER_COLUMN = 7.5
JOINED, APART = 100.0, -10.0
BREAK_VALUE = 10.0
LEAST, MOST = -10.0, 300.0


@rule
def tile_value(shape, column, target):
    """The value of a tile in a column, for a target in the same or another column; -1 if it is not functional."""
    row = SAME_COLUMN if column == target else LEFT_OF_TARGET if column < target else RIGHT_OF_TARGET
    return int(TILE_VALUES[row + shape])


@rule
def place_value(row, column, target):
    """The value of a cell, for a target in a column."""
    return max(0.0, ROW_VALUES[row] - PER_COLUMN * abs(column - target))


@rule
def target_column(s, player):
    """The column of the nugget, or the middle one for a player who does not know it."""
    known = rules.nugget_known_to(s, player)
    return MIDDLE if known == UNKNOWN else 3 + 2 * known


@rule
def opening(s, player, out, rng):
    """The agent's action where it does not search: a Bonus if blocked; a Map while it does not know the nugget, first
    left, then right; in the first turns the tile with the highest value. Else -1."""
    if s.malus[player] > 0 and s.hand[player, tiles.BONUS] > 0:
        return rules.CURE
    if s.hand[player, tiles.MAP] > 0 and rules.nugget_known_to(s, player) == UNKNOWN:
        return map_action(s, player)
    if s.turn >= OPENING_TURNS:
        return NONE
    n = rules.legal(s, player, out)
    best, most, ties = NONE, -1, 0
    for i in range(n):
        action = int(out.action[i])
        value = opening_value(action // CELLS, action % CELLS) if action < rules.LOOK else NOT_FUNCTIONAL
        if value > most:
            best, most, ties = action, value, 1
        elif value == most and value >= 0:
            ties += 1
            if below(rng, ties) == 0:
                best = action
    return best


@rule
def opening_value(shape, cell):
    """The value of a tile in the opening: that of its shape and that of the cell; -1 outside the window."""
    row, column = row_of(cell) - FIRST_ROW, column_of(cell) - FIRST_COLUMN
    value = tile_value(shape, column_of(cell), MIDDLE)
    if value == NOT_FUNCTIONAL or not (0 <= row < ROWS and 0 <= column < COLUMNS):
        return NOT_FUNCTIONAL
    return value + int(OPENING_VALUES[row, column])


@rule
def move_value(s, player, action, code, joined, turn):
    """The value of a move, which may lay or destroy a tile of this code."""
    if action < rules.LOOK:
        cell, target = action % CELLS, target_column(s, player)
        value = tile_value(code, column_of(cell), target)
        if value == NOT_FUNCTIONAL:
            return 0.0
        return value + place_value(row_of(cell), column_of(cell), target) + (JOINED if joined else APART)
    if action == rules.BLOCK:
        return float(turn) if turn >= MALUS_TURN else 0.0
    if rules.BREAK <= action < rules.DROP:
        row, column = row_of(action - rules.BREAK), column_of(action - rules.BREAK)
        near = 11 <= row < SIZE and 3 <= column <= 7
        return BREAK_VALUE if near and tile_value(code, MIDDLE, MIDDLE) == NOT_FUNCTIONAL else 0.0
    return 0.0


@rule
def paper(s, out):
    """The paper's evaluation: the value of the last move, scaled to 0..1, for the player who made it."""
    if s.phase == rules.FINISHED or s.last == rules.NO_MOVE:
        rules.reward(s, out)
        return
    moved = s.phase == rules.MOVING
    player = 1 - int(s.player) if moved else int(s.player)
    action = int(s.last)
    joined = action < rules.LOOK and has(s.reached, action % CELLS)
    value = move_value(s, player, action, int(s.last_tile), joined, int(s.turn) - (1 if moved else 0))
    out.reward[player] = (value - LEAST) / (MOST - LEAST)
    out.reward[1 - player] = 1.0 - out.reward[player]


@rule
def paper_opening(s, player, out, rng):
    """The paper's opening; where it has no action, the move with the highest value of the paper's evaluation."""
    action = opening(s, player, out, rng)
    if action != NONE:
        return action
    n = rules.legal(s, player, out)
    best, most, ties = NONE, LEAST - 1.0, 0
    for i in range(n):
        action = int(out.action[i])
        shape, joined = tiles.EMPTY, False
        if action < rules.LOOK:
            shape = action // CELLS
            joined = is_joined(s, action % CELLS, int(tiles.SIDES[shape]))
        elif rules.BREAK <= action < rules.DROP:
            shape = int(s.tile[action - rules.BREAK])
        value = move_value(s, player, action, shape, joined, int(s.turn))
        if value > most:
            best, most, ties = action, value, 1
        elif value == most:
            ties += 1
            if below(rng, ties) == 0:
                best = action
    return best


EVALUATIONS: dict[str, Rule] = {"paper": paper}
OPENINGS: dict[str, Rule] = {"paper": opening}
