"""Deep Sea Adventure: divers share one air supply, and score only if they return before it is used up.

A turn has up to three steps: a direction (down, or up for the rest of the round), a roll of two dice with faces 1 to 3,
and an act on the tile where the diver stands (take its stack, drop one on a blank, or leave it). At the end of a round
the chips of the divers who returned are turned over one by one. Rolls and values are chance, each a step of its own.

A stack of up to three chips is a number: its levels 1 to 4 are digits in base 5, lowest digit first. They ascend,
except where the order in which the chips sank matters (`far_first` is 0).
"""

from spinney.games.card import CHANCE, OVER
from spinney.kernel import Record, below, i8, i16, rule

MAX_PLAYERS = 6
MAX_ACTIONS = 8  # leave, and up to seven stacks to drop; dice have five sums, values four
TILES = 32
HAND = 7
LEVELS, VALUES, COPIES = 4, 4, 2
"""Chips of level L have values from 4L-4 to 4L-1, two of each."""
FULL_AIR = 25
ROUNDS = 3
NOBODY = -1

DIRECTION, ROLL, ACT, REVEAL, FINISHED = 0, 1, 2, 3, 4
"""Phases."""
DOWN, UP = 0, 1
LEAVE, TAKE, DROP = 0, 1, 2
"""Acts; DROP + i drops stack number i of the hand."""
ACTIONS = DROP + HAND
MUST_TURN, MAY_TURN, BOUNCE = 0, 1, 2
"""The rule for a diver without a free tile further down."""


class State(Record):
    players = i8
    bottom = i8  # MUST_TURN, MAY_TURN or BOUNCE
    acts_last = i8  # 1: a diver also acts in the turn that uses up the air
    drops_any = i8  # 1: any stack may be dropped; 0: only the lowest one
    refills = i8  # 1: all values are possible again every round
    far_first = i8  # 1: the chips of the farthest diver sink first; 0: all chips by seat and hand, the last one first
    ties_broken = i8  # 1: of players with equal points, the one with more chips of the highest level wins
    far_starts = i8  # 1: the farthest drowned diver starts the next round; 0: the last one to return
    round = i8
    air = i8
    phase = i8
    actor = i8
    starter = i8
    last_in = i8
    length = i8
    shown_player = i8  # the next chip to be turned over: its player, the stack of the hand, and the chip of the stack
    shown_stack = i8
    shown_chip = i8
    position = i8[MAX_PLAYERS]  # 0: the submarine
    returning = i8[MAX_PLAYERS]
    home = i8[MAX_PLAYERS]
    hand = i8[MAX_PLAYERS]  # number of stacks held
    held = i16[MAX_PLAYERS, HAND]
    path = i16[TILES]  # stacks; 0: a blank
    score = i16[MAX_PLAYERS]
    banked = i8[MAX_PLAYERS, LEVELS]  # number of scored chips of each level
    pool = i8[LEVELS, VALUES]  # number of chips of each value that have not been turned over


@rule
def start(s, config, rng):
    """Copy the options to the state, lay out the path, and begin the first round."""
    s.players = config.players
    for name, value in config.flags().items():
        setattr(s, name, value)
    s.round = 1
    s.length = TILES
    for tile in range(TILES):
        s.path[tile] = 1 + tile // (TILES // LEVELS)
    fill_pool(s)
    begin_round(s)


@rule(inline=True)
def mover(s):
    if s.phase == FINISHED:
        return OVER
    if s.phase in (ROLL, REVEAL):
        return CHANCE
    return s.actor


# ---- legal actions


@rule
def legal(s, player, out):
    """The directions, or the acts on the diver's tile."""
    if s.phase == DIRECTION:
        return legal_directions(s, player, out)
    out.action[0] = LEAVE
    position = s.position[player]
    if position == 0:  # every tile is taken: the diver could not leave the submarine
        return 1
    if s.path[position - 1] != 0:
        out.action[1] = TAKE
        return 2
    return legal_drops(s, player, out)


