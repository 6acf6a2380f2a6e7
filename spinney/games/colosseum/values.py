"""Evaluations of positions, and biases of moves."""

from spinney.games.card import OVER
from spinney.games.colosseum.rules import only, reward
from spinney.games.colosseum.space import count_cells, find_gaps, gaps, reach, region
from spinney.games.colosseum.state import FREE, SIDES, WORDS, beyond, keeper, walls, word_of
from spinney.games.colosseum.territory import race
from spinney.games.parts import Rule
from spinney.kernel import rule
from spinney.kernel.bits import lowest

GOES_ON, LOSS, TIE, WIN = -1, 0, 1, 2
"""The result of a move for the player who makes it."""


@rule
def near_walls(s, player, out, n):
    """The paper's bias: minus the number of closed sides of the cell where the walk ends, with the new wall."""
    for i in range(n):
        out.weight[i] = -1.0 - walls(s, int(out.action[i]) // SIDES)


@rule
def near_walls_code(s, player, out, n):
    """The same in the authors' program, which takes the row for the column: the cell is on the diagonal."""
    size = int(s.size)
    for i in range(n):
        cell, side = int(out.action[i]) // SIDES, int(out.action[i]) % SIDES
        seen = cell // size * (size + 1)
        touched = seen in (cell, beyond(s, cell, side))
        out.weight[i] = -1.0 * walls(s, seen) - touched


@rule
def ways_out(s, player, out, n):
    """The share of the board that the player can walk to after the move, scaled to -4..0: nearly -4 at the end of a
    corridor."""
    home = s.cell[player]
    for i in range(n):
        action = int(out.action[i])
        at, edges = wall_of(s, action)
        s.open[at] &= ~edges
        s.cell[player] = action // SIDES
        reach(s, player, out.scratch)
        out.weight[i] = SIDES * (count_cells(s, out.scratch.reached) / (s.size * s.size) - 1.0)
        s.open[at] |= edges
    s.cell[player] = home


@rule
def territory(s, out):
    """The share of the region that a player reaches in fewer steps than the other, walking around walls; cells at the
    same distance from both count half for each."""
    if s.mover == OVER:
        reward(s, out)
        return
    lead, _, cells = race(s, out.scratch, s.cell[0], s.cell[1])
    out.reward[0] = 0.5 + 0.5 * lead / cells
    out.reward[1] = 1.0 - out.reward[0]


@rule
def passages(s, out):
    """The lead in passages between the cells of a player's own territory, relative to the size of the board."""
    if s.mover == OVER:
        reward(s, out)
        return
    _, ahead, _ = race(s, out.scratch, s.cell[0], s.cell[1])
    out.reward[0] = 0.5 + 0.25 * ahead / (s.size * s.size)
    out.reward[1] = 1.0 - out.reward[0]


@rule
def look_ahead(s, player, action, work):
    """The result of a move, as given by `parting`, and the player's share of the territory after it. The position is
    left unchanged."""
    result = parting(s, player, action)
    share = 0.5 * result
    if result == GOES_ON:
        at, edges = wall_of(s, action)
        s.open[at] &= ~edges
        lead, _, cells = race(s, work, action // SIDES, s.cell[1 - player])
        s.open[at] |= edges
        share = 0.5 + 0.5 * lead / cells
    return result, share


@rule
def decisive(s, player, out):
    """The legal moves, or only one that wins on the spot."""
    return only(s, player, winning(s, player, out.scratch), out)


@rule
def winning(s, player, work):
    """The first legal move that wins on the spot, or -1. Only a wall that fills a gap can separate the players."""
    reach(s, player, work)
    find_gaps(s, work)
    for word in range(s.words):
        for side in range(SIDES):
            bits = work.reached[word] & gaps(s, work, word, side)
            while bits != 0:
                action = (word * s.span + lowest(bits)) * SIDES + side
                bits &= bits - 1
                if parting(s, player, action) == WIN:
                    return action
    return -1


@rule
def parting(s, player, action):
    """The result of a move: WIN, TIE or LOSS, or GOES_ON if it does not separate the players. The position is left
    unchanged."""
    if not closes_ring(s, action):
        return GOES_ON
    at, edges = wall_of(s, action)
    s.open[at] &= ~edges
    other = s.cell[1 - player]
    result = GOES_ON
    mine = region(s, action // SIDES, other)
    if mine > 0:
        theirs = region(s, other, -1)
        result = WIN if mine > theirs else TIE if mine == theirs else LOSS
    s.open[at] |= edges
    return result


@rule(inline=True)
def wall_of(s, action):
    """The index of the word of `open` that holds the wall of a move, and its bit."""
    cell, side = action // SIDES, action % SIDES
    near = keeper(s, cell, side)
    word = word_of(s, near)
    return (side & 1) * WORDS + word, 1 << (near - word * s.span)


@rule(inline=True)
def closes_ring(s, action):
    """Whether other walls already connect the two ends of a move's wall."""
    cell, side = action // SIDES, action % SIDES
    corner = keeper(s, cell, side) + s.size
    name = s.joined[corner]
    return name != FREE and name == s.joined[corner - (s.size if side & 1 else 1)]


BIASES: dict[str, Rule] = {"walls": near_walls, "walls_code": near_walls_code, "ways_out": ways_out}
EVALUATIONS: dict[str, Rule] = {"territory": territory, "passages": passages}
