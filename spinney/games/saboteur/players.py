"""Scripted players. They use nothing that the player may not know."""

from typing import Literal

import pydantic

from spinney.games.options import Options
from spinney.games.parts import OpponentModels, Player, Rule
from spinney.games.saboteur import state, tiles
from spinney.games.saboteur.means_ends import carelessness, means_ends
from spinney.games.saboteur.official import copies
from spinney.games.saboteur.paper import paper_opening
from spinney.games.saboteur.rules import BLOCK, BREAK, CURE, DROP, legal, nugget_known_to
from spinney.games.saboteur.tunnel import is_target, map_action
from spinney.kernel import below, rule, uniform
from spinney.kernel.bits import lowest

NONE = -1
FAR = 99.0
"""The number of missing tiles where no tunnel is possible."""
NEAR = 3.0
"""The number of missing tiles at which it is time to block the opponent."""
AT_HAND = 1.5
"""The reduction of the number of missing tiles if the hand has the next one."""
KEEP = (*tiles.USE_TILES, 12, 14, 10, 15)
"""The usefulness of cards for reaching the nugget: tiles 0 to 15, Map, Bonus, Destroy, Malus."""


@rule
def official_random(s, player, out, rng):
    """The course's random player: any move of the program's list, in which a cell counts once for each neighbour."""
    n = legal(s, player, out)
    total = 0
    for i in range(n):
        total += copies(s, player, int(out.action[i]))
    left = below(rng, total)
    for i in range(n):
        left -= copies(s, player, int(out.action[i]))
        if left < 0:
            return int(out.action[i])
    return int(out.action[0])


@rule
def greedy(s, player, out, rng):
    """A Bonus if blocked, a Map while the nugget is unknown, then the tile that brings the tunnel nearest to the
    nugget; else a Destroy or a Malus that helps, or a drop of the least useful card."""
    if s.malus[player] > 0 and s.hand[player, tiles.BONUS] > 0:
        return CURE
    missing = out.scratch.missing
    measure(s, player, missing, out.scratch.queue)
    tile, after = best_tile(s, player, missing)
    if after == 0.0:
        return tile
    if s.hand[player, tiles.MAP] > 0 and nugget_known_to(s, player) == state.UNKNOWN:
        return map_action(s, player)
    before = distance(s, missing)
    can_block = s.hand[player, tiles.MALUS] > 0 and s.malus[1 - player] == 0
    if can_block and before <= NEAR:
        return BLOCK
    broken, without = best_break(s, player, missing)
    if without < min(after, before) - 1.0:
        return broken
    if after < before:
        return tile
    if without < before:
        return broken
    if can_block:
        return BLOCK
    return DROP + worst_card(s, player)


class Careless(Options):
    """The options of a careless player."""

    often: float | None = pydantic.Field(
        0.3, ge=0, le=1, description="share of random moves from the program's list; none: estimated from the board"
    )
    else_as: Literal["greedy", "means_ends"] = pydantic.Field("greedy", description="the player it follows otherwise")


def careless(often, else_as):
    """A player that sometimes makes a random move."""
    careful = greedy if else_as == "greedy" else means_ends
    judged, fixed = often is None, often or 0.0

    @rule
    def play(s, player, out, rng):
        """As another player, but sometimes any move of the program's list."""
        wild = carelessness(s) if judged else fixed
        return official_random(s, player, out, rng) if uniform(rng) < wild else careful(s, player, out, rng)

    return play


@rule
def measure(s, player, missing, queue):
    """Write to `missing` the number of tiles that a tunnel from each cell, itself included, needs to a possible place
    of the nugget: the shortest path over cells that are empty or objectives."""
    for cell in range(state.CELLS):
        missing[cell] = FAR
    end = 0
    for objective in range(state.OBJECTIVES):
        if is_target(s, player, objective):
            cell = state.objective_cell(objective)
            missing[cell] = 0.0
            queue[end] = cell
            end += 1
    begin = 0
    while begin < end:
        cell = int(queue[begin])
        begin += 1
        for number in range(4):
            side = 1 << number
            to = state.beside(cell, side)
            if missing[to] == FAR and (s.tile[to] == tiles.EMPTY or s.tile[to] == tiles.OBJECTIVE):
                missing[to] = missing[cell] + 1.0
                queue[end] = to
                end += 1


