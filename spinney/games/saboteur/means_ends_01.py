"""The first `means_ends` and its list of actions, kept for comparison: what `champion_01` searches with."""

from spinney.games.parts import Rule
from spinney.games.saboteur import state, tiles, tunnel
from spinney.games.saboteur.means_ends import (
    CARE,
    MARGIN,
    NONE,
    PLANNED,
    REBUILD,
    add_candidate,
    best_candidate,
    cost_replaced,
    finishing_shapes,
    leads_to_last,
    opponent_has,
    planned_shapes,
    total_cost,
)
from spinney.games.saboteur.rules import BLOCK, BREAK, CURE, DROP, nugget_known_to
from spinney.kernel import rule
from spinney.kernel.bits import lowest

CURING, LOOKING = 200.0, 100.0
DANGER, HURRY = 25.0, 20.0
BLOCKING, NEAR = 6.0, 24.0
KEEP = (*tiles.USE_TILES, 12, 30, 13, 15)


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
def danger(s):
    """The value in ticks of a certain defeat; it falls towards the end of the cards, where the game would be a draw."""
    left = 0.5 * (s.deck_size + s.hand_size[0] + s.hand_size[1])
    return DANGER * min(1.0, left / HURRY)


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


@rule
def means_ends(s, player, out, rng):
    """The first version of `means_ends`."""
    work = out.scratch
    n = rate(s, player, work)
    return int(work.candidate[best_candidate(work, n, danger(s))])


@rule
def planner(s, player, out):
    """The first version of `planner`."""
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


CHECKS: dict[str, Rule] = {"planner_01": planner}
