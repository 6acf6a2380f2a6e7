"""Room on the board: floods from one square, and from all heads at once.

A set of squares is a row of bits for each row of the grid, so that a flood takes a few operations per row and move.
The record of answers is the only memory: `out.action` holds all sets, LINE numbers each. Bodies are open to a flood as
soon as they have left, if all living snakes crawl on without eating.
"""

from spinney.games.battlesnake.state import (
    ALIVE,
    FOOD,
    LONGEST,
    MAX_PLAYERS,
    MOVES,
    NOBODY,
    STRIDE,
    onward,
    owner,
    step,
)
from spinney.kernel import rule
from spinney.kernel.bits import count

LINE = 32
OPEN, GOAL, NEW, TAILS = 0, LINE, 2 * LINE, 3 * LINE
"""Squares that a flood may still enter; what it looks for; a set for the while; which square each body leaves next."""
REACHED, FRONT = 4 * LINE, (4 + MAX_PLAYERS) * LINE
"""For each snake: what it has reached, and what it reaches with the next move."""
ROOM = (4 + 2 * MAX_PLAYERS) * LINE
"""What all this takes of `out.action`."""
FAR = 1000
"""Farther than any goal."""
NO_WRAP = LONGEST + 2
"""So far that no bit of a row stays on the board."""
ODD = 0x2AAAAAA
"""Every second square of a row."""


