"""The public program of the paper's authors, as far as it has been described; it differs from the paper.

Its opening lasts until turn 12. It chooses the set of tile values by the row, gives the values to other tiles than the
paper's table does, and none to turned tiles. Its test whether a Bonus is legal always fails. After the opening its tree
does not influence the move, which follows a simple order.
"""

import numpy as np

from spinney.games.saboteur import paper, rules, tiles
from spinney.games.saboteur.state import CELLS, UNKNOWN, column_of, row_of
from spinney.games.saboteur.tunnel import map_action
from spinney.kernel import below, rule

OPENING_TURNS = 12
TARGET_ROW, TARGET_COLUMN = 12, 5

_LISTED = ("0", "5", "6", "7", "8", "9", "10")
_SET_1 = (20, 60, 0, 0, 100, 90, 80)
_SET_3 = (50, 0, 60, 0, 100, 90, 60)
VALUES = np.array(
    [dict(zip(_LISTED, row, strict=True)).get(name, 0) for row in (_SET_1, _SET_3) for name in tiles.SHAPE_NAMES],
    np.int64,
)
"""The paper's values, assigned to the tiles in the order of their numbers, turned ones included."""


@rule
def authors(s, player, out, rng):
    """The program of the paper's authors: a Map while the nugget is unknown, its opening, then its order of moves."""
    if s.hand[player, tiles.MAP] > 0 and rules.nugget_known_to(s, player) == UNKNOWN:
        return map_action(s, player)
    n = rules.legal(s, player, out)
    if s.turn <= OPENING_TURNS:
        return opening_tile(out, n)
    if s.hand[player, tiles.MALUS] > 0:
        return rules.BLOCK
    tile = nearest_tile(out, n)
    if tile != paper.NONE:
        return tile
    if s.malus[player] > 0 and s.hand[player, tiles.BONUS] > 0:
        return rules.CURE
    return any_drop(s, player, rng)


@rule
def opening_tile(out, n):
    """The tile with the highest value; the first legal action if none has a value."""
    best, most = int(out.action[0]), 0
    for i in range(n):
        action = int(out.action[i])
        if action < rules.LOOK and paper.opening_value(action // CELLS, action % CELLS) != paper.NOT_FUNCTIONAL:
            row, column = row_of(action % CELLS), column_of(action % CELLS)
            value = int(VALUES[(0 if row == paper.FIRST_ROW else len(tiles.SHAPE_NAMES)) + action // CELLS])
            value += int(paper.OPENING_VALUES[row - paper.FIRST_ROW, column - paper.FIRST_COLUMN])
            if value > most:
                best, most = action, value
    return best


@rule
def nearest_tile(out, n):
    """The functional tile nearest to the objectives, whether a tunnel leads there or not."""
    best, least = paper.NONE, 1000
    for i in range(n):
        action = int(out.action[i])
        if (
            action < rules.LOOK
            and paper.tile_value(action // CELLS, TARGET_COLUMN, TARGET_COLUMN) != paper.NOT_FUNCTIONAL
        ):
            row, column = row_of(action % CELLS), column_of(action % CELLS)
            away = 16 * abs(row - TARGET_ROW) + abs(column - TARGET_COLUMN)
            if away < least:
                best, least = action, away
    return best


@rule
def any_drop(s, player, rng):
    """A drop of a random card."""
    left = below(rng, int(s.hand_size[player]))
    for kind in range(tiles.KINDS):
        left -= int(s.hand[player, kind])
        if left < 0:
            return rules.DROP + kind
    return rules.DROP
