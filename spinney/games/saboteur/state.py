"""The state of a game: the cards, and a board on which the places for tiles and the way from the entrance are kept up
to date.

The board has a border of one cell on every side, so that a neighbour is always a cell. A set of cells is four words of
four rows each, a bit for each cell.

For every cell `need` says which of its sides must be open, and which closed, to fit its neighbours. A tile can be laid
on an empty cell with a side that must be open: those cells are `room`. `reached` is what the tunnels from the entrance
lead to. Laying a tile adds to it; only the removal of a tile on the way makes it start anew.
"""

from spinney.games.saboteur.tiles import BORDER, EMPTY, ENTRANCE, KINDS, NORTH, OBJECTIVE, SIDES, SOUTH, THROUGH, WEST
from spinney.kernel import Record, i8, i16, i32, i64, rule
from spinney.kernel.bits import lowest

MAX_PLAYERS = 2
SIZE = 14
STRIDE = 16
CELLS = STRIDE * STRIDE
WORDS = 4
BITS = 64
OBJECTIVES = 3
UNKNOWN = -1
"""The nugget's place, in the eyes of a player who does not know it."""
NOBODY = -1


class State(Record):
    phase = i8
    player = i8  # who moves or draws
    turn = i8  # 1 at the first move; 0 while cards are dealt
    winner = i8
    nugget = i8  # 0 left, 1 middle, 2 right
    revealed = i8  # objectives that all know, as bits
    deck_size = i8
    last_tile = i8  # what the last move laid or destroyed
    last = i16  # the last move; of a drop, not which card
    hand_size = i8[MAX_PLAYERS]
    malus = i8[MAX_PLAYERS]
    seen = i8[MAX_PLAYERS]  # objectives that a player knows, as bits
    shapes = i32[MAX_PLAYERS]  # shapes of the tiles in the hand, as bits
    deck = i8[KINDS]  # cards of each kind
    hand = i8[MAX_PLAYERS, KINDS]
    dropped = i8[MAX_PLAYERS, KINDS]
    room = i64[WORDS]  # cells on which a tile of some shape can be laid
    laid = i64[WORDS]  # cells with a tile that can be destroyed
    reached = i64[WORDS]  # cells that tunnels from the entrance lead to
    pending = i64[WORDS]  # memory for a flood, empty between floods
    tile = i8[CELLS]
    need = i16[CELLS]  # sides that must be open, and those that must be closed times 16


@rule(inline=True)
def cell_at(row, column):
    """The number of a cell; rows and columns count from 0."""
    return (row + 1) * STRIDE + column + 1


@rule(inline=True)
def row_of(cell):
    return cell // STRIDE - 1


@rule(inline=True)
def column_of(cell):
    return cell % STRIDE - 1


@rule(inline=True)
def objective_cell(objective):
    return cell_at(12, 3 + 2 * objective)


@rule(inline=True)
def objective_at(cell):
    """Which objective is on a cell that has one."""
    return (column_of(cell) - 3) // 2


ENTRANCE_CELL = cell_at(5, 5)


@rule(inline=True)
def beside(cell, side):
    """The neighbour on a side."""
    return cell + (-STRIDE if side == NORTH else STRIDE if side == SOUTH else -1 if side == WEST else 1)


@rule(inline=True)
def opposite(side):
    return (side << 2 | side >> 2) & 15


@rule(inline=True)
def code_at(s, cell):
    """What a cell holds: a shape, ENTRANCE, OBJECTIVE, EMPTY or BORDER."""
    return int(s.tile[cell])


@rule(inline=True)
def sides_of(s, cell):
    """The open sides of what a cell holds."""
    return int(SIDES[s.tile[cell]])


@rule(inline=True)
def leads_on(s, cell):
    """Whether tunnels lead through the centre of a cell."""
    return THROUGH[s.tile[cell]] == 1


