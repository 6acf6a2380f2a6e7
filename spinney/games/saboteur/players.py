"""Hand-written players. They look at nothing that the player cannot know."""

from typing import Literal

import pydantic

from spinney.games.options import Options
from spinney.games.parts import Player, Rule
from spinney.games.saboteur.means_ends import KEEP_TILES, carelessness, means_ends
from spinney.games.saboteur.official import copies
from spinney.games.saboteur.paper import paper_opening
from spinney.games.saboteur.rules import BLOCK, BREAK, CURE, DROP, legal, nugget_known_to
from spinney.games.saboteur.state import (
    BITS,
    CELLS,
    OBJECTIVES,
    UNKNOWN,
    WORDS,
    beside,
    is_joined,
    objective_cell,
    opposite,
)  # fmt: skip
from spinney.games.saboteur.tiles import (
    BONUS,
    DESTROY,
    EMPTY,
    FITS,
    KIND,
    KIND_SHAPES,
    KINDS,
    MALUS,
    MAP,
    OBJECTIVE,
    SIDES,
    THROUGH,
)  # fmt: skip
from spinney.games.saboteur.tunnel import is_target, look
from spinney.kernel import below, rule, uniform
from spinney.kernel.bits import lowest

NONE = -1
FAR = 99.0
"""Tiles missing where there is no way."""
NEAR = 3.0
"""Tiles missing when it is time to block the other."""
AT_HAND = 1.5
"""What the next tile counts that is in the hand already."""
KEEP = (*KEEP_TILES, 12, 14, 10, 15)
"""How useful the cards are to who wants to reach the nugget: tiles 0 to 15, Map, Bonus, Destroy, Malus."""


@rule
def official_random(s, player, out, rng):
    """The course's random player: any move of its list, where a place counts once for each neighbour."""
    n = legal(s, player, out)
    total = 0
    for i in range(n):
        total += copies(s, player, int(out.action[i]))
    left = below(rng, total)
    for i in range(n):
        left -= copies(s, player, int(out.action[i]))
        if left < 0:
            return int(out.action[i])
    return int(out.action[0])


@rule
def greedy(s, player, out, rng):
    """Without a search: a Bonus when blocked, a Map while the nugget is unknown, then the tile that brings the tunnel
    nearest to the nugget; else a Destroy or a Malus that helps, or the least useful card is dropped."""
    if s.malus[player] > 0 and s.hand[player, BONUS] > 0:
        return CURE
    measure(s, player, out)
    tile, after = best_tile(s, player, out)
    if after == 0.0:
        return tile
    if s.hand[player, MAP] > 0 and nugget_known_to(s, player) == UNKNOWN:
        return look(s, player)
    before = distance(s, out)
    can_block = s.hand[player, MALUS] > 0 and s.malus[1 - player] == 0
    if can_block and before <= NEAR:
        return BLOCK
    broken, without = best_break(s, player, out)
    if without < min(after, before) - 1.0:
        return broken
    if after < before:
        return tile
    if without < before:
        return broken
    if can_block:
        return BLOCK
    return DROP + worst_card(s, player)


class Careless(Options):
    """What can be set about a careless player."""

    often: float | None = pydantic.Field(
        0.3, ge=0, le=1, description="how often it makes any move of the program's list; none: as the board shows it"
    )
    else_as: Literal["greedy", "means_ends"] = pydantic.Field("greedy", description="the player that it is else")


def careless(often, else_as):
    """A player who now and then does anything."""
    careful = greedy if else_as == "greedy" else means_ends
    judged, fixed = often is None, often or 0.0

    @rule
    def play(s, player, out, rng):
        """As another player, but now and then any move of the course's list."""
        wild = carelessness(s) if judged else fixed
        return official_random(s, player, out, rng) if uniform(rng) < wild else careful(s, player, out, rng)

    return play


@rule
def measure(s, player, out):
    """Write to the weights how many tiles a tunnel needs from each cell, itself among them, to where the nugget may be:
    the shortest way over cells that are empty, or objectives. The actions serve as a queue."""
    for cell in range(CELLS):
        out.weight[cell] = FAR
    end = 0
    for objective in range(OBJECTIVES):
        if is_target(s, player, objective):
            cell = objective_cell(objective)
            out.weight[cell] = 0.0
            out.action[end] = cell
            end += 1
    begin = 0
    while begin < end:
        cell = int(out.action[begin])
        begin += 1
        side = 1
        while side < 16:
            to = beside(cell, side)
            if out.weight[to] == FAR and (s.tile[to] == EMPTY or s.tile[to] == OBJECTIVE):
                out.weight[to] = out.weight[cell] + 1.0
                out.action[end] = to
                end += 1
            side *= 2


