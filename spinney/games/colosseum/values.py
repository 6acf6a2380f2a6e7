"""What a position, or a move, is worth."""

from spinney.games.card import OVER
from spinney.games.colosseum.rules import only, reward
from spinney.games.colosseum.space import forget, gaps, note_gaps, reach, region
from spinney.games.colosseum.state import FREE, HELD, LOST, SET, SIDES, WORDS, beyond, keeper, walls, word_of
from spinney.games.colosseum.territory import race
from spinney.games.parts import Rule
from spinney.kernel import rule
from spinney.kernel.bits import lowest

GOES_ON, LOSS, TIE, WIN = -1, 0, 1, 2
"""What a move does for the player who makes it."""


@rule
def near_walls(s, player, out, n):
    """The paper's worth of a move: less for every closed side of the cell it ends on, the new wall among them."""
    for i in range(n):
        out.weight[i] = -1.0 - walls(s, int(out.action[i]) // SIDES)


@rule
def near_walls_code(s, player, out, n):
    """What the authors' program takes for that: the closed sides of the cell whose column is the row, too."""
    size = int(s.size)
    for i in range(n):
        cell, side = int(out.action[i]) // SIDES, int(out.action[i]) % SIDES
        seen = cell // size * (size + 1)
        touched = seen in (cell, beyond(s, cell, side))
        out.weight[i] = -1.0 * walls(s, seen) - touched


@rule
def ways_out(s, player, out, n):
    """Less for a move after which there are fewer cells to walk to in the next turn: 0 if that were the whole board,
    and nearly -4 at the end of a corridor."""
    home = s.cell[player]
    for i in range(n):
        action = int(out.action[i])
        at, edges = wall_of(s, action)
        s.open[at] &= ~edges
        s.cell[player] = action // SIDES
        reach(s, player)
        out.weight[i] = SIDES * (forget(s, 0) / (s.size * s.size) - 1.0)
        s.open[at] |= edges
    s.cell[player] = home


@rule
def territory(s, out):
    """The share of the region that a player reaches in fewer steps than the other, walking around walls; of the cells
    as far from both, each has half."""
    if s.mover == OVER:
        reward(s, out)
        return
    lead, _, cells = race(s, s.cell[0], s.cell[1])
    out.reward[0] = 0.5 + 0.5 * lead / cells
    out.reward[1] = 1.0 - out.reward[0]


@rule
def passages(s, out):
    """Who has more passages between the cells of the own territory, and how many more for the size of the board."""
    if s.mover == OVER:
        reward(s, out)
        return
    _, ahead, _ = race(s, s.cell[0], s.cell[1])
    out.reward[0] = 0.5 + 0.25 * ahead / (s.size * s.size)
    out.reward[1] = 1.0 - out.reward[0]


@rule
def look_ahead(s, player, action):
    """What a move would do at once, as `parting` says; and the player's share of the territory after it. The position
    stays as it is."""
    result = parting(s, player, action)
    share = 0.5 * result
    if result == GOES_ON:
        at, edges = wall_of(s, action)
        s.open[at] &= ~edges
        lead, _, cells = race(s, action // SIDES, s.cell[1 - player])
        s.open[at] |= edges
        share = 0.5 + 0.5 * lead / cells
    return result, share


@rule
def decisive(s, player, out):
    """The legal moves, or only one that wins at once."""
    return only(s, player, winning(s, player), out)


@rule
def winning(s, player):
    """The first legal move that wins at once, or -1. Only walls with other walls at both ends can part the players."""
    reach(s, player)
    note_gaps(s)
    for word in range(s.words):  # whoever floods the board needs the first set
        s.reached[HELD + word], s.reached[word] = s.reached[word], 0
    found = -1
    for word in range(s.words):
        for side in range(SIDES):
            bits = s.reached[HELD + word] & gaps(s, word, side)
            while bits != 0 and found < 0:
                action = (word * s.span + lowest(bits)) * SIDES + side
                bits &= bits - 1
                if parting(s, player, action) == WIN:
                    found = action
    forget(s, SET)
    forget(s, HELD)
    forget(s, LOST)
    return found


@rule
def parting(s, player, action):
    """What a move would do at once: WIN, TIE or LOSS, or GOES_ON if it does not part the players. The position stays as
    it is."""
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
    """The word of `open` that has the wall of a move, and its bit."""
    cell, side = action // SIDES, action % SIDES
    near = keeper(s, cell, side)
    word = word_of(s, near)
    return (side & 1) * WORDS + word, 1 << (near - word * s.span)


@rule(inline=True)
def closes_ring(s, action):
    """Whether other walls join the two ends of a move's wall already."""
    cell, side = action // SIDES, action % SIDES
    corner = keeper(s, cell, side) + s.size
    name = s.joined[corner]
    return name != FREE and name == s.joined[corner - (s.size if side & 1 else 1)]


BIASES: dict[str, Rule] = {"walls": near_walls, "walls_code": near_walls_code, "ways_out": ways_out}
EVALUATIONS: dict[str, Rule] = {"territory": territory, "passages": passages}
