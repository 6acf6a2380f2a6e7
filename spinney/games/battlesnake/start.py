"""The first position: the starting squares of the snakes, and the first food."""

from spinney.games.battlesnake.spawning import any_free, end_turn
from spinney.games.battlesnake.state import FOOD, STRIDE, clear_board, column, owner, put_food, put_snake, row, square
from spinney.kernel import below, rule

FIXED_FROM = 7
"""Square boards from this size on have fixed starting squares."""
ROOMY = 11 * 11
"""The area from which on more than four snakes get a piece of food each."""


@rule
def start(s, config, rng):
    """Set up the first position."""
    configure(s, config)
    if is_fixed(s):
        place_fixed(s, rng)
    else:
        place_anywhere(s, rng)
    end_turn(s)


@rule
def configure(s, config):
    """Copy the options to the state, and make an empty board."""
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
    """Whether the board has fixed starting squares."""
    return s.width == s.height and s.width >= FIXED_FROM


@rule
def place_fixed(s, rng):
    """Place snakes on the corner squares or the side squares, in random order, and on the other kind when these are
    taken; then food diagonally beside each snake and in the centre."""
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
    """The middle of the board; left of or below it if a side is even."""
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
    """Whether a snake's first food may be on this neighbour: away from the centre, not in a corner, still empty."""
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
    """Place snakes on random squares of the colour of (0, 0) other than the centre, and a piece of food for each snake
    on a random free square."""
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
    """Whether a square of a board without fixed starting squares may be one."""
    return s.cell[at] == 0 and (at % STRIDE + at // STRIDE) % 2 == 0 and at != centre(s)