@rule(inline=True)
def legal_directions(s, player, out):
    """Down, and up if the diver holds a stack; only one of them if the rules leave no choice."""
    out.action[0] = DOWN
    if s.returning[player]:
        out.action[0] = UP
        return 1
    if s.position[player] == 0:
        return 1
    if is_blocked(s, player):
        if s.bottom == MAY_TURN:
            out.action[1] = UP
            return 2
        out.action[0] = UP
        return 1
    if s.hand[player] > 0:
        out.action[1] = UP
        return 2
    return 1


@rule
def is_blocked(s, player):
    """Whether every tile further down is taken by another diver, or there is none, so that the diver cannot dive on."""
    if s.bottom == BOUNCE:
        return False
    deeper = 0
    for other in range(s.players):
        if s.position[other] > s.position[player]:
            deeper += 1
    return deeper == s.length - s.position[player]


@rule
def legal_drops(s, player, out):
    """Leave, and one drop for each kind of stack in the hand."""
    if not s.drops_any:
        if s.hand[player] == 0:
            return 1
        out.action[1] = DROP + least_stack(s, player)
        return 2
    n = 1
    for i in range(s.hand[player]):
        is_new = True
        for j in range(i):
            if s.held[player, j] == s.held[player, i]:
                is_new = False
        if is_new:
            out.action[n] = DROP + i
            n += 1
    return n


@rule
def least_stack(s, player):
    """The first stack with the least sum of (level - 1); sums of 5 and more are equal."""
    best, best_sum = 0, 6
    for i in range(s.hand[player]):
        total, code = 0, s.held[player, i]
        while code > 0:
            total += code % 5 - 1
            code //= 5
        total = min(total, 5)
        if total < best_sum:
            best, best_sum = i, total
    return best


# ---- chance


@rule(inline=True)
def chance(s, rng):
    """The sum of the dice, or the value of the chip that is turned over."""
    if s.phase == ROLL:
        return 2 + below(rng, 3) + below(rng, 3)
    level = shown_level(s)
    n = 0
    for value in range(VALUES):
        n += s.pool[level, value]
    n = below(rng, n)
    value = 0
    while n >= s.pool[level, value]:
        n -= s.pool[level, value]
        value += 1
    return VALUES * level + value


@rule
def outcomes(s, out):
    """All outcomes and their probabilities."""
    if s.phase == ROLL:
        for i in range(5):
            out.action[i] = 2 + i
            out.weight[i] = (3 - abs(2 - i)) / 9
        return 5
    level = shown_level(s)
    left = 0
    for value in range(VALUES):
        left += s.pool[level, value]
    n = 0
    for value in range(VALUES):
        if s.pool[level, value] > 0:
            out.action[n] = VALUES * level + value
            out.weight[n] = s.pool[level, value] / left
            n += 1
    return n


# ---- steps


@rule(inline=True)
def apply(s, action):
    """Make a step of a turn, or turn over a chip."""
    if s.phase == DIRECTION:
        s.returning[s.actor] = action
        s.phase = ROLL
    elif s.phase == ROLL:
        move(s, action)
    elif s.phase == ACT:
        act(s, action)
        end_turn(s)
    else:
        reveal(s, action)


@rule(inline=True)
def move(s, roll):
    """Move over free tiles; tiles of other divers are skipped and cost no step."""
    player = s.actor
    steps = roll - s.hand[player]
    taken = 0
    for other in range(s.players):
        if other != player and s.position[other] > 0:
            taken |= 1 << int(s.position[other])
    here = int(s.position[player])
    rises = s.returning[player] == 1
    if s.bottom == BOUNCE:
        here = bounce(s, player, here, steps, taken)
    elif rises:
        while steps > 0 and here > 0:
            here -= 1
            while here > 0 and (taken >> here) & 1:
                here -= 1
            steps -= 1
    else:
        while steps > 0:
            there = here + 1
            while (taken >> there) & 1:
                there += 1
            if there > s.length:
                break
            here = there
            steps -= 1
    s.position[player] = here
    if here == 0 and s.returning[player]:
        s.home[player] = 1
        if rises:
            s.last_in = player
        end_turn(s)
    elif s.air == 0 and not s.acts_last:
        end_turn(s)
    else:
        s.phase = ACT


