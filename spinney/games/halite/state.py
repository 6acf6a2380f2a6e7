"""The state of a game of Halite III: a map that wraps around, ships in a dense list, and the orders of this turn.

A cell's number is 64 y + x on every map, so that x and y need no division. Ships are listed in the order of their ids,
without gaps. A player may have MAX_SHIPS / players ships and MAX_DROPOFFS / players dropoffs: beyond that, spawning and
constructing are not legal, and such orders are ignored.

For inspiration there are bitboards of each player's ships and of all ships: a bit for each cell, two words for each
row, each with 32 columns and a margin of 4 columns on both sides. Thus the neighbourhood of a ship is in nine words of
a bitboard, however near the edge it is, and a move flips a few bits.
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
"""The distance within which rivals inspire a ship."""

STAY, NORTH, SOUTH, EAST, WEST, CONSTRUCT, SPAWN = range(7)
"""Orders, which are the actions: those of a ship, and SPAWN or STAY for a shipyard."""
GONE = 7
"""The order of a ship that was lost in this turn, or has become a dropoff."""
INSPIRED = 8
"""The order of a ship that stays and is inspired, while a turn is carried out: it mines three times as much."""
NONE = -1
"""No ship, no owner."""
WRECK = -2
"""In `ship`, while ships arrive: ships have collided on this cell."""

WORDS = 2
COLUMNS = LARGEST // WORDS
BITS = COLUMNS + 2 * RADIUS
"""Of a bitboard: the words of a row, the columns of a word, and the bits of a word with its margins."""
BITBOARD = LARGEST * WORDS
ALL_SHIPS = MAX_PLAYERS * BITBOARD
"""The number of words of a bitboard, and the index of that of all ships; it is used with more than two players."""


class State(Record):
    players = i8
    size = i8
    inspiration = i8  # 1: ships with rivals nearby mine three times as much
    turns = i16  # length of the game
    turn = i16  # turns played
    mover = i8  # the player who gives orders now, or OVER
    piece = i16  # the ship that gets the next order; the number of ships: the shipyard
    ships = i16
    next_id = i16
    dropoffs = i16
    total = i32  # halite on the map
    wealth = i32  # all halite at the start, with the treasuries
    treasury = i32[MAX_PLAYERS]
    spent = i32[MAX_PLAYERS]  # by the orders of this turn
    deposited = i32[MAX_PLAYERS]
    spawn = i8[MAX_PLAYERS]  # 1: the shipyard spawns a ship
    terminated = i8[MAX_PLAYERS]  # removed from the game for an error
    broke = i8[MAX_PLAYERS]  # had neither a ship nor the price of one after some turn
    last_alive = i16[MAX_PLAYERS]  # the last turn alive
    fleet = i16[MAX_PLAYERS]  # number of ships
    built = i16[MAX_PLAYERS]  # number of dropoffs
    yard = i16[MAX_PLAYERS]
    luck = i64[MAX_PLAYERS]  # the last tie-break
    leads = i8[MAX_PLAYERS * MAX_PLAYERS]  # 1 or -1: which of two treasuries was larger when they last differed
    dropoff = i16[MAX_DROPOFFS]  # the cell of each dropoff
    halite = i32[CELLS]
    ship = i16[CELLS]  # the ship on a cell, or NONE
    owner = i8[CELLS]  # the owner of the structure on a cell, or NONE
    id = i16[MAX_SHIPS]
    player = i8[MAX_SHIPS]
    cell = i16[MAX_SHIPS]
    cargo = i16[MAX_SHIPS]
    order = i8[MAX_SHIPS]
    column_bits = i64[STRIDE * WORDS]  # the bits of a ship in the words of its row, by x
    bitboard = i64[(MAX_PLAYERS + 1) * BITBOARD]


@rule(inline=True)
def step(s, cell, direction):
    """The neighbour of a cell in a direction."""
    if direction == NORTH:
        return cell - STRIDE if cell >= STRIDE else cell + STRIDE * (s.size - 1)
    if direction == SOUTH:
        return cell + STRIDE if cell < STRIDE * (s.size - 1) else cell - STRIDE * (s.size - 1)
    if direction == EAST:
        return cell + 1 if (cell & (STRIDE - 1)) < s.size - 1 else cell - s.size + 1
    return cell - 1 if cell & (STRIDE - 1) else cell + s.size - 1


@rule(inline=True)
def distance(s, here, there):
    """The number of steps from one cell to another."""
    dx = abs((here & (STRIDE - 1)) - (there & (STRIDE - 1)))
    dy = abs(here // STRIDE - there // STRIDE)
    return min(dx, s.size - dx) + min(dy, s.size - dy)


# ---- ships


@rule
def add_ship(s, player, cell, cargo, number):
    """Put a ship with an id on an empty cell; the list must have space for it."""
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
    """Remove a ship from the game; it stays in the list until `remove_lost`."""
    player = int(s.player[i])
    s.order[i] = GONE
    s.fleet[player] -= 1
    if s.inspiration:
        flip(s, player, int(s.cell[i]))


@rule
def remove_lost(s):
    """Remove lost ships from the list; the others keep their order."""
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
    for i in range(n, s.ships):
        s.id[i] = 0
        s.player[i] = 0
        s.cell[i] = 0
        s.cargo[i] = 0
        s.order[i] = 0
    s.ships = n


@rule
def add_dropoff(s, player, cell):
    """Make a cell without an owner a dropoff; the list must have space for it."""
    s.dropoff[s.dropoffs] = cell
    s.dropoffs += 1
    s.built[player] += 1
    s.owner[cell] = player
    s.total -= s.halite[cell]
    s.halite[cell] = 0


# ---- inspiration


@rule
def fill_columns(s):
    """Fill `column_bits` for a map of the state's size."""
    for x in range(s.size):
        for word in range(WORDS):
            bits = 0
            for bit in range(BITS):
                if (COLUMNS * word + bit - RADIUS - x) % s.size == 0:
                    bits |= 1 << bit
            s.column_bits[WORDS * x + word] = bits


