"""Exact probabilities of Deep Sea Adventure, by going through all outcomes that the rules list."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path

import pytest

import spinney
from spinney import CHANCE
from spinney.games.deepsea.rules import ACT, chance
from spinney.kernel import seeded
from tests.games.deepsea.positions import position

TABLES = json.loads((Path(__file__).parents[2] / "conformance" / "data" / "deepsea_tables.json").read_text())
WAY = "1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 3 3 3 3 3 3 3 3 4 4 4 4 4 4 4 4"


def thrown(state: spinney.State) -> list[tuple[spinney.State, Fraction]]:
    """The positions after a chance step, and their probabilities."""
    found = []
    for outcome, weight in state.outcomes():
        later = state.copy()
        later.apply(outcome)
        found.append((later, Fraction(weight).limit_denominator(100)))
    assert sum(weight for _, weight in found) == 1
    return found


def spread(state: spinney.State, look) -> dict:
    """How `look(state)` is distributed once chance has nothing to do any more."""
    if state.mover != CHANCE:
        return {look(state): Fraction(1)}
    sums: defaultdict = defaultdict(Fraction)
    for later, weight in thrown(state):
        for seen, share in spread(later, look).items():
            sums[seen] += weight * share
    return dict(sums)


def exact(table: dict[str, str]) -> dict[int, Fraction]:
    return {int(key): Fraction(value) for key, value in table.items()}


@pytest.mark.parametrize(
    "steps", [["up"], ["up", "dice 6"], ["up", "dice 6", "worth 14"], ["up", "dice 6", "worth 14", "worth 12"]]
)
def test_what_is_thrown_is_what_is_listed(steps):
    """Random outcomes come as often as the list of outcomes says."""
    state = position(["1^ 4 4 4", "home"])
    for step in steps:
        state.apply(step)
    n, rng = 8000, seeded(1)
    counts = Counter(chance(state.record, rng) for _ in range(n))
    listed = dict(state.outcomes())
    assert set(counts) == set(listed)
    for outcome, share in listed.items():
        assert abs(counts[outcome] - n * share) < 4 * sqrt(n * share * (1 - share))


# ---- one move


@pytest.mark.parametrize("stacks", [int(stacks) for stacks in TABLES["move"]])
@pytest.mark.parametrize("direction", ["down", "up"])
def test_steps_by_hand(stacks, direction):
    expected = TABLES["move"][str(stacks)]
    state = position([f"16{'v' if direction == 'down' else '^'}{' 1' * stacks}", "home"])
    state.apply(direction)
    steps = spread(state, lambda later: abs(later.record.position[0] - 16))
    assert steps == exact(expected["dist"])
    assert sum(n * share for n, share in steps.items()) == Fraction(expected["mean"])
    assert steps.get(0, 0) == Fraction(expected["p_stall"])


# ---- the values of chips


def stacks_of(text: str) -> str:
    """The hand "1 1" for "2xL1"."""
    count, level = text.split("xL")
    return " ".join([level] * int(count))


def points(hands: list[str]) -> dict[tuple[int, ...], Fraction]:
    """How the points for hands that come home are distributed."""
    state = position([f"1^ {hands[0]}", *(f"home {held}" for held in [*hands[1:], ""])], "1 1 1")
    state.apply("up")
    state.apply("dice 6")
    players = len(hands)
    return spread(state, lambda later: tuple(later.record.score[:players]))


@pytest.mark.parametrize("chips", TABLES["chips"])
def test_values_of_chips(chips):
    expected = TABLES["chips"][chips]
    hand = stacks_of(chips)
    found = {score: share for (score,), share in points([hand]).items()}
    assert found == exact(expected["dist"])
    mean = sum(score * share for score, share in found.items())
    assert mean == Fraction(expected["mean"])
    assert sum((score - mean) ** 2 * share for score, share in found.items()) == Fraction(expected["var"])
    assert (min(found), max(found)) == (expected["min"], expected["max"])
    assert points([hand.replace(" ", "")]) == points([hand])  # a stack is worth what its chips are


@pytest.mark.parametrize("pair", TABLES["compare"])
def test_which_chips_are_worth_more(pair):
    one, other = pair.split(" vs ")
    found = points([stacks_of(one), stacks_of(other)])
    for word, is_so in {"gt": int.__gt__, "eq": int.__eq__, "lt": int.__lt__}.items():
        share = sum(share for (a, b), share in found.items() if is_so(a, b))
        assert share == Fraction(TABLES["compare"][pair][word])


def test_two_chips_for_nothing():
    assert points(["1 1"])[(0,)] == Fraction(TABLES["p_two_L1_score_zero"])


def test_all_chips_together():
    """Eight chips of every level brought home: whatever the order, all values are turned over."""
    state = position(["1^ 111 111 11 222", "home 222 22 333 333", "home 33 444 444 44"], "1", round=3)
    state.apply("up")
    state.apply("dice 6")
    while state.mover == CHANCE:
        state.apply(state.outcomes()[-1][0])
    assert state.is_over
    assert sum(state.record.score) == TABLES["total_points"] == 240


# ---- ways, alone


@cache
def after_turn(tile: int, way: str, stacks: int, air: int) -> tuple[tuple[int, int, Fraction], ...]:
    """Where a diver is after a turn, the air for its next turn (paid already; -1: there is none), how likely."""
    state = position([f"{tile}{way}{' 1' * stacks}", "home"], WAY, air=air, round=3)
    state.apply(state.legal()[0])
    found = []
    for later, weight in thrown(state):
        if later.mover == 0:
            later.apply("leave")
        found.append((later.record.position[0], later.record.air if later.mover == 0 else -1, weight))
    return tuple(found)


@cache
def comes_home(tile: int, stacks: int, air: int) -> Fraction:
    """The probability, from a turn that is paid for."""
    share = Fraction(0)
    for there, left, weight in after_turn(tile, "^", stacks, air):
        share += weight * (there == 0 if left < 0 else comes_home(there, stacks, left))
    return share


@cache
def turns_home(tile: int, stacks: int) -> Fraction:
    """Mean turns, if the air never ends."""
    if tile == 0:
        return Fraction(0)
    moves = after_turn(tile, "^", stacks, 25)
    stays = sum(weight for there, _, weight in moves if there == tile)
    later = sum(weight * turns_home(there, stacks) for there, _, weight in moves if there != tile)
    return (1 + later) / (1 - stays)


@pytest.mark.parametrize("stacks", [int(stacks) for stacks in TABLES["solo_return"]])
def test_the_way_home(stacks):
    for tile, expected in TABLES["solo_return"][str(stacks)].items():
        assert turns_home(int(tile), stacks) == Fraction(expected["mean_turns"])
        for air in (25, 20, 15, 10, 5):
            waiting = position([f"{tile}^{' 1' * stacks}", "home"], WAY, air=air, phase=ACT)
            waiting.apply("leave")  # which pays for the next turn
            assert comes_home(int(tile), stacks, waiting.record.air) == Fraction(expected[f"p_home_air{air}"])


@cache
def lands_on(tile: int) -> Fraction:
    """The probability that a dive without treasure ever ends a turn on a tile."""
    if tile == 0:
        return Fraction(1)
    return sum(
        (lands_on(start) * weight for start in range(tile) for there, _, weight in dive(start) if there == tile),
        Fraction(0),
    )


@cache
def turns_to(tile: int, depth: int) -> Fraction:
    """Mean turns of a dive until a depth is reached."""
    if tile >= depth:
        return Fraction(0)
    return 1 + sum(weight * turns_to(there, depth) for there, _, weight in dive(tile))


def dive(tile: int) -> tuple[tuple[int, int, Fraction], ...]:
    return after_turn(tile, "v", 0, 25)


def test_the_way_down():
    for tile in range(1, 32):  # the table has no bottom, where the rest of a throw is lost
        assert lands_on(tile) == Fraction(TABLES["p_land_on_tile_diving_alone"][str(tile)])
    for depth, turns in TABLES["mean_turns_to_reach_depth"].items():
        assert turns_to(0, int(depth)) == Fraction(turns)
