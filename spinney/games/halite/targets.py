"""Where ships go: each to the cell with the most gain per turn of its whole trip, and no two to the same."""

from spinney.games.halite import state
from spinney.games.halite.chart import BEST, HOME, LATE, MINE, ON_THE_WAY
from spinney.games.halite.rivals import risk
from spinney.kernel import rule

FULL = 950
"""The cargo with which a ship goes home."""
FILL = 0.175
"""What a ship mines in a turn until it is full, as a part of the halite of its target: less than a quarter, because
cells become poorer, and there are moves between them."""
POOR = 2.0
"""Cells with less than this many times the map's mean fill a ship more slowly, down to half as fast."""
OUT = 2.0
"""The weight of a step to a target; a step home from it counts once."""
SLACK = 4
"""The number of spare turns for the last way home, and that of ships for which there is one more."""
CROWD = 16
LINGER = 50
"""A ship on its way home stays where a turn yields so much, if it has room for that."""
DOUBT = 5.0
"""The number of turns over which the risk of a target is spread."""
LEARN = 0.1
"""The learning rate of the income."""


@rule
def set_duties(s, a, player):
    """Which ships go home, and which mine."""
    for n in range(a.ships):
        i = int(a.own[n])
        here, number = int(s.cell[i]), int(s.id[i])
        if s.owner[here] == player:
            a.homeward[number] = 0
        elif s.cargo[i] >= FULL:
            a.homeward[number] = ON_THE_WAY
        if s.turns - s.turn <= a.home[here] + SLACK + a.ships / CROWD:
            a.homeward[number] = LATE
        a.duty[n] = HOME if a.homeward[number] else MINE
        a.goal[n] = here
        a.rate[n] = 0.0
        a.again[n] = 0


@rule(inline=True)
def per_turn(a, cell, cargo, steps, burnt):
    """What a ship gains in a turn of a trip: to a cell, on it or near it until it is full, and home."""
    room = FULL - cargo
    dig = a.yields[cell] * FILL * (0.5 + 0.5 * min(1.0, a.yields[cell] / (POOR * a.mean)))
    return (room - burnt * a.thrift) / (room / dig + a.away[cell] + OUT * steps)


@rule
def list_targets(s, a, n):
    """List a ship's best targets, best first. Ways are shortest ones on which the least halite is burnt."""
    i = int(a.own[n])
    here, cargo, size = int(s.cell[i]), float(s.cargo[i]), int(s.size)
    half, left = size // 2, s.turns - s.turn
    a.options[n] = 0
    a.asked[n] = 0
    for quarter in range(4):
        down, right = quarter >> 1, quarter & 1
        row = here
        for dy in range(half + 1):
            if dy:
                row = state.step(s, row, state.SOUTH if down else state.NORTH)
            cell = row
            for dx in range(half + 1):
                before = cell
                if dx:
                    cell = state.step(s, cell, state.EAST if right else state.WEST)
                    burnt = int(a.way[before]) + s.halite[before] // state.MOVE_COST
                    if dy:
                        before = state.step(s, cell, state.NORTH if down else state.SOUTH)
                        burnt = min(burnt, int(a.way[before]) + s.halite[before] // state.MOVE_COST)
                elif dy:
                    before = state.step(s, cell, state.NORTH if down else state.SOUTH)
                    burnt = int(a.way[before]) + s.halite[before] // state.MOVE_COST
                else:
                    burnt = 0
                a.way[cell] = burnt
                twice = (dx == 0 and not right) or (dy == 0 and not down)  # on the border of two quarters
                twice |= (2 * dx == size and not right) or (2 * dy == size and not down)
                if twice or a.yields[cell] < 1.0 or dx + dy + a.away[cell] >= left:
                    continue
                if a.again[n] and a.held[cell] != state.NONE:
                    continue
                rate = per_turn(a, cell, cargo, dx + dy, burnt)
                if rate > 0.0 and a.beside[cell]:
                    rate += min(0.0, risk(s, a, int(s.player[i]), cell, cargo)) / DOUBT
                if rate > 0.0:
                    offer(a, n, cell, rate)


@rule(inline=True)
def offer(a, n, cell, rate):
    """Put a target on a ship's list if it is good enough."""
    k = int(a.options[n])
    if k == BEST:
        if rate <= a.worth[n, BEST - 1]:
            return
        k -= 1
    a.options[n] = k + 1
    while k > 0 and a.worth[n, k - 1] < rate:
        a.worth[n, k] = a.worth[n, k - 1]
        a.option[n, k] = a.option[n, k - 1]
        k -= 1
    a.worth[n, k] = rate
    a.option[n, k] = cell


@rule
def choose_targets(s, a, player):
    """Each ship that mines asks for its targets, best first, until it gets one: a cell goes to the ship that gains most
    there. A ship without a target goes home."""
    waiting = 0
    for n in range(a.ships):
        if a.duty[n] == MINE:
            list_targets(s, a, n)
            a.waiting[waiting] = n
            waiting += 1
    while waiting:
        n = int(a.waiting[waiting - 1])
        k = int(a.asked[n])
        if k == a.options[n]:
            if k == BEST and not a.again[n]:
                a.again[n] = 1
                list_targets(s, a, n)
            else:
                a.duty[n] = HOME
                waiting -= 1
            continue
        cell, rate = int(a.option[n, k]), a.worth[n, k]
        a.asked[n] += 1
        other = int(a.held[cell])
        if other == state.NONE or a.rate[other] < rate:
            a.held[cell] = n
            a.goal[n] = cell
            a.rate[n] = rate
            if other == state.NONE:
                waiting -= 1
            else:
                a.waiting[waiting - 1] = other
    stay_on_cells(s, a)


@rule
def stay_on_cells(s, a):
    """Ships leave their cells only for much better ones, and those on their way home not where a turn yields much.
    Update the income by the rates of all targets."""
    total, many = 0.0, 0
    for n in range(a.ships):
        i = int(a.own[n])
        here = int(s.cell[i])
        if a.duty[n] == MINE:
            total += a.rate[n]
            many += 1
            if s.owner[here] == state.NONE and a.yields[a.goal[n]] <= a.leave * a.yields[here]:
                a.goal[n] = here
        elif a.duty[n] == HOME and a.homeward[s.id[i]] == ON_THE_WAY:
            dig = a.yields[here] / state.EXTRACT
            if dig >= LINGER and s.cargo[i] + dig <= state.CAPACITY:
                a.duty[n] = MINE
                a.goal[n] = here
    if many:
        a.income += LEARN * (total / many - a.income)
