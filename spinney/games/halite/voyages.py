"""Whole voyages for the ships of a fleet, on a copy of the map without the halite that other ships will mine.

A voyage is a chain of cells to mine, and the way home. Its value is the halite that it brings home less a price for
every turn: the mean income per turn of the fleet's ships, raised by the option `skim`. Thus a ship stays out, or goes
far, as long as it gains more than that. The ships with the most cargo are planned first. Each compares several first
cells; from each of them the chain is extended greedily by the best next cell, as long as that has a positive value.
"""

from math import exp

from spinney.games.halite import state
from spinney.games.halite.players import nearest_home
from spinney.kernel import Record, f64, i8, i16, i32, i64, rule
from spinney.kernel.bits import count

FIRST = 6
"""The number of first cells that a ship compares."""
CHAIN = 12
"""The most cells of a voyage."""
REACH = 6
"""The distance within which the next cell is searched; the first cell may be anywhere on the map."""
TRIES = 3
"""The most times that a price is lowered."""
STAYS = 0.8
"""The probability that a rival near a cell is still there a few turns later. With this, `two_near` agrees with counts
from a game of four planners."""
NEAR = 2 * state.RADIUS * (state.RADIUS + 1) + 1
"""The number of cells from which a rival inspires a ship."""
LONGEST = 12
"""The most turns on one cell."""


class Voyages(Record):
    """The map, the voyages of all ships, and working memory."""

    income = f64  # mean income of a ship per turn
    price = f64  # price of a turn for the ship that is planned
    skim = f64  # the price is 1 + skim times the income
    inspiration = f64  # additional yield of an inspired cell, as a multiple of its yield
    spare = i64  # number of turns before the end at which ships are home
    mean = f64  # mean halite of a cell
    left = i32[state.CELLS]  # halite after the voyages that are planned
    away = i16[state.CELLS]  # steps home
    near = f64[state.CELLS]  # probability that rivals inspire a ship here
    taken = i8[state.CELLS]  # 1: first cell of another voyage
    done = i8[state.MAX_SHIPS]  # 1: the ship is planned
    out = i32[state.MAX_SHIPS]  # turns since the ship was at home
    goal = i16[state.MAX_SHIPS]  # first cell of the voyage, or NONE: home
    cargo = f64[state.MAX_SHIPS]  # cargo that the voyage brings home
    turns = f64[state.MAX_SHIPS]  # turns that are left of the voyage
    cell = i16[CHAIN]  # the chain that is tried, and the halite that it takes from each cell
    mined = i32[CHAIN]
    first = i16[FIRST]  # the best first cells and their values
    value = f64[FIRST]
    best_cell = i16[CHAIN]  # the best chain
    best_mined = i32[CHAIN]
    gain = f64  # results of `dig`
    loss = i32
    stay = i32


@rule
def two_near(now, come):
    """The probability that a cell with `now` rivals near it has two or more a few turns later: each of them stays with
    the probability STAYS, and the number of new ones has a Poisson distribution with the mean `come`."""
    all_go = (1.0 - STAYS) ** now
    one_stays = now * STAYS * (1.0 - STAYS) ** (now - 1) if now > 0 else 0.0
    return 1.0 - exp(-come) * (all_go * (1.0 + come) + one_stays)


@rule
def prepare(s, v, player):
    """Set up the map before the first ship is planned."""
    v.mean = s.total / (s.size * s.size)
    come = (1.0 - STAYS) * NEAR * (s.ships - s.fleet[player]) / (s.size * s.size)
    for y in range(s.size):
        for x in range(s.size):
            cell = state.STRIDE * y + x
            v.left[cell] = s.halite[cell]
            v.taken[cell] = 0
            v.away[cell] = state.distance(s, cell, nearest_home(s, player, cell))
            v.near[cell] = 0.0
            if s.inspiration and v.inspiration > 0.0 and s.halite[cell] > 0:
                v.near[cell] = two_near(count(state.rivals_near(s, player, cell)), come)
    for i in range(s.ships):
        v.done[i] = 0


@rule(inline=True)
def most(v, cell, cargo, way):
    """An upper bound of the value of a cell that costs `way` turns: a quarter of its halite plus one for the first
    turn, nearly half for two, all for more. If the bound is too low, `dig` is not needed."""
    room, more = state.CAPACITY - cargo, 1.0 + v.inspiration * v.near[cell]
    if room <= 0.0:  # a full ship does not stay
        return -v.price * way
    all_of_it = v.left[cell] * more
    one = min(room, all_of_it / 4 + more)
    two = min(room, all_of_it * 7 / 16 + 2 * more) - v.price
    three = min(room, all_of_it) - 2 * v.price
    return max(one, two, three) - v.price * (way + 1)


