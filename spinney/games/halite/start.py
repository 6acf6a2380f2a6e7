"""The first position. This runs as plain Python, once per game."""

from spinney.games.halite.maps import make_map, size_from, turns_for
from spinney.games.halite.state import CELLS, MAX_PLAYERS, NONE, STRIDE, fill_columns
from spinney.kernel import next32, rule


@rule
def start(s, config, rng):
    """A map from the seed in the options, or from a random one, without ships."""
    seed = map_seed(config, rng)
    size = config.size or size_from(seed)
    made = make_map(size, config.players, seed)
    s.inspiration = int(config.inspiration)
    lay_out(s, made.halite.tolist(), made.yards, made.luck, config.turns or turns_for(size))
    for player in range(s.players):
        s.treasury[player] = config.energy
    begin(s)


def map_seed(config, rng):
    """The engine's seed of the map."""
    return next32(rng) if config.map_seed is None else config.map_seed


def lay_out(s, halite, yards, luck, turns):
    """Set up a map with shipyards but no ships, from rows of halite and the x and y of each yard."""
    s.players = len(yards)
    s.size = len(halite)
    s.turns = turns
    for cell in range(CELLS):
        s.ship[cell] = NONE
        s.owner[cell] = NONE
    for y, row in enumerate(halite):
        s.halite[y * STRIDE : y * STRIDE + len(row)] = row
    for player, (x, y) in enumerate(yards):
        s.yard[player] = y * STRIDE + x
        s.owner[s.yard[player]] = player
        s.halite[s.yard[player]] = 0
        s.luck[player] = luck[player]
    s.total = sum(s.halite)
    fill_columns(s)


def begin(s):
    """Begin the first turn, with the treasuries and ships of the state."""
    s.wealth = max(1, s.total + sum(s.treasury))
    for one in range(s.players):
        for other in range(s.players):
            lead = s.treasury[one] - s.treasury[other]
            s.leads[one * MAX_PLAYERS + other] = (lead > 0) - (lead < 0)
