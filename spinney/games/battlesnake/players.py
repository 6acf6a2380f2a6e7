"""Hand-written snakes. All avoid what is certain death at once, and go straight on where nothing else is left."""

from spinney.games.battlesnake.rules import safe_moves
from spinney.games.battlesnake.space import FAR, flood, look, look_for_prey, territory, threat
from spinney.games.battlesnake.state import MOVES, step
from spinney.games.parts import Player, Rule
from spinney.kernel import below, rule
from spinney.kernel.bits import count, nth

STARVING = 50
"""Health at which a snake that has other things to do goes for food."""


@rule(inline=True)
def any_move(moves, rng):
    """One of the moves whose bits are set, all equally likely; at least one must be."""
    return nth(moves, below(rng, count(moves)))


@rule
def careful_moves(s, player):
    """The safe moves, as bits, to squares where no other snake that is at least as long can be next; if there are none,
    all safe moves."""
    safe = safe_moves(s, player)
    careful = 0
    for direction in range(MOVES):
        if (safe >> direction) & 1 and not threat(s, player, step(s, int(s.head[player]), direction)):
            careful |= 1 << direction
    return careful if careful else safe


@rule
def trivial(s, player, out, rng):
    """The paper's: any move that is not certain death at once, all equally likely."""
    safe = safe_moves(s, player)
    return any_move(safe, rng) if safe else s.facing[player]


@rule
def flooding(s, player, out, rng):
    """The paper's flood-fill snake: to the square from which the longest path is possible in the best case; of equal
    ones, to the one nearest to food. Squares where it could lose a meeting of heads are obstacles to it."""
    moves = careful_moves(s, player)
    best, longest, nearest = 0, -1, 0
    for direction in range(MOVES):
        if (moves >> direction) & 1:
            look(s, out)
            path, food = flood(s, out, step(s, int(s.head[player]), direction), False)
            if path > longest or (path == longest and food < nearest):
                best, longest, nearest = 0, path, food
            if path == longest and food == nearest:
                best |= 1 << direction
    return any_move(best, rng) if best else s.facing[player]


@rule
def nearest_goal(s, player, out, moves, prey):
    """Those of the moves, as bits, that lead to food the soonest, or with `prey` to where a shorter snake may be next;
    none if there is no way."""
    best, nearest = 0, FAR - 1
    for direction in range(MOVES):
        if (moves >> direction) & 1:
            look(s, out)
            if prey and not look_for_prey(s, player, out):
                return 0
            _, away = flood(s, out, step(s, int(s.head[player]), direction), True)
            if away < nearest:
                best, nearest = 0, away
            if away == nearest:
                best |= 1 << direction
    return best


@rule
def hungry(s, player, out, rng):
    """The shortest way to food, around squares where it could lose a meeting of heads."""
    moves = careful_moves(s, player)
    best = nearest_goal(s, player, out, moves, False)
    if best == 0:
        best = moves
    return any_move(best, rng) if best else s.facing[player]


@rule
def hunter(s, player, out, rng):
    """The shortest way to a square where a shorter snake may be next; to food when it starves, or nobody is shorter."""
    if s.health[player] > STARVING:
        best = nearest_goal(s, player, out, careful_moves(s, player), True)
        if best:
            return any_move(best, rng)
    return hungry(s, player, out, rng)


@rule
def voronoi(s, player, out, rng):
    """To where it reaches the most squares before all others; to food when it starves."""
    moves = careful_moves(s, player)
    if not moves:
        return s.facing[player]
    if s.health[player] <= STARVING:
        best = nearest_goal(s, player, out, moves, False)
        if best:
            return any_move(best, rng)
    best, most = 0, -1.0
    for direction in range(MOVES):
        if (moves >> direction) & 1:
            territory(s, out, player, step(s, int(s.head[player]), direction))
            if out.reward[player] > most:
                best, most = 0, out.reward[player]
            if out.reward[player] == most:
                best |= 1 << direction
    return any_move(best, rng)


PLAYERS: dict[str, Rule | Player] = {
    "trivial": trivial,
    "flood": flooding,
    "hungry": hungry,
    "hunter": hunter,
    "voronoi": voronoi,
}
