"""How far it is to the nugget, for a player with these cards: the cheapest tunnel, counted in turns.

A way through a cell goes in at one side and out at another. A tile that does that, and fits the neighbours, costs one
turn if it is in the hand; else there is a wait, the longer the fewer of them are unseen. Tiles that lie there already
cost nothing if they lead the right way, and if not, a Destroy and another tile.

All costs are in ticks, quarters of a turn. For a cell there are four, one for each side at which a tunnel may come in;
they share one word of `out.action`. A queue and small tables are in `out.weight`.
"""

import numpy as np

from spinney.games.saboteur.rules import LOOK, nugget_known_to
from spinney.games.saboteur.state import (
    BITS,
    CELLS,
    OBJECTIVES,
    UNKNOWN,
    WORDS,
    beside,
    has,
    leads_on,
    objective_cell,
    opposite,
    sides_of,
)
from spinney.games.saboteur.tiles import (
    BORDER,
    DESTROY,
    EMPTY,
    ENTRANCE,
    FITS,
    KIND,
    KINDS,
    OBJECTIVE,
    SHAPES,
    SIDES,
    THROUGH,
)
from spinney.kernel import rule
from spinney.kernel.bits import lowest

TURN = 4
LOST = 127
"""The cost where there is no way; as much as seven bits hold."""
SPARE = 2
"""Ticks for a tile of which there is no second one in the hand."""
WAIT = 2.0
"""Ticks for each card that will be drawn, on average, before one that fits comes."""
LONGEST_WAIT = 40
NO_DESTROY = 40
"""Ticks where a Destroy is needed, and is not in the hand."""
DETOUR = 12
"""Ways that are longer than the shortest one by more than this are not looked for."""

WORD = 7
NO_WAY = LOST << 3 * WORD | LOST << 2 * WORD | LOST << WORD | LOST
QUEUED = 1 << 4 * WORD
RING = CELLS - 1
PRICE, UNSEEN = CELLS, CELLS + 16
"""Where in the weights the tables begin: what an empty cell without neighbours costs, by the two sides of the way; and
cards that a player has not seen, by kind."""

PASSING = np.array(
    [sum(1 << i for i in range(SHAPES) if THROUGH[i] and sides & ~SIDES[i] == 0) for sides in range(16)], np.int64
)
"""The shapes, as bits, that lead through between these sides."""


@rule
def is_target(s, player, objective):
    """Whether the nugget may be there, as far as a player knows."""
    known = nugget_known_to(s, player)
    return objective == known if known != UNKNOWN else (s.seen[player] >> objective) & 1 == 0


@rule
def look(s, player):
    """The first objective that a player has not seen. The middle one comes last: all ways begin as if it were there."""
    for objective in range(0, OBJECTIVES, 2):
        if (s.seen[player] >> objective) & 1 == 0:
            return LOOK + objective
    return LOOK + 1


@rule(inline=True)
def unseen(s, player, kind):
    """How many cards of a kind a player has not seen."""
    other = 1 - player
    return int(s.deck[kind]) + int(s.hand[other, kind]) + int(s.dropped[other, kind])


@rule(inline=True)
def way(out, cell, number):
    """The cost from a cell to the nugget for a tunnel that comes in at the side with this number, 0 to 3."""
    return (int(out.action[cell]) >> WORD * number) & LOST


@rule
def survey(s, player, out):
    """Find the cost of the ways from all cells that matter to where the nugget may be."""
    for cell in range(CELLS):
        out.action[cell] = NO_WAY
    cards = 0.0
    for kind in range(KINDS):
        n = unseen(s, player, kind)
        out.weight[UNSEEN + kind] = n
        cards += n
    out.weight[UNSEEN + KINDS] = cards
    for sides in range(16):
        out.weight[PRICE + sides] = tile_price(s, player, out, int(PASSING[sides]))
    end = 0
    for objective in range(OBJECTIVES):
        if is_target(s, player, objective):
            out.action[objective_cell(objective)] = QUEUED
            out.weight[end] = objective_cell(objective)
            end += 1
    begin, limit = 0, LOST
    while begin != end:
        cell = int(out.weight[begin & RING])
        begin += 1
        out.action[cell] = int(out.action[cell]) & ~QUEUED
        for number in range(4):
            side = 1 << number
            cost = way(out, cell, number)
            to = beside(cell, side)
            code = int(s.tile[to])
            if cost >= limit or code in (BORDER, ENTRANCE):
                if code == ENTRANCE:
                    limit = min(limit, cost + DETOUR)
                continue
            leave = opposite(side)
            if has(s.reached, to) and THROUGH[code] and SIDES[code] & leave:
                limit = min(limit, cost + DETOUR)
            for entry in range(4):
                sides = leave | 1 << entry
                if sides == leave:
                    continue
                new = cost + price(s, player, out, to, sides)
                word = int(out.action[to])
                if new < limit and new < (word >> WORD * entry) & LOST:
                    word = word & ~(LOST << WORD * entry) | new << WORD * entry
                    if word & QUEUED == 0:
                        word |= QUEUED
                        out.weight[end & RING] = to
                        end += 1
                    out.action[to] = word


