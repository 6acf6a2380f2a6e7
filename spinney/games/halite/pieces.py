"""Ships as the pieces of a forest search: their default policy, and their scores.

The default policy is a potential field: every cell attracts a ship in each direction with the square of its halite,
divided by four times the distance if the first step is in that direction and none is taken back. A player's structures
attract as well; the more cargo a ship has, the more they count. The field is that of the position from which the search
begins, and only its changes since the last search are computed.
"""

from spinney.games.card import NO_PIECE
from spinney.games.halite import state
from spinney.games.halite.players import nearest_home
from spinney.games.halite.rules import can_leave, carry_out
from spinney.kernel import Record, f64, i8, i16, i32, i64, rule, uniform

MAX_PIECES = state.MAX_SHIPS
ORDERS = state.WEST + 1
IDS = 2**15
HOME = (10.0 * state.CAPACITY) ** 2
"""The attraction of structures."""
SLOW = 1 + state.EXTRACT / state.MOVE_COST
"""Turns per step on the way home: a ship has to mine the halite that its moves cost."""


class Guide(Record):
    """What the rules of pieces remember from turn to turn, and within a simulation."""

    size = i8  # size of the map that this was made for; 0: none
    players = i8
    turn = i16
    stamp = i64  # number of this simulated turn
    twice = f64  # twice the mean halite of a cell
    halite = i32[state.CELLS]  # halite and owners of which the field is made
    owner = i8[state.CELLS]
    pull = f64[4 * state.CELLS]  # attraction of all halite, on each cell to the north, south, east and west
    home = f64[state.MAX_PLAYERS * 4 * state.CELLS]  # attraction of each player's structures
    left = i16[IDS]  # by id: the turn in which a ship was last at home
    away = i32[state.MAX_SHIPS]  # turns since then at the start of the simulation
    arrived = i8[state.MAX_SHIPS]  # 1: the ship has come home in the simulation
    score = f64[state.MAX_SHIPS]  # halite that it brought home, per turn
    claim = i64[state.CELLS]  # cells that ships enter in a simulated turn: MAX_PLAYERS * stamp + player


@rule(inline=True)
def pieces(s):
    return s.ships


@rule(inline=True)
def piece_id(s, i):
    return s.id[i]


@rule(inline=True)
def piece_owner(s, i):
    return s.player[i]


@rule
def asked(s):
    return int(s.piece) if s.piece < s.ships else NO_PIECE


@rule
def resets_baseline(s, i):
    """At home, because a new voyage begins there."""
    return s.owner[s.cell[i]] == s.player[i]


# ---- before a search


@rule
def begin_search(s, g):
    """Update the field and the turns in which ships were last at home."""
    if g.size != s.size or g.players != s.players or s.turn < g.turn or lacks_structures(s, g):
        reset(s, g)
    g.turn = s.turn
    g.twice = max(1.0, 2.0 * s.total / (s.size * s.size))
    for y in range(s.size):
        for x in range(s.size):
            cell = state.STRIDE * y + x
            halite, before = int(s.halite[cell]), int(g.halite[cell])
            if halite != before:
                attract(s, g.pull, 0, x, y, float(halite * halite - before * before))
                g.halite[cell] = halite
            owner = int(s.owner[cell])
            if owner != g.owner[cell]:
                attract(s, g.home, owner * 4 * state.CELLS, x, y, HOME)
                g.owner[cell] = owner
    for i in range(s.ships):
        if resets_baseline(s, i):
            g.left[s.id[i]] = s.turn
        elif g.left[s.id[i]] < 0:  # not seen before
            g.left[s.id[i]] = max(0, s.turn - state.distance(s, int(s.cell[i]), int(s.yard[s.player[i]])))


@rule
def lacks_structures(s, g):
    """Whether a known structure is missing: structures are never removed, so this is another game."""
    for cell in range(state.CELLS):
        if g.owner[cell] != state.NONE and g.owner[cell] != s.owner[cell]:
            return True
    return False


@rule
def reset(s, g):
    """Begin with an unknown map."""
    g.size = s.size
    g.players = s.players
    for cell in range(state.CELLS):
        g.halite[cell] = 0
        g.owner[cell] = state.NONE
        g.claim[cell] = 0
    g.stamp = 0
    for i in range(4 * state.CELLS):
        g.pull[i] = 0.0
    for i in range(state.MAX_PLAYERS * 4 * state.CELLS):
        g.home[i] = 0.0
    for i in range(IDS):
        g.left[i] = -1


