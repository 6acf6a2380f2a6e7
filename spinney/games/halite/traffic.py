"""The moves of a fleet: the order of each ship from utilities, so that no two ships enter the same cell."""

from spinney.games.halite import state
from spinney.games.halite.chart import FAR, ORDERS
from spinney.games.halite.rivals import risk
from spinney.games.halite.rules import can_leave
from spinney.games.halite.targets import HOME
from spinney.kernel import rule

NEVER = -1e9


@rule
def burn_to(s, a, start, goal):
    """The least halite burnt on a shortest way, leaving the start and all cells up to the goal."""
    size = int(s.size)
    x, y = goal & (state.STRIDE - 1), goal // state.STRIDE
    east = ((start & (state.STRIDE - 1)) - x) % size
    south = (start // state.STRIDE - y) % size
    step_x, step_y = 1, 1
    if 2 * east > size:
        east, step_x = size - east, -1
    if 2 * south > size:
        south, step_y = size - south, -1
    for dy in range(south + 1):
        row = (y + step_y * dy) % size
        for dx in range(east + 1):
            column = (x + step_x * dx) % size
            cell = row * state.STRIDE + column
            if dx == 0 and dy == 0:
                a.box[cell] = 0
                continue
            least = FAR
            if dx:
                least = int(a.box[row * state.STRIDE + (column - step_x) % size])
            if dy:
                least = min(least, int(a.box[(row - step_y) % size * state.STRIDE + column]))
            a.box[cell] = least + s.halite[cell] // state.MOVE_COST
    return int(a.box[start])


@rule
def set_utilities(s, a, player):
    """The utility of each order of each ship, in halite."""
    turn = max(4.0, a.income)
    for n in range(a.ships):
        i = int(a.own[n])
        here, goal = int(s.cell[i]), int(a.goal[n])
        home = a.duty[n] == HOME
        urgent = 1.0 + s.cargo[i] / 1000.0 if home else 1.0
        cost = s.halite[here] // state.MOVE_COST
        stays = a.goal[n] == here and not home
        for order in range(ORDERS):
            to = here if order == state.STAY else state.step(s, here, order)
            a.to[n, order] = to
            if order != state.STAY and not can_leave(s, i):
                a.use[n, order] = NEVER
                continue
            if stays:
                use = 0.0 if order == state.STAY else -2.0 * turn - cost
                if s.owner[here] == player:
                    use = 0.0 if order == state.STAY else 0.1 * turn
            elif home:
                use = -turn * a.home[to] * urgent - a.home_burn[to]
                if order != state.STAY:
                    use -= cost
            else:
                use = -turn * state.distance(s, to, goal)
                if order != state.STAY:
                    use -= cost + burn_to(s, a, to, goal)
                else:
                    use -= burn_to(s, a, here, goal)
                    if s.owner[here] == player:
                        use -= 0.5 * turn
            if a.beside[to]:
                use += risk(s, a, player, to, float(s.cargo[i] - (cost if order != state.STAY else 0)))
            a.use[n, order] = use


@rule
def assign(s, a, player):
    """Choose the orders with the greatest total utility in which no two ships enter the same cell: the best way to
    make room for one ship after the other. Late ships on their way home may meet on structures."""
    for n in range(a.ships):
        a.chosen[n] = state.STAY
        i = int(a.own[n])
        a.listed[n] = 0
        if a.duty[n] == HOME and a.homeward[s.id[i]] == 2:
            best = state.STAY
            for order in range(1, ORDERS):
                if a.use[n, order] > a.use[n, best]:
                    best = order
            if best != state.STAY and s.owner[a.to[n, best]] == player:
                a.chosen[n] = best
                a.listed[n] = 2
                a.holder[a.to[n, best]] = -2
    for n in range(a.ships):
        if a.listed[n] == 0:
            make_room(a, n)
    for n in range(a.ships):
        number = int(s.id[a.own[n]])
        if s.owner[a.to[n, a.chosen[n]]] == player and a.chosen[n] != state.STAY and a.homeward[number] == 1:
            a.trip += 0.05 * (s.cargo[a.own[n]] / (s.turn + 1 - a.left[number]) - a.trip)


@rule
def make_room(a, ship):
    """Give one more ship its order, and other orders to those that are in its way, by the shortest augmenting path."""
    size = len(a.ring)
    for n in range(a.ships):
        a.far[n] = 1e18
        if a.listed[n] == 1:
            a.listed[n] = 0
    a.far[ship] = 0.0
    a.ring[0] = ship
    head, tail = 0, 1
    end, end_order, least = -1, 0, 1e18
    while head != tail:
        n = int(a.ring[head])
        head = (head + 1) % size
        if a.listed[n] == 1:
            a.listed[n] = 0
        for order in range(ORDERS):
            use = a.use[n, order]
            if use <= NEVER:
                continue
            cell = int(a.to[n, order])
            other = int(a.holder[cell])
            total = a.far[n] - use
            if other == n:
                continue
            if other == -2:
                if order != state.STAY:
                    continue
                other = state.NONE
            if other == state.NONE:
                if total < least - 1e-6:
                    end, end_order, least = n, order, total
                continue
            total += a.use[other, a.chosen[other]]
            if total < a.far[other] - 1e-6:
                a.far[other] = total
                a.via[other] = n
                a.by[other] = order
                if a.listed[other] == 0:
                    a.listed[other] = 1
                    a.ring[tail] = other
                    tail = (tail + 1) % size
    n, order = end, end_order
    while n != ship:
        before, by = int(a.via[n]), int(a.by[n])
        a.chosen[n] = order
        a.holder[a.to[n, order]] = n
        n, order = before, by
    a.chosen[n] = order
    a.holder[a.to[n, order]] = n
