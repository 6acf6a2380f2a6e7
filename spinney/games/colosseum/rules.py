"""The rules of Colosseum Survival!: walk, put up a wall, and own the larger region at the end.

An action is the cell where a walk ends, times four, plus the side of that cell on which the wall is put.
"""

from spinney.games.card import OVER
from spinney.games.colosseum.space import open_cells, reach, region
from spinney.games.colosseum.state import (
    BELOW,
    BESIDE,
    LARGEST,
    MAX_PLAYERS,
    SIDES,
    Scratch,
    State,
    clear_board,
    close,
    is_open,
)
from spinney.kernel import below, rule
from spinney.kernel.bits import count, lowest, mix, nth

__all__ = [
    "MAX_ACTIONS",
    "MAX_PLAYERS",
    "Scratch",
    "State",
    "apply",
    "legal",
    "mover",
    "position_hash",
    "reward",
    "scores",
    "start",
]

MAX_ACTIONS = 564
"""From the middle of a board of 16x16, 143 cells are at most 8 steps away, and 8 of their sides are on the border."""
ACTIONS = SIDES * LARGEST * LARGEST


@rule
def start(s, config, rng):
    """Draw walls in pairs that a half-turn of the board maps to each other, then the cells of the players likewise."""
    apart = True
    while apart:
        clear_board(s, config.size)
        for _ in range(config.pairs()):
            draw_walls(s, rng)
        apart = not draw_players(s, rng)
        while apart and config.keeps_walls():
            apart = not draw_players(s, rng)
    s.mover = 0
    s.score[0] = 0
    s.score[1] = 0


@rule
def draw_walls(s, rng):
    """Close one open side of a cell, all equally likely, and its image."""
    cells = s.size * s.size
    cell, side = below(rng, cells), below(rng, SIDES)
    while not is_open(s, cell, side):
        cell, side = below(rng, cells), below(rng, SIDES)
    close(s, cell, side)
    close(s, cells - 1 - cell, (side + 2) % SIDES)


@rule
def draw_players(s, rng):
    """Draw the cells of the players, not the centre; return whether they can reach each other."""
    cells = s.size * s.size
    first = below(rng, cells)
    while 2 * first == cells - 1:
        first = below(rng, cells)
    s.cell[0] = first
    s.cell[1] = cells - 1 - first
    return can_meet(s)


@rule
def can_meet(s):
    """Whether both players are in one region."""
    return region(s, s.cell[0], s.cell[1]) == 0


@rule(inline=True)
def mover(s):
    return s.mover


@rule
def legal(s, player, out):
    """Each cell that the player can walk to, with each of its open sides."""
    if s.mover == OVER:
        return 0
    reach(s, player, out.scratch)
    n = 0
    for word in range(s.words):
        cells = out.scratch.reached[word]
        for side in range(SIDES):
            bits = cells & open_cells(s, word, side)
            while bits != 0:
                out.action[n] = (word * s.span + lowest(bits)) * SIDES + side
                bits &= bits - 1
                n += 1
    return n


@rule
def only(s, player, action, out):
    """The given action alone; all legal moves if it is -1."""
    if action < 0:
        return legal(s, player, out)
    out.action[0] = action
    return 1


@rule
def any_move(s, player, work, rng):
    """A random legal move, all equally likely: the same draw as from the list of `legal`, without making the list."""
    reach(s, player, work)
    n = 0
    for word in range(s.words):
        for side in range(SIDES):
            n += count(work.reached[word] & open_cells(s, word, side))
    return nth_move(s, work, below(rng, n))


@rule
def nth_move(s, work, n):
    """The n-th move to the cells in `work.reached`."""
    for word in range(s.words):
        for side in range(SIDES):
            bits = work.reached[word] & open_cells(s, word, side)
            here = count(bits)
            if n < here:
                return (word * s.span + nth(bits, n)) * SIDES + side
            n -= here
    return 0


@rule
def apply(s, action):
    """Walk, put up the wall, and end the game if the players are separated."""
    player = int(s.mover)
    cell, side = action // SIDES, action % SIDES
    s.cell[player] = cell
    s.mover = 1 - player
    if close(s, cell, side) and not can_meet(s):
        end(s)


@rule
def end(s):
    """End the game, and count the cells of both regions."""
    s.mover = OVER
    for player in range(MAX_PLAYERS):
        s.score[player] = region(s, s.cell[player], -1)


@rule
def position_hash(s):
    """A hash of the board's size, the player to move, the cells of the players, and the walls."""
    board = s.size * 32 + s.steps
    k = mix(((board * 256 + s.cell[0]) * 256 + s.cell[1]) * 2 + s.mover)
    for word in range(s.words):
        k = mix(k ^ s.open[BELOW + word])
        k = mix(k ^ s.open[BESIDE + word])
    return k


@rule
def reward(s, out):
    """1 for the larger region, one half each if both are equal."""
    first, second = s.score[0], s.score[1]
    out.reward[0] = 1.0 if first > second else 0.5 if first == second else 0.0
    out.reward[1] = 1.0 - out.reward[0]


def scores(s):
    """The number of cells of each player's region; before the end both share one region."""
    if s.mover == OVER:
        return list(s.score)
    return [region(s, s.cell[0], -1)] * MAX_PLAYERS
