"""What a fleet's orders are made from: a map of the position that its player sees, and working memory.

A chart is made anew in every turn. It keeps a few facts from turn to turn: which ships are on their way home, the site
of the next dropoff, and how rivals have behaved.
"""

from spinney.games.halite import state
from spinney.kernel import Record, f64, i8, i16, i32, rule
from spinney.kernel.bits import count

IDS = 2**15
BEST = 16
"""The number of targets that a ship lists."""
ORDERS = state.WEST + 1
FAR = 10**6
"""More halite than any way burns."""
REACH = 8
"""The distance within which ships count as near."""
MOST_CHANCES = 256
INSPIRED = 3.0
"""The yield of an inspired cell, as a multiple of that of another."""
MINE, HOME, BUILD = range(3)
"""The duties of ships."""
ON_THE_WAY, LATE = 1, 2
"""Of a ship: on its way home until it is there; and because the game ends, so that it may meet others there."""


class Chart(Record):
    """One player's map of a turn, its options, and working memory."""

    # the options of the admiral
    leave = f64
    thrift = f64
    dropoffs = f64
    ram = f64
    caution = f64
    follow = f64
    # from turn to turn
    turn = i16  # the last turn with orders, or NONE
    income = f64  # what a ship expects to earn in a turn
    site = i16  # the cell of the next dropoff, or NONE
    homeward = i8[IDS]  # by id: ON_THE_WAY, LATE or 0
    chances = i16  # rivals that might have rammed in the last turn: their ids, the cells, the players
    chance_id = i16[MOST_CHANCES]
    chance_cell = i16[MOST_CHANCES]
    chance_of = i8[MOST_CHANCES]
    tried = f64[state.MAX_PLAYERS]  # the chances of each player so far, and how many it used
    hits = f64[state.MAX_PLAYERS]
    rams = f64[state.MAX_PLAYERS]  # the probability that it uses one
    # of this turn
    mean = f64  # mean halite of a cell
    ships = i16
    own = i16[state.MAX_SHIPS]  # the player's ships; arrays of MAX_SHIPS are by their places here
    saving = i8  # 1: a dropoff is wanted
    away = i16[state.CELLS]  # steps to the next structure, the site being one
    home = i16[state.CELLS]  # the same, the site being one only if it will soon be paid
    home_burn = i32[state.CELLS]  # the least halite burnt on a shortest way there
    yields = f64[state.CELLS]  # halite of each cell, as a ship of the player mines it
    balance = i16[state.CELLS]  # own ships near a cell, less rivals
    beside = i8[state.CELLS]  # 1: a rival is there or may go there
    queue = i16[state.CELLS]
    way = i32[state.CELLS]  # the least halite burnt on a shortest way from a ship, or to its goal
    duty = i8[state.MAX_SHIPS]  # MINE, HOME or BUILD
    goal = i16[state.MAX_SHIPS]  # where a ship that mines goes: its own cell to stay
    rate = f64[state.MAX_SHIPS]  # what it gains there in a turn of its trip
    options = i16[state.MAX_SHIPS]  # its best targets, the first ones that it has asked for, and their rates
    asked = i16[state.MAX_SHIPS]
    option = i16[state.MAX_SHIPS, BEST]
    worth = f64[state.MAX_SHIPS, BEST]
    again = i8[state.MAX_SHIPS]  # 1: the list is that of cells that no ship has
    held = i16[state.CELLS]  # the ship whose target a cell is, or NONE
    waiting = i16[state.MAX_SHIPS]
    use = f64[state.MAX_SHIPS, ORDERS]  # utilities of orders, and the cells that they lead to
    to = i16[state.MAX_SHIPS, ORDERS]
    chosen = i8[state.MAX_SHIPS]  # the order
    crashes = i8[state.MAX_SHIPS]  # 1: the ship enters a structure whoever else does
    holder = i16[state.CELLS]  # the ship that is on a cell after the orders, NONE, or MANY
    cost = f64[state.MAX_SHIPS]  # of the search for room: costs, the ships and orders on the way, the queue
    via = i16[state.MAX_SHIPS]
    by = i8[state.MAX_SHIPS]
    queued = i8[state.MAX_SHIPS]
    ring = i16[state.MAX_SHIPS]


@rule
def begin_game(s, a):
    """Forget an earlier game."""
    for number in range(IDS):
        a.homeward[number] = 0
    for player in range(state.MAX_PLAYERS):
        a.hits[player] = 0.0
        a.tried[player] = 0.0
    a.chances = 0
    a.site = state.NONE
    a.income = 0.08 * s.total / (s.size * s.size)


@rule
def survey(s, a, player):
    """The player's ships, and the yields of cells."""
    a.mean = max(1.0, s.total / (s.size * s.size))
    a.ships = 0
    for i in range(s.ships):
        if s.player[i] == player:
            a.own[a.ships] = i
            a.ships += 1
    inspires = s.inspiration and s.ships > a.ships + 1
    for y in range(s.size):
        for x in range(s.size):
            cell = state.STRIDE * y + x
            a.yields[cell] = float(s.halite[cell])
            if inspires and s.halite[cell] > 0 and count(state.rivals_near(s, player, cell)) > 1:
                a.yields[cell] *= INSPIRED
            a.held[cell] = state.NONE
            a.holder[cell] = state.NONE
            a.beside[cell] = 0
    for i in range(s.ships):
        if s.player[i] != player:
            for order in range(ORDERS):
                a.beside[there(s, int(s.cell[i]), order)] = 1


@rule(inline=True)
def there(s, cell, order):
    """The cell to which an order leads."""
    return cell if order == state.STAY else state.step(s, cell, order)


@rule
def ways_home(s, a, player, site):
    """Fill in the steps from each cell to the nearest structure or to a site, and the least halite burnt on a shortest
    way."""
    for y in range(s.size):
        for x in range(s.size):
            a.home[state.STRIDE * y + x] = -1
            a.home_burn[state.STRIDE * y + x] = FAR
    many = add_home(a, int(s.yard[player]), 0)
    for k in range(s.dropoffs):
        if s.owner[s.dropoff[k]] == player:
            many = add_home(a, int(s.dropoff[k]), many)
    if site != state.NONE:
        many = add_home(a, site, many)
    k = 0
    while k < many:
        cell = int(a.queue[k])
        k += 1
        for order in range(1, ORDERS):
            to = state.step(s, cell, order)
            if a.home[to] < 0:
                a.home[to] = a.home[cell] + 1
                a.queue[many] = to
                many += 1
            if a.home[to] == a.home[cell] + 1:
                a.home_burn[to] = min(a.home_burn[to], a.home_burn[cell] + s.halite[to] // state.MOVE_COST)


@rule
def add_home(a, cell, many):
    """Put a structure on the queue; the number of cells there."""
    a.queue[many] = cell
    a.home[cell] = 0
    a.home_burn[cell] = 0
    return many + 1


@rule
def steps_away(s, a, player, site):
    """Fill in `away`, with a site or without."""
    ways_home(s, a, player, site)
    for y in range(s.size):
        for x in range(s.size):
            a.away[state.STRIDE * y + x] = a.home[state.STRIDE * y + x]
