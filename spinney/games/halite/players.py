"""Hand-written players. They look at the orders that the own ships with lower numbers have in this turn."""

from spinney.games.halite.rules import can_leave, can_spawn
from spinney.games.halite.state import (
    CAPACITY,
    EAST,
    MOVE_COST,
    NONE,
    NORTH,
    SHIP_COST,
    SOUTH,
    SPAWN,
    STAY,
    STRIDE,
    WEST,
    distance,
    is_inspired,
    step,
)
from spinney.games.parts import Player, Rule
from spinney.kernel import below, rule

FULL = 900
"""Cargo with which a ship goes home."""
NEAR = 7
"""Steps in which a ship looks for halite first."""
DIG = 4
"""Turns that a ship is taken to mine a cell; they yield two thirds of its halite."""
POOR = 3
"""A cell with less than one in so many of the map's mean is not worth going to."""
DELAY = 8
"""Turns to spare on the last way home."""
YIELD = 0.15
"""What a ship on an empty map brings home every turn, as a part of the mean halite of a cell."""
CROWD = 60
"""How much less it brings where there are many: half if one cell in so many has a ship."""


@rule
def collector(s, player, out, rng):
    """Mines what is worth it and near, takes it home, spawns while that pays, and never lets its own ships collide but
    on its structures in the end."""
    if s.piece == s.ships:
        return SPAWN if wants_ship(s, player) else STAY
    return collect(s, int(s.piece), rng)


@rule
def collect(s, i, rng):
    """The order of one ship; own ships with lower numbers have theirs."""
    if not can_leave(s, i):
        return STAY
    here = int(s.cell[i])
    home = nearest_home(s, int(s.player[i]), here)
    away = distance(s, here, home)
    late = s.turns - s.turn <= away + DELAY
    goal = home if late or s.cargo[i] >= FULL else best_cell(s, i, home)
    if goal == here:
        return STAY
    return way_to(s, i, goal, late, rng)


@rule
def nearest_home(s, player, cell):
    """The nearest structure of a player."""
    home = int(s.yard[player])
    nearest = distance(s, cell, home)
    if s.built[player]:
        for k in range(s.dropoffs):
            there = int(s.dropoff[k])
            if s.owner[there] == player:
                away = distance(s, cell, there)
                if away < nearest:
                    home, nearest = there, away
    return home


@rule
def best_cell(s, i, home):
    """Where a ship gains most for the turns it takes to go there, to mine, and half of the way home."""
    here = int(s.cell[i])
    room = CAPACITY - s.cargo[i]
    poor = s.total // (POOR * s.size * s.size)
    cost = s.halite[here] // MOVE_COST
    at_home = s.owner[here] == s.player[i]
    best, most = here, 0.0
    if not at_home and s.halite[here] > poor:
        gain = s.halite[here] * (2 if is_inspired(s, i) else 0.67)
        most = min(room, gain) / (DIG + 0.5 * distance(s, here, home))
    x, y, size = here & (STRIDE - 1), here // STRIDE, int(s.size)
    reach, most_reach = min(NEAR, (size - 1) // 2), size // 2
    while True:
        for dy in range(-reach, reach + 1):
            row = y + dy
            row += size if row < 0 else -size if row >= size else 0
            width = reach - abs(dy)
            for dx in range(-width, width + 1):
                column = x + dx
                column += size if column < 0 else -size if column >= size else 0
                cell = row * STRIDE + column
                halite = s.halite[cell]
                if halite > poor and s.ship[cell] == NONE:
                    away = abs(dx) + abs(dy)
                    gain = min(room, 0.67 * halite - cost) / (away + DIG + 0.5 * distance(s, cell, home))
                    if gain > most:
                        best, most = cell, gain
        if best != here or most > 0 or reach >= most_reach:
            break
        reach = min(2 * reach, most_reach)
    if best == here and most == 0:
        return home  # nothing is left to mine
    return best


@rule
def way_to(s, i, goal, late, rng):
    """A step towards a goal, over the poorer cell if there are two; around those who are in the way."""
    here, size = int(s.cell[i]), int(s.size)
    east = (goal & (STRIDE - 1)) - (here & (STRIDE - 1))
    south = goal // STRIDE - here // STRIDE
    best, least = STAY, 0
    if east != 0:
        direction = EAST if (east > 0) == (2 * abs(east) <= size) else WEST
        to = step(s, here, direction)
        if is_free(s, i, to, late):
            best, least = direction, s.halite[to]
    if south != 0:
        direction = SOUTH if (south > 0) == (2 * abs(south) <= size) else NORTH
        to = step(s, here, direction)
        if is_free(s, i, to, late) and (best == STAY or s.halite[to] < least):
            best = direction
    if best == STAY and not late:
        direction = 1 + below(rng, 2 * WEST)  # half the time, it waits
        if direction <= WEST and is_free(s, i, step(s, here, direction), late):
            best = direction
    return best


@rule
def is_free(s, i, to, late):
    """Whether a ship can enter a cell without meeting an own one, or a rival who is there; when it is late, all may
    enter an own structure, and a rival there does not keep anybody out."""
    player = s.player[i]
    own = s.owner[to] == player
    if own and late:
        return True
    there = int(s.ship[to])
    if there != NONE:
        if s.player[there] != player:
            return own
        if there > i or s.order[there] == STAY:
            return False
    return not is_claimed(s, i, to, player)


@rule
def is_claimed(s, i, to, player):
    """Whether an own ship that has its order moves to a cell, or a rival may, unless it is an own structure."""
    for direction in range(1, WEST + 1):
        there = int(s.ship[step(s, to, direction)])
        if there == NONE:
            continue
        if s.player[there] != player:
            if s.owner[to] != player:
                return True
        elif there < i:
            back = direction - 1 if direction in (SOUTH, WEST) else direction + 1
            if s.order[there] == back:
                return True
    return False


@rule
def wants_ship(s, player):
    """Whether a new ship will bring more than its price, and has room in front of the shipyard."""
    if not can_spawn(s, player):
        return False
    left = s.turns - s.turn
    mean = s.total / (s.size * s.size)
    if left * mean * YIELD < SHIP_COST * (1 + CROWD * s.ships / (s.size * s.size)):
        return False
    yard = int(s.yard[player])
    there = int(s.ship[yard])
    if there != NONE and (s.player[there] != player or s.order[there] == STAY):
        return False
    return not is_claimed(s, int(s.ships), yard, player)


PLAYERS: dict[str, Rule | Player] = {"collector": collector}
