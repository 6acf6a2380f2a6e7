"""A player who plans the cheapest tunnel to the nugget, and weighs every card against that end."""

import numpy as np

from spinney.games.saboteur.rules import BLOCK, BREAK, CURE, DROP, nugget_known_to
from spinney.games.saboteur.state import BITS, CELLS, UNKNOWN, WORDS, beside, cell_at, has, is_joined, opposite
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
    SHAPES,
    SIDES,
    THROUGH,
    TILES,
)  # fmt: skip
from spinney.games.saboteur.tunnel import (
    LOST,
    PASSING,
    UNSEEN,
    beyond,
    comes_in,
    count_unseen,
    ends_at,
    look,
    nearest,
    price,
    survey,
    tile_price,
    unseen,
    way,
)
from spinney.kernel import rule
from spinney.kernel.bits import lowest

NONE = -1
LONGEST = 30
"""Cells that a plan goes through."""
MOST = 80
"""Actions that are weighed."""
CURING, LOOKING = 200.0, 100.0
"""Ticks that a Bonus and a Map are worth where they are of use: more than all else."""
DANGER = 25.0
"""Ticks that a sure defeat in the other's next turn is worth."""
HURRY = 20.0
"""Turns before the end of the cards at which a draw begins to be as bad as that."""
BLOCKING = 6.0
NEAR = 24.0
"""Ticks to go when it is time to block the other."""
REBUILD = 6.0
"""Ticks that it takes to lay a destroyed tile of the way again."""
KEEP_TILES = (10, 1, 1, 1, 1, 11, 16, 14, 18, 17, 9, 1, 1, 1, 1, 1)
KEEP = (*KEEP_TILES, 12, 30, 13, 15)
"""How useful the cards are where no plan says more: tiles 0 to 15, Map, Bonus, Destroy, Malus."""
PLANNED = 12
ABOVE = cell_at(5, 0)
"""Cells with lower numbers are above the entrance."""
DEAD_END = np.array([THROUGH[i] == 0 or SIDES[i] in (1, 2, 4, 8) for i in range(SHAPES)], np.int64)
CARE = 0.05
"""Ticks for a unit of use."""


@rule
def finishes(s, player, out, shapes):
    """How likely it is that the other lays one of these shapes next."""
    other = 1 - player
    if shapes == 0 or s.malus[other] > 0:
        return 0.0
    cards, fitting = out.weight[UNSEEN + KINDS], count_unseen(out, shapes)
    none = 1.0
    for i in range(s.hand_size[other]):
        none *= max(0.0, cards - fitting - i) / (cards - i)
    return 1.0 - none


@rule
def last_tiles(s, out, without):
    """The shapes that reach the nugget at once, somewhere else than on a cell."""
    shapes = 0
    for word in range(WORDS):
        cells = s.room[word]
        while cells != 0:
            cell = word * BITS + lowest(cells)
            cells &= cells - 1
            if cell != without:
                ends = ends_at(out, cell) & int(FITS[s.need[cell]])
                if ends != 0 and is_joined(s, cell, 15):
                    shapes |= ends
    return shapes


@rule
def last_after(s, out, shape, cell):
    """The shapes that reach the nugget at once next to a tile that would be laid."""
    shapes = 0
    if THROUGH[shape]:
        for number in range(4):
            side = 1 << number
            to = beside(cell, side)
            if SIDES[shape] & side and s.tile[to] == EMPTY:
                shapes |= ends_at(out, to) & int(FITS[s.need[to] | opposite(side)])
    return shapes


@rule
def carelessness(s):
    """How often the other does just anything, as the board shows it: by the tiles that nobody lays who wants to reach
    the nugget, dead ends and those above the entrance."""
    idle = 0
    for word in range(WORDS):
        cells = s.laid[word]
        while cells != 0:
            cell = word * BITS + lowest(cells)
            cells &= cells - 1
            if cell < ABOVE or DEAD_END[s.tile[cell]]:
                idle += 1
    return min(0.9, (0.3 + idle) / (1.0 + 0.15 * s.turn))


@rule
def danger(s):
    """What a sure defeat is worth now; the less, the nearer the end is at which the game is a draw."""
    left = 0.5 * (s.deck_size + s.hand_size[0] + s.hand_size[1])
    return DANGER * min(1.0, left / HURRY)


@rule
def planned(s, player, out, cell):
    """The shapes that the cheapest tunnel, which goes on with this cell, is made of."""
    shapes, entry, least = 0, NONE, LOST
    for number in range(4):
        if way(out, cell, number) < least and comes_in(s, cell, number):
            entry, least = number, way(out, cell, number)
    for _ in range(LONGEST):
        leave, least = NONE, LOST
        for number in range(4):
            if number != entry:
                cost = way(out, beside(cell, 1 << number), number ^ 2)
                if cost < least:
                    cost += price(s, player, out, cell, 1 << number | 1 << entry)
                if cost < least:
                    leave, least = number, cost
        if leave == NONE:
            break
        if s.tile[cell] == EMPTY:
            shapes |= int(FITS[s.need[cell]]) & int(PASSING[1 << leave | 1 << entry])
        cell, entry = beside(cell, 1 << leave), leave ^ 2
        if way(out, cell, entry) == 0:
            break
    return shapes


