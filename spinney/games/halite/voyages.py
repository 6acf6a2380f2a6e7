"""Whole voyages for the ships of a fleet, on a copy of the map from which is taken what the others will mine.

A voyage is a chain of cells to mine, and the way home. Halite that is brought home counts against the turns it takes:
every turn has a price, which is what a ship of the fleet usually earns in one, and more if it skims the map. So a
ship stays out, or goes far, for as long as it gains more than that. The ships that carry most are planned first. Each
compares several first cells: from each the chain goes on with the best next cell until none is worth its turns.
"""

from math import exp

from spinney.games.halite.players import nearest_home
from spinney.games.halite.state import (
    CAPACITY,
    CELLS,
    EXTRACT,
    MAX_SHIPS,
    MOVE_COST,
    NONE,
    RADIUS,
    STRIDE,
    distance,
    rivals_near,
)
from spinney.kernel import Record, f64, i8, i16, i32, i64, rule
from spinney.kernel.bits import count

FIRST = 6
"""First cells that a ship compares."""
CHAIN = 12
"""Most cells of a voyage."""
REACH = 6
"""Steps in which a ship looks for its next cell; for the first, it looks at the whole map."""
TRIES = 3
"""How often a price may be lowered."""
STAYS = 0.8
"""How likely a rival who is near a cell is there a few turns later. With this, `two_near` comes close to what was
counted in a game of four planners."""
NEAR = 2 * RADIUS * (RADIUS + 1) + 1
"""Cells from which a rival inspires a ship."""
LONGEST = 12
"""Most turns on one cell."""


class Voyages(Record):
    usual = f64  # what a ship of the fleet earns in a turn
    price = f64  # of a turn of the ship that is planned
    skim = f64  # how much more that is than what a ship earns in one, in times of it
    inspiration = f64  # what an inspired cell yields more, in times of what it does otherwise
    spare = i64  # turns to be home before the end
    mean = f64
    left = i32[CELLS]  # halite when others have mined
    away = i16[CELLS]  # steps home
    near = f64[CELLS]  # how likely it is that rivals inspire here
    taken = i8[CELLS]  # 1: another ship goes there first
    done = i8[MAX_SHIPS]
    out = i32[MAX_SHIPS]  # turns since a ship was at home
    goal = i16[MAX_SHIPS]  # the cell to go to
    cargo = f64[MAX_SHIPS]  # brought home in the end
    turns = f64[MAX_SHIPS]  # that the voyage still lasts
    cell = i16[CHAIN]  # of the chain that is tried
    mined = i32[CHAIN]
    first = i16[FIRST]
    worth = f64[FIRST]
    best_cell = i16[CHAIN]
    best_mined = i32[CHAIN]
    gain = f64  # what `dig` found
    loss = i32
    stay = i32


@rule
def two_near(now, come):
    """How likely a cell with so many rivals near it has two or more a few turns later: each stays or not, and as many
    as `come` on average come."""
    all_go = (1.0 - STAYS) ** now
    one_stays = now * STAYS * (1.0 - STAYS) ** (now - 1) if now > 0 else 0.0
    return 1.0 - exp(-come) * (all_go * (1.0 + come) + one_stays)


@rule
def survey(s, v, player):
    """The map before anybody is planned."""
    v.mean = s.total / (s.size * s.size)
    come = (1.0 - STAYS) * NEAR * (s.ships - s.fleet[player]) / (s.size * s.size)
    for y in range(s.size):
        for x in range(s.size):
            cell = STRIDE * y + x
            v.left[cell] = s.halite[cell]
            v.taken[cell] = 0
            v.away[cell] = distance(s, cell, nearest_home(s, player, cell))
            v.near[cell] = 0.0
            if s.inspiration and v.inspiration > 0.0 and s.halite[cell] > 0:
                v.near[cell] = two_near(count(rivals_near(s, player, cell)), come)
    for i in range(s.ships):
        v.done[i] = 0


@rule(inline=True)
def most(v, cell, cargo, way):
    """No less than a cell is worth that is so many turns out of the way: a quarter of it, and one, for the first turn,
    nearly half for two, all for more. Where this is too little, nobody need dig."""
    room, more = CAPACITY - cargo, 1.0 + v.inspiration * v.near[cell]
    if room <= 0.0:  # a full ship does not stay
        return -v.price * way
    all_of_it = v.left[cell] * more
    one = min(room, all_of_it / 4 + more)
    two = min(room, all_of_it * 7 / 16 + 2 * more) - v.price
    three = min(room, all_of_it) - 2 * v.price
    return max(one, two, three) - v.price * (way + 1)


@rule(inline=True)
def dig(s, v, cell, cargo, limit):
    """How long to mine a cell: while a turn yields its price. Into `gain`, `loss` and `stay`: what the ship has
    more when it leaves, what the cell has less, and the turns."""
    halite, room = int(v.left[cell]), CAPACITY - cargo
    before = halite
    more = 1.0 + v.inspiration * v.near[cell]
    gain, stay = 0.0, 0
    while stay < limit and halite > 0 and gain < room:
        mined = (halite + EXTRACT - 1) // EXTRACT
        step_gain = min(room - gain, mined * more)
        if stay > 0 and step_gain + mined / MOVE_COST < v.price:
            break
        gain += step_gain
        halite -= min(mined, int(room))
        stay += 1
    v.gain = gain - halite // MOVE_COST
    v.loss = before - halite
    v.stay = stay