@rule
def distance(s, missing):
    """The number of tiles that are missing on the shortest path from the entrance to a possible place of the nugget."""
    least = FAR
    for word in range(state.WORDS):
        cells = s.room[word]
        while cells != 0:
            cell = word * state.BITS + lowest(cells)
            cells &= cells - 1
            if missing[cell] < least and state.is_joined(s, cell, 15):
                least = missing[cell]
    return least


@rule
def missing_after(missing, shape, cell):
    """The number of tiles that are missing after a tile is laid."""
    least = FAR
    if tiles.THROUGH[shape]:
        for number in range(4):
            if tiles.SIDES[shape] & 1 << number:
                least = min(least, missing[state.beside(cell, 1 << number)])
    return least


@rule
def has_next(s, player, missing, shape, cell, least):
    """Whether the hand has a tile that brings the tunnel nearer still, after one that leaves `least` missing tiles."""
    kind, hand = int(tiles.KIND[shape]), int(s.shapes[player])
    if s.hand[player, kind] == 1:
        hand &= ~int(tiles.KIND_SHAPES[kind])
    for number in range(4):
        side = 1 << number
        to = state.beside(cell, side)
        if tiles.SIDES[shape] & side and missing[to] == least and s.tile[to] == tiles.EMPTY:
            fitting = int(tiles.FITS[s.need[to] | tiles.opposite(side)]) & hand
            while fitting != 0:
                if missing_after(missing, lowest(fitting), to) < least:
                    return True
                fitting &= fitting - 1
    return False


@rule
def best_tile(s, player, missing):
    """The action of the tile, next to a tunnel, after which the fewest tiles are missing, and their number.

    The number is reduced if the hand has the next tile. If only one more tile is needed, and the hand does not have it,
    the opponent might lay it: then the tile is not laid, unless the opponent is blocked. Ties go to the least useful
    tile.
    """
    best, least = NONE, FAR
    if s.malus[player] > 0:
        return best, least
    for word in range(state.WORDS):
        cells = s.room[word]
        while cells != 0:
            cell = word * state.BITS + lowest(cells)
            cells &= cells - 1
            fitting = int(tiles.FITS[s.need[cell]]) & int(s.shapes[player])
            if fitting == 0 or not state.is_joined(s, cell, 15):
                continue
            while fitting != 0:
                shape = lowest(fitting)
                fitting &= fitting - 1
                after = missing_after(missing, shape, cell)
                if after == 0.0:
                    return shape * state.CELLS + cell, 0.0
                if after < FAR and has_next(s, player, missing, shape, cell, after):
                    after -= AT_HAND
                elif after == 1.0 and s.malus[1 - player] == 0:
                    continue
                if after < least or (
                    after == least < FAR and KEEP[tiles.KIND[shape]] < KEEP[tiles.KIND[best // state.CELLS]]
                ):
                    best, least = shape * state.CELLS + cell, after
    return best, least


@rule
def best_break(s, player, missing):
    """The action of the Destroy that opens the shortest path, and the number of tiles that are missing then."""
    best, least = NONE, FAR
    if s.hand[player, tiles.DESTROY] == 0:
        return best, least
    for word in range(state.WORDS):
        cells = s.laid[word]
        while cells != 0:
            cell = word * state.BITS + lowest(cells)
            cells &= cells - 1
            after = missing_after(missing, tiles.ENTRANCE, cell) + 1.0  # all sides of the entrance are open
            if after < least and state.is_joined(s, cell, 15):
                best, least = BREAK + cell, after
    return best, least


@rule
def worst_card(s, player):
    """The kind of the least useful card; a card is less useful if the hand has several of its kind."""
    known = nugget_known_to(s, player) != state.UNKNOWN
    worst, least = NONE, 1000
    for kind in range(tiles.KINDS):
        if s.hand[player, kind] > 0:
            use = 0 if kind == tiles.MAP and known else KEEP[kind] - int(s.hand[player, kind])
            if use < least:
                worst, least = kind, use
    return worst


by_paths, by_plans = careless(None, "greedy"), careless(None, "means_ends")


@rule
def builders(s, player, out, rng):
    """Players who build, by role: `greedy` or `means_ends`, each as careless as the board says."""
    return by_paths(s, player, out, rng) if out.role[player] == 0 else by_plans(s, player, out, rng)


OPPONENT_MODELS = {
    "builders": OpponentModels(builders, ("careless(often=none)", "careless(often=none, else_as=means_ends)"))
}

PLAYERS: dict[str, Rule | Player] = {
    "greedy": greedy,
    "means_ends": means_ends,
    "careless": Player(careless, Careless),
    "paper_opening": paper_opening,
    "official_random": official_random,
}
