"""The state of a game: the cards and the board, with incremental sets of the cells where tiles can be laid and of the
cells that are connected with the entrance.

The board has a border of one cell on every side, so that a neighbour is always a cell. A set of cells is a bitboard:
four words of four rows each, with a bit for each cell.

For every cell, `need` has the sides that must be open, and those that must be closed, to fit its neighbours. A tile can
be laid on an empty cell with a side that must be open: these cells are `room`. `reached` are the cells that tunnels
from the entrance lead to. Laying a tile adds to it; only the removal of a tile that connects others makes it start
anew.
"""

from spinney.games.saboteur import tiles
from spinney.kernel import Nested, Record, f64, i8, i16, i32, i64, rule
from spinney.kernel.bits import lowest

MAX_PLAYERS = 2
SIZE = 14
STRIDE = 16
CELLS = STRIDE * STRIDE
WORDS = 4
BITS = 64
OBJECTIVES = 3
UNKNOWN = -1
"""The place of the nugget in the view of a player who does not know it."""
NOBODY = -1
CANDIDATES = 80
"""The most actions that `means_ends` rates."""


class State(Record):
    phase = i8
    player = i8  # the player who moves or draws
    turn = i8  # 1 at the first move; 0 while cards are dealt
    winner = i8
    nugget = i8  # 0 left, 1 middle, 2 right
    revealed = i8  # objectives that both players know, as bits
    deck_size = i8
    last_tile = i8  # the tile that the last move laid or destroyed
    last = i16  # the last move; for a drop, without the card
    hand_size = i8[MAX_PLAYERS]
    malus = i8[MAX_PLAYERS]
    seen = i8[MAX_PLAYERS]  # objectives that a player knows, as bits
    shapes = i32[MAX_PLAYERS]  # shapes of the tiles in the hand, as bits
    deck = i8[tiles.KINDS]  # number of cards of each kind
    hand = i8[MAX_PLAYERS, tiles.KINDS]
    dropped = i8[MAX_PLAYERS, tiles.KINDS]
    room = i64[WORDS]  # cells on which a tile of some shape can be laid
    laid = i64[WORDS]  # cells with a tile that can be destroyed
    reached = i64[WORDS]  # cells that tunnels from the entrance lead to
    pending = i64[WORDS]  # working memory of `flood`, which `apply` needs; empty between calls
    tile = i8[CELLS]  # a shape, ENTRANCE, OBJECTIVE, EMPTY or BORDER
    need = i16[CELLS]  # sides that must be open, and those that must be closed times 16


class Scratch(Record):
    """Working memory of players, evaluations and checks that search for tunnels."""

    queue = i16[CELLS]  # cells of a breadth-first search
    missing = f64[CELLS]  # tiles that a tunnel from a cell needs; see `measure`
    queued = i8[CELLS]  # whether a cell is in the queue; see `find_costs` for this and the next fields
    costs = i8[CELLS, 4]  # ticks of a tunnel that enters a cell at each side
    prices = i16[16]  # ticks of a tile for an empty cell without neighbours, by the sides that it connects
    unseen = i16[tiles.KINDS]  # cards of each kind that a player has not seen
    cards = i16  # all cards that a player has not seen
    candidate = i32[CANDIDATES]  # actions; see `rate` for this and the next fields
    cost = f64[CANDIDATES]  # ticks that are left after each
    risk = f64[CANDIDATES]  # probability that the opponent wins in its next turn after each
    board = Nested(State)  # the position after an action


@rule(inline=True)
def cell_at(row, column):
    """The number of a cell; rows and columns count from 0."""
    return (row + 1) * STRIDE + column + 1


@rule(inline=True)
def row_of(cell):
    """The row of a cell, from 0."""
    return cell // STRIDE - 1


@rule(inline=True)
def column_of(cell):
    """The column of a cell, from 0."""
    return cell % STRIDE - 1


@rule(inline=True)
def objective_cell(objective):
    """The cell of an objective: 0 left, 1 middle, 2 right."""
    return cell_at(12, 3 + 2 * objective)


@rule(inline=True)
def objective_at(cell):
    """The number of the objective on a cell that has one."""
    return (column_of(cell) - 3) // 2


ENTRANCE_CELL = cell_at(5, 5)


@rule(inline=True)
def beside(cell, side):
    """The neighbour of a cell on a side."""
    return cell + (
        -STRIDE if side == tiles.NORTH else STRIDE if side == tiles.SOUTH else -1 if side == tiles.WEST else 1
    )


@rule(inline=True)
def sides_of(s, cell):
    """The open sides of the content of a cell."""
    return int(tiles.SIDES[s.tile[cell]])


