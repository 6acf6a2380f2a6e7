"""New ships and dropoffs of a fleet."""

from math import exp

from spinney.games.halite import state
from spinney.games.halite.rules import can_spawn
from spinney.kernel import rule

AROUND = 7
"""The steps in each direction to the cells around a site."""
RICH = 25_000
"""The least halite there, of cells that would then be nearer home."""
APART = 9
"""The least distance of a site from own structures, and from those of rivals."""
APART_FROM_RIVALS = 5
DRIFT = 0.04
"""What each step of the fleet's mean distance takes from the value of a site, as a part of it."""
LAST_DROPOFF = 75
"""No dropoff is wanted in the last turns of the game."""
FIRST = 0.85
"""The number of ships for the first dropoff, as a part of that for each further one; with more than two players, for
whom neighbours come early, FEWER of them on small maps."""
PER_SHIP = 2500
"""The halite on the map, per own ship, with which the last ships are bought; less with more than two players."""
PER_SHIP_OF_MANY = 2000
LAST_SHIP = 140
"""No ship is bought in the last turns of the game; it would not earn its price."""
LAST_SHIP_OF_MANY = 200


@rule
def wants_dropoff(s, a, player):
    """Whether the fleet is large enough for another dropoff, and there is time."""
    built = int(s.built[player])
    if built >= state.MAX_DROPOFFS // s.players or s.turns - s.turn < LAST_DROPOFF:
        return False
    first = FIRST * a.dropoffs
    if s.players > 2:
        first = min(first, max(0.55 * a.dropoffs, first * (s.size + 4) / 68.0))
    return a.ships >= first + a.dropoffs * built


@rule
def around(s, a, cell):
    """The halite around a site that is nearer to it than to a structure."""
    size = int(s.size)
    reach = min(AROUND, (size - 1) // 2)
    x, y = cell & (state.STRIDE - 1), cell // state.STRIDE
    total = 0
    for dy in range(-reach, reach + 1):
        row = state.STRIDE * ((y + dy) % size)
        for dx in range(-reach, reach + 1):
            near = row + (x + dx) % size
            if abs(dx) + abs(dy) < a.away[near]:
                total += s.halite[near]
    return total


@rule
def is_site(s, a, player, cell):
    """Whether a dropoff is allowed on a cell, and useful."""
    if s.owner[cell] != state.NONE or a.away[cell] < APART:
        return False
    for other in range(s.players):
        if other != player and state.distance(s, cell, int(s.yard[other])) < a.away[cell]:
            return False
    for k in range(s.dropoffs):
        at = int(s.dropoff[k])
        if s.owner[at] != player and state.distance(s, cell, at) < APART_FROM_RIVALS:
            return False
    return True


@rule
def choose_site(s, a, player):
    """The best site for a dropoff, or NONE: anywhere with much halite around, not too far from the fleet."""
    best, most = state.NONE, 0.0
    for y in range(s.size):
        for x in range(s.size):
            cell = state.STRIDE * y + x
            if not is_site(s, a, player, cell):
                continue
            total = around(s, a, cell)
            if total < RICH:
                continue
            steps = 0
            for n in range(a.ships):
                steps += state.distance(s, int(s.cell[a.own[n]]), cell)
            value = total * exp(-DRIFT * steps / max(1, a.ships))
            if value > most:
                best, most = cell, value
    return best


@rule
def builder(s, a):
    """The place of the ship that is nearest to the site; of several, that with the most cargo, which is paid in."""
    best, least = state.NONE, 10**9
    for n in range(a.ships):
        i = int(a.own[n])
        value = state.distance(s, int(s.cell[i]), int(a.site)) * (state.CAPACITY + 1) - s.cargo[i]
        if value < least:
            best, least = n, value
    return best


@rule
def wants_ship(s, a, player):
    """Whether to buy a ship: while there is enough halite for each, and the yard is free."""
    reserve = state.DROPOFF_COST if a.saving else 0
    if not can_spawn(s, player) or s.treasury[player] - s.spent[player] < state.SHIP_COST + reserve:
        return False
    many = s.players > 2
    if s.turns - s.turn < (LAST_SHIP_OF_MANY if many else LAST_SHIP):
        return False
    if s.total < (PER_SHIP_OF_MANY if many else PER_SHIP) * a.ships:
        return False
    if a.follow > 0.0 and a.ships >= most_rivals(s, player) + a.follow:
        return False
    yard = int(s.yard[player])
    on_it = int(s.ship[yard])
    return a.holder[yard] == state.NONE and (on_it == state.NONE or s.player[on_it] == player)


@rule
def most_rivals(s, player):
    """The number of ships of the largest other fleet."""
    most = 0
    for other in range(s.players):
        if other != player:
            most = max(most, int(s.fleet[other]))
    return most
