"""The moves of a fleet: the order of each ship from utilities, so that no two ships enter the same cell."""

from spinney.games.halite import state
from spinney.games.halite.chart import FAR, HOME, LATE, ORDERS, there
from spinney.games.halite.rivals import risk
from spinney.games.halite.rules import can_leave
from spinney.kernel import rule

NEVER = -1e9
MANY = -2
"""In place of the ship on a cell: a structure that several may enter."""
LEAST_TURN = 4.0
"""The least worth of a ship's turn."""
CLOSER = 1e-6
"""Differences of utility below this are none."""


@rule
def burn_to(s, a, start, goal):
    """The least halite burnt on a shortest way from a cell to another."""
    size = int(s.size)
    x, y = goal & (state.STRIDE - 1), goal // state.STRIDE
    east, south = ((start & (state.STRIDE - 1)) - x) % size, (start // state.STRIDE - y) % size
    across, down = state.EAST, state.SOUTH
    if 2 * east > size:
        east, across = size - east, state.WEST
    if 2 * south > size:
        south, down = size - south, state.NORTH
    row = goal
    for dy in range(south + 1):
        above = row
        if dy:
            row = state.step(s, row, down)
        cell = row
        for dx in range(east + 1):
            least = 0 if dx + dy == 0 else FAR
            if dx:
                least = int(a.way[cell])
                cell = state.step(s, cell, across)
                if dy:
                    above = state.step(s, above, across)
            if dy:
                least = min(least, int(a.way[above]))
            a.way[cell] = least + (s.halite[cell] // state.MOVE_COST if dx + dy else 0)
    return int(a.way[start])


@rule
def set_utilities(s, a, player):
    """The utility of each order of each ship, in halite: turns and halite that the way costs, and the risk."""
    turn = max(LEAST_TURN, a.income)
    for n in range(a.ships):
        i = int(a.own[n])
        here, goal, cargo = int(s.cell[i]), int(a.goal[n]), float(s.cargo[i])
        burnt = s.halite[here] // state.MOVE_COST
        at_home = s.owner[here] == player
        for order in range(ORDERS):
            to = there(s, here, order)
            a.to[n, order] = to
            stays = order == state.STAY
            if not stays and not can_leave(s, i):
                a.use[n, order] = NEVER
                continue
            if a.duty[n] == HOME:  # ships with more cargo have priority
                use = -turn * a.home[to] * (1.0 + cargo / state.CAPACITY) - a.home_burn[to]
            elif goal == here:  # another ship does not drive it from its cell; but it makes room at home
                use = 0.0 if stays else 0.1 * turn if at_home else -2.0 * turn
            else:
                use = -turn * state.distance(s, to, goal) - burn_to(s, a, to, goal)
                if stays and at_home:
                    use -= 0.5 * turn
            if not stays:
                use -= burnt
            if a.beside[to]:
                use += risk(s, a, player, to, cargo if stays else cargo - burnt)
            a.use[n, order] = use


@rule
def assign(s, a, player):
    """Choose the orders with the greatest total utility in which no two ships enter the same cell. Ships that go home
    because the game ends may meet on structures."""
    for n in range(a.ships):
        a.chosen[n] = state.STAY
        a.crashes[n] = 0
        if a.duty[n] == HOME and a.homeward[s.id[a.own[n]]] == LATE:
            best = state.STAY
            for order in range(1, ORDERS):
                if a.use[n, order] > a.use[n, best]:
                    best = order
            if best != state.STAY and s.owner[a.to[n, best]] == player:
                a.chosen[n] = best
                a.crashes[n] = 1
                a.holder[a.to[n, best]] = MANY
    for n in range(a.ships):
        if not a.crashes[n]:
            make_room(a, n)


@rule
def make_room(a, ship):
    """Give one more ship an order, and others to those that are in its way: the augmenting path of least cost."""
    size = len(a.ring)
    for n in range(a.ships):
        a.cost[n] = 1e18
        a.queued[n] = 0
    a.cost[ship] = 0.0
    a.ring[0] = ship
    head, tail = 0, 1
    end, last, least = ship, state.STAY, 1e18
    while head != tail:
        n = int(a.ring[head])
        head = (head + 1) % size
        a.queued[n] = 0
        for order in range(ORDERS):
            if a.use[n, order] <= NEVER:
                continue
            other = int(a.holder[a.to[n, order]])
            total = a.cost[n] - a.use[n, order]
            if other == state.NONE or (other == MANY and order == state.STAY):
                if total < least - CLOSER:
                    end, last, least = n, order, total
            elif other >= 0 and other != n:
                total += a.use[other, a.chosen[other]]
                if total < a.cost[other] - CLOSER:
                    a.cost[other] = total
                    a.via[other] = n
                    a.by[other] = order
                    if not a.queued[other]:
                        a.queued[other] = 1
                        a.ring[tail] = other
                        tail = (tail + 1) % size
    while end != ship:
        take(a, end, last)
        end, last = int(a.via[end]), int(a.by[end])
    take(a, ship, last)


@rule(inline=True)
def take(a, n, order):
    """Give a ship an order, and the cell to which that leads."""
    a.chosen[n] = order
    if a.holder[a.to[n, order]] != MANY:
        a.holder[a.to[n, order]] = n