@rule
def chain_from(s, v, at, cargo, turns, length, most_turns):
    """Go on with a chain until no cell is worth its turns; what the voyage is worth, its cargo and its turns."""
    size = int(s.size)
    while length < CHAIN and cargo < CAPACITY - 20:
        x, y = at & (STRIDE - 1), at // STRIDE
        best, best_worth = -1, 0.0
        for dy in range(-REACH, REACH + 1):
            row = y + dy
            row += size if row < 0 else -size if row >= size else 0
            width = REACH - abs(dy)
            for dx in range(-width, width + 1):
                column = x + dx
                column += size if column < 0 else -size if column >= size else 0
                cell = row * STRIDE + column
                if cell == at or v.left[cell] * 2 < v.price or v.taken[cell]:
                    continue
                way = abs(dx) + abs(dy)
                limit = min(LONGEST, int(most_turns - turns - way - v.away[cell]))
                if limit <= 0 or most(v, cell, cargo, way + v.away[cell] - v.away[at]) < best_worth:
                    continue
                dig(s, v, cell, cargo, limit)
                gain = v.gain - (way - 1) * v.mean / MOVE_COST
                worth = gain - v.price * (way + v.stay + v.away[cell] - v.away[at])
                if worth > best_worth:
                    used = False
                    for n in range(length):
                        used |= v.cell[n] == cell
                    if not used:
                        best, best_worth = cell, worth
        if best < 0:
            break
        way = distance(s, at, best)
        dig(s, v, best, cargo, min(LONGEST, int(most_turns - turns - way - v.away[best])))
        v.cell[length] = best
        v.mined[length] = v.loss
        cargo = min(float(CAPACITY), cargo + v.gain - (way - 1) * v.mean / MOVE_COST)
        turns += way + v.stay
        at = best
        length += 1
    home = v.away[at]
    return length, cargo - max(0, home - 1) * v.mean / MOVE_COST, turns + home


@rule
def plan_ship(s, v, i):
    """The best voyage of one ship; what it will mine is taken from the map. A ship that cannot earn the usual price
    looks for what earns most."""
    v.price = v.usual * (1.0 + v.skim)
    length = voyage(s, v, i)
    for _ in range(TRIES):
        rate = v.cargo[i] / max(1.0, v.out[i] + v.turns[i]) * (1.0 + v.skim)
        if rate >= 0.95 * v.price:
            break
        v.price = max(0.5, rate)
        length = voyage(s, v, i)
    for m in range(length):
        v.left[v.best_cell[m]] -= v.best_mined[m]
    if length:
        v.taken[v.best_cell[0]] = 1


@rule
def voyage(s, v, i):
    """The best voyage of one ship at a price; the number of its cells."""
    here, cargo = int(s.cell[i]), float(s.cargo[i])
    most_turns = s.turns - s.turn - v.spare
    size = int(s.size)
    for n in range(FIRST):
        v.first[n] = NONE
        v.worth[n] = -1e18
    for y in range(size):
        for x in range(size):
            cell = STRIDE * y + x
            if v.left[cell] * 2 < v.price or v.taken[cell]:
                continue
            way = distance(s, here, cell)
            limit = min(LONGEST, int(most_turns - way - v.away[cell]))
            if limit <= 0 or most(v, cell, cargo, way + v.away[cell] - v.away[here]) < v.worth[FIRST - 1]:
                continue
            dig(s, v, cell, cargo, limit)
            worth = v.gain - way * v.mean / MOVE_COST - v.price * (way + v.stay + v.away[cell] - v.away[here])
            if worth > v.worth[FIRST - 1]:
                n = FIRST - 1
                while n > 0 and worth > v.worth[n - 1]:
                    v.worth[n] = v.worth[n - 1]
                    v.first[n] = v.first[n - 1]
                    n -= 1
                v.worth[n] = worth
                v.first[n] = cell
    home = v.away[here]
    best_length, best_cargo, best_turns = 0, cargo - max(0, home - 1) * v.mean / MOVE_COST, float(home)
    best = best_cargo - v.price * best_turns if cargo > 0 else -1e17
    for n in range(FIRST):
        first = int(v.first[n])
        if first == NONE:
            break
        way = distance(s, here, first)
        dig(s, v, first, cargo, min(LONGEST, int(most_turns - way - v.away[first])))
        v.cell[0] = first
        v.mined[0] = v.loss
        carried = min(float(CAPACITY), cargo + v.gain - way * v.mean / MOVE_COST)
        length, carried, turns = chain_from(s, v, first, carried, float(way + v.stay), 1, most_turns)
        worth = carried - v.price * turns
        if worth > best:
            best, best_length, best_cargo, best_turns = worth, length, carried, turns
            for m in range(length):
                v.best_cell[m] = v.cell[m]
                v.best_mined[m] = v.mined[m]
    v.goal[i] = v.best_cell[0] if best_length else NONE
    v.cargo[i] = best_cargo
    v.turns[i] = best_turns
    return best_length


def make_plan():
    """What plans a fleet."""

    def plan(s, v, player):
        """A voyage for each ship of a player, those with most cargo first; a goal of NONE is home."""
        survey(s, v, player)
        while True:
            fullest = -1
            for i in range(s.ships):
                if s.player[i] == player and v.done[i] == 0 and (fullest < 0 or s.cargo[i] > s.cargo[fullest]):
                    fullest = i
            if fullest < 0:
                break
            v.done[fullest] = 1
            plan_ship(s, v, fullest)

    return plan
