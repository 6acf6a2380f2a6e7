"""The rules of BattleSnake: every turn against a second implementation, and positions that play hardly reaches."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spinney
from spinney import CHANCE, OVER, SIMULTANEOUS
from spinney.games.battlesnake import rules
from spinney.games.battlesnake.position import body, to_position, to_state
from spinney.games.battlesnake.state import FOOD, SQUARES, WALL, owner, square
from spinney.kernel import seeded
from tests.games.battlesnake.positions import CARD, DIRECTIONS, MODES, after, fates, next_turn, position

# ---- whole games


def check(s: Any) -> None:
    """What holds in every state: the grid agrees with the bodies walked on it, and with all that is counted."""
    grid: dict[int, int] = {}
    for player in range(s.players):
        pieces = body(s, player)
        assert len(pieces) == (0 if s.cause[player] else s.length[player])
        for x, y in set(pieces):
            assert square(x, y) not in grid  # living snakes never overlap
            grid[square(x, y)] = player
    on_board = {square(x, y) for x in range(s.width) for y in range(s.height)}
    for at in range(SQUARES):
        assert owner(s, at) == grid.get(at, -1) if at in on_board else s.cell[at] == WALL
        assert not (at in grid and s.cell[at] & FOOD)
    assert s.living == sum(s.cause[player] == 0 for player in range(s.players))
    assert s.food == sum(s.cell[at] & FOOD for at in on_board)
    assert s.hazards == sum(s.hazard)
    assert all(1 <= s.health[player] <= 100 for player in range(s.players) if not s.cause[player])


def check_sensible(s: Any, moves: list[int], out: Any, result: Any) -> None:
    """Moves that were not sensible were deadly, but for a way through a body that was taken away this turn."""
    for player in range(s.players):
        if not rules.is_active(s, player):
            assert rules.legal(s, player, out) == rules.plausible(s, player, out) == 0
            continue
        assert rules.legal(s, player, out) == 4
        n = rules.plausible(s, player, out)
        assert 1 <= n <= 4
        if n > 1 and moves[player] not in out.action[:n] and not result.cause[player]:
            there = owner(s, result.head[player])
            assert there >= 0
            assert result.fell[there] == result.turn


@given(
    seed=st.integers(0, 2**32),
    mode=st.sampled_from(MODES),
    width=st.integers(3, 13),
    height=st.integers(3, 13),
    players=st.integers(1, 8),
    damage=st.sampled_from([14, 14, 60, 100, 0, -20]),
    folly=st.sampled_from([0.0, 0.1, 0.5]),
    hazards=st.integers(0, 12),
)
@settings(max_examples=250, deadline=None)
def test_every_turn_of_every_game(seed, mode, width, height, players, damage, folly, hazards):
    choose, rng, out = random.Random(seed), seeded(seed), CARD.out()
    if seed % 2:
        height = width
    players = min(players, (width * height - 1) // 2)
    options = {"mode": mode, "width": width, "height": height, "players": players, "hazard_damage": damage}
    options |= {"shrink_every": choose.choice([1, 3, 25]), "minimum_food": choose.choice([0, 1, 1, 5])}
    s = spinney.game("battlesnake", **options).start(seed, manual_chance=True).record
    squares = [(choose.randrange(width), choose.randrange(height)) for _ in range(hazards)]
    s = to_state(replace(to_position(s), hazards=squares))
    for player in range(players):
        s.health[player] = choose.choice([100, 100, 20, 3])
    one_colour = width == height >= 7 and "wrapped" not in mode and (width % 4 == 3 or (width % 2 and players <= 4))
    for _ in range(120):
        check(s)
        if rules.mover(s) == OVER:
            break
        if rules.mover(s) == CHANCE:
            rules.apply(s, rules.chance(s, rng))
            continue
        before, expected = s.copy(), to_position(s)
        for player in range(players):
            n = rules.plausible(s, player, out)
            foolish = n == 0 or choose.random() < folly
            out.joint[player] = choose.randrange(4) if foolish else choose.choice(out.action[:n])
        moves = list(out.joint[:players])
        rules.apply_joint(s, out)
        found, expected = to_position(s), next_turn(expected, moves)
        assert found.snakes == expected.snakes
        assert found.food == expected.food
        assert (found.turn, found.hazards) == (expected.turn, expected.hazards)
        check_sensible(before, moves, out, s)
        if one_colour:
            assert len({sum(divmod(s.head[p], 27)) % 2 for p in range(players) if not s.cause[p]}) <= 1
    if rules.mover(s) == OVER:
        rules.reward(s, out)
        if players > 1:
            assert sum(out.reward[:players]) == pytest.approx(1)
            last = max(s.fell[:players])
            assert all(not s.cause[p] or (s.living == 0 and s.fell[p] == last) for p in range(players) if out.reward[p])
        else:
            assert out.reward[0] == min(1, s.length[0] / (width * height))


# ---- moving, tails and necks


@pytest.mark.parametrize(
    ("snakes", "moves", "expected"),
    [
        (["2,2 urdd", "8,8 dd"], "ru", ["snake-self-collision 0", ""]),
        (["2,2 urd", "8,8 dd"], "ru", ["", ""]),  # own tail leaves
        (["2,2 urd.", "8,8 dd"], "ru", ["snake-self-collision 0", ""]),  # it ate on the turn before
        (["2,2 dd", "3,5 ddd"], "ru", ["", ""]),  # the tail of another leaves
        (["2,2 dd", "3,5 ddd."], "ru", ["snake-collision 1", ""]),
        (["2,2 dd", "3,5 ddd"], "rd", ["", "snake-self-collision 1"]),
    ],
)
def test_tails_leave(snakes, moves, expected):
    assert fates(after(position(*snakes), moves)) == expected


def test_a_tail_leaves_though_its_snake_eats():
    s = after(position("2,2 dd", "3,5 ddd", food=[(3, 6)]), "ru")
    assert fates(s) == ["", ""]
    assert body(s, 1) == [(3, 6), (3, 5), (3, 4), (3, 3), (3, 3)]
    assert body(after(s, "uu"), 1) == [(3, 7), (3, 6), (3, 5), (3, 4), (3, 3)]


@pytest.mark.parametrize("move", DIRECTIONS)
def test_the_first_turn_is_open_and_the_second_has_a_neck(move):
    s = after(position("5,5 ..", "1,1 .."), move + "u")
    assert fates(s) == ["", ""]
    back = DIRECTIONS["udlr".index(move) ^ 1]
    assert fates(after(s, back + "u")) == ["snake-self-collision 0", ""]


def test_a_snake_of_two_may_turn_on_the_spot():
    assert body(after(position("5,5 d", "1,1 .."), "du"), 0) == [(5, 4), (5, 5)]
    assert body(after(position("5,5", "1,1 .."), "du"), 0) == [(5, 4)]


@pytest.mark.parametrize(
    ("at", "move"), [("0,5 rr", "l"), ("10,5 ll", "r"), ("5,0 uu", "d"), ("5,10 dd", "u")]
)  # fmt: skip
def test_walls(at, move):
    assert fates(after(position(at, "2,2 .."), move + "u")) == ["wall-collision", ""]
    s = after(position(at, "2,2 ..", mode="wrapped"), move + "u")
    assert fates(s) == ["", ""]
    x, y = map(int, at.split()[0].split(","))
    assert body(s, 0)[0] == ((10 - x, y) if move in "lr" else (x, 10 - y))


# ---- meetings


@pytest.mark.parametrize("lengths", list(itertools.product([3, 4, 5], repeat=3)))
def test_meetings_of_three_heads(lengths):
    """The only longest one lives; it is named as the one who did it, or the first of those who are as long."""
    ways = ["l" * (lengths[0] - 1), "d" * (lengths[1] - 1), "r" * (lengths[2] - 1)]
    s = after(position(f"4,5 {ways[0]}", f"5,4 {ways[1]}", f"6,5 {ways[2]}"), "rul")
    expected = []
    for player, length in enumerate(lengths):
        killers = [other for other in range(3) if other != player and lengths[other] >= length]
        by = max(killers, key=lambda other: (lengths[other], -other), default=None)
        expected.append("" if by is None else f"head-collision {by}")
    assert fates(s) == expected
    assert rules.mover(s) == OVER


@pytest.mark.parametrize(("first", "second"), [("ll", "rr"), ("lll", "rr")])
def test_meetings_of_two_heads(first, second):
    s = after(position(f"4,5 {first}", f"6,5 {second}", food=[(5, 5)]), "rl")
    assert fates(s) == ["head-collision 1" if first == "ll" else "", "head-collision 0"]
    assert list(s.length[:2]) == [len(first) + 2, len(second) + 2]  # both have eaten
    assert list(s.health[:2]) == [100, 100]
    assert s.food == 0


def test_heads_that_meet_on_a_body():
    s = after(position("4,5 lll", "6,5 rr", "5,6 ddd"), "rlu")
    assert fates(s) == ["snake-collision 2", "snake-collision 2", ""]


def test_heads_that_change_squares():
    assert fates(after(position("4,5 llll", "5,5 rr"), "rl")) == ["snake-collision 1", "snake-collision 0"]


def test_bodies_that_run_into_each_other():
    """Who falls in a collision is still in the way on that turn."""
    s = after(position("3,3 dddr", "4,2 uuul", "9,9 .."), "rlu")
    assert fates(s) == ["snake-collision 1", "snake-collision 0", ""]
    s = after(position("5,5 dddd", "4,4 ll", "6,6 lll", "8,8 .."), "urru")
    assert fates(s) == ["snake-collision 2", "snake-collision 0", "", ""]


def test_who_starves_or_hits_a_wall_is_out_of_the_way():
    s = after(position("5,5 dddd 1", "4,4 ll", "8,8 .."), "uru")
    assert fates(s) == ["out-of-health", "", ""]
    s = after(position("5,10 dddd", "4,8 ll", "8,8 .."), "uru")
    assert fates(s) == ["wall-collision", "", ""]
    s = after(position("4,5 lll 1", "6,5 rr", "8,8 .."), "rlu")
    assert fates(s) == ["out-of-health", "", ""]


# ---- health


def test_hunger_comes_first():
    assert fates(after(position("5,10 dd 1", "1,1 .."), "uu")) == ["out-of-health", ""]
    assert fates(after(position("5,5 dd 1", "1,1 .."), "du")) == ["out-of-health", ""]
    s = after(position("5,5 dd 1", "1,1 ..", food=[(5, 6)]), "uu")
    assert (fates(s), s.health[0]) == (["", ""], 100)
    assert after(position("5,5 dd 2", "1,1 .."), "uu").health[0] == 1


def test_who_eats_and_dies_has_eaten():
    s = after(position("4,5 ll", "6,5 rrr", "0,0 ..", food=[(5, 5), (1, 8)]), "rlu")
    assert (fates(s)[0], s.length[0], s.length[1]) == ("head-collision 1", 4, 5)
    assert to_position(s).food == [(1, 8)]


@pytest.mark.parametrize(
    ("health", "hazards", "damage", "food", "left", "fate"),
    [
        (100, 1, 14, False, 85, ""),
        (100, 3, 14, False, 57, ""),  # stacked
        (100, 1, 14, True, 100, ""),  # food shields
        (16, 1, 14, False, 1, ""),
        (15, 1, 14, False, 0, "hazard"),
        (15, 1, 14, True, 100, ""),
        (1, 1, 14, False, 0, "hazard"),
        (1, 1, 0, False, 0, "hazard"),
        (1, 1, -14, False, 14, ""),  # it heals before anybody starves
        (95, 1, -14, False, 100, ""),
    ],
)
def test_hazards(health, hazards, damage, food, left, fate):
    s = position(f"5,5 dd {health}", "1,1 ..", hazards=[(5, 6)] * hazards, food=[(5, 6)] * food, hazard_damage=damage)
    s = after(s, "uu")
    assert (s.health[0], fates(s)[0]) == (left, fate)
    assert body(s, 0) == ([] if fate else [(5, 6), (5, 5), (5, 4), *[(5, 4)] * food])


# ---- modes


def test_constrictor():
    s = after(position("5,5 ..", "5,8 dd 50", food=[(8, 8)], mode="constrictor"), "ul")
    assert (list(s.length[:2]), list(s.health[:2]), s.food) == ([3, 4], [100, 100], 0)
    s = after(s, "rl")
    assert (list(s.length[:2]), body(s, 0)) == ([4, 5], [(6, 6), (5, 6), (5, 5), (5, 5)])
    s = after(s, "ld")
    assert (fates(s), list(s.length[:2]), list(s.health[:2])) == (["snake-self-collision 0", ""], [5, 6], [100, 100])


def test_wrapped_bodies_are_walked_around_the_board():
    s = position("0,5 lll", "5,5 ..", mode="wrapped")
    assert body(s, 0) == [(0, 5), (10, 5), (9, 5), (8, 5)]
    s = after(after(s, "ru"), "ru")
    assert body(s, 0) == [(2, 5), (1, 5), (0, 5), (10, 5)]
    s = after(position("0,5 lll 1", "5,5 ..", mode="wrapped"), "ru")
    assert fates(s) == ["out-of-health", ""]
    check(s)


# ---- what a snake may and should do


@pytest.mark.parametrize(
    ("snakes", "setting", "expected"),
    [
        (["5,5 ..", "1,1 .."], {}, "udlr"),
        (["5,5 dd", "1,1 .."], {}, "ulr"),
        (["0,0 ..", "5,5 .."], {}, "ur"),
        (["0,0 ..", "5,5 .."], {"mode": "wrapped"}, "udlr"),
        (["5,5 drru", "1,1 .."], {}, "ulr"),
        (["5,5 dru", "1,1 .."], {}, "ulr"),  # its own tail leaves
        (["5,5 dru.", "1,1 .."], {}, "ul"),
        (["5,5 dd", "4,7 dd"], {}, "ulr"),  # and another's
        (["5,5 dd", "4,7 ddd"], {}, "ur"),
        (["5,5 dd 1", "1,1 .."], {}, "u"),  # starves anyway: straight on
        (["5,5 dd 1", "1,1 .."], {"food": [(4, 5)]}, "l"),
        (["5,5 dd 15", "1,1 .."], {"hazards": [(4, 5), (5, 6)]}, "r"),
        (["5,5 dd 16", "1,1 .."], {"hazards": [(4, 5), (5, 6), (5, 6)]}, "lr"),
        (["5,5 dd 15", "1,1 .."], {"hazards": [(4, 5), (5, 6)], "food": [(4, 5)]}, "lr"),
        (["0,0 u.", "1,0 uu."], {}, "d"),  # nowhere to go
    ],
)
def test_sensible(snakes, setting, expected):
    s, out = position(*snakes, **setting), CARD.out()
    assert "".join(DIRECTIONS[a] for a in out.action[: rules.plausible(s, 0, out)]) == expected
    assert rules.legal(s, 0, out) == 4
    assert list(out.action[:4]) == [0, 1, 2, 3]


# ---- the end


def test_rewards_and_winners():
    out = CARD.out()

    def end(s: Any) -> tuple[list[float], list[int], list[float]]:
        assert rules.mover(s) == OVER
        rules.reward(s, out)
        return list(out.reward[: s.players]), rules.winners(s), rules.scores(s)

    assert end(after(position("0,5 rr", "5,5 ..", turn=4), "lu")) == ([0, 1], [1], [5, 5])
    s = after(position("0,5 rr", "10,5 ll", "5,0 uu", turn=4), "lrl")
    assert end(s) == ([0, 0, 1], [2], [5, 5, 5])
    s = after(position("0,5 rr", "10,5 ll", "5,0 uu", turn=4), "uud")
    assert rules.mover(s) == SIMULTANEOUS
    s = after(s, "lr-")
    assert end(s) == ([0.5, 0.5, 0], [], [6, 6, 5])


def test_alone():
    s = after(position("1,1 d", width=3, height=3), "u")
    assert rules.mover(s) == SIMULTANEOUS
    s = after(s, "u")
    assert rules.mover(s) == OVER
    out = CARD.out()
    rules.reward(s, out)
    assert out.reward[0] == 2 / 9