@rule(inline=True)
def has(cells, cell):
    return (cells[cell // BITS] >> (cell % BITS)) & 1 == 1


@rule(inline=True)
def add(cells, cell):
    cells[cell // BITS] |= 1 << (cell % BITS)


@rule(inline=True)
def discard(cells, cell):
    cells[cell // BITS] &= ~(1 << (cell % BITS))


@rule
def clear_board(s):
    """The entrance, and three objectives that nobody knows."""
    for cell in range(CELLS):
        inside = 0 <= row_of(cell) < SIZE and 0 <= column_of(cell) < SIZE
        s.tile[cell] = EMPTY if inside else BORDER
        s.need[cell] = 0
    for word in range(WORDS):
        s.room[word] = 0
        s.laid[word] = 0
        s.reached[word] = 0
        s.pending[word] = 0
    for objective in range(OBJECTIVES):
        s.tile[objective_cell(objective)] = OBJECTIVE
    s.revealed = 0
    s.tile[ENTRANCE_CELL] = ENTRANCE
    fit_neighbours(s, ENTRANCE_CELL)
    add(s.reached, ENTRANCE_CELL)


@rule
def fit_neighbours(s, cell):
    """What is on a cell now says what may be laid beside it."""
    open_sides = sides_of(s, cell)
    side = 1
    while side < 16:
        to = beside(cell, side)
        if open_sides & side:
            s.need[to] |= opposite(side)
            if s.tile[to] == EMPTY:
                add(s.room, to)
        else:
            s.need[to] |= opposite(side) << 4
        side *= 2


@rule
def free_neighbours(s, cell):
    """What was on a cell says no more what may be laid beside it."""
    side = 1
    while side < 16:
        to = beside(cell, side)
        s.need[to] &= ~(opposite(side) * 17)
        if s.need[to] & 15 == 0:
            discard(s.room, to)
        side *= 2


@rule
def lay(s, cell, shape):
    """Put a tile on an empty cell, and see where the tunnels lead now."""
    s.tile[cell] = shape
    discard(s.room, cell)
    add(s.laid, cell)
    fit_neighbours(s, cell)
    if is_joined(s, cell, int(SIDES[shape])):
        flood(s, cell)


@rule
def destroy(s, cell):
    """Take a tile off the board."""
    was_on_the_way = has(s.reached, cell) and leads_on(s, cell)
    s.tile[cell] = EMPTY
    discard(s.laid, cell)
    discard(s.reached, cell)
    free_neighbours(s, cell)
    if s.need[cell] & 15 != 0:
        add(s.room, cell)
    if was_on_the_way:
        for word in range(WORDS):
            s.reached[word] = 0
        flood(s, ENTRANCE_CELL)


@rule
def is_joined(s, cell, open_sides):
    """Whether a tunnel from the entrance leads to a cell that is open on these sides."""
    side = 1
    while side < 16:
        to = beside(cell, side)
        if open_sides & side and sides_of(s, to) & opposite(side) and has(s.reached, to) and leads_on(s, to):
            return True
        side *= 2
    return False


@rule
def flood(s, cell):
    """Reach a cell, and all that tunnels lead to from there. Objectives that are reached are revealed."""
    reach(s, cell)
    word = 0
    while word < WORDS:
        if s.pending[word] == 0:
            word += 1
            continue
        at = word * BITS + lowest(s.pending[word])
        s.pending[word] &= s.pending[word] - 1
        open_sides = sides_of(s, at)
        side = 1
        while side < 16:
            to = beside(at, side)
            if open_sides & side and sides_of(s, to) & opposite(side) and not has(s.reached, to):
                reach(s, to)
                word = min(word, to // BITS)
            side *= 2


@rule(inline=True)
def reach(s, cell):
    """Note that a tunnel leads to a cell; it is left again only through an open centre."""
    add(s.reached, cell)
    if leads_on(s, cell):
        add(s.pending, cell)
    if s.tile[cell] == OBJECTIVE:
        reveal(s, objective_at(cell))


@rule
def reveal(s, objective):
    """All see an objective; from now on it is a tile like others."""
    bit = 1 << objective
    if s.revealed & bit == 0:
        s.revealed |= bit
        for player in range(MAX_PLAYERS):
            s.seen[player] |= bit
        fit_neighbours(s, objective_cell(objective))
