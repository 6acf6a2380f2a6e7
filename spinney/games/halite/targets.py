"""Where ships go: each to the cell with the most gain per turn of its whole trip, and no two to the same."""

from spinney.games.halite import state
from spinney.games.halite.chart import BEST
from spinney.games.halite.rivals import risk
from spinney.kernel import rule

MINE, HOME, BUILD = range(3)


@rule(inline=True)
def per_turn(s, a, cell, cargo, steps, burnt):
    """What a ship gains in a turn of a trip: to a cell, `steps` away, until it is full, and home."""
    room = a.full - cargo
    dig = a.yields[cell] * a.fill
    if a.poor > 0.0:
        dig *= 0.5 + 0.5 * min(1.0, a.yields[cell] / (a.poor * a.mean))
    if dig < 0.5:
        return 0.0
    stay = room / dig
    return (room - burnt * a.o2 - a.burn[cell] * a.o1) / (stay + a.away[cell] + a.out * steps)


@rule
def scan(s, a, n, free):
    """List the best targets of a ship, best first; with `free`, only those that no ship has."""
    i = int(a.own[n])
    here, cargo = int(s.cell[i]), float(s.cargo[i])
    x, y, size = here & (state.STRIDE - 1), here // state.STRIDE, int(s.size)
    half = size // 2
    a.options[n] = 0
    left = s.turns - s.turn
    a.way[here] = 0
    for south in range(2):
        for east in range(2):
            for dy in range(half + 1 - south):
                if south == 1 and dy == 0:
                    continue
                row = (y - dy) if south else (y + dy)
                row += size if row < 0 else -size if row >= size else 0
                before_row = row + 1 if south else row - 1
                before_row += size if before_row < 0 else -size if before_row >= size else 0
                for dx in range(half + 1 - east):
                    if east == 1 and dx == 0:
                        continue
                    column = (x - dx) if east else (x + dx)
                    column += size if column < 0 else -size if column >= size else 0
                    cell = row * state.STRIDE + column
                    if dx or dy:
                        burnt = 10**6
                        if dy:
                            before = before_row * state.STRIDE + column
                            burnt = a.way[before] + s.halite[before] // state.MOVE_COST
                        if dx:
                            back = column + 1 if east else column - 1
                            back += size if back < 0 else -size if back >= size else 0
                            before = row * state.STRIDE + back
                            burnt = min(burnt, a.way[before] + s.halite[before] // state.MOVE_COST)
                        a.way[cell] = burnt
                    else:
                        burnt = 0
                    if a.yields[cell] < 1.0 or (free and a.held[cell] != state.NONE):
                        continue
                    if dx + dy + a.away[cell] + 1 > left:
                        continue
                    rate = per_turn(s, a, cell, cargo, dx + dy, burnt)
                    if a.beside[cell]:
                        rate += min(0.0, risk(s, a, int(s.player[i]), cell, cargo)) / 5.0
                    if rate <= 0.0:
                        continue
                    offer(a, n, cell, rate)


@rule
def offer(a, n, cell, rate):
    """Put a target on a ship's list, if it is good enough."""
    many = int(a.options[n])
    if many == BEST:
        if rate <= a.worth[n, BEST - 1]:
            return
        many -= 1
    k = many
    while k > 0 and a.worth[n, k - 1] < rate:
        a.worth[n, k] = a.worth[n, k - 1]
        a.option[n, k] = a.option[n, k - 1]
        k -= 1
    a.worth[n, k] = rate
    a.option[n, k] = cell
    a.options[n] = many + 1


@rule
def choose_duties(s, a, player):
    """Which ships go home."""
    left = s.turns - s.turn
    for n in range(a.ships):
        i = int(a.own[n])
        here, number = int(s.cell[i]), int(s.id[i])
        a.goal[n] = here
        a.rate[n] = 0.0
        if s.owner[here] == player:
            a.homeward[number] = 0
            a.left[number] = s.turn
        elif s.cargo[i] >= a.full:
            a.homeward[number] = 1
        late = left <= a.home[here] + a.slack + a.ships / 16
        a.duty[n] = HOME if a.homeward[number] or late else MINE
        if late:
            a.homeward[number] = 2


@rule
def choose_targets(s, a, player):
    """Give each ship that mines a target: the best one that no ship with a better claim wants."""
    waiting = 0
    for n in range(a.ships):
        a.asked[n] = 0
        if a.duty[n] == MINE:
            scan(s, a, n, False)
            a.waiting[waiting] = n
            waiting += 1
    total, many = 0.0, 0
    while waiting:
        waiting -= 1
        n = int(a.waiting[waiting])
        k = int(a.asked[n])
        if k == a.options[n]:
            if k < BEST or a.listed[n] == 7:
                a.duty[n] = HOME
                continue
            scan(s, a, n, True)
            a.asked[n] = 0
            k = 0
            a.listed[n] = 7
            if a.options[n] == 0:
                a.duty[n] = HOME
                continue
        cell, rate = int(a.option[n, k]), a.worth[n, k]
        a.asked[n] = k + 1
        other = int(a.held[cell])
        if other != state.NONE and a.rate[other] >= rate:
            a.waiting[waiting] = n
            waiting += 1
            continue
        a.held[cell] = n
        a.goal[n] = cell
        a.rate[n] = rate
        if other != state.NONE:
            a.waiting[waiting] = other
            waiting += 1
    for n in range(a.ships):
        a.listed[n] = 0
        if a.duty[n] == MINE:
            total += a.rate[n]
            many += 1
            i = int(a.own[n])
            here = int(s.cell[i])
            if a.goal[n] != here and a.yields[a.goal[n]] <= a.leave * a.yields[here] and s.owner[here] == state.NONE:
                a.goal[n] = here
    if many:
        a.income += 0.1 * (total / many - a.income)
    for n in range(a.ships):
        i = int(a.own[n])
        if a.duty[n] == MINE and s.cargo[i] >= a.least and soon(s, a, n) < a.back * a.trip:
            a.duty[n] = HOME
            a.homeward[s.id[i]] = 1


@rule
def soon(s, a, n):
    """What the next turns gain if a ship goes to its target, per turn."""
    i = int(a.own[n])
    here, goal = int(s.cell[i]), int(a.goal[n])
    steps = state.distance(s, here, goal) + max(0, int(a.away[goal] - a.away[here]))
    room = float(state.CAPACITY - s.cargo[i])
    burnt = 0.0
    if goal != here:
        burnt = s.halite[here] / state.MOVE_COST + (state.distance(s, here, goal) - 1) * 4.0
    best, gain, left = 0.0, 0.0, a.yields[goal]
    for k in range(1, 6):
        dug = left / state.EXTRACT
        gain = min(room, gain + dug)
        left -= dug
        best = max(best, (gain - burnt - left * 0.1) / (steps + k))
    return best
