"""What chance does in BattleSnake: first positions, food, and the hazards of a royale game."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

import spinney
from spinney import CHANCE, OVER, SIMULTANEOUS
from spinney.games.battlesnake import rules
from spinney.games.battlesnake.position import Position, to_position
from spinney.games.battlesnake.state import SPAWN, square
from spinney.kernel import seeded
from tests.games.battlesnake.positions import CARD, MODES, free_squares, position


def begin(seed: int = 1, **options: Any) -> Position:
    return to_position(spinney.game("battlesnake", **options).start(seed, manual_chance=True).record)


def likely(counts: Counter[Any], expected: dict[Any, float]) -> bool:
    """Whether counts are no surprise; nothing impossible among them."""
    total = sum(counts.values())
    assert set(counts) <= set(expected)
    return chisquare([counts[key] for key in expected], [total * p for p in expected.values()]).pvalue > 1e-4


# ---- first positions


@pytest.mark.parametrize("size", [7, 8, 11, 19, 25])
@pytest.mark.parametrize("players", [1, 2, 4, 5, 8])
def test_fixed_starts(size, players):
    low, middle, high = 1, (size - 1) // 2, size - 2
    corners = {(x, y) for x in (low, high) for y in (low, high)}
    sides = {(low, middle), (high, middle), (middle, low), (middle, high)}
    seen = set()
    for seed in range(40):
        start = begin(seed, width=size, height=size, players=players)
        assert start.turn == 0
        assert not start.hazards
        assert all(snake.body == [snake.body[0]] * 3 and snake.health == 100 for snake in start.snakes)
        heads = [snake.body[0] for snake in start.snakes]
        assert len(set(heads)) == players
        first = corners if heads[0] in corners else sides
        assert set(heads[:4]) <= first
        assert set(heads[4:]) <= corners ^ sides ^ first
        seen.update(heads)
        near = set(start.food) - {(middle, middle)}
        assert (middle, middle) in start.food
        assert len(near) == (players if players <= 4 or size >= 11 else 0)
        for x, y in near:
            assert any(abs(x - a) == abs(y - b) == 1 for a, b in heads)
            assert 0 in (x, y) or size - 1 in (x, y)  # away from the centre is at the rim, but not in a corner
            assert (x, y) not in {(a, b) for a in (0, size - 1) for b in (0, size - 1)}
    assert seen == corners | sides


def test_fixed_starts_are_all_equally_likely():
    heads, food, pairs = Counter(), Counter(), Counter()
    for seed in range(4000):
        start = begin(seed, players=2)
        (first, second) = (snake.body[0] for snake in start.snakes)
        heads[first] += 1
        pairs[first, second] += 1
        if first == (1, 1):
            food.update(set(start.food) & {(0, 2), (2, 0), (0, 0), (2, 2)})
    assert len(heads) == 8
    assert likely(heads, dict.fromkeys(heads, 1 / 8))
    assert len(pairs) == 24
    assert likely(pairs, dict.fromkeys(pairs, 1 / 24))
    assert likely(food, {(0, 2): 0.5, (2, 0): 0.5})


@pytest.mark.parametrize(("width", "height", "players"), [(3, 3, 4), (5, 5, 8), (4, 3, 5), (7, 11, 8), (25, 3, 8)])
def test_starts_on_other_boards(width, height, players):
    for seed in range(40):
        start = begin(seed, width=width, height=height, players=players)
        heads = [snake.body[0] for snake in start.snakes]
        assert len(set(heads)) == players
        assert all((x + y) % 2 == 0 and (x, y) != ((width - 1) // 2, (height - 1) // 2) for x, y in heads)
        assert len(start.food) <= players
        without = Position(start.options, start.snakes)
        assert set(start.food) <= free_squares(without)
        assert len(start.food) == min(players, len(free_squares(without)))


def test_no_food_for_constrictors():
    for mode in ("constrictor", "wrapped_constrictor"):
        assert begin(mode=mode).food == begin(mode=mode, width=9).food == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": 3, "height": 3, "players": 5}, "a board of 3x3 has room for 4 snakes, not 5"),
        ({"width": 3, "height": 4, "players": 6}, "a board of 3x4 has room for 5 snakes, not 6"),
        ({"players": 9}, "less than or equal to 8"),
        ({"players": 0}, "greater than or equal to 1"),
        ({"width": 26}, "less than or equal to 25"),
        ({"mode": "duel"}, "'standard', 'royale'"),
        ({"food_chance": 101}, "less than or equal to 100"),
        ({"shrink_every": 0}, "greater than or equal to 1"),
        ({"speed": 1}, "has no option 'speed'"),
    ],
)
def test_options_that_cannot_be(options, message):
    with pytest.raises(spinney.BadOption) as caught:
        spinney.game("battlesnake", **options)
    assert message in str(caught.value)


# ---- food


def joint(s: Any, choose: random.Random) -> None:
    out: Any = CARD.out()
    for player in range(s.players):
        n = rules.plausible(s, player, out)
        out.joint[player] = choose.choice(out.action[:n]) if n else 0
    rules.apply_joint(s, out)


@given(seed=st.integers(0, 2**32), mode=st.sampled_from(MODES), minimum=st.integers(0, 12), rate=st.integers(0, 100))
def test_food_in_every_game(seed, mode, minimum, rate):
    """Every list of outcomes is right, and what comes is on it."""
    choose, rng, out = random.Random(seed), seeded(seed), CARD.out()
    game = spinney.game(
        "battlesnake", mode=mode, minimum_food=minimum, food_chance=rate, width=7, height=choose.choice([5, 7])
    )
    s = game.start(seed, manual_chance=True).record
    for _ in range(25):
        if rules.mover(s) == OVER:
            break
        joint(s, choose)
        left = s.food
        while s.phase == SPAWN:
            forced = s.food < minimum
            free = {square(x, y) for x, y in free_squares(to_position(s))}
            n = rules.outcomes(s, out)
            listed = dict(zip(out.action[:n], out.weight[:n], strict=True))
            assert sum(listed.values()) == pytest.approx(1)
            some = (1 if forced else (rate - 1) / 100) if free else 0
            assert {at for at in listed if at != rules.NONE} == free
            assert all(listed[at] == pytest.approx(some / len(free)) for at in free)
            assert listed.get(rules.NONE, 0) == pytest.approx(1 - some)
            outcome = rules.chance(s, rng)
            assert outcome in listed
            rules.apply(s, outcome)
            if outcome == rules.NONE or not forced or s.food == minimum:
                assert s.phase != SPAWN
        free = free_squares(to_position(s))
        added = s.food - left
        if "constrictor" in mode:
            assert s.food == 0
        elif left < minimum:
            assert added == minimum - left or not free
        else:
            assert added in ((0, 1) if rate > 1 else (0,))
        while rules.mover(s) == CHANCE:
            rules.apply(s, rules.chance(s, rng))


def waiting(**setting: Any) -> Any:
    """A position in which food is to come, after one turn."""
    s = position("3,1 ll", "3,5 rr", width=7, height=7, **setting)
    out: Any = CARD.out()
    out.joint[:2] = [0, 1]
    rules.apply_joint(s, out)
    return s


@pytest.mark.parametrize("crowded", [False, True])
@pytest.mark.parametrize("setting", [{"food_chance": 15}, {"food_chance": 60}, {"minimum_food": 49}])
def test_food_is_sampled_as_listed(setting, crowded):
    """Also where so few squares are free that they are counted rather than guessed."""
    s, out, rng = waiting(**setting), CARD.out(), seeded(3)
    assert rules.mover(s) == CHANCE
    if crowded:
        for x, y in sorted(free_squares(to_position(s)))[2:]:
            s.cell[square(x, y)] = 1
    n = rules.outcomes(s, out)
    listed = dict(zip(out.action[:n], out.weight[:n], strict=True))
    assert len(listed) == (2 if crowded else len(free_squares(to_position(s)))) + ("food_chance" in setting)
    assert likely(Counter(rules.chance(s, rng) for _ in range(20_000)), listed)


def test_the_true_rate_is_one_percent_less():
    s, rng = waiting(food_chance=15), seeded(1)
    shots = 40_000
    assert sum(rules.chance(s, rng) != rules.NONE for _ in range(shots)) / shots == pytest.approx(0.14, abs=0.007)
    assert rules.mover(waiting(food_chance=1)) == rules.mover(waiting(food_chance=0)) == SIMULTANEOUS


def test_food_comes_after_the_last_turn_and_where_the_fallen_were():
    s = position("3,0 uuu", "0,4 ..", width=5, height=5, minimum_food=1)
    out: Any = CARD.out()
    out.joint[:2] = [1, 3]
    rules.apply_joint(s, out)
    assert (s.living, rules.mover(s)) == (1, CHANCE)
    n = rules.outcomes(s, out)
    assert square(3, 2) in out.action[:n]
    rules.apply(s, square(3, 2))
    assert (to_position(s).food, rules.mover(s)) == ([(3, 2)], OVER)


def test_no_room_for_food():
    s = waiting(minimum_food=3)
    for x, y in free_squares(to_position(s)):
        s.cell[square(x, y)] = 1
    out = CARD.out()
    assert (rules.outcomes(s, out), out.action[0], out.weight[0]) == (1, rules.NONE, 1.0)
    assert rules.chance(s, seeded(1)) == rules.NONE
    rules.apply(s, rules.NONE)
    assert rules.mover(s) == SIMULTANEOUS


def test_searches_may_leave_food_out():
    s = waiting(minimum_food=3)
    rules.apply(s, rules.default_outcome(s))
    assert (s.food, rules.mover(s)) == (0, SIMULTANEOUS)


# ---- hazards of a royale game


@given(seed=st.integers(0, 2**32), width=st.integers(3, 9), height=st.integers(3, 9), every=st.integers(1, 4))
def test_hazards_close_in(seed, width, height, every):
    choose, out = random.Random(seed), CARD.out()
    game = spinney.game(
        "battlesnake", mode="royale", width=width, height=height, players=1, shrink_every=every, hazard_damage=-1
    )
    s = game.start(seed, manual_chance=True).record
    left, right, bottom, top = 0, width - 1, 0, height - 1
    while rules.mover(s) != OVER and s.turn < 60:
        joint(s, choose)
        if s.phase == SPAWN:
            rules.apply(s, rules.default_outcome(s))
            assert rules.mover(s) == (CHANCE if s.turn % every == 0 else SIMULTANEOUS if s.living else OVER)
        if rules.mover(s) == CHANCE:
            assert rules.outcomes(s, out) == 4
            assert list(out.weight[:4]) == [0.25] * 4
            outcome = rules.chance(s, seeded(choose.getrandbits(32)))
            assert outcome in out.action[:4]
            side = outcome - rules.SIDES
            left, right = left + (side == 0), right - (side == 1)
            bottom, top = bottom + (side == 2), top - (side == 3)
            rules.apply(s, outcome)
        assert to_position(s).hazards == [
            (x, y)
            for y in range(height)
            for x in range(width)
            if x < left or x > right or y < bottom or y > top
        ]  # fmt: skip


def test_searches_may_leave_hazards_out():
    s = waiting(mode="royale", turn=24)
    assert rules.mover(s) == CHANCE
    rules.apply(s, rules.default_outcome(s))
    assert (s.hazards, rules.mover(s)) == (0, SIMULTANEOUS)
