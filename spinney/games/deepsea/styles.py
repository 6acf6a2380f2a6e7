"""Styles of people: four hand-written players, each with one habit."""

from spinney.games.deepsea import rules
from spinney.games.deepsea.players import SIMPLE, SIMPLE_SPECS, direction, one_trip, simple
from spinney.games.parts import OpponentModels, Rule
from spinney.kernel import rule

SHALLOW = 9
"""The first tile at which a cautious diver takes a stack."""
DEEP = 0.55
"""The part of the path that a greedy diver goes down before it takes a stack."""
ENOUGH = 3
"""The stacks with which a greedy diver has enough."""


@rule
def cautious(s, player, out, rng):
    """Takes an early stack and goes home. It takes a second one only with air for three times the way."""
    return one_trip(s, player, s.position[player] >= SHALLOW, 3)


@rule
def greedy(s, player, out, rng):
    """Dives deep, and takes up to three stacks while the air is more than the way. It never drops one."""
    position, hand = s.position[player], s.hand[player]
    if s.phase == rules.DIRECTION:
        dives_on = hand < ENOUGH - 1 and s.air > 2 * position and not rules.is_blocked(s, player)
        return rules.DOWN if dives_on and not s.returning[player] else direction(s, player)
    if position == 0 or s.path[position - 1] == 0 or hand >= ENOUGH:
        return rules.LEAVE
    return rules.TAKE if s.returning[player] or position > DEEP * s.length or s.air < rules.FULL_AIR else rules.LEAVE


@rule
def spoiler(s, player, out, rng):
    """Uses up the air of the others: takes every stack near the submarine, and dives on while there is air for three
    times the way back."""
    position, hand = s.position[player], s.hand[player]
    if s.phase == rules.DIRECTION:
        dives_on = s.air > 3 * position and not rules.is_blocked(s, player)
        return rules.DOWN if dives_on and not s.returning[player] else direction(s, player)
    if position == 0 or s.path[position - 1] == 0:
        return rules.LEAVE
    return rules.TAKE if hand == 0 or s.air > (hand + 1) * position else rules.LEAVE


@rule
def follower(s, player, out, rng):
    """Dives until another diver has a stack or turns back; then takes the next stack, and turns, too."""
    ready = 3 * s.position[player] > 2 * s.length
    for other in range(s.players):
        ready = ready or (other != player and (s.hand[other] > 0 or s.returning[other] == 1 or s.home[other] == 1))
    return one_trip(s, player, ready, 2)


STYLES: dict[str, Rule] = {"cautious": cautious, "greedy": greedy, "spoiler": spoiler, "follower": follower}


@rule
def people(s, player, out, rng):
    """The players of `simple`, then the four styles, by role."""
    role = out.role[player] - SIMPLE
    if role == 0:
        return cautious(s, player, out, rng)
    if role == 1:
        return greedy(s, player, out, rng)
    if role == 2:
        return spoiler(s, player, out, rng)
    return follower(s, player, out, rng) if role == 3 else simple(s, player, out, rng)


OPPONENT_MODELS = {
    "simple": OpponentModels(simple, SIMPLE_SPECS),
    "people": OpponentModels(people, (*SIMPLE_SPECS, *STYLES)),
}
