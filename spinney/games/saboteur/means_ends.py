"""A player that plans the cheapest tunnel to the nugget, and rates every card by its use for that plan."""

import numpy as np

from spinney.games.parts import Rule
from spinney.games.saboteur import state, tiles, tunnel
from spinney.games.saboteur.rules import BLOCK, BREAK, CURE, DROP, nugget_known_to
from spinney.kernel import rule
from spinney.kernel.bits import lowest

NONE = -1
LONGEST = 30
"""The most cells of a plan."""
CURING, LOOKING = 200.0, 100.0
"""The value in ticks of a Bonus and of a Map where they can be used: more than all other cards."""
DANGER = 25.0
"""The value in ticks of a certain defeat in the opponent's next turn."""
HURRY = 20.0
"""The number of turns left in the cards below which a defeat counts less: it would only replace a draw."""
BLOCKING = 6.0
NEAR = 24.0
"""The cost of the cheapest tunnel, in ticks, at which it is time to block the opponent."""
REBUILD = 6.0
"""Ticks for replacing a destroyed tile of the tunnel."""
KEEP_TILES = (10, 1, 1, 1, 1, 11, 16, 14, 18, 17, 9, 1, 1, 1, 1, 1)
KEEP = (*KEEP_TILES, 12, 30, 13, 15)
"""The usefulness of cards that no plan needs: tiles 0 to 15, Map, Bonus, Destroy, Malus."""
PLANNED = 12
ABOVE = state.cell_at(5, 0)
"""Cells with lower numbers are above the entrance."""
DEAD_END = np.array([tiles.THROUGH[i] == 0 or tiles.SIDES[i] in (1, 2, 4, 8) for i in range(tiles.SHAPES)], np.int64)
MARGIN = 3.0
"""`planner` lists actions that cost less than this, in ticks, above the best."""
CARE = 0.05
"""Ticks for one unit of usefulness."""


@rule
def opponent_has(s, player, work, shapes):
    """The probability that the opponent can lay one of these shapes in its next turn."""
    other = 1 - player
    if shapes == 0 or s.malus[other] > 0:
        return 0.0
    cards, fitting = int(work.cards), tunnel.count_unseen(work, shapes)
    none = 1.0
    for i in range(s.hand_size[other]):
        none *= max(0, cards - fitting - i) / (cards - i)
    return 1.0 - none


@rule
def finishing_shapes(s, work, without):
    """The shapes that reach the nugget with one tile, on any cell but `without`."""
    shapes = 0
    for word in range(state.WORDS):
        cells = s.room[word]
        while cells != 0:
            cell = word * state.BITS + lowest(cells)
            cells &= cells - 1
            if cell != without:
                ends = tunnel.last_shapes(work, cell) & int(tiles.FITS[s.need[cell]])
                if ends != 0 and state.is_joined(s, cell, 15):
                    shapes |= ends
    return shapes


@rule
def finishing_beside(s, work, shape, cell):
    """The shapes that would reach the nugget with one tile next to a tile that is laid on a cell."""
    shapes = 0
    if tiles.THROUGH[shape]:
        for number in range(4):
            side = 1 << number
            to = state.beside(cell, side)
            if tiles.SIDES[shape] & side and s.tile[to] == tiles.EMPTY:
                shapes |= tunnel.last_shapes(work, to) & int(tiles.FITS[s.need[to] | tiles.opposite(side)])
    return shapes


@rule
def carelessness(s):
    """An estimate of how often the opponent makes a random move, from the number of tiles on the board that are of no
    use for reaching the nugget: dead ends, and tiles above the entrance."""
    idle = 0
    for word in range(state.WORDS):
        cells = s.laid[word]
        while cells != 0:
            cell = word * state.BITS + lowest(cells)
            cells &= cells - 1
            if cell < ABOVE or DEAD_END[s.tile[cell]]:
                idle += 1
    return min(0.9, (0.3 + idle) / (1.0 + 0.15 * s.turn))


