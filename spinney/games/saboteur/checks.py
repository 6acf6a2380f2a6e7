"""The actions that are worth a search for who wants to reach the nugget."""

from spinney.games.card import Rule
from spinney.games.saboteur.means_ends import danger, least_of, toll, weigh
from spinney.games.saboteur.players import best_break, distance, measure, missing_after, worst_card
from spinney.games.saboteur.rules import BLOCK, CURE, DROP, nugget_known_to
from spinney.games.saboteur.state import BITS, CELLS, UNKNOWN, WORDS, is_joined
from spinney.games.saboteur.tiles import BONUS, FITS, MALUS, MAP, SIDES
from spinney.games.saboteur.tunnel import look
from spinney.kernel import rule
from spinney.kernel.bits import lowest

DETOUR = 1.0
"""Tiles that a way may be longer than the shortest one to be looked at."""
MARGIN = 3.0
"""Ticks that an action may cost more than the best to be looked at."""


@rule
def builder(s, player, out):
    """Tiles on the shortest ways, or nearly; a look while the nugget is unknown, a cure, a block if the other is free,
    a Destroy that opens a shorter way, and the least useful card to drop."""
    measure(s, player, out)
    least = distance(s, out)
    n = 0
    drop = DROP + worst_card(s, player)
    broken, without = best_break(s, player, out)
    # measuring is over before the first action is written: the weights stay, the actions served as a queue
    if s.malus[player] == 0:
        for word in range(WORDS):
            cells = s.room[word]
            while cells != 0:
                cell = word * BITS + lowest(cells)
                cells &= cells - 1
                if out.weight[cell] > least + DETOUR or not is_joined(s, cell, 15):
                    continue
                fitting = int(FITS[s.need[cell]]) & int(s.shapes[player])
                while fitting != 0:
                    shape = lowest(fitting)
                    fitting &= fitting - 1
                    if not is_joined(s, cell, int(SIDES[shape])):
                        continue
                    beyond = missing_after(out, shape, cell)
                    if beyond < least + DETOUR:
                        out.action[n] = shape * CELLS + cell
                        n += 1
    if s.hand[player, MAP] > 0 and nugget_known_to(s, player) == UNKNOWN:
        out.action[n] = look(s, player)
        n += 1
    if s.hand[player, BONUS] > 0 and s.malus[player] > 0:
        out.action[n] = CURE
        n += 1
    if s.hand[player, MALUS] > 0 and s.malus[1 - player] == 0:
        out.action[n] = BLOCK
        n += 1
    if without < least:
        out.action[n] = broken
        n += 1
    out.action[n] = drop
    return n + 1


@rule
def planner(s, player, out):
    """What `means_ends` would do, and all that it takes for nearly as good, whether or not it minds the other."""
    n, alarm = weigh(s, player, out), danger(s)
    bold = toll(out, least_of(out, n, 0.0), 0.0) + MARGIN
    wary = toll(out, least_of(out, n, alarm), alarm) + MARGIN
    kept = 0
    for i in range(n):
        if toll(out, i, 0.0) < bold or toll(out, i, alarm) < wary:
            out.action[kept] = int(out.weight[i])
            kept += 1
    return kept


CHECKS: dict[str, Rule] = {"builder": builder, "planner": planner}