@rule
def distance(s, out):
    """How many tiles are missing on the shortest way from the entrance to where the nugget may be."""
    least = FAR
    for word in range(WORDS):
        cells = s.room[word]
        while cells != 0:
            cell = word * BITS + lowest(cells)
            cells &= cells - 1
            if out.weight[cell] < least and is_joined(s, cell, 15):
                least = out.weight[cell]
    return least


@rule
def missing_after(out, shape, cell):
    """How many tiles are missing beyond a tile that would be laid."""
    least = FAR
    side = 1
    while side < 16 and THROUGH[shape] == 1:
        if SIDES[shape] & side:
            least = min(least, out.weight[beside(cell, side)])
        side *= 2
    return least


@rule
def has_next(s, player, out, shape, cell, missing):
    """Whether the hand has a tile that would bring the tunnel nearer still, after one that would be laid."""
    kind, hand = int(KIND[shape]), int(s.shapes[player])
    if s.hand[player, kind] == 1:
        hand &= ~int(KIND_SHAPES[kind])
    side = 1
    while side < 16:
        to = beside(cell, side)
        if SIDES[shape] & side and out.weight[to] == missing and s.tile[to] == EMPTY:
            fitting = int(FITS[s.need[to] | opposite(side)]) & hand
            while fitting != 0:
                if missing_after(out, lowest(fitting), to) < missing:
                    return True
                fitting &= fitting - 1
        side *= 2
    return False


@rule
def best_tile(s, player, out):
    """The tile that leaves the fewest missing, of those that a tunnel leads to: its action, and how many.

    The next tile counts less if it is in the hand. If it is the last one, and is not, the other might lay it: then the
    tile before it is not laid, unless the other is blocked. Of equal tiles the least useful is laid.
    """
    best, least = NONE, FAR
    if s.malus[player] > 0:
        return best, least
    for word in range(WORDS):
        cells = s.room[word]
        while cells != 0:
            cell = word * BITS + lowest(cells)
            cells &= cells - 1
            fitting = int(FITS[s.need[cell]]) & int(s.shapes[player])
            if fitting == 0 or not is_joined(s, cell, 15):
                continue
            while fitting != 0:
                shape = lowest(fitting)
                fitting &= fitting - 1
                missing = missing_after(out, shape, cell)
                if missing == 0.0:
                    return shape * CELLS + cell, 0.0
                if missing < FAR and has_next(s, player, out, shape, cell, missing):
                    missing -= AT_HAND
                elif missing == 1.0 and s.malus[1 - player] == 0:
                    continue
                if missing < least or (missing == least < FAR and KEEP[KIND[shape]] < KEEP[KIND[best // CELLS]]):
                    best, least = shape * CELLS + cell, missing
    return best, least


@rule
def best_break(s, player, out):
    """The tile whose removal opens the shortest way: its action, and how many tiles are missing then."""
    best, least = NONE, FAR
    if s.hand[player, DESTROY] == 0:
        return best, least
    for word in range(WORDS):
        cells = s.laid[word]
        while cells != 0:
            cell = word * BITS + lowest(cells)
            cells &= cells - 1
            side = 1
            while side < 16:
                missing = out.weight[beside(cell, side)] + 1.0
                if missing < least and is_joined(s, cell, 15):
                    best, least = BREAK + cell, missing
                side *= 2
    return best, least


@rule
def worst_card(s, player):
    """The kind of the card that is least useful; of several equal cards one is less useful than one alone."""
    known = nugget_known_to(s, player) != UNKNOWN
    worst, least = NONE, 1000
    for kind in range(KINDS):
        if s.hand[player, kind] > 0:
            use = 0 if kind == MAP and known else KEEP[kind] - int(s.hand[player, kind])
            if use < least:
                worst, least = kind, use
    return worst


PLAYERS: dict[str, Rule | Player] = {
    "greedy": greedy,
    "means_ends": means_ends,
    "careless": Player(careless, Careless),
    "paper_opening": paper_opening,
    "official_random": official_random,
}