@rule
def danger(s):
    """The value in ticks of a certain defeat; it falls towards the end of the cards, where the game would be a draw."""
    left = 0.5 * (s.deck_size + s.hand_size[0] + s.hand_size[1])
    return DANGER * min(1.0, left / HURRY)


@rule
def planned_shapes(s, player, work, cell):
    """The shapes that the cheapest tunnel needs, which continues with this cell."""
    shapes, entry, least = 0, NONE, tunnel.LOST
    for number in range(4):
        if work.costs[cell, number] < least and tunnel.comes_in(s, cell, number):
            entry, least = number, int(work.costs[cell, number])
    for _ in range(LONGEST):
        leave, least = NONE, tunnel.LOST
        for number in range(4):
            if number != entry:
                cost = int(work.costs[state.beside(cell, 1 << number), number ^ 2])
                if cost < least:
                    cost += tunnel.price(s, player, work, cell, 1 << number | 1 << entry)
                if cost < least:
                    leave, least = number, cost
        if leave == NONE:
            break
        if s.tile[cell] == tiles.EMPTY:
            shapes |= int(tiles.FITS[s.need[cell]]) & int(tunnel.PASSING[1 << leave | 1 << entry])
        cell, entry = state.beside(cell, 1 << leave), leave ^ 2
        if work.costs[cell, entry] == 0:
            break
    return shapes


@rule
def usefulness(s, player, kind, plan):
    """How useful a card is: more if the plan needs it, less if the hand has several."""
    if kind == tiles.MAP and nugget_known_to(s, player) != state.UNKNOWN:
        return 0
    if kind == tiles.BONUS and s.hand[player, tiles.BONUS] > s.malus[player] + tunnel.unseen(s, player, tiles.MALUS):
        return 0
    use = KEEP[kind] - int(s.hand[player, kind])
    if kind < tiles.TILES and int(tiles.KIND_SHAPES[kind]) & plan != 0:
        use += PLANNED
    return use


@rule
def worst_card(s, player, plan):
    """The kind of the least useful card."""
    worst, least = NONE, 1000
    for kind in range(tiles.KINDS):
        if s.hand[player, kind] > 0:
            use = usefulness(s, player, kind, plan)
            if use < least:
                worst, least = kind, use
    return worst


@rule
def rate(s, player, work):
    """Write the candidate actions to `work`, with the cost that is left after each and the risk that the opponent wins
    in its next turn. Return their number. A tile that may reach the nugget is the only candidate."""
    tunnel.find_costs(s, player, work)
    before, at, second = tunnel.cheapest(s, work)
    plan = planned_shapes(s, player, work, at) if at != NONE else 0
    last = finishing_shapes(s, work, NONE)
    threat = opponent_has(s, player, work, last)
    drop = worst_card(s, player, plan)
    n = add_candidate(work, 0, DROP + drop, before + CARE * usefulness(s, player, drop, plan), threat)
    if s.malus[player] > 0 and s.hand[player, tiles.BONUS] > 0:
        n = add_candidate(work, n, CURE, before - CURING, 0.0)
    if s.hand[player, tiles.MAP] > 0 and nugget_known_to(s, player) == state.UNKNOWN:
        n = add_candidate(work, n, tunnel.map_action(s, player), before - LOOKING, threat)
    if s.hand[player, tiles.MALUS] > 0 and s.malus[1 - player] == 0:
        cost = before - (BLOCKING if before <= NEAR else 0.0) + CARE * KEEP[tiles.MALUS]
        n = add_candidate(work, n, BLOCK, cost, 0.5 * threat)
    if s.hand[player, tiles.DESTROY] > 0:
        for word in range(state.WORDS):
            cells = s.laid[word]
            while cells != 0:
                cell = word * state.BITS + lowest(cells)
                cells &= cells - 1
                if state.is_joined(s, cell, 15):
                    if threat > 0.0 and leads_to_last(s, work, cell):
                        n = add_candidate(work, n, BREAK + cell, before + REBUILD, 0.0)
                    else:
                        cost = CARE * KEEP[tiles.DESTROY] + cost_replaced(s, player, work, cell)
                        n = add_candidate(work, n, BREAK + cell, cost, threat)
    if s.malus[player] > 0:
        return n
    for word in range(state.WORDS):
        cells = s.room[word]
        while cells != 0:
            cell = word * state.BITS + lowest(cells)
            cells &= cells - 1
            fitting = int(tiles.FITS[s.need[cell]]) & int(s.shapes[player])
            if fitting == 0 or not state.is_joined(s, cell, 15):
                continue
            elsewhere = second if cell == at else before
            others = finishing_shapes(s, work, cell) if last != 0 else 0
            while fitting != 0:
                shape = lowest(fitting)
                fitting &= fitting - 1
                after = tunnel.cost_after(work, shape, cell)
                if after == 0:
                    return add_candidate(work, 0, shape * state.CELLS + cell, 0.0, 0.0)
                risk = opponent_has(s, player, work, others | finishing_beside(s, work, shape, cell))
                cost = min(after, elsewhere) + CARE * usefulness(s, player, int(tiles.KIND[shape]), plan)
                n = add_candidate(work, n, shape * state.CELLS + cell, cost, risk)
    return n