@rule(inline=True)
def flip(s, player, cell):
    """Add a ship to the bitboards, or remove it."""
    x, y = int(cell & (STRIDE - 1)), int(cell // STRIDE)
    for word in range(WORDS if s.size > COLUMNS else 1):
        bits, at = s.column_bits[WORDS * x + word], WORDS * y + word
        s.bitboard[player * BITBOARD + at] ^= bits
        if s.players > 2:
            s.bitboard[ALL_SHIPS + at] ^= bits


@rule
def clear_bitboard(s, player):
    """Remove all ships of a player from the bitboards."""
    for at in range(BITBOARD):
        if s.players > 2:
            s.bitboard[ALL_SHIPS + at] ^= s.bitboard[player * BITBOARD + at]
        s.bitboard[player * BITBOARD + at] = 0


@rule(inline=True)
def rivals_near(s, player, cell):
    """The rivals' ships within RADIUS of a cell, a bit for each."""
    x, y, size, many = int(cell & (STRIDE - 1)), int(cell // STRIDE), int(s.size), s.players > 2
    others, own = ALL_SHIPS if many else (player ^ 1) * BITBOARD, player * BITBOARD
    word, right = x // COLUMNS, x & (COLUMNS - 1)
    row = y - RADIUS if y >= RADIUS else y - RADIUS + size
    seen = 0
    for d in range(2 * RADIUS + 1):
        away = abs(d - RADIUS)
        width = 2 * (RADIUS - away) + 1
        at = WORDS * row + word
        bits = s.bitboard[others + at] ^ s.bitboard[own + at] if many else s.bitboard[others + at]
        seen = (seen << width) | ((bits >> (right + away)) & ((1 << width) - 1))
        row = row + 1 if row < size - 1 else 0
    return seen


@rule(inline=True)
def is_inspired(s, i):
    """Whether two rivals are near a ship, so that it mines three times as much if it stays this turn."""
    seen = rivals_near(s, int(s.player[i]), int(s.cell[i]))
    return (seen & (seen - 1)) != 0
