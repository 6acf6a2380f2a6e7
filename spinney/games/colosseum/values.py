"""What a position, or a move, is worth."""

from spinney.games.card import OVER, Rule
from spinney.games.colosseum.rules import legal, reward
from spinney.games.colosseum.space import forget, put, region, spread
from spinney.games.colosseum.state import BELOW, BESIDE, FREE, SET, SIDES, WORDS, beyond, keeper, walls, word_of
from spinney.kernel import rule
from spinney.kernel.bits import count

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
def territory(s, out):
    """The share of the region that a player reaches in fewer steps than the other, walking around walls; of the cells
    as far from both, each has half."""
    if s.mover == OVER:
        reward(s, out)
        return
    lead, cells = race(s, s.cell[0], s.cell[1])
    out.reward[0] = 0.5 + 0.5 * lead / cells
    out.reward[1] = 1.0 - out.reward[0]


@rule
def race(s, first, second):
    """Flood from two cells at once, step by step: how many cells more the first one reaches before the other than the
    other does before it, and how many cells they reach."""
    put(s, 0, first)
    put(s, SET, second)
    size, lift, full = s.size, s.lift, s.full
    lead, changed = 0, 1
    while changed != 0:
        changed = 0
        down, other_down = 0, 0
        cells, other = s.reached[0], s.reached[SET]
        for word in range(s.words):
            beside, below = s.open[BESIDE + word], s.open[BELOW + word]
            following, other_following = s.reached[word + 1], s.reached[SET + word + 1]
            more = (spread(cells, beside, below, size) | down | (following << lift) & below) & full
            other_more = (spread(other, beside, below, size) | other_down | (other_following << lift) & below) & full
            lead += count(more & ~cells & ~other_more) - count(other_more & ~other & ~more)
            changed |= (more ^ cells) | (other_more ^ other)
            down, other_down = (cells & below) >> lift, (other & below) >> lift
            s.reached[word] = more
            s.reached[SET + word] = other_more
            cells, other = following, other_following
    forget(s, SET)
    return lead, forget(s, 0)


@rule
def look_ahead(s, player, action):
    """What a move would do at once, as `parting` says; and the player's share of the territory after it. The position
    stays as it is."""
    result = parting(s, player, action)
    share = 0.5 * result
    if result == GOES_ON:
        at, edges = wall_of(s, action)
        s.open[at] &= ~edges
        lead, cells = race(s, action // SIDES, s.cell[1 - player])
        s.open[at] |= edges
        share = 0.5 + 0.5 * lead / cells
    return result, share


@rule
def decisive(s, player, out):
    """The legal moves, or only one that wins at once."""
    n = legal(s, player, out)
    for i in range(n):
        action = int(out.action[i])
        if closes_ring(s, action) and parting(s, player, action) == WIN:
            out.action[0] = action
            return 1
    return n


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


BIASES: dict[str, Rule] = {"walls": near_walls, "walls_code": near_walls_code}
EVALUATIONS: dict[str, Rule] = {"territory": territory}
