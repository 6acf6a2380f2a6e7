"""The state of a game of Halite III: a map that wraps around, ships in a dense list, and the orders of this turn.

A cell's number is 64 y + x on every map, so that x and y need no division. Ships stand in the order of their ids,
without gaps. A player may have MAX_SHIPS / players ships and MAX_DROPOFFS / players dropoffs: beyond that, spawning and
constructing are not legal, and a turn leaves them out.

For inspiration there are pictures of each player's ships, and of everybody's: a bit a cell, two words a row, each of 32
columns with 4 columns of margin on both sides. So the neighbourhood of a ship is in nine words of a picture, however
near the edge it is, and a ship that moves flips a few bits.
"""

from spinney.kernel import Record, i8, i16, i32, i64, rule

MAX_PLAYERS = 4
SMALLEST, LARGEST = 10, 64
"""Cells on a side. On smaller maps, a ship's neighbourhood would overlap itself."""
STRIDE = 64
CELLS = STRIDE * LARGEST
MAX_SHIPS = 1024
MAX_DROPOFFS = 256
MOST_TURNS = 2000

SHIP_COST = 1000
DROPOFF_COST = 4000
CAPACITY = 1000
EXTRACT = 4
"""Mining takes a quarter of the cell, rounded up."""
MOVE_COST = 10
"""Leaving a cell costs a tenth of its halite, rounded down."""
RADIUS = 4
"""How near rivals must be to inspire a ship."""

STAY, NORTH, SOUTH, EAST, WEST, CONSTRUCT, SPAWN = range(7)
"""Orders, which are the actions: those of a ship, and SPAWN for a shipyard, whose other choice is STAY."""
GONE = 7
"""In place of the order of a ship that has just been lost, or has become a dropoff."""
INSPIRED = 8
"""In place of STAY, while a turn is carried out: the ship mines three times as much."""
NONE = -1
"""No ship, no owner."""
WRECK = -2
"""In place of a ship, while ships arrive: others have collided on this cell."""

WORDS = 2
COLUMNS = LARGEST // WORDS
BITS = COLUMNS + 2 * RADIUS
"""A picture's words in a row, the columns in each, and its bits with the margins."""
PICTURE = LARGEST * WORDS
EVERYBODY = MAX_PLAYERS * PICTURE
"""The words of one picture, and where that of all ships begins; it is kept for more than two players."""


class State(Record):
    players = i8
    size = i8
    inspiration = i8  # 1: ships with rivals nearby mine three times as much
    turns = i16  # after so many, the game is over
    turn = i16  # turns played
    mover = i8  # who gives orders now, or OVER
    piece = i16  # to which ship; the number of ships: the shipyard
    ships = i16
    next_id = i16
    dropoffs = i16
    total = i32  # halite on the map
    wealth = i32  # all halite there was at the start, treasuries among it
    treasury = i32[MAX_PLAYERS]
    spent = i32[MAX_PLAYERS]  # in the orders of this turn
    deposited = i32[MAX_PLAYERS]
    spawn = i8[MAX_PLAYERS]  # 1: a ship is ordered
    terminated = i8[MAX_PLAYERS]  # thrown out for an error
    broke = i8[MAX_PLAYERS]  # once had neither a ship nor the price of one
    last_alive = i16[MAX_PLAYERS]  # the last turn alive
    fleet = i16[MAX_PLAYERS]  # how many ships
    built = i16[MAX_PLAYERS]  # how many dropoffs
    yard = i16[MAX_PLAYERS]
    luck = i64[MAX_PLAYERS]  # the last tie-break
    leads = i8[MAX_PLAYERS * MAX_PLAYERS]  # 1 or -1: who had more when two treasuries last differed
    dropoff = i16[MAX_DROPOFFS]  # cells, by the number of the dropoff
    halite = i32[CELLS]
    ship = i16[CELLS]  # on a cell, or NONE
    owner = i8[CELLS]  # of the structure on a cell, or NONE
    id = i16[MAX_SHIPS]
    player = i8[MAX_SHIPS]
    cell = i16[MAX_SHIPS]
    cargo = i16[MAX_SHIPS]
    order = i8[MAX_SHIPS]
    column = i64[STRIDE * WORDS]  # the bits of a ship in each word, by x
    picture = i64[(MAX_PLAYERS + 1) * PICTURE]


