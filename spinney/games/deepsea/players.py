"""Scripted players. `s.air` is what is left after the mover has paid; its position is the number of its tile."""

import pydantic

from spinney.games.deepsea import rules
from spinney.games.options import Options
from spinney.games.parts import Player, Rule
from spinney.kernel import below, rule

EARLY_AIR = 23
"""Less air than this before the first stack means that others have begun to collect."""


class HeuristicOptions(Options):
    margin: int = pydantic.Field(1, ge=1, le=4, description="air per tile of the way back that a second stack requires")


class DiverOptions(Options):
    depth: int = pydantic.Field(17, ge=1, le=32, description="the first tile at which a stack is taken")


@rule(inline=True)
def direction(s, player):
    """Up with the first stack, or if all tiles further down are taken."""
    if s.position[player] == 0:
        return rules.DOWN
    return rules.UP if s.returning[player] or s.hand[player] > 0 or rules.is_blocked(s, player) else rules.DOWN


@rule(inline=True)
def act_returning(s, player, margin):
    """Take a second stack if there is enough air; with two, drop the lowest if there is not."""
    position = s.position[player]
    if s.path[position - 1] != 0:
        return rules.TAKE if s.hand[player] < 2 and s.air > margin * position else rules.LEAVE
    if s.hand[player] > 1 and s.air < position:
        return rules.DROP + rules.least_stack(s, player)
    return rules.LEAVE


@rule(inline=True)
def one_trip(s, player, ready, margin):
    """Dive until `ready`, take the first stack, turn back, and take a second one if there is enough air."""
    if s.phase == rules.DIRECTION:
        return direction(s, player)
    if s.position[player] == 0:
        return rules.LEAVE
    if s.returning[player]:
        return act_returning(s, player, margin)
    return rules.TAKE if ready and s.path[s.position[player] - 1] != 0 else rules.LEAVE


@rule
def by_the_rules(s, player, margin):
    """The paper's rule agent: dive past the middle, take one stack and turn back, perhaps with a second one."""
    past_middle = s.position[player] > s.length // 2 and s.air < rules.FULL_AIR
    return one_trip(s, player, s.air < EARLY_AIR or past_middle, margin)


@rule
def by_depth(s, player, depth):
    """Take the first stack at a given depth, turn back, and take a second one if there is air for twice the way."""
    return one_trip(s, player, s.air < EARLY_AIR or s.position[player] >= depth, 2)


def make_heuristic(margin):
    """The paper's rule agent with a margin."""

    @rule
    def heuristic(s, player, out, rng):
        """The paper's rule agent, with a margin of air for the second stack."""
        return by_the_rules(s, player, margin)

    return heuristic


def make_diver(depth):
    """A diver with a depth."""

    @rule
    def diver(s, player, out, rng):
        """Dives to a given depth."""
        return by_depth(s, player, depth)

    return diver


@rule
def pruned(s, player, out, rng):
    """Random without obvious mistakes: no third stack, no second one without air for it, and a drop if air is short."""
    n = rules.legal(s, player, out)
    if s.phase == rules.ACT and n > 1:
        position, hand = s.position[player], s.hand[player]
        if s.path[position - 1] != 0:
            if hand >= 2 or (hand == 1 and s.air <= position):
                return rules.LEAVE
        elif hand >= 2 and s.air < position:
            return out.action[1 + below(rng, n - 1)]
    return out.action[below(rng, n)]


@rule
def explorer(s, player, out, rng):
    """A reasonable stochastic player: dives to any depth, mostly turns back with the first stack, and returns faster if
    air is short."""
    position, hand = s.position[player], s.hand[player]
    luck = below(rng, 16)
    if s.phase == rules.DIRECTION:
        if position == 0 or s.returning[player] or rules.is_blocked(s, player):
            return direction(s, player)
        return rules.UP if hand > 0 and luck < 14 else rules.DOWN
    if position == 0:
        return rules.LEAVE
    if s.path[position - 1] != 0:
        if hand == 0:
            wish = 16 if s.returning[player] else 8 if s.air < EARLY_AIR or 4 * position > 3 * s.length else 3
        elif hand == 1:
            wish = 12 if s.air > 2 * position else 4 if s.air > position else 0
        else:
            wish = 3 if s.air > 3 * position else 0
        return rules.TAKE if luck < wish else rules.LEAVE
    if hand > 1 and s.air < position and luck < 14:
        return rules.DROP + rules.least_stack(s, player)
    return rules.LEAVE


@rule
def seasoned(s, player, out, rng):
    """Rules tuned by self-play of simple divers: the more players share the air, the sooner it turns back."""
    position, hand = s.position[player], s.hand[player]
    if s.phase == rules.DIRECTION:
        return direction(s, player)
    if position == 0:
        return rules.LEAVE
    crowd = s.players > 2
    if s.path[position - 1] != 0:
        if hand == 0:
            hurry = 6 if crowd and s.air < EARLY_AIR else 0
            depth = 15 - 2 * s.players + below(rng, 4)
            return rules.TAKE if s.returning[player] or position + hurry >= depth else rules.LEAVE
        margin = (20 if crowd else 16) if hand == 1 else (80 if crowd else 54)  # tenths of air per tile
        return rules.TAKE if 10 * s.air > margin * position else rules.LEAVE
    if hand > 1 and 10 * s.air < (8 if crowd else 16) * position:
        return rules.DROP + rules.least_stack(s, player)
    return rules.LEAVE


SHALLOWEST, DEEPEST = 5, 28
SEASONED = 2
DIVERS = 3


@rule
def simple(s, player, out, rng):
    """Simple players by role: the paper's rule agent with both margins, the seasoned one, and divers to all depths."""
    role = out.role[player]
    if role >= DIVERS:
        return by_depth(s, player, role - DIVERS + SHALLOWEST)
    return seasoned(s, player, out, rng) if role == SEASONED else by_the_rules(s, player, 1 + role)


SIMPLE_SPECS = (
    "heuristic(margin=1)",
    "heuristic(margin=2)",
    "seasoned",
    *(f"diver(depth={depth})" for depth in range(SHALLOWEST, DEEPEST + 1)),
)
SIMPLE = len(SIMPLE_SPECS)

PLAYERS: dict[str, Rule | Player] = {
    "heuristic": Player(make_heuristic, HeuristicOptions),
    "diver": Player(make_diver, DiverOptions),
    "pruned": pruned,
    "explorer": explorer,
    "seasoned": seasoned,
}
