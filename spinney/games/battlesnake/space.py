"""Space on the board: flood fills from one square, and from all heads at once.

A set of squares is a bitboard, one integer for each row of the grid, so that a step of a flood fill takes a few
operations for a block of rows. All sets are in the Scratch record, `work`. A fill may enter the squares of a body from
the move on which the body has left them, if all living snakes move on without eating.
"""

from spinney.games.battlesnake.state import (
    ALIVE,
    BLOCK,
    FOOD,
    MAX_PLAYERS,
    MOVES,
    NOBODY,
    ROWS,
    STRIDE,
    onward,
    owner,
    step,
)
from spinney.kernel import rule
from spinney.kernel.bits import count

FAR = 1000
"""The distance of a goal that cannot be reached; more than that of any other."""
ODD = 0x2AAAAAA
"""Every second square of a row."""


@rule(inline=True)
def include(squares, at):
    """Add a square to a set."""
    squares[at // STRIDE] |= 1 << (at % STRIDE)


@rule(inline=True)
def include_only(sets, player, at):
    """Make a player's set hold one square alone."""
    for y in range(ROWS):
        sets[player, y] = 0
    sets[player, at // STRIDE] = 1 << (at % STRIDE)


@rule
def read_board(s, work):
    """Before the flood fills of a position: its empty squares, its food, and its living snakes."""
    for y in range(ROWS):
        work.empty[y] = 0
        work.food[y] = 0
    for y in range(1, s.height + 1):
        empty, food = 0, 0
        for x in range(1, s.width + 1):
            empty |= (s.cell[y * STRIDE + x] <= FOOD) << x
            food |= (s.cell[y * STRIDE + x] & FOOD) << x
        work.empty[y] = empty
        work.food[y] = food
    work.living = 0
    for player in range(s.players):
        if s.cause[player] == ALIVE:
            i = work.living
            while i > 0 and s.length[work.order[i - 1]] < s.length[player]:
                work.order[i] = work.order[i - 1]
                i -= 1
            work.order[i] = player
            work.living += 1


@rule
def begin_fill(s, work):
    """Before each flood fill: the empty squares are open, those with food are goals."""
    for y in range(ROWS):
        work.open[y] = work.empty[y]
        work.goals[y] = work.food[y]
    for player in range(s.players):
        work.tail[player] = s.tail[player] if s.cause[player] == ALIVE and not s.constrictor else 0


@rule
def hunt(s, player, work):
    """Make goals of the squares that a shorter snake may enter next; whether there is a shorter snake."""
    goals = work.goals
    for y in range(ROWS):
        goals[y] = 0
    found = False
    for other in range(s.players):
        if s.cause[other] == ALIVE and s.length[other] < s.length[player]:
            found = True
            for direction in range(MOVES):
                include(goals, step(s, int(s.head[other]), direction))
    return found


@rule
def open_tails(s, work, move):
    """Open the squares that bodies leave on a move, counted from now; to be called once for each move."""
    for player in range(s.players):
        at = int(work.tail[player])
        if at > 0 and move > s.stacked[player]:
            include(work.open, at)
            work.tail[player] = 0 if at == s.head[player] else step(s, at, onward(s, at))


@rule
def expand(s, work, player):
    """Set a player's frontier: the open squares next to those that it has reached."""
    reached, frontier, open_squares = work.reached, work.frontier, work.open
    if s.wrapped:
        reached[player, 0] = reached[player, s.height]
        reached[player, s.height + 1] = reached[player, 1]
    for first in range(1, s.height + 1, BLOCK):
        for i in range(BLOCK):
            y = first + i
            beside = reached[player, y] << 1 | reached[player, y] >> 1 | reached[player, y - 1] | reached[player, y + 1]
            frontier[player, y] = beside & open_squares[y]
    if s.wrapped:
        for y in range(1, s.height + 1):
            row = reached[player, y]
            frontier[player, y] |= (row << (s.width - 1) | row >> (s.width - 1)) & open_squares[y]


@rule
def flood(s, work, first, to_goal):
    """Flood the board from a square that a snake enters with its next move.

    Return an upper bound of the length of a path from there, and the number of moves to the nearest goal; with
    `to_goal`, only the latter is right. A path on a chessboard changes colour with every step, so it has at most one
    square more of one colour than of the other. On wrapped boards squares of one colour may touch, and all count.

    The sets of player 0 are used, whichever snake it is for. `begin_fill` must be called before every fill.
    """
    reached, frontier = work.reached, work.frontier
    move, more = 1, 1
    nearest = 1 if (work.goals[first // STRIDE] >> (first % STRIDE)) & 1 else FAR
    open_tails(s, work, move)
    include_only(reached, 0, first)
    work.open[first // STRIDE] &= ~(1 << (first % STRIDE))
    while more != 0 and not (to_goal and nearest < FAR):
        move += 1
        open_tails(s, work, move)
        expand(s, work, 0)
        more, met = 0, 0
        for start in range(1, s.height + 1, BLOCK):
            for i in range(BLOCK):
                row = frontier[0, start + i]
                reached[0, start + i] |= row
                work.open[start + i] &= ~row
                more |= row
                met |= row & work.goals[start + i]
        if met != 0 and nearest == FAR:
            nearest = move
    odd, squares = 0, 0
    for y in range(1, s.height + 1):
        row = reached[0, y]
        odd += count(row & (ODD << (y & 1)))
        squares += count(row)
    if s.wrapped:
        return squares, nearest
    same = odd if is_odd(first) else squares - odd
    return min(2 * same, 2 * (squares - same) + 1), nearest


@rule(inline=True)
def is_odd(at):
    """Whether a square has the colour that `flood` counts as odd."""
    return (at % STRIDE + at // STRIDE) % 2 == 1


@rule
def is_threatened(s, player, at):
    """Whether another snake that is at least as long may enter a square with its next move."""
    for direction in range(MOVES):
        beside = step(s, at, direction)
        other = owner(s, beside)
        is_other = 0 <= other < MAX_PLAYERS and other != player
        if is_other and s.head[other] == beside and s.length[other] >= s.length[player]:
            return True
    return False


@rule
def territory(s, work, player, first):
    """Find the squares that each snake reaches before all others, and count them in `work.territory`.

    If two snakes arrive with the same move, the longer one gets the square; if they are equally long, neither does.
    For `player`, unless it is NOBODY, the first move is given: to the square `first`. `read_board` must be called before.
    """
    begin_fill(s, work)
    for i in range(work.living):
        include_only(work.reached, work.order[i], int(s.head[work.order[i]]))
    move, more = 0, 1
    while more != 0:
        move += 1
        open_tails(s, work, move)
        for i in range(work.living):
            expand(s, work, work.order[i])
        if move == 1 and player != NOBODY:
            include_only(work.frontier, player, first)
        more = claim(s, work, move)
    for each in range(s.players):
        work.territory[each] = 0
    for i in range(work.living):
        squares = 0
        for y in range(1, s.height + 1):
            squares += count(work.reached[work.order[i], y])
        work.territory[work.order[i]] = squares


@rule
def claim(s, work, move):
    """Give the squares of all frontiers to the snakes that win them, and close them. Returns 0 if nobody won any."""
    reached, frontier, seen, contested = work.reached, work.frontier, work.seen, work.contested
    more = 0
    kept = 0 if move == 1 else -1  # the square of the head itself does not count
    for y in range(ROWS):
        seen[y] = 0
    first = 0
    while first < work.living:  # snakes of the same length at a time
        for y in range(ROWS):
            contested[y] = seen[y]
        last = first
        while last < work.living and s.length[work.order[last]] == s.length[work.order[first]]:
            player = work.order[last]
            for start in range(1, s.height + 1, BLOCK):
                for i in range(BLOCK):
                    contested[start + i] |= seen[start + i] & frontier[player, start + i]
                    seen[start + i] |= frontier[player, start + i]
            last += 1
        while first < last:
            player = work.order[first]
            for start in range(1, s.height + 1, BLOCK):
                for i in range(BLOCK):
                    won = frontier[player, start + i] & ~contested[start + i]
                    reached[player, start + i] = (reached[player, start + i] & kept) | won
                    more |= won
            first += 1
    for y in range(ROWS):
        work.open[y] &= ~seen[y]
    return more