@rule
def use_of(s, player, kind, plan):
    """How useful a card is: the more if the plan needs it, the less if there are several."""
    if kind == MAP and nugget_known_to(s, player) != UNKNOWN:
        return 0
    if kind == BONUS and s.hand[player, BONUS] > s.malus[player] + unseen(s, player, MALUS):
        return 0
    use = KEEP[kind] - int(s.hand[player, kind])
    if kind < TILES and int(KIND_SHAPES[kind]) & plan != 0:
        use += PLANNED
    return use


@rule
def worst_card(s, player, plan):
    """The kind of the card that is least useful."""
    worst, least = NONE, 1000
    for kind in range(KINDS):
        if s.hand[player, kind] > 0:
            use = use_of(s, player, kind, plan)
            if use < least:
                worst, least = kind, use
    return worst


@rule
def weigh(s, player, out):
    """Write to the weights the actions that may be of use; to those from MOST on what it costs from here after each,
    and to those from 2 * MOST on how likely the other wins at once. How many there are. A tile that may reach the
    nugget is the only one."""
    survey(s, player, out)
    before, at, second = nearest(s, out)
    plan = planned(s, player, out, at) if at != NONE else 0
    last = last_tiles(s, out, NONE)
    threat = finishes(s, player, out, last)
    drop = worst_card(s, player, plan)
    n = offer(out, 0, DROP + drop, before + CARE * use_of(s, player, drop, plan), threat)
    if s.malus[player] > 0 and s.hand[player, BONUS] > 0:
        n = offer(out, n, CURE, before - CURING, 0.0)
    if s.hand[player, MAP] > 0 and nugget_known_to(s, player) == UNKNOWN:
        n = offer(out, n, look(s, player), before - LOOKING, threat)
    if s.hand[player, MALUS] > 0 and s.malus[1 - player] == 0:
        cost = before - (BLOCKING if before <= NEAR else 0.0) + CARE * KEEP[MALUS]
        n = offer(out, n, BLOCK, cost, 0.5 * threat)
    if s.hand[player, DESTROY] > 0:
        for word in range(WORDS):
            cells = s.laid[word]
            while cells != 0:
                cell = word * BITS + lowest(cells)
                cells &= cells - 1
                if is_joined(s, cell, 15):
                    if threat > 0.0 and holds_the_last(s, out, cell):
                        n = offer(out, n, BREAK + cell, before + REBUILD, 0.0)
                    else:
                        cost = CARE * KEEP[DESTROY] + shortcut(s, player, out, cell)
                        n = offer(out, n, BREAK + cell, cost, threat)
    if s.malus[player] > 0:
        return n
    for word in range(WORDS):
        cells = s.room[word]
        while cells != 0:
            cell = word * BITS + lowest(cells)
            cells &= cells - 1
            fitting = int(FITS[s.need[cell]]) & int(s.shapes[player])
            if fitting == 0 or not is_joined(s, cell, 15):
                continue
            elsewhere = second if cell == at else before
            others = last_tiles(s, out, cell) if last != 0 else 0
            while fitting != 0:
                shape = lowest(fitting)
                fitting &= fitting - 1
                after = beyond(out, shape, cell)
                if after == 0:
                    return offer(out, 0, shape * CELLS + cell, 0.0, 0.0)
                risk = finishes(s, player, out, others | last_after(s, out, shape, cell))
                cost = min(after, elsewhere) + CARE * use_of(s, player, int(KIND[shape]), plan)
                n = offer(out, n, shape * CELLS + cell, cost, risk)
    return n


@rule(inline=True)
def offer(out, n, action, cost, risk):
    """Add an action to those that have been weighed."""
    if n < MOST:
        out.weight[n] = action
        out.weight[MOST + n] = cost
        out.weight[2 * MOST + n] = risk
        n += 1
    return n


@rule
def shortcut(s, player, out, cell):
    """What it costs from here if another tile than this one leads on from its cell."""
    least = LOST
    for entry in range(4):
        if comes_in(s, cell, entry):
            for leave in range(4):
                cost = way(out, beside(cell, 1 << leave), leave ^ 2)
                if leave != entry and cost < least:
                    fitting = int(FITS[s.need[cell]]) & int(PASSING[1 << entry | 1 << leave])
                    least = min(least, cost + tile_price(s, player, out, fitting))
    return least


@rule
def holds_the_last(s, out, cell):
    """Whether the tunnel that lacks one tile comes through a cell right before that."""
    if has(s.reached, cell):
        for number in range(4):
            to = beside(cell, 1 << number)
            if comes_in(s, to, number ^ 2) and s.tile[to] == EMPTY and ends_at(out, to) & int(FITS[s.need[to]]) != 0:
                return True
    return False


@rule
def least_of(out, n, alarm):
    """Which of the actions that have been weighed costs least, if a sure defeat costs so much."""
    best = 0
    for i in range(1, n):
        if toll(out, i, alarm) < toll(out, best, alarm):
            best = i
    return best


@rule(inline=True)
def toll(out, i, alarm):
    """What an action costs that has been weighed."""
    return out.weight[MOST + i] + alarm * out.weight[2 * MOST + i]


@rule
def means_ends(s, player, out, rng):
    """Plans the cheapest tunnel for the own cards, and plays what brings its end nearest: a tile, a Destroy, a Malus,
    or a drop; but nothing that is likely to let the other finish it."""
    return int(out.weight[least_of(out, weigh(s, player, out), danger(s))])