@rule(inline=True)
def step(s, cell, direction):
    """The neighbour of a cell."""
    if direction == NORTH:
        return cell - STRIDE if cell >= STRIDE else cell + STRIDE * (s.size - 1)
    if direction == SOUTH:
        return cell + STRIDE if cell < STRIDE * (s.size - 1) else cell - STRIDE * (s.size - 1)
    if direction == EAST:
        return cell + 1 if (cell & (STRIDE - 1)) < s.size - 1 else cell - s.size + 1
    return cell - 1 if cell & (STRIDE - 1) else cell + s.size - 1


@rule(inline=True)
def distance(s, here, there):
    """Steps from one cell to another."""
    dx = abs((here & (STRIDE - 1)) - (there & (STRIDE - 1)))
    dy = abs(here // STRIDE - there // STRIDE)
    return min(dx, s.size - dx) + min(dy, s.size - dy)


# ---- ships


@rule
def add_ship(s, player, cell, cargo, number):
    """Put a ship with an id on an empty cell; there must be room for it."""
    i = int(s.ships)
    s.id[i] = number
    s.player[i] = player
    s.cell[i] = cell
    s.cargo[i] = cargo
    s.order[i] = STAY
    s.ship[cell] = i
    s.ships += 1
    s.fleet[player] += 1
    if s.inspiration:
        flip(s, player, cell)


@rule
def lose_ship(s, i):
    """Take a ship out of the game; it stays in the list until `close_ranks`."""
    player = int(s.player[i])
    s.order[i] = GONE
    s.fleet[player] -= 1
    if s.inspiration:
        flip(s, player, int(s.cell[i]))


@rule
def close_ranks(s):
    """Drop the lost ships from the list; the others keep their order."""
    n = 0
    for i in range(s.ships):
        if s.order[i] != GONE:
            if n < i:
                s.id[n] = s.id[i]
                s.player[n] = s.player[i]
                s.cell[n] = s.cell[i]
                s.cargo[n] = s.cargo[i]
                s.order[n] = s.order[i]
                s.ship[s.cell[n]] = n
            n += 1
    s.ships = n


@rule
def add_dropoff(s, player, cell):
    """Make a cell without an owner a dropoff; there must be room for it."""
    s.dropoff[s.dropoffs] = cell
    s.dropoffs += 1
    s.built[player] += 1
    s.owner[cell] = player
    s.total -= s.halite[cell]
    s.halite[cell] = 0


# ---- inspiration


@rule
def fill_columns(s):
    """For a map of the state's size, where ships in a column are in the words of a row."""
    for x in range(s.size):
        for word in range(WORDS):
            bits = 0
            for bit in range(BITS):
                if (COLUMNS * word + bit - RADIUS - x) % s.size == 0:
                    bits |= 1 << bit
            s.column[WORDS * x + word] = bits


@rule(inline=True)
def flip(s, player, cell):
    """Put a ship into the pictures, or take it out."""
    x, y = int(cell & (STRIDE - 1)), int(cell // STRIDE)
    for word in range(WORDS if s.size > COLUMNS else 1):
        bits, at = s.column[WORDS * x + word], WORDS * y + word
        s.picture[player * PICTURE + at] ^= bits
        if s.players > 2:
            s.picture[EVERYBODY + at] ^= bits


@rule(inline=True)
def rivals_near(s, player, cell):
    """The rivals' ships within RADIUS of a cell: a bit for each."""
    x, y, size, many = int(cell & (STRIDE - 1)), int(cell // STRIDE), int(s.size), s.players > 2
    others, own = EVERYBODY if many else (player ^ 1) * PICTURE, player * PICTURE
    word, right = x // COLUMNS, x & (COLUMNS - 1)
    row = y - RADIUS if y >= RADIUS else y - RADIUS + size
    seen = 0
    for d in range(2 * RADIUS + 1):
        away = abs(d - RADIUS)
        width = 2 * (RADIUS - away) + 1
        at = WORDS * row + word
        bits = s.picture[others + at] ^ s.picture[own + at] if many else s.picture[others + at]
        seen = (seen << width) | ((bits >> (right + away)) & ((1 << width) - 1))
        row = row + 1 if row < size - 1 else 0
    return seen


@rule(inline=True)
def is_inspired(s, i):
    """Whether a ship mines three times as much if it stays this turn: two rivals are near."""
    seen = rivals_near(s, int(s.player[i]), int(s.cell[i]))
    return (seen & (seen - 1)) != 0
