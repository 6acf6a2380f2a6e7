"""The scripted player `collector`. It takes account of the orders that its earlier ships have in this turn."""

from spinney.games.halite import state
from spinney.games.halite.rules import can_leave, can_spawn
from spinney.games.parts import Player, Rule
from spinney.kernel import below, rule

FULL = 900
"""The cargo with which a ship goes home."""
NEAR = 7
"""The distance within which a ship searches for halite first."""
DIG = 4
"""The estimated number of turns on a cell, which yield two thirds of its halite."""
POOR = 3
"""Cells with less than the map's mean divided by this are ignored."""
DELAY = 8
"""The number of spare turns for the last way home."""
YIELD = 0.15
"""The income per turn of a ship on a map without other ships, as a part of the mean halite of a cell."""
CROWD = 60
"""The reduction of the income by other ships: half if one of this number of cells has a ship."""


@rule
def collector(s, player, out, rng):
    """Mines rich cells nearby, brings the halite home, and spawns ships while they pay. Its own ships never collide,
    except on its structures at the end."""
    if s.piece == s.ships:
        return state.SPAWN if wants_ship(s, player) else state.STAY
    return collect(s, int(s.piece), rng)


@rule
def collect(s, i, rng):
    """The order of one ship; the player's earlier ships have theirs."""
    if not can_leave(s, i):
        return state.STAY
    here = int(s.cell[i])
    home = nearest_home(s, int(s.player[i]), here)
    away = state.distance(s, here, home)
    late = s.turns - s.turn <= away + DELAY
    goal = home if late or s.cargo[i] >= FULL else best_cell(s, i, home)
    if goal == here:
        return state.STAY
    return way_to(s, i, goal, late, rng)


@rule
def nearest_home(s, player, cell):
    """The nearest structure of a player."""
    home = int(s.yard[player])
    nearest = state.distance(s, cell, home)
    if s.built[player]:
        for k in range(s.dropoffs):
            there = int(s.dropoff[k])
            if s.owner[there] == player:
                away = state.distance(s, cell, there)
                if away < nearest:
                    home, nearest = there, away
    return home


@rule
def best_cell(s, i, home):
    """The cell with the highest gain per turn of going there, mining, and half of the way home."""
    here = int(s.cell[i])
    room = state.CAPACITY - s.cargo[i]
    poor = s.total // (POOR * s.size * s.size)
    cost = s.halite[here] // state.MOVE_COST
    at_home = s.owner[here] == s.player[i]
    best, most = here, 0.0
    if not at_home and s.halite[here] > poor:
        gain = s.halite[here] * (2 if state.is_inspired(s, i) else 0.67)
        most = min(room, gain) / (DIG + 0.5 * state.distance(s, here, home))
    x, y, size = here & (state.STRIDE - 1), here // state.STRIDE, int(s.size)
    reach, most_reach = min(NEAR, (size - 1) // 2), size // 2
    while True:
        for dy in range(-reach, reach + 1):
            row = y + dy
            row += size if row < 0 else -size if row >= size else 0
            width = reach - abs(dy)
            for dx in range(-width, width + 1):
                column = x + dx
                column += size if column < 0 else -size if column >= size else 0
                cell = row * state.STRIDE + column
                halite = s.halite[cell]
                if halite > poor and s.ship[cell] == state.NONE:
                    away = abs(dx) + abs(dy)
                    gain = min(room, 0.67 * halite - cost) / (away + DIG + 0.5 * state.distance(s, cell, home))
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
    """A step towards a goal, over the poorer cell if there are two; if both are blocked, to a random side."""
    here, size = int(s.cell[i]), int(s.size)
    east = (goal & (state.STRIDE - 1)) - (here & (state.STRIDE - 1))
    south = goal // state.STRIDE - here // state.STRIDE
    best, least = state.STAY, 0
    if east != 0:
        direction = state.EAST if (east > 0) == (2 * abs(east) <= size) else state.WEST
        to = state.step(s, here, direction)
        if is_free(s, i, to, late):
            best, least = direction, s.halite[to]
    if south != 0:
        direction = state.SOUTH if (south > 0) == (2 * abs(south) <= size) else state.NORTH
        to = state.step(s, here, direction)
        if is_free(s, i, to, late) and (best == state.STAY or s.halite[to] < least):
            best = direction
    if best == state.STAY and not late:
        direction = 1 + below(rng, 2 * state.WEST)  # in half of all cases, it waits
        if direction <= state.WEST and is_free(s, i, state.step(s, here, direction), late):
            best = direction
    return best


@rule
def is_free(s, i, to, late):
    """Whether a ship can enter a cell without colliding with a ship of its player, or with a rival that is there.
    Rivals on own structures are ignored; when it is `late`, so are all ships there."""
    player = s.player[i]
    own = s.owner[to] == player
    if own and late:
        return True
    there = int(s.ship[to])
    if there != state.NONE:
        if s.player[there] != player:
            return own
        if there > i or s.order[there] == state.STAY:
            return False
    return not is_claimed(s, i, to, player)


@rule
def is_claimed(s, i, to, player):
    """Whether an earlier ship of the player enters a cell, or a rival may, unless the cell has an own structure."""
    for direction in range(1, state.WEST + 1):
        there = int(s.ship[state.step(s, to, direction)])
        if there == state.NONE:
            continue
        if s.player[there] != player:
            if s.owner[to] != player:
                return True
        elif there < i:
            back = direction - 1 if direction in (state.SOUTH, state.WEST) else direction + 1
            if s.order[there] == back:
                return True
    return False


@rule
def wants_ship(s, player):
    """Whether a new ship will bring more than its price, and the shipyard is free."""
    if not can_spawn(s, player):
        return False
    left = s.turns - s.turn
    mean = s.total / (s.size * s.size)
    if left * mean * YIELD < state.SHIP_COST * (1 + CROWD * s.ships / (s.size * s.size)):
        return False
    yard = int(s.yard[player])
    there = int(s.ship[yard])
    if there != state.NONE and (s.player[there] != player or s.order[there] == state.STAY):
        return False
    return not is_claimed(s, int(s.ships), yard, player)


PLAYERS: dict[str, Rule | Player] = {"collector": collector}
