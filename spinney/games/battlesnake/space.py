"""Space on the board: flood fills from one square, and from all heads at once.

A set of squares is a bitboard of few words, so that a step of a flood fill takes a few operations for several rows of
the board. All sets are in the Scratch record, `work`. A fill may enter the squares of a body from the move on which the
body has left them, if all living snakes move on without eating.
"""

from spinney.games.battlesnake.state import (
    ALIVE,
    FOOD,
    MAX_PLAYERS,
    MOVES,
    NOBODY,
    STRIDE,
    WALL,
    WORD,
    WORDS,
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
def word(work, at):
    """The word of a square of the board."""
    return work.word[at // STRIDE]


@rule(inline=True)
def bit(work, at):
    """The bit of a square in its word."""
    return 1 << (work.shift[at // STRIDE] + at % STRIDE)


@rule(inline=True)
def include_only(sets, player, k, bits):
    """Make a player's set hold the bits of one word alone."""
    for i in range(WORDS):
        sets[player, i] = 0
    sets[player, k] = bits


@rule
def read_board(s, work):
    """Before the flood fills of a position: the layout of its bitboards, its empty squares, its food, and its living
    snakes."""
    pitch = s.width + 1
    rows = WORD // pitch
    work.pitch = pitch
    work.top = pitch * (rows - 1)
    for k in range(WORDS):
        work.empty[k] = 0
        work.food[k] = 0
        work.odd[k] = 0
    k, shift = 1, -1  # the first column of the grid is 1
    for y in range(1, s.height + 1):
        if shift > work.top:
            k, shift = k + 1, -1
        work.word[y] = k
        work.shift[y] = shift
        empty, food = 0, 0
        for x in range(1, s.width + 1):
            empty |= (s.cell[y * STRIDE + x] <= FOOD) << x
            food |= (s.cell[y * STRIDE + x] & FOOD) << x
        odd = (ODD << (y & 1)) & ((1 << pitch) - 2)
        work.empty[k] |= empty << shift if shift >= 0 else empty >> 1
        work.food[k] |= food << shift if shift >= 0 else food >> 1
        work.odd[k] |= odd << shift if shift >= 0 else odd >> 1
        shift += pitch
    work.words = k
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
    for k in range(WORDS):
        work.open[k] = work.empty[k]
        work.goals[k] = work.food[k]
    for player in range(s.players):
        work.tail[player] = s.tail[player] if s.cause[player] == ALIVE and not s.constrictor else 0


@rule
def hunt(s, player, work):
    """Make goals of the squares that a shorter snake may enter next; whether there is a shorter snake."""
    goals = work.goals
    for k in range(WORDS):
        goals[k] = 0
    found = False
    for other in range(s.players):
        if s.cause[other] == ALIVE and s.length[other] < s.length[player]:
            found = True
            for direction in range(MOVES):
                to = step(s, int(s.head[other]), direction)
                if s.cell[to] != WALL:
                    goals[word(work, to)] |= bit(work, to)
    return found


@rule
def open_tails(s, work, move):
    """Open the squares that bodies leave on a move, counted from now; to be called once for each move."""
    for player in range(s.players):
        at = work.tail[player]
        if at > 0 and move > s.stacked[player]:
            work.open[word(work, at)] |= bit(work, at)
            work.tail[player] = 0 if at == s.head[player] else step(s, at, onward(s, at))


@rule(inline=True)
def expand(s, work, player):
    """Set a player's frontier: the open squares next to those that it has reached."""
    reached, pitch, top = work.reached, work.pitch, work.top
    for k in range(1, work.words + 1):
        row = reached[player, k]
        beside = row << 1 | row >> 1 | row << pitch | row >> pitch
        beside |= reached[player, k - 1] >> top | reached[player, k + 1] << top
        work.frontier[player, k] = beside & work.open[k]
    if s.wrapped:
        expand_over_edges(s, work, player)


@rule
def expand_over_edges(s, work, player):
    """Add the squares on the opposite sides of a wrapped board to a player's frontier."""
    reached, frontier, width, high = work.reached, work.frontier, s.width, s.height
    columns = (1 << width) - 1
    for y in range(1, high + 1):
        k, start = work.word[y], work.shift[y] + 1
        row = (reached[player, k] >> start) & columns
        beside = row >> (width - 1) | (row << (width - 1) & columns)
        other = high + 1 - y
        if min(y, other) == 1:
            beside |= (reached[player, work.word[other]] >> (work.shift[other] + 1)) & columns
        frontier[player, k] |= (beside << start) & work.open[k]


@rule
def flood(s, work, first, to_goal):
    """Flood the board from a square that a snake enters with its next move.

    Return an upper bound of the length of a path from there, and the number of moves to the nearest goal; with
    `to_goal`, only the latter is right. A path on a chessboard changes colour with every step, so it has at most one
    square more of one colour than of the other. On wrapped boards squares of one colour may touch, and all count.

    The sets of player 0 are used, whichever snake it is for. `begin_fill` must be called before every fill.
    """
    reached, frontier, place = work.reached, work.frontier, word(work, first)
    move, more = 1, 1
    nearest = 1 if work.goals[place] & bit(work, first) else FAR
    open_tails(s, work, move)
    include_only(reached, 0, word(work, first), bit(work, first))
    work.open[place] &= ~bit(work, first)
    while more != 0 and not (to_goal and nearest < FAR):
        move += 1
        open_tails(s, work, move)
        expand(s, work, 0)
        more, met = 0, 0
        for k in range(1, work.words + 1):
            row = frontier[0, k]
            reached[0, k] |= row
            work.open[k] &= ~row
            more |= row
            met |= row & work.goals[k]
        if met != 0 and nearest == FAR:
            nearest = move
    odd, squares = 0, 0
    for k in range(1, work.words + 1):
        odd += count(reached[0, k] & work.odd[k])
        squares += count(reached[0, k])
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
    For `player`, unless it is NOBODY, the first move is given: to the square `first`. `read_board` must be called
    before.
    """
    begin_fill(s, work)
    for i in range(work.living):
        head = int(s.head[work.order[i]])
        include_only(work.reached, work.order[i], word(work, head), bit(work, head))
    move, more = 0, 1
    while more != 0:
        move += 1
        open_tails(s, work, move)
        for i in range(work.living):
            expand(s, work, work.order[i])
        if move == 1 and player != NOBODY:
            include_only(work.frontier, player, word(work, first), bit(work, first))
        more = claim(s, work, move)
    for each in range(s.players):
        work.territory[each] = 0
    for i in range(work.living):
        squares = 0
        for k in range(1, work.words + 1):
            squares += count(work.reached[work.order[i], k])
        work.territory[work.order[i]] = squares


@rule(inline=True)
def claim(s, work, move):
    """Give the squares of all frontiers to the snakes that win them, and close them. Returns 0 if nobody won any."""
    reached, frontier, order = work.reached, work.frontier, work.order
    more = 0
    kept = 0 if move == 1 else -1  # the square of the head itself does not count
    for k in range(1, work.words + 1):
        seen, first = 0, 0
        while first < work.living:  # snakes of the same length at a time, the longest first
            contested, last = seen, first
            while last < work.living and s.length[order[last]] == s.length[order[first]]:
                contested |= seen & frontier[order[last], k]
                seen |= frontier[order[last], k]
                last += 1
            while first < last:
                won = frontier[order[first], k] & ~contested
                reached[order[first], k] = (reached[order[first], k] & kept) | won
                more |= won
                first += 1
        work.open[k] &= ~seen
    return more