@rule(inline=True)
def dig(s, v, cell, cargo, limit):
    """Mine a cell as long as a turn yields its price. Set `gain`, `loss` and `stay`: the cargo that the ship gains
    until it leaves, the halite that the cell loses, and the number of turns."""
    halite, room = int(v.left[cell]), state.CAPACITY - cargo
    before = halite
    more = 1.0 + v.inspiration * v.near[cell]
    gain, stay = 0.0, 0
    while stay < limit and halite > 0 and gain < room:
        mined = (halite + state.EXTRACT - 1) // state.EXTRACT
        step_gain = min(room - gain, mined * more)
        if stay > 0 and step_gain + mined / state.MOVE_COST < v.price:
            break
        gain += step_gain
        halite -= min(mined, int(room))
        stay += 1
    v.gain = gain - halite // state.MOVE_COST
    v.loss = before - halite
    v.stay = stay


@rule
def chain_from(s, v, at, cargo, turns, length, most_turns):
    """Extend a chain while a cell has a positive value. Return its length, cargo and turns, with the way home."""
    size = int(s.size)
    while length < CHAIN and cargo < state.CAPACITY - 20:
        x, y = at & (state.STRIDE - 1), at // state.STRIDE
        best, best_value = -1, 0.0
        for dy in range(-REACH, REACH + 1):
            row = y + dy
            row += size if row < 0 else -size if row >= size else 0
            width = REACH - abs(dy)
            for dx in range(-width, width + 1):
                column = x + dx
                column += size if column < 0 else -size if column >= size else 0
                cell = row * state.STRIDE + column
                if cell == at or v.left[cell] * 2 < v.price or v.taken[cell]:
                    continue
                way = abs(dx) + abs(dy)
                limit = min(LONGEST, int(most_turns - turns - way - v.away[cell]))
                if limit <= 0 or most(v, cell, cargo, way + v.away[cell] - v.away[at]) < best_value:
                    continue
                dig(s, v, cell, cargo, limit)
                gain = v.gain - (way - 1) * v.mean / state.MOVE_COST
                value = gain - v.price * (way + v.stay + v.away[cell] - v.away[at])
                if value > best_value:
                    used = False
                    for n in range(length):
                        used |= v.cell[n] == cell
                    if not used:
                        best, best_value = cell, value
        if best < 0:
            break
        way = state.distance(s, at, best)
        dig(s, v, best, cargo, min(LONGEST, int(most_turns - turns - way - v.away[best])))
        v.cell[length] = best
        v.mined[length] = v.loss
        cargo = min(float(state.CAPACITY), cargo + v.gain - (way - 1) * v.mean / state.MOVE_COST)
        turns += way + v.stay
        at = best
        length += 1
    home = v.away[at]
    return length, cargo - max(0, home - 1) * v.mean / state.MOVE_COST, turns + home


@rule
def plan_ship(s, v, i):
    """Plan a ship's best voyage, at a lower price if it cannot earn the price, and take what it mines from the map."""
    v.price = v.income * (1.0 + v.skim)
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
    """Find the best voyage of one ship at the current price. Return the number of its cells."""
    here, cargo = int(s.cell[i]), float(s.cargo[i])
    most_turns = s.turns - s.turn - v.spare
    size = int(s.size)
    for n in range(FIRST):
        v.first[n] = state.NONE
        v.value[n] = -1e18
    for y in range(size):
        for x in range(size):
            cell = state.STRIDE * y + x
            if v.left[cell] * 2 < v.price or v.taken[cell]:
                continue
            way = state.distance(s, here, cell)
            limit = min(LONGEST, int(most_turns - way - v.away[cell]))
            if limit <= 0 or most(v, cell, cargo, way + v.away[cell] - v.away[here]) < v.value[FIRST - 1]:
                continue
            dig(s, v, cell, cargo, limit)
            value = v.gain - way * v.mean / state.MOVE_COST - v.price * (way + v.stay + v.away[cell] - v.away[here])
            if value > v.value[FIRST - 1]:
                n = FIRST - 1
                while n > 0 and value > v.value[n - 1]:
                    v.value[n] = v.value[n - 1]
                    v.first[n] = v.first[n - 1]
                    n -= 1
                v.value[n] = value
                v.first[n] = cell
    home = v.away[here]
    best_length, best_cargo, best_turns = 0, cargo - max(0, home - 1) * v.mean / state.MOVE_COST, float(home)
    best = best_cargo - v.price * best_turns if cargo > 0 else -1e17
    for n in range(FIRST):
        first = int(v.first[n])
        if first == state.NONE:
            break
        way = state.distance(s, here, first)
        dig(s, v, first, cargo, min(LONGEST, int(most_turns - way - v.away[first])))
        v.cell[0] = first
        v.mined[0] = v.loss
        carried = min(float(state.CAPACITY), cargo + v.gain - way * v.mean / state.MOVE_COST)
        length, carried, turns = chain_from(s, v, first, carried, float(way + v.stay), 1, most_turns)
        value = carried - v.price * turns
        if value > best:
            best, best_length, best_cargo, best_turns = value, length, carried, turns
            for m in range(length):
                v.best_cell[m] = v.cell[m]
                v.best_mined[m] = v.mined[m]
    v.goal[i] = v.best_cell[0] if best_length else state.NONE
    v.cargo[i] = best_cargo
    v.turns[i] = best_turns
    return best_length


def make_plan():
    """The function that plans a fleet."""

    def plan(s, v, player):
        """Plan a voyage for each ship of a player, those with the most cargo first."""
        prepare(s, v, player)
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
