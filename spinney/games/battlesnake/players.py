"""Scripted players. All avoid moves that are certain death on this turn, and go straight ahead if there are no
others."""

from spinney.games.battlesnake.rules import safe_moves
from spinney.games.battlesnake.space import FAR, begin_fill, flood, hunt, is_threatened, read_board, territory
from spinney.games.battlesnake.state import LONGEST, MOVES, step
from spinney.games.parts import Player, Rule
from spinney.kernel import below, rule
from spinney.kernel.bits import count, lowest

STARVING = 50
"""The health at which a hunter or a voronoi snake goes for food."""


@rule(inline=True)
def any_move(moves, rng):
    """One of the moves whose bits are set, all equally likely; at least one must be."""
    skipped = below(rng, count(moves))
    for i in range(MOVES - 1):  # without branches: the number is hard to predict
        moves &= moves - 1 if i < skipped else moves
    return lowest(moves)


@rule
def careful_moves(s, player):
    """The safe moves, as bits, to squares that no other snake that is at least as long can enter as well; if there are
    none, all safe moves."""
    safe = safe_moves(s, player)
    careful = 0
    for direction in range(MOVES):
        if (safe >> direction) & 1 and not is_threatened(s, player, step(s, int(s.head[player]), direction)):
            careful |= 1 << direction
    return careful if careful else safe


@rule(inline=True)
def trivial(s, player, out, rng):
    """The paper's: any move that is not certain death on this turn, all equally likely."""
    safe = safe_moves(s, player)
    return any_move(safe, rng) if safe else s.facing[player]


@rule
def flooding(s, player, out, rng):
    """The paper's flood-fill snake: to the square with the largest upper bound of a path from there; ties go to the
    square nearest to food. It avoids squares where it could lose a head-to-head collision."""
    moves = careful_moves(s, player)
    best, longest, nearest = 0, -1, 0
    read_board(s, out.scratch)
    for direction in range(MOVES):
        if (moves >> direction) & 1:
            begin_fill(s, out.scratch)
            path, food = flood(s, out.scratch, step(s, int(s.head[player]), direction), False)
            if path > longest or (path == longest and food < nearest):
                best, longest, nearest = 0, path, food
            if path == longest and food == nearest:
                best |= 1 << direction
    return any_move(best, rng) if best else s.facing[player]


@rule
def nearest_goal(s, player, work, moves, prey):
    """Those of the moves, as bits, that lead to food in the fewest moves, or with `prey` to a square that a shorter
    snake may enter next; none if there is no path."""
    best, nearest = 0, FAR - 1
    read_board(s, work)
    for direction in range(MOVES):
        if (moves >> direction) & 1:
            begin_fill(s, work)
            if prey and not hunt(s, player, work):
                return 0
            _, away = flood(s, work, step(s, int(s.head[player]), direction), True)
            if away < nearest:
                best, nearest = 0, away
            if away == nearest:
                best |= 1 << direction
    return best


@rule
def hungry(s, player, out, rng):
    """The shortest path to food, without squares where it could lose a head-to-head collision."""
    moves = careful_moves(s, player)
    best = nearest_goal(s, player, out.scratch, moves, False)
    if best == 0:
        best = moves
    return any_move(best, rng) if best else s.facing[player]


@rule
def hunter(s, player, out, rng):
    """The shortest path to a square that a shorter snake may enter next; to food if it starves or no snake is
    shorter."""
    if s.health[player] > STARVING:
        best = nearest_goal(s, player, out.scratch, careful_moves(s, player), True)
        if best:
            return any_move(best, rng)
    return hungry(s, player, out, rng)


def make_territorial(cuts):
    """A player that moves by territory; to food if it starves. With `cuts`, only that of the others matters."""

    @rule
    def territorial(s, player, out, rng):
        moves = careful_moves(s, player)
        if not moves:
            return s.facing[player]
        if s.health[player] <= STARVING:
            best = nearest_goal(s, player, out.scratch, moves, False)
            if best:
                return any_move(best, rng)
        best, most = 0, -LONGEST * LONGEST
        read_board(s, out.scratch)
        for direction in range(MOVES):
            if (moves >> direction) & 1:
                territory(s, out.scratch, player, step(s, int(s.head[player]), direction))
                squares = out.scratch.territory[player]
                if cuts:
                    for other in range(s.players):
                        squares -= out.scratch.territory[other]  # its own cancels out
                if squares > most:
                    best, most = 0, squares
                if squares == most:
                    best |= 1 << direction
        return any_move(best, rng)

    return territorial


voronoi = make_territorial(False)
"""The move after which it reaches the most squares before all others."""
cutter = make_territorial(True)
"""The move after which the others reach the fewest squares first."""


PLAYERS: dict[str, Rule | Player] = {
    "trivial": trivial,
    "flood": flooding,
    "hungry": hungry,
    "hunter": hunter,
    "voronoi": voronoi,
    "cutter": cutter,
}
