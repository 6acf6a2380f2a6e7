"""The first position: where the snakes begin, and their first food."""

from spinney.games.battlesnake.spawning import any_free, end_turn
from spinney.games.battlesnake.state import (
    FOOD,
    STRIDE,
    clear_board,
    column,
    owner,
    put_food,
    put_snake,
    row,
    square,
)
from spinney.kernel import below, rule

FIXED_FROM = 7
"""Square boards from this size on have fixed squares to begin on."""
ROOMY = 11 * 11
"""Squares from which on each of more than four snakes has its own food."""


@rule
def start(s, config, rng):
    configure(s, config)
    if is_fixed(s):
        place_fixed(s, rng)
    else:
        place_anywhere(s, rng)
    end_turn(s)


@rule
def configure(s, config):
    """Take over the options, and lay out an empty board."""
    s.players = config.players
    s.width = config.width
    s.height = config.height
    modes = config.modes()
    s.wrapped = modes.wrapped
    s.constrictor = modes.constrictor
    s.royale = modes.royale
    s.food_chance = config.food_chance
    s.minimum_food = config.minimum_food
    s.hazard_damage = config.hazard_damage
    s.shrink_every = config.shrink_every
    s.turn = 0
    clear_board(s)


@rule
def is_fixed(s):
    return s.width == s.height and s.width >= FIXED_FROM


@rule
def place_fixed(s, rng):
    """Corners and sides in random order, one kind used up first; then food beside each snake and in the centre."""
    corners_first = below(rng, 2)
    for player in range(s.players):
        among_corners = (player < 4) == corners_first
        at = fixed_square(s, among_corners, below(rng, 4))
        while owner(s, at) >= 0:
            at = fixed_square(s, among_corners, below(rng, 4))
        put_snake(s, player, at)
    if s.constrictor:
        return
    if s.players <= 4 or s.width * s.height >= ROOMY:
        for player in range(s.players):
            at = diagonal(s.head[player], below(rng, 4))
            while not is_first_food(s, s.head[player], at):
                at = diagonal(s.head[player], below(rng, 4))
            put_food(s, at)
    put_food(s, centre(s))


@rule
def centre(s):
    return square((s.width - 1) // 2, (s.height - 1) // 2)


@rule
def fixed_square(s, among_corners, number):
    """One of the four squares near the corners, or near the middles of the sides."""
    low, middle, high = 1, (s.width - 1) // 2, s.width - 2
    if among_corners:
        return square(low if number < 2 else high, low if number % 2 == 0 else high)
    if number < 2:
        return square(middle, low if number == 0 else high)
    return square(low if number == 2 else high, middle)


@rule
def diagonal(at, number):
    """One of the four diagonal neighbours of a square."""
    return at + (1 if number < 2 else -1) + (STRIDE if number % 2 == 0 else -STRIDE)


@rule
def is_first_food(s, head, at):
    """Whether a snake's first food may be on this neighbour: away from the centre, not in a corner, not yet taken."""
    x, y = column(at), row(at)
    head_x, head_y = column(head), row(head)
    middle_x, middle_y = (s.width - 1) // 2, (s.height - 1) // 2
    farther = (
        x < head_x < middle_x or middle_x < head_x < x or y < head_y < middle_y or middle_y < head_y < y
    )  # fmt: skip
    in_corner = x in (0, s.width - 1) and y in (0, s.height - 1)
    return farther and not in_corner and at != centre(s) and not s.cell[at] & FOOD


@rule
def place_anywhere(s, rng):
    """Any squares of the colour of the corner (0, 0) but for the centre, and as much food as snakes."""
    for player in range(s.players):
        at = square(below(rng, s.width), below(rng, s.height))
        while not may_begin(s, at):
            at = square(below(rng, s.width), below(rng, s.height))
        put_snake(s, player, at)
    if s.constrictor:
        return
    for _ in range(s.players):
        at = any_free(s, rng)
        if at > 0:
            put_food(s, at)


@rule
def may_begin(s, at):
    return s.cell[at] == 0 and (at % STRIDE + at // STRIDE) % 2 == 0 and at != centre(s)