@rule
def attract(s, pull, start, x, y, strength):
    """Add the attraction of one cell to the field."""
    size, quarter = int(s.size), strength / 4.0
    for row in range(size):
        south = y - row if y > row else y - row + size  # size: once around
        north = size - south if south < size else size
        rows = min(south, north) if south < size else 0
        for column in range(size):
            east = x - column if x > column else x - column + size
            west = size - east if east < size else size
            columns = min(east, west) if east < size else 0
            at = start + 4 * (state.STRIDE * row + column)
            pull[at] += quarter / (north + columns)
            pull[at + 1] += quarter / (south + columns)
            pull[at + 2] += quarter / (east + rows)
            pull[at + 3] += quarter / (west + rows)


# ---- a simulation


@rule
def begin_simulation(s, g):
    """Reset what is known of the ships within a simulation."""
    for i in range(s.ships):
        g.away[i] = s.turn - g.left[s.id[i]]
        g.arrived[i] = 0
    g.stamp += 1


@rule
def play_turn(s, g):
    """Carry out the orders, and begin the next simulated turn."""
    carry_out(s)
    g.stamp += 1


@rule(inline=True)
def give_order(s, g, i, k, order):
    """Order a move, unless another ship of the player is on the cell or enters it. Rivals are ignored."""
    if order == state.STAY or not can_leave(s, i):
        return True
    to = state.step(s, int(s.cell[i]), order)
    there, player = int(s.ship[to]), int(s.player[i])
    if there != state.NONE and s.player[there] == player and not has_left(s, i, there):
        return False
    if g.claim[to] == state.MAX_PLAYERS * g.stamp + player:
        return False
    go(s, g, i, k, order, to)
    return True


@rule(inline=True)
def has_left(s, i, there):
    """Whether a ship on a cell that another one wants to enter has an order to move."""
    return there < i and s.order[there] != state.STAY


@rule(inline=True)
def go(s, g, i, k, order, to):
    """Order a move; if the ship comes home, its score is the cargo after the move's cost, per turn of the voyage."""
    player = int(s.player[i])
    s.order[i] = order
    g.claim[to] = state.MAX_PLAYERS * g.stamp + player
    if s.owner[to] == player and k != NO_PIECE and g.arrived[k] == 0:
        g.arrived[k] = 1
        g.score[k] = (s.cargo[i] - s.halite[s.cell[i]] // state.MOVE_COST) / (g.away[k] + s.turn - g.turn + 1)


@rule
def default_order(s, g, i, k, rng):
    """Mine with a probability that grows with the halite of the cell, or move to a free cell by the field."""
    here, halite, cargo = int(s.cell[i]), int(s.halite[s.cell[i]]), int(s.cargo[i])
    if cargo < halite // state.MOVE_COST:
        return
    if halite > 0 and cargo < state.CAPACITY and uniform(rng) * g.twice < halite:
        return
    full = cargo / state.CAPACITY
    at, home = 4 * here, 4 * (state.CELLS * int(s.player[i]) + here)
    north, south = is_free(s, g, i, state.step(s, here, 1)), is_free(s, g, i, state.step(s, here, 2))
    east, west = is_free(s, g, i, state.step(s, here, 3)), is_free(s, g, i, state.step(s, here, 4))
    north_pull = (g.pull[at] * (1.0 - full) + g.home[home] * full) if north else 0.0
    south_pull = (g.pull[at + 1] * (1.0 - full) + g.home[home + 1] * full) if south else 0.0
    east_pull = (g.pull[at + 2] * (1.0 - full) + g.home[home + 2] * full) if east else 0.0
    west_pull = (g.pull[at + 3] * (1.0 - full) + g.home[home + 3] * full) if west else 0.0
    drawn = uniform(rng) * (north_pull + south_pull + east_pull + west_pull)
    if north and drawn < north_pull:
        order = 1
    elif south and drawn < north_pull + south_pull:
        order = 2
    elif east and drawn < north_pull + south_pull + east_pull:
        order = 3
    elif west:
        order = 4
    else:
        return
    go(s, g, i, k, order, state.step(s, here, order))


@rule(inline=True)
def is_free(s, g, i, to):
    """Whether no ship is on a cell or enters it."""
    there = int(s.ship[to])
    return (there == state.NONE or has_left(s, i, there)) and g.claim[to] // state.MAX_PLAYERS != g.stamp


@rule
def piece_score(s, g, i, k):
    """The halite per turn that a ship brings home; for a ship still out, an estimate from its cargo, or 0 if late."""
    if g.arrived[k]:
        return g.score[k]
    if i == NO_PIECE:
        return 0.0
    here, player = int(s.cell[i]), int(s.player[i])
    way = SLOW * state.distance(s, here, nearest_home(s, player, here))
    if s.turn + way > s.turns:
        return 0.0
    return s.cargo[i] / max(1.0, g.away[k] + s.turn - g.turn + way)