@rule(inline=True)
def include(out, squares, at):
    out.action[squares + at // STRIDE] |= 1 << (at % STRIDE)


@rule(inline=True)
def includes(out, squares, at):
    return (out.action[squares + at // STRIDE] >> (at % STRIDE)) & 1


@rule(inline=True)
def clear(s, out, squares):
    for y in range(s.height + 2):
        out.action[squares + y] = 0


@rule
def look(s, out):
    """Open are the squares that nobody is on; goals are those with food."""
    clear(s, out, OPEN)
    clear(s, out, GOAL)
    for y in range(1, s.height + 1):
        empty, food = 0, 0
        for x in range(1, s.width + 1):
            empty |= (s.cell[y * STRIDE + x] <= FOOD) << x
            food |= (s.cell[y * STRIDE + x] & FOOD) << x
        out.action[OPEN + y] = empty
        out.action[GOAL + y] = food
    for player in range(s.players):
        out.action[TAILS + player] = s.tail[player] if s.cause[player] == ALIVE and not s.constrictor else 0


@rule
def look_for_prey(s, player, out):
    """Goals are the squares where a shorter snake may be next; whether there are shorter ones."""
    clear(s, out, GOAL)
    found = False
    for other in range(s.players):
        if s.cause[other] == ALIVE and s.length[other] < s.length[player]:
            found = True
            for direction in range(MOVES):
                include(out, GOAL, step(s, int(s.head[other]), direction))
    return found


@rule
def leave(s, out, move):
    """Open the squares that bodies leave with a move, counted from now; once for each move."""
    for player in range(s.players):
        at = int(out.action[TAILS + player])
        if at > 0 and move > s.stacked[player]:
            include(out, OPEN, at)
            out.action[TAILS + player] = 0 if at == s.head[player] else step(s, at, onward(s, at))


@rule
def spread(s, out, player):
    """The front of a snake: what it can reach with one more move."""
    reached, front = REACHED + LINE * player, FRONT + LINE * player
    wrap = NO_WRAP
    if s.wrapped:
        wrap = s.width - 1
        out.action[reached] = out.action[reached + s.height]
        out.action[reached + s.height + 1] = out.action[reached + 1]
    for y in range(1, s.height + 1):
        row = out.action[reached + y]
        beside = row << 1 | row >> 1 | row << wrap | row >> wrap
        out.action[front + y] = (beside | out.action[reached + y - 1] | out.action[reached + y + 1]) & out.action[y]


@rule
def flood(s, out, first, to_goal):
    """Flood the board from a square that is entered with the next move. How long a path from there can be in the best
    case, and how many moves away the nearest goal is; with `to_goal`, only the latter.

    A path on a chessboard changes colour with every step, so it has at most one square more of one colour than of the
    other. On wrapped boards colours may touch themselves, and all squares count.

    It changes what is open: look again before the next flood.
    """
    move, more = 1, 1
    nearest = 1 if includes(out, GOAL, first) else FAR
    leave(s, out, move)
    clear(s, out, REACHED)
    include(out, REACHED, first)
    out.action[OPEN + first // STRIDE] &= ~(1 << (first % STRIDE))
    while more != 0 and not (to_goal and nearest < FAR):
        move += 1
        leave(s, out, move)
        spread(s, out, 0)
        more, met = 0, 0
        for y in range(1, s.height + 1):
            row = out.action[FRONT + y]
            out.action[REACHED + y] |= row
            out.action[OPEN + y] &= ~row
            more |= row
            met |= row & out.action[GOAL + y]
        if met != 0 and nearest == FAR:
            nearest = move
    odd, squares = 0, 0
    for y in range(1, s.height + 1):
        row = out.action[REACHED + y]
        odd += count(row & (ODD << (y & 1)))
        squares += count(row)
    if s.wrapped:
        return squares, nearest
    same = odd if first_is_odd(first) else squares - odd
    return min(2 * same, 2 * (squares - same) + 1), nearest


@rule(inline=True)
def first_is_odd(at):
    """Whether a square is among those that `flood` counts as odd."""
    return (at % STRIDE + at // STRIDE) % 2 == 1


@rule
def threat(s, player, at):
    """Whether another snake that is at least as long may be on a square with the next move."""
    for direction in range(MOVES):
        beside = step(s, at, direction)
        other = owner(s, beside)
        is_other = 0 <= other < MAX_PLAYERS and other != player
        if is_other and s.head[other] == beside and s.length[other] >= s.length[player]:
            return True
    return False


@rule
def territory(s, out, player, first):
    """Count in `out.reward` the squares that each snake reaches before all others.

    Of two that arrive with the same move the longer one has the square, and neither if they are equally long. For
    `player`, if it is not NOBODY, the first move is known: to the square `first`.
    """
    look(s, out)
    for each in range(s.players):
        if s.cause[each] == ALIVE:
            clear(s, out, REACHED + LINE * each)
            include(out, REACHED + LINE * each, int(s.head[each]))
    move, more = 0, 1
    while more != 0:
        move += 1
        leave(s, out, move)
        for each in range(s.players):
            if s.cause[each] == ALIVE:
                spread(s, out, each)
        if move == 1 and player != NOBODY:
            clear(s, out, FRONT + LINE * player)
            include(out, FRONT + LINE * player, first)
        more = share_out(s, out, move)
    for each in range(s.players):
        squares = 0
        if s.cause[each] == ALIVE:
            for y in range(1, s.height + 1):
                squares += count(out.action[REACHED + LINE * each + y])
        out.reward[each] = squares


@rule
def share_out(s, out, move):
    """Give the squares of the fronts to those who have them, and close them all. Not 0 if somebody has got one."""
    more = 0
    kept = 0 if move == 1 else -1  # the head itself does not count
    for player in range(s.players):
        if s.cause[player] == ALIVE:
            reached, front = REACHED + LINE * player, FRONT + LINE * player
            for y in range(1, s.height + 1):
                out.action[NEW + y] = out.action[front + y]
            for other in range(s.players):
                if other != player and s.cause[other] == ALIVE and s.length[other] >= s.length[player]:
                    theirs = FRONT + LINE * other
                    for y in range(1, s.height + 1):
                        out.action[NEW + y] &= ~out.action[theirs + y]
            for y in range(1, s.height + 1):
                row = out.action[NEW + y]
                out.action[reached + y] = (out.action[reached + y] & kept) | row
                more |= row
    for player in range(s.players):
        if s.cause[player] == ALIVE:
            front = FRONT + LINE * player
            for y in range(1, s.height + 1):
                out.action[OPEN + y] &= ~out.action[front + y]
    return more
