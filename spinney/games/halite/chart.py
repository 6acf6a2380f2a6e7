"""What a fleet's orders are made from: the map with its ways, and working memory.

A chart is made anew in every turn, from the position that the player sees. It keeps a few facts about a game from turn
to turn: which ships are on their way home, the site of the next dropoff, and how rivals have behaved.
"""

from spinney.games.halite import state
from spinney.kernel import Record, f64, i8, i16, i32, i64, rule
from spinney.kernel.bits import count

IDS = 2**15
BEST = 16
"""The number of targets that a ship remembers."""
ORDERS = state.WEST + 1
FAR = 10**6
REACH = 8
"""The distance within which ships count as near."""
MOST_CHANCES = 256


class Chart(Record):
    """One player's map of a turn, its options, and working memory."""

    # options
    full = f64
    leave = f64
    out = f64
    spread = f64
    fill = f64
    per_ship = f64
    last_ship = f64
    first = f64
    each = f64
    around = f64
    apart = f64
    drift = f64
    linger = f64
    slack = f64
    inspired = f64
    blend = f64
    ram = f64
    caution = f64
    expects = f64
    hunt = f64
    follow = f64
    rise = f64
    reach = f64
    back = f64
    poor = f64
    mean = f64
    least = f64
    o1 = f64
    o2 = f64
    o3 = f64
    o4 = f64
    # from turn to turn
    turn = i16
    income = f64  # what a ship earns in a turn
    site = i16  # the cell of the next dropoff, or NONE
    trip = f64  # halite that a trip brings home in a turn
    left = i16[IDS]  # by id: the turn in which a ship was last at home
    homeward = i8[IDS]  # by id: 1: the ship is on its way home
    chances = i16  # rivals that might have rammed in the last turn: their ids, the cells, the players
    chance_id = i16[MOST_CHANCES]
    chance_cell = i16[MOST_CHANCES]
    chance_of = i8[MOST_CHANCES]
    tried = f64[state.MAX_PLAYERS]  # the chances of each player so far, and how many it used
    hits = f64[state.MAX_PLAYERS]
    rams = f64[state.MAX_PLAYERS]  # the probability that it uses one
    # of this turn
    balance = i16[state.CELLS]  # own ships near a cell, less rivals
    beside = i8[state.CELLS]  # 1: a rival is there or may go there
    ships = i16
    own = i16[state.MAX_SHIPS]  # the player's ships
    saving = i8  # 1: a dropoff is wanted
    away = i16[state.CELLS]  # steps to the next structure, the site counting as one
    burn = i32[state.CELLS]  # the least halite burnt on a shortest way there
    home = i16[state.CELLS]  # the same without the site, unless it will be paid
    home_burn = i32[state.CELLS]
    queue = i16[state.CELLS]
    yields = f64[state.CELLS]  # halite of each cell, as a ship of the player mines it
    rich = f64[state.CELLS]  # mean yield of the neighbourhood
    blur = f64[state.CELLS]
    way = i32[state.CELLS]  # the least burnt on a shortest way from a ship
    goal = i16[state.MAX_SHIPS]  # where each ship goes, or its own cell
    rate = f64[state.MAX_SHIPS]
    duty = i8[state.MAX_SHIPS]  # MINE, HOME or BUILD
    option = i16[state.MAX_SHIPS, BEST]  # the best targets of each ship
    worth = f64[state.MAX_SHIPS, BEST]
    options = i16[state.MAX_SHIPS]
    asked = i16[state.MAX_SHIPS]  # how many of them it has tried
    held = i16[state.CELLS]  # the ship whose target a cell is, or NONE
    waiting = i16[state.MAX_SHIPS]
    use = f64[state.MAX_SHIPS, ORDERS]  # utilities of orders, and the cells that they lead to
    to = i16[state.MAX_SHIPS, ORDERS]
    chosen = i8[state.MAX_SHIPS]
    holder = i16[state.CELLS]  # the ship that enters a cell
    far = f64[state.MAX_SHIPS]
    via = i16[state.MAX_SHIPS]
    by = i8[state.MAX_SHIPS]
    listed = i8[state.MAX_SHIPS]
    ring = i16[state.MAX_SHIPS]
    box = i32[state.CELLS]  # least burn from a goal, backwards
    last = i64


@rule
def ways_home(s, a, player, away, burn, site):
    """Fill in the steps from each cell to the nearest structure, and the least burn on a shortest way."""
    for y in range(s.size):
        for x in range(s.size):
            cell = state.STRIDE * y + x
            away[cell] = -1
            burn[cell] = FAR
    n = 0
    yard = int(s.yard[player])
    a.queue[0] = yard
    n = 1
    away[yard] = 0
    burn[yard] = 0
    for k in range(s.dropoffs):
        cell = int(s.dropoff[k])
        if s.owner[cell] == player and away[cell] < 0:
            a.queue[n] = cell
            n += 1
            away[cell] = 0
            burn[cell] = 0
    if site != state.NONE and away[site] < 0:
        a.queue[n] = site
        n += 1
        away[site] = 0
        burn[site] = 0
    k = 0
    while k < n:
        cell = int(a.queue[k])
        k += 1
        steps = int(away[cell]) + 1
        burnt = int(burn[cell])
        for order in range(1, ORDERS):
            to = state.step(s, cell, order)
            if away[to] < 0:
                away[to] = steps
                a.queue[n] = to
                n += 1
            if away[to] == steps:
                total = burnt + s.halite[to] // state.MOVE_COST
                burn[to] = min(burn[to], total)


@rule
def survey(s, a, player):
    """Set up what all ships need to know."""
    a.mean = max(1.0, s.total / (s.size * s.size))
    a.ships = 0
    for i in range(s.ships):
        if s.player[i] == player:
            a.own[a.ships] = i
            a.ships += 1
    rivals = s.ships - a.ships
    for y in range(s.size):
        for x in range(s.size):
            cell = state.STRIDE * y + x
            value = float(s.halite[cell])
            if rivals > 1 and s.inspiration and value > 0.0 and a.inspired > 0.0:
                if count(state.rivals_near(s, player, cell)) > 1:
                    value *= 1.0 + a.inspired
            a.yields[cell] = value
            a.held[cell] = state.NONE
            a.holder[cell] = state.NONE
            a.beside[cell] = 0
    if rivals:
        for i in range(s.ships):
            if s.player[i] != player:
                for order in range(ORDERS):
                    at = int(s.cell[i]) if order == state.STAY else state.step(s, int(s.cell[i]), order)
                    if s.owner[at] != player:
                        a.beside[at] = 1
    if a.blend > 0.0:
        blur(s, a)


@rule
def blur(s, a):
    """The mean yield of the square around each cell."""
    reach, size = int(a.reach), int(s.size)
    for y in range(size):
        row = state.STRIDE * y
        total = 0.0
        for x in range(-reach, reach + 1):
            total += a.yields[row + x % size]
        for x in range(size):
            a.blur[row + x] = total
            total += a.yields[row + (x + reach + 1) % size] - a.yields[row + (x - reach) % size]
    area = (2 * reach + 1) ** 2
    for x in range(size):
        total = 0.0
        for y in range(-reach, reach + 1):
            total += a.blur[state.STRIDE * (y % size) + x]
        for y in range(size):
            a.rich[state.STRIDE * y + x] = total / area
            total += (
                a.blur[state.STRIDE * ((y + reach + 1) % size) + x] - a.blur[state.STRIDE * ((y - reach) % size) + x]
            )
