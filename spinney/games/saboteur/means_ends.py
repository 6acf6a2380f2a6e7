"""A player that plans the cheapest tunnel to the nugget, and rates every card by its use for that plan."""

import numpy as np

from spinney.games.parts import Rule
from spinney.games.saboteur import state, tiles, tunnel
from spinney.games.saboteur.rules import BLOCK, BREAK, CURE, DROP, nugget_known_to
from spinney.kernel import assign, rule
from spinney.kernel.bits import lowest

NONE = -1
LONGEST = 30
"""The most cells of a plan."""
CURING, LOOKING = 30.0, 20.0
"""The value in ticks of a Bonus and of a Map where they can be used."""
DANGER = 60.0
"""The value in ticks of a certain defeat in the opponent's next turn."""
HURRY = 80.0
"""The number of turns left in the cards, times the opponent's carelessness, below which a defeat counts less."""
FINDING = 8.0
"""The value in ticks of a tile that reaches the nugget, if it is there."""
BLOCKING = 6.0
NEAR = 20.0
"""The cost of the cheapest tunnel, in ticks, at which it is time to block the opponent."""
REBUILD = 6.0
"""Ticks for replacing a destroyed tile of the tunnel."""
PLANNED = 12
ABOVE = state.cell_at(5, 0)
"""Cells with lower numbers are above the entrance."""
DEAD_END = np.array([tiles.THROUGH[i] == 0 or tiles.SIDES[i] in (1, 2, 4, 8) for i in range(tiles.SHAPES)], np.int64)
MARGIN = 3.0
"""`planner` lists actions that cost less than this, in ticks, above the best."""
FOUND = 2.0
"""Instead of a risk: the tile may reach the nugget, and is yet to be rated."""
FEWEST = 3
"""The fewest actions that `planner` lists, if there are as many."""
KEPT = 1e6
"""A cost that marks what `planner` has listed."""
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
def finishing_beyond(s, work, shape, cell):
    """The shapes that would reach the nugget with one tile from where a tunnel through a new tile leads: on a cell next
    to it, or next to the tiles and objectives that it connects."""
    shapes, n, i = 0, 0, 0
    if tiles.THROUGH[shape]:
        work.queue[0] = cell
        n = 1
    while i < n:
        at = int(work.queue[i])
        open_sides = int(tiles.SIDES[shape]) if at == cell else state.sides_of(s, at)
        i += 1
        for number in range(4):
            side = 1 << number
            to = state.beside(at, side)
            if open_sides & side == 0 or to == cell:
                continue
            if s.tile[to] == tiles.EMPTY:
                shapes |= tunnel.last_shapes(work, to) & int(tiles.FITS[s.need[to] | tiles.opposite(side)])
            elif (
                state.sides_of(s, to) & tiles.opposite(side) and state.leads_on(s, to) and not state.has(s.reached, to)
            ):
                known = False
                for j in range(n):
                    known = known or work.queue[j] == to
                if not known:
                    work.queue[n] = to
                    n += 1
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
    """The value in ticks of a certain defeat. It falls towards the end of the cards against an opponent who is
    careless: there the game would be a draw."""
    left = 0.5 * (s.deck_size + s.hand_size[0] + s.hand_size[1])
    return DANGER * min(1.0, left / (HURRY * carelessness(s)))


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
            shapes |= int(tiles.FITS[s.need[cell]]) & int(tiles.PASSING[1 << leave | 1 << entry])
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
    use = tiles.USE[kind] - int(s.hand[player, kind])
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
    in its next turn. Return their number. A tile that reaches the nugget for sure is the only candidate."""
    tunnel.find_costs(s, player, work)
    before, at, second = tunnel.cheapest(s, work)
    plan = planned_shapes(s, player, work, at) if at != NONE else 0
    last = finishing_shapes(s, work, NONE)
    threat = opponent_has(s, player, work, last)
    drop = worst_card(s, player, plan)
    n = add_candidate(work, 0, DROP + drop, before + CARE * usefulness(s, player, drop, plan), threat)
    if s.malus[player] > 0 and s.hand[player, tiles.BONUS] > 0:
        n = add_candidate(work, n, CURE, before - CURING, threat)
    if s.hand[player, tiles.MAP] > 0 and nugget_known_to(s, player) == state.UNKNOWN:
        n = add_candidate(work, n, tunnel.map_action(s, player), before - LOOKING, threat)
    if s.hand[player, tiles.MALUS] > 0 and s.malus[1 - player] == 0:
        cost = before - (BLOCKING if before <= NEAR else 0.0) + CARE * tiles.USE[tiles.MALUS]
        n = add_candidate(work, n, BLOCK, cost, 0.5 * threat)
    if s.hand[player, tiles.DESTROY] > 0:
        n = rate_breaks(s, player, work, n, before, threat)
    if s.malus[player] > 0:
        return n
    first, finding = n, 0
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
                cost, risk = CARE * usefulness(s, player, int(tiles.KIND[shape]), plan), FOUND
                if after > 0:
                    cost += min(after, elsewhere)
                    risk = opponent_has(s, player, work, others | finishing_beyond(s, work, shape, cell))
                elif tunnel.targets(s, player) == 1:
                    return add_candidate(work, 0, shape * state.CELLS + cell, 0.0, 0.0)
                else:
                    finding += 1
                n = add_candidate(work, n, shape * state.CELLS + cell, cost, risk)
    if finding > 0:
        for i in range(first, n):
            if work.risk[i] == FOUND:
                rate_finding(s, player, work, i)
    return n


@rule
def rate_breaks(s, player, work, n, before, threat):
    """Add the tiles to destroy: those on a shorter way, and those that lead to where the opponent could win. The risk
    is that on the board without them. Return the number of candidates."""
    for word in range(state.WORDS):
        cells = s.laid[word]
        while cells != 0:
            cell = word * state.BITS + lowest(cells)
            cells &= cells - 1
            if state.is_joined(s, cell, 15):
                cost = cost_replaced(s, player, work, cell)
                if cost < before or (threat > 0.0 and leads_to_last(s, work, cell)):
                    assign(work.board, s)
                    state.destroy(work.board, cell)
                    risk = opponent_has(s, player, work, finishing_shapes(work.board, work, NONE))
                    cost = min(cost, before + REBUILD) + CARE * tiles.USE[tiles.DESTROY]
                    n = add_candidate(work, n, BREAK + cell, cost, risk)
    return n


@rule
def rate_finding(s, player, work, i):
    """Rate a tile that reaches some of the places where the nugget may be: by the chance that it is there, and by the
    position if it is not."""
    places, action = tunnel.targets(s, player), int(work.candidate[i])
    assign(work.board, s)
    work.board.nugget = state.UNKNOWN
    state.lay(work.board, action % state.CELLS, action // state.CELLS)
    missed = tunnel.targets(work.board, player) / places
    work.cost[i] = (missed - 1.0) * FINDING + missed * work.cost[i]
    work.risk[i] = 0.0
    if missed > 0.0:
        tunnel.find_costs(work.board, player, work)
        cost, _, _ = tunnel.cheapest(work.board, work)
        work.cost[i] += missed * cost
        work.risk[i] = missed * opponent_has(s, player, work, finishing_shapes(work.board, work, NONE))


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
                    fitting = int(tiles.FITS[s.need[cell]]) & int(tiles.PASSING[1 << entry | 1 << leave])
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
    """A static check: the candidates whose cost is near that of the best, with or without the risk of a defeat, and at
    least some of the best, unless one wins for sure. Where there are too few, other cards may be dropped."""
    work = out.scratch
    n, alarm = rate(s, player, work), danger(s)
    if n == 1 and work.cost[0] == 0.0:
        out.action[0] = work.candidate[0]
        return 1
    bold = total_cost(work, best_candidate(work, n, 0.0), 0.0) + MARGIN
    wary = total_cost(work, best_candidate(work, n, alarm), alarm) + MARGIN
    kept = 0
    for i in range(n):
        if total_cost(work, i, 0.0) < bold or total_cost(work, i, alarm) < wary:
            keep(out, kept, i)
            kept += 1
    while kept < min(FEWEST, n):
        keep(out, kept, best_candidate(work, n, alarm))
        kept += 1
    for kind in range(tiles.KINDS):
        if kept < FEWEST and s.hand[player, kind] > 0 and DROP + kind != work.candidate[0]:
            out.action[kept] = DROP + kind
            kept += 1
    return kept


@rule(inline=True)
def keep(out, kept, i):
    """Write a candidate to the actions of a check; it is the best no more."""
    out.action[kept] = out.scratch.candidate[i]
    out.scratch.cost[i] = KEPT


CHECKS: dict[str, Rule] = {"planner": planner}