@rule
def bounce(s, player, here, steps, taken):
    """Move tile by tile in the diver's direction, and turn back on the last tile, even if it is taken. Return the tile
    where the steps are used up, or 0."""
    while steps > 0:
        if here == s.length:
            s.returning[player] = 1
        here += -1 if s.returning[player] else 1
        if here == 0:
            break
        if (taken >> here) & 1 == 0:
            steps -= 1
    if here == s.length:
        s.returning[player] = 1
    return here


@rule
def act(s, action):
    """Take the stack of the tile, drop one there, or leave it."""
    player = s.actor
    tile, n = s.position[player] - 1, s.hand[player]
    if action == TAKE:
        s.held[player, n] = s.path[tile]
        s.hand[player] = n + 1
        s.path[tile] = 0
    elif action >= DROP:
        s.path[tile] = s.held[player, action - DROP]
        for i in range(action - DROP, n - 1):
            s.held[player, i] = s.held[player, i + 1]
        s.held[player, n - 1] = 0
        s.hand[player] = n - 1


@rule(inline=True)
def end_turn(s):
    """Go on to the next diver, or end the round if the air is used up or all divers have returned."""
    if s.air > 0:
        for k in range(1, s.players + 1):
            player = (s.actor + k) % s.players
            if not s.home[player]:
                begin_turn(s, player)
                return
    if not s.far_first:
        sort_stacks(s)
    s.shown_player, s.shown_stack, s.shown_chip = 0, 0, 0
    show_next(s)


@rule
def begin_turn(s, player):
    """Begin a diver's turn: each of its stacks costs one air."""
    s.actor = player
    s.air = max(0, s.air - s.hand[player])
    s.phase = DIRECTION


# ---- the end of a round


@rule
def sort_stacks(s):
    """Put the chips of divers who have returned in ascending order."""
    for player in range(s.players):
        for i in range(s.hand[player] if s.home[player] else 0):
            code, stack = s.held[player, i], 0
            while code > 0:
                stack = add_chip(stack, code % 5)
                code //= 5
            s.held[player, i] = stack


@rule
def shown_level(s):
    """The level, from 0, of the chip that is turned over next; -1 after the last chip of a stack."""
    code = s.held[s.shown_player, s.shown_stack]
    for _ in range(s.shown_chip):
        code //= 5
    return code % 5 - 1


@rule
def show_next(s):
    """Go on to the next chip of a diver who has returned; after the last one, end the round."""
    while s.shown_player < s.players:
        player = s.shown_player
        if s.home[player] and s.shown_stack < s.hand[player]:
            if shown_level(s) >= 0:
                s.phase = REVEAL
                return
            s.shown_stack += 1
        else:
            s.shown_player += 1
            s.shown_stack = 0
        s.shown_chip = 0
    end_round(s)


@rule
def reveal(s, value):
    """Score a chip that was turned over."""
    level = shown_level(s)
    s.pool[level, value - VALUES * level] -= 1
    s.score[s.shown_player] += value
    s.banked[s.shown_player, level] += 1
    s.shown_chip += 1
    show_next(s)


@rule
def end_round(s):
    """Choose the next starter, tidy the path, and begin the next round or end the game."""
    if s.round == ROUNDS:
        s.phase = FINISHED
        return
    farthest = NOBODY
    for player in range(s.players):
        if not s.home[player] and (farthest == NOBODY or s.position[player] > s.position[farthest]):
            farthest = player
    if s.far_starts and farthest != NOBODY:
        s.starter = farthest
    elif s.last_in != NOBODY:
        s.starter = s.last_in
    tidy_path(s)
    s.round += 1
    if s.refills:
        fill_pool(s)
    if s.length == 0:
        s.phase = FINISHED
    else:
        begin_round(s)


