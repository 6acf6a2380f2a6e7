"""New ships and dropoffs of a fleet."""

from math import exp

from spinney.games.halite import state
from spinney.games.halite.rules import can_spawn
from spinney.kernel import rule

AROUND = 7
"""The steps in each direction of the neighbourhood of a dropoff."""


@rule
def around(s, a, cell):
    """The halite around a site that is nearer to it than to a structure."""
    size = int(s.size)
    reach = min(AROUND, (size - 1) // 2)
    x, y = cell & (state.STRIDE - 1), cell // state.STRIDE
    total = 0
    for dy in range(-reach, reach + 1):
        row = (y + dy) % size
        for dx in range(-reach, reach + 1):
            there = row * state.STRIDE + (x + dx) % size
            if abs(dx) + abs(dy) < a.away[there]:
                total += s.halite[there]
    return total


@rule
def choose_site(s, a, player):
    """The best site for a dropoff, or NONE. `away` is without a site."""
    best, most = state.NONE, 0.0
    size = int(s.size)
    for y in range(size):
        for x in range(size):
            cell = state.STRIDE * y + x
            if s.owner[cell] != state.NONE or a.away[cell] < a.apart:
                continue
            near, allowed = 10**6, True
            for other in range(s.players):
                if other != player:
                    if state.distance(s, cell, int(s.yard[other])) < a.away[cell]:
                        allowed = False
            for k in range(s.dropoffs):
                if s.owner[s.dropoff[k]] != player:
                    near = min(near, state.distance(s, cell, int(s.dropoff[k])))
            if not allowed or near <= 4:
                continue
            total = around(s, a, cell)
            if total < a.around:
                continue
            mean = 0.0
            for n in range(a.ships):
                mean += state.distance(s, int(s.cell[a.own[n]]), cell)
            value = total * exp(-a.drift * mean / max(1, a.ships))
            if value > most:
                best, most = cell, value
    return best


@rule
def wants_dropoff(s, a, player):
    """Whether the fleet is large enough for another dropoff, and there is time."""
    built = s.built[player]
    if built >= state.MAX_DROPOFFS // s.players or s.turns - s.turn < 75:
        return False
    return a.ships >= a.first + a.each * built


@rule
def find_builder(s, a):
    """The ship that is nearest to the site."""
    best, least = state.NONE, 10**6
    for n in range(a.ships):
        i = int(a.own[n])
        steps = state.distance(s, int(s.cell[i]), int(a.site)) * 1000 - s.cargo[i]
        if steps < least:
            best, least = n, steps
    return best


@rule
def wants_ship(s, a, player):
    """Whether to spawn a ship."""
    if not can_spawn(s, player) or s.turns - s.turn < a.last_ship:
        return False
    money = s.treasury[player] - s.spent[player]
    if money < state.SHIP_COST + (state.DROPOFF_COST if a.saving else 0):
        return False
    if a.follow > 0.0 and a.ships < s.ships:
        most = 0
        for other in range(s.players):
            if other != player:
                most = max(most, s.fleet[other])
        if a.ships > most + a.follow:
            return False
    if a.ships and s.total < a.per_ship * a.ships:
        return False
    yard = int(s.yard[player])
    if a.holder[yard] != state.NONE:
        return False
    there = int(s.ship[yard])
    return there == state.NONE or s.player[there] == player
