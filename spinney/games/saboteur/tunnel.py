"""The cheapest tunnel to the nugget for a player with given cards, counted in turns.

A tunnel enters a cell at one side and leaves it at another. A tile that allows this, and fits the neighbours, costs one
turn if it is in the hand; else there is a wait, which is longer the fewer such cards are unseen. Tiles on the board
cost nothing if they connect the two sides; if not, they cost a Destroy and another tile.

Costs are in ticks, quarters of a turn. Each cell has four, one for each side at which a tunnel may enter. `work` is the
game's Scratch.
"""

from spinney.games.saboteur import state, tiles
from spinney.games.saboteur.rules import LOOK, nugget_known_to
from spinney.kernel import rule
from spinney.kernel.bits import lowest

TURN = 4
LOST = 127
"""The cost where no tunnel is possible; the largest that a field of eight bits holds."""
SPARE = 2
"""Ticks added for a tile if the hand has only one that fits."""
WAIT = 2.0
"""Ticks for each card that is drawn, on average, before one that fits."""
LONGEST_WAIT = 40
NO_DESTROY = 40
"""Ticks of a Destroy that is not in the hand."""
DETOUR = 12
"""Tunnels that cost more than the cheapest one by at least this are not searched."""


@rule
def is_target(s, player, objective):
    """Whether the nugget may be at an objective, as far as a player knows."""
    known = nugget_known_to(s, player)
    return objective == known if known != state.UNKNOWN else (s.seen[player] >> objective) & 1 == 0


@rule
def targets(s, player):
    """The number of objectives where the nugget may be, as far as a player knows."""
    n = 0
    for objective in range(state.OBJECTIVES):
        n += 1 if is_target(s, player, objective) else 0
    return n


@rule
def map_action(s, player):
    """The Map for the first objective that a player has not seen. The middle one is last: players who do not know the
    nugget build towards it anyway."""
    for objective in range(0, state.OBJECTIVES, 2):
        if (s.seen[player] >> objective) & 1 == 0:
            return LOOK + objective
    return LOOK + 1


@rule(inline=True)
def unseen(s, player, kind):
    """The number of cards of a kind that a player has not seen."""
    other = 1 - player
    return int(s.deck[kind]) + int(s.hand[other, kind]) + int(s.dropped[other, kind])


@rule
def find_costs(s, player, work):
    """Find the costs of tunnels from all cells that matter to the possible places of the nugget: a search backwards
    from these places, which visits a cell again whenever one of its costs falls."""
    costs, queue = work.costs, work.queue
    for cell in range(state.CELLS):
        work.queued[cell] = 0
        for number in range(4):
            costs[cell, number] = LOST
    cards = 0
    for kind in range(tiles.KINDS):
        n = unseen(s, player, kind)
        work.unseen[kind] = n
        cards += n
    work.cards = cards
    for sides in range(16):
        work.prices[sides] = tile_price(s, player, work, int(tiles.PASSING[sides]))
    end = 0
    for objective in range(state.OBJECTIVES):
        if is_target(s, player, objective):
            cell = state.objective_cell(objective)
            for number in range(4):
                costs[cell, number] = 0
            work.queued[cell] = 1
            queue[end] = cell
            end += 1
    begin, limit = 0, LOST
    while begin != end:
        cell = int(queue[begin % state.CELLS])
        begin += 1
        work.queued[cell] = 0
        for number in range(4):
            side = 1 << number
            cost = int(costs[cell, number])
            to = state.beside(cell, side)
            code = int(s.tile[to])
            if cost >= limit or code in (tiles.BORDER, tiles.ENTRANCE):
                if code == tiles.ENTRANCE:
                    limit = min(limit, cost + DETOUR)
                continue
            leave = tiles.opposite(side)
            if state.has(s.reached, to) and tiles.THROUGH[code] and tiles.SIDES[code] & leave:
                limit = min(limit, cost + DETOUR)
            for entry in range(4):
                sides = leave | 1 << entry
                if sides == leave:
                    continue
                new = cost + price(s, player, work, to, sides)
                if new < limit and new < costs[to, entry]:
                    costs[to, entry] = new
                    if work.queued[to] == 0:
                        work.queued[to] = 1
                        queue[end % state.CELLS] = to
                        end += 1


@rule
def price(s, player, work, cell, sides):
    """The cost of a tunnel through one cell, between two sides."""
    code = int(s.tile[cell])
    if code == tiles.EMPTY:
        need = int(s.need[cell])
        if need == 0:
            return int(work.prices[sides])
        return tile_price(s, player, work, int(tiles.FITS[need]) & int(tiles.PASSING[sides]))
    if code == tiles.OBJECTIVE or (tiles.THROUGH[code] and sides & ~int(tiles.SIDES[code]) == 0):
        return 0
    broken = TURN if s.hand[player, tiles.DESTROY] > 0 else NO_DESTROY
    return broken + tile_price(s, player, work, int(tiles.FITS[s.need[cell]]) & int(tiles.PASSING[sides]))


@rule
def tile_price(s, player, work, shapes):
    """The cost of laying one of these shapes: a turn, and the wait for it."""
    mine = shapes & int(s.shapes[player])
    if mine != 0:
        cards, last = 0, -1
        while mine != 0:
            kind = int(tiles.KIND[lowest(mine)])
            mine &= mine - 1
            if kind != last:
                cards += int(s.hand[player, kind])
            last = kind
        return TURN + (SPARE if cards == 1 else 0)
    n = count_unseen(work, shapes)
    if n == 0:
        return LOST
    return TURN + min(LONGEST_WAIT, int(WAIT * (work.cards + 1.0) / (n + 1.0)))


@rule
def count_unseen(work, shapes):
    """The number of unseen cards that have one of these shapes. The two shapes of a card have successive numbers."""
    n, last = 0, -1
    while shapes != 0:
        kind = int(tiles.KIND[lowest(shapes)])
        shapes &= shapes - 1
        if kind != last:
            n += int(work.unseen[kind])
        last = kind
    return n


@rule(inline=True)
def comes_in(s, cell, number):
    """Whether a tunnel from the entrance leads to a side of a cell."""
    side = 1 << number
    to = state.beside(cell, side)
    return state.has(s.reached, to) and state.sides_of(s, to) & tiles.opposite(side) != 0 and state.leads_on(s, to)


@rule
def cheapest(s, work):
    """The cost of the cheapest tunnel, the cell with which it continues, and the least cost with another cell."""
    least, at, second = LOST, -1, LOST
    for word in range(state.WORDS):
        cells = s.room[word] | s.laid[word]
        while cells != 0:
            cell = word * state.BITS + lowest(cells)
            cells &= cells - 1
            for number in range(4):
                cost = int(work.costs[cell, number])
                if cost < second and comes_in(s, cell, number):
                    if cost < least:
                        if cell != at:
                            second = least
                        least, at = cost, cell
                    elif cell != at:
                        second = cost
    return least, at, second


@rule
def cost_after(work, shape, cell):
    """The least cost of a tunnel that continues from a tile of this shape."""
    least = LOST
    if tiles.THROUGH[shape]:
        for number in range(4):
            if tiles.SIDES[shape] & 1 << number:
                least = min(least, int(work.costs[state.beside(cell, 1 << number), number ^ 2]))
    return least


@rule
def last_shapes(work, cell):
    """The shapes, whether they fit or not, that would connect a cell with a possible place of the nugget."""
    shapes = 0
    for number in range(4):
        side = 1 << number
        if work.costs[state.beside(cell, side), number ^ 2] == 0:
            shapes |= int(tiles.PASSING[side])
    return shapes