@rule
def price(s, player, out, cell, sides):
    """What a way through a cell costs, from one of two sides to the other."""
    code = int(s.tile[cell])
    if code == EMPTY:
        need = int(s.need[cell])
        if need == 0:
            return int(out.weight[PRICE + sides])
        return tile_price(s, player, out, int(FITS[need]) & int(PASSING[sides]))
    if code == OBJECTIVE or (THROUGH[code] and sides & ~int(SIDES[code]) == 0):
        return 0
    broken = TURN if s.hand[player, DESTROY] > 0 else NO_DESTROY
    return broken + tile_price(s, player, out, int(FITS[s.need[cell]]) & int(PASSING[sides]))


@rule
def tile_price(s, player, out, shapes):
    """What one of these shapes costs: a turn, and the wait for it."""
    mine = shapes & int(s.shapes[player])
    if mine != 0:
        cards, last = 0, -1
        while mine != 0:
            kind = int(KIND[lowest(mine)])
            mine &= mine - 1
            if kind != last:
                cards += int(s.hand[player, kind])
            last = kind
        return TURN + (SPARE if cards == 1 else 0)
    n = count_unseen(out, shapes)
    if n == 0.0:
        return LOST
    return TURN + min(LONGEST_WAIT, int(WAIT * (out.weight[UNSEEN + KINDS] + 1.0) / (n + 1.0)))


@rule
def count_unseen(out, shapes):
    """How many unseen cards have one of these shapes. The two shapes of a card follow each other."""
    n, last = 0.0, -1
    while shapes != 0:
        kind = int(KIND[lowest(shapes)])
        shapes &= shapes - 1
        if kind != last:
            n += out.weight[UNSEEN + kind]
        last = kind
    return n


@rule(inline=True)
def comes_in(s, cell, number):
    """Whether a tunnel from the entrance comes to a cell at a side."""
    side = 1 << number
    to = beside(cell, side)
    return has(s.reached, to) and sides_of(s, to) & opposite(side) != 0 and leads_on(s, to)


@rule
def nearest(s, out):
    """What the cheapest tunnel costs, the cell that it goes on with, and what the cheapest costs that does not."""
    least, at, second = LOST, -1, LOST
    for word in range(WORDS):
        cells = s.room[word] | s.laid[word]
        while cells != 0:
            cell = word * BITS + lowest(cells)
            cells &= cells - 1
            if out.action[cell] == NO_WAY:
                continue
            for number in range(4):
                cost = way(out, cell, number)
                if cost < second and comes_in(s, cell, number):
                    if cost < least:
                        if cell != at:
                            second = least
                        least, at = cost, cell
                    elif cell != at:
                        second = cost
    return least, at, second


@rule
def beyond(out, shape, cell):
    """What the cheapest tunnel costs that goes on from a tile of this shape."""
    least = LOST
    if THROUGH[shape]:
        for number in range(4):
            if SIDES[shape] & 1 << number:
                least = min(least, way(out, beside(cell, 1 << number), number ^ 2))
    return least


@rule
def ends_at(out, cell):
    """The shapes, fitting or not, that would lead from a cell to where the nugget may be."""
    shapes = 0
    for number in range(4):
        side = 1 << number
        if way(out, beside(cell, side), number ^ 2) == 0:
            shapes |= int(PASSING[side])
    return shapes