@rule
def tidy_path(s):
    """Remove the blanks, and put the chips of drowned divers at the end of the path in stacks of three."""
    length = 0
    for tile in range(s.length):
        if s.path[tile] != 0:
            s.path[length] = s.path[tile]
            length += 1
    stack, chips, drowned = 0, 0, 0
    for player in range(s.players):
        drowned += 1 - s.home[player]
    while drowned > 0:
        player = next_to_sink(s)
        n = s.hand[player]
        for i in range(n):
            code = s.held[player, i] if s.far_first else upside_down(s.held[player, n - 1 - i])
            while code > 0:
                stack = add_chip(stack, code % 5) if s.far_first else stack + code % 5 * 5**chips
                code //= 5
                chips += 1
                if chips == 3:
                    s.path[length] = stack
                    length += 1
                    stack, chips = 0, 0
        s.home[player] = 1
        drowned -= 1
    if chips > 0:
        s.path[length] = stack
        length += 1
    for tile in range(length, s.length):
        s.path[tile] = 0
    s.length = length


@rule
def next_to_sink(s):
    """Of the drowned divers whose chips are left: the farthest from the submarine, or the last seat."""
    found = NOBODY
    for player in range(s.players):
        if not s.home[player] and (found == NOBODY or not s.far_first or s.position[player] > s.position[found]):
            found = player
    return found


@rule
def upside_down(code):
    """A stack with its chips in the opposite order."""
    stack = 0
    while code > 0:
        stack = 5 * stack + code % 5
        code //= 5
    return stack


@rule
def add_chip(stack, level):
    """A stack with one more chip; its digits stay in ascending order."""
    if stack == 0:
        return level
    if stack % 5 >= level:
        return 5 * stack + level
    return stack % 5 + 5 * add_chip_above(stack // 5, level)


@rule
def add_chip_above(stack, level):
    """`add_chip` for the part of a stack above its lowest chip: one chip or none."""
    if stack == 0:
        return level
    return 5 * stack + level if stack >= level else stack + 5 * level


@rule
def fill_pool(s):
    """Make all values possible."""
    for level in range(LEVELS):
        for value in range(VALUES):
            s.pool[level, value] = COPIES


@rule
def begin_round(s):
    """Put all divers into the submarine, with full air."""
    s.air = FULL_AIR
    s.last_in = NOBODY
    s.shown_player = 0
    for player in range(s.players):
        s.position[player] = 0
        s.returning[player] = 0
        s.home[player] = 0
        for i in range(s.hand[player]):
            s.held[player, i] = 0
        s.hand[player] = 0
    begin_turn(s, s.starter)


# ---- the end of the game


@rule
def reward(s, out):
    """1 for each player with the most points."""
    best = 0
    for player in range(s.players):
        best = max(best, s.score[player])
    for player in range(s.players):
        out.reward[player] = 1.0 if s.score[player] == best else 0.0


@rule
def score_reward(s, out):
    """The score, scaled from the fewest points (0) to the most (1); equal shares if all have the same."""
    least, most = s.score[0], s.score[0]
    for player in range(s.players):
        least, most = min(least, s.score[player]), max(most, s.score[player])
    for player in range(s.players):
        out.reward[player] = 1.0 / s.players if most == least else (s.score[player] - least) / (most - least)


def winners(s):
    """The players with the most points. Ties are broken by the number of chips of level 4, then 3, 2, 1, if at all."""
    levels = range(LEVELS - 1, -1, -1) if s.ties_broken else ()
    keys = [(s.score[p], *(s.banked[p, level] for level in levels)) for p in range(s.players)]
    return [player for player, key in enumerate(keys) if key == max(keys)]


def scores(s):
    """The points of each player."""
    return list(s.score[: s.players])