@rule(inline=True)
def add_candidate(work, n, action, cost, risk):
    """Add a candidate to the first n, if there is space; return their number."""
    if n < state.CANDIDATES:
        work.candidate[n] = action
        work.cost[n] = cost
        work.risk[n] = risk
        n += 1
    return n


@rule
def cost_replaced(s, player, work, cell):
    """The least cost of a tunnel through a cell if its tile is replaced by another."""
    least = tunnel.LOST
    for entry in range(4):
        if tunnel.comes_in(s, cell, entry):
            for leave in range(4):
                cost = int(work.costs[state.beside(cell, 1 << leave), leave ^ 2])
                if leave != entry and cost < least:
                    fitting = int(tiles.FITS[s.need[cell]]) & int(tunnel.PASSING[1 << entry | 1 << leave])
                    least = min(least, cost + tunnel.tile_price(s, player, work, fitting))
    return least


@rule
def leads_to_last(s, work, cell):
    """Whether a tunnel leads from a cell to an empty neighbour from which one tile reaches the nugget."""
    if state.has(s.reached, cell):
        for number in range(4):
            to = state.beside(cell, 1 << number)
            fits = s.tile[to] == tiles.EMPTY and tunnel.last_shapes(work, to) & int(tiles.FITS[s.need[to]]) != 0
            if fits and tunnel.comes_in(s, to, number ^ 2):
                return True
    return False


@rule
def best_candidate(work, n, alarm):
    """The index of the candidate with the least total cost, if a certain defeat costs `alarm` ticks."""
    best = 0
    for i in range(1, n):
        if total_cost(work, i, alarm) < total_cost(work, best, alarm):
            best = i
    return best


@rule(inline=True)
def total_cost(work, i, alarm):
    """The cost that is left after a candidate, and that of its risk."""
    return work.cost[i] + alarm * work.risk[i]


@rule
def means_ends(s, player, out, rng):
    """Plans the cheapest tunnel with its own cards, and plays the card with the least cost after it: a tile, a Destroy,
    a Malus, or a drop. It avoids moves after which the opponent is likely to finish the tunnel."""
    work = out.scratch
    n = rate(s, player, work)
    return int(work.candidate[best_candidate(work, n, danger(s))])


@rule
def planner(s, player, out):
    """A static check: the candidates whose cost is near that of the best, with or without the risk of a defeat."""
    work = out.scratch
    n, alarm = rate(s, player, work), danger(s)
    bold = total_cost(work, best_candidate(work, n, 0.0), 0.0) + MARGIN
    wary = total_cost(work, best_candidate(work, n, alarm), alarm) + MARGIN
    kept = 0
    for i in range(n):
        if total_cost(work, i, 0.0) < bold or total_cost(work, i, alarm) < wary:
            out.action[kept] = work.candidate[i]
            kept += 1
    return kept


CHECKS: dict[str, Rule] = {"planner": planner}