@rule(inline=True)
def leads_on(s, cell):
    """Whether the centre of a cell is open, so that tunnels lead from side to side."""
    return tiles.THROUGH[s.tile[cell]] == 1


@rule(inline=True)
def has(cells, cell):
    """Whether a cell is in a set."""
    return (cells[cell // BITS] >> (cell % BITS)) & 1 == 1


@rule(inline=True)
def add(cells, cell):
    """Add a cell to a set."""
    cells[cell // BITS] |= 1 << (cell % BITS)


@rule(inline=True)
def discard(cells, cell):
    """Remove a cell from a set."""
    cells[cell // BITS] &= ~(1 << (cell % BITS))


@rule
def clear_board(s):
    """Put the entrance and three hidden objectives on the board of a new state."""
    for cell in range(CELLS):
        inside = 0 <= row_of(cell) < SIZE and 0 <= column_of(cell) < SIZE
        s.tile[cell] = tiles.EMPTY if inside else tiles.BORDER
    for objective in range(OBJECTIVES):
        s.tile[objective_cell(objective)] = tiles.OBJECTIVE
    s.tile[ENTRANCE_CELL] = tiles.ENTRANCE
    fit_neighbours(s, ENTRANCE_CELL)
    add(s.reached, ENTRANCE_CELL)


@rule
def fit_neighbours(s, cell):
    """Update `need` and `room` of the neighbours for what is on a cell now."""
    open_sides = sides_of(s, cell)
    for number in range(4):
        side = 1 << number
        to = beside(cell, side)
        if open_sides & side:
            s.need[to] |= tiles.opposite(side)
            if s.tile[to] == tiles.EMPTY:
                add(s.room, to)
        else:
            s.need[to] |= tiles.opposite(side) << 4


@rule
def free_neighbours(s, cell):
    """Update `need` and `room` of the neighbours of a cell that is empty now."""
    for number in range(4):
        side = 1 << number
        to = beside(cell, side)
        s.need[to] &= ~(tiles.opposite(side) * 17)
        if s.need[to] & 15 == 0:
            discard(s.room, to)


@rule
def lay(s, cell, shape):
    """Put a tile on an empty cell, and update the cells that are reached."""
    s.tile[cell] = shape
    discard(s.room, cell)
    add(s.laid, cell)
    fit_neighbours(s, cell)
    if is_joined(s, cell, int(tiles.SIDES[shape])):
        flood(s, cell)


@rule
def destroy(s, cell):
    """Take a tile off the board, and update the cells that are reached."""
    connected = has(s.reached, cell) and leads_on(s, cell)
    s.tile[cell] = tiles.EMPTY
    discard(s.laid, cell)
    discard(s.reached, cell)
    free_neighbours(s, cell)
    if s.need[cell] & 15 != 0:
        add(s.room, cell)
    if connected:
        for word in range(WORDS):
            s.reached[word] = 0
        flood(s, ENTRANCE_CELL)


@rule
def is_joined(s, cell, open_sides):
    """Whether a tunnel from the entrance leads to a cell through one of these open sides."""
    for number in range(4):
        side = 1 << number
        to = beside(cell, side)
        if open_sides & side and sides_of(s, to) & tiles.opposite(side) and has(s.reached, to) and leads_on(s, to):
            return True
    return False


@rule
def flood(s, cell):
    """Add a cell, and all cells that tunnels lead to from there, to `reached`. Objectives among them are revealed."""
    reach(s, cell)
    word = 0
    while word < WORDS:
        if s.pending[word] == 0:
            word += 1
            continue
        at = word * BITS + lowest(s.pending[word])
        s.pending[word] &= s.pending[word] - 1
        open_sides = sides_of(s, at)
        for number in range(4):
            side = 1 << number
            to = beside(at, side)
            if open_sides & side and sides_of(s, to) & tiles.opposite(side) and not has(s.reached, to):
                reach(s, to)
                word = min(word, to // BITS)


@rule(inline=True)
def reach(s, cell):
    """Add a cell to `reached`; its neighbours follow only if its centre is open."""
    add(s.reached, cell)
    if leads_on(s, cell):
        add(s.pending, cell)
    if s.tile[cell] == tiles.OBJECTIVE:
        reveal(s, objective_at(cell))


@rule
def reveal(s, objective):
    """Show an objective to both players; from now on it is a tile like others."""
    bit = 1 << objective
    if s.revealed & bit == 0:
        s.revealed |= bit
        for player in range(MAX_PLAYERS):
            s.seen[player] |= bit
        fit_neighbours(s, objective_cell(objective))
