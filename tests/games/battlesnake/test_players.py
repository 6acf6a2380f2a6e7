"""The scripted players and the evaluations: known positions, flood fills against plain sets, and strength."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spinney
from spinney import CHANCE, OVER
from spinney.games.battlesnake import rules, values
from spinney.games.battlesnake.players import PLAYERS, careful_moves
from spinney.games.battlesnake.position import Square, to_position
from spinney.games.battlesnake.space import FAR, begin_fill, flood, read_board, territory
from spinney.games.battlesnake.state import LONGEST, NOBODY, SQUARES, square
from spinney.kernel import Rng, below, bind, seeded
from tests.games.battlesnake.positions import CARD, DIRECTIONS, MODES, WAYS, after, position

NAMES = list(PLAYERS)


def choices(s: Any, name: str, player: int = 0) -> str:
    """All moves that a player chooses in a position."""
    out, rng = CARD.out(), seeded(1)
    found = {DIRECTIONS[CARD.player(name)(s, player, out, rng)] for _ in range(40)}
    return "".join(sorted(found, key=DIRECTIONS.index))


# ---- flood fills against sets of squares


def beside(s: Any, at: Square) -> set[Square]:
    found = set()
    for dx, dy in list(WAYS.values())[:4]:
        x, y = at[0] + dx, at[1] + dy
        if s.wrapped:
            x, y = x % s.width, y % s.height
        if 0 <= x < s.width and 0 <= y < s.height:
            found.add((x, y))
    return found


def leaving(s: Any) -> dict[Square, int]:
    """With which move from now each square is free at the earliest."""
    when = {(x, y): 0 for x in range(s.width) for y in range(s.height)}
    for snake in to_position(s).snakes:
        for i, at in reversed(list(enumerate(snake.body))):
            when[at] = FAR if s.constrictor else len(snake.body) - i
    return when


def set_flood(s: Any, first: Square) -> tuple[int, int]:
    """The longest path in the best case, and the moves to the nearest food."""
    when, food = leaving(s), set(to_position(s).food)
    reached, move = {first}, 1
    nearest = 1 if first in food else FAR
    while True:
        move += 1
        front = {to for at in reached for to in beside(s, at) if when[to] <= move} - reached
        if not front:
            break
        if nearest == FAR and front & food:
            nearest = move
        reached |= front
    same = sum((x + y - sum(first)) % 2 == 0 for x, y in reached)
    other = len(reached) - same
    return (len(reached) if s.wrapped else 2 * same if same <= other else 2 * other + 1), nearest


def set_reached(s: Any, player: int, first: Square | None) -> dict[int, set[Square]]:
    """The squares that each living snake reaches before all others."""
    when, snakes = leaving(s), to_position(s).snakes
    living = [p for p in range(s.players) if not s.cause[p]]
    reached, closed = {p: {snakes[p].body[0]} for p in living}, set()
    move = 0
    while True:
        move += 1
        fronts = {p: {to for at in reached[p] for to in beside(s, at) if when[to] <= move} - closed for p in living}
        if move == 1 and first is not None:
            fronts[player] = {first}
        gains = {
            p: fronts[p].difference(*(fronts[q] for q in living if q != p and s.length[q] >= s.length[p]))
            for p in living
        }
        reached = {p: (reached[p] if move > 1 else set()) | gains[p] for p in living}
        closed = closed.union(*fronts.values())
        if not any(gains.values()):
            return reached


def set_territory(s: Any, player: int, first: Square | None) -> list[int]:
    reached = set_reached(s, player, first)
    return [len(reached.get(p, ())) for p in range(s.players)]


def random_position(seed: int, mode: str) -> Any:
    """A position in the middle of a game, on a board of any size."""
    choose, out, rng = random.Random(seed), CARD.out(), seeded(seed)
    options = {"mode": mode, "width": choose.randint(3, 25), "height": choose.randint(3, 25), "minimum_food": 9}
    options["players"] = choose.randint(1, min(8, (options["width"] * options["height"] - 1) // 2))
    s = spinney.game("battlesnake", **options).start(seed, manual_chance=True).record
    turns, before = choose.randrange(80), s.copy()
    while rules.mover(s) != OVER and s.turn < turns:
        before = s.copy()
        for player in range(s.players):
            n = rules.plausible(s, player, out)
            out.joint[player] = choose.choice(out.action[:n]) if n else 0
        rules.apply_joint(s, out)
        while rules.mover(s) == CHANCE:
            rules.apply(s, rules.chance(s, rng))
    return before if rules.mover(s) == OVER else s


@given(seed=st.integers(0, 2**32), mode=st.sampled_from(MODES))
@settings(max_examples=30)
def test_floods(seed, mode):
    s, out = random_position(seed, mode), CARD.out()
    read_board(s, out.scratch)
    for player in range(s.players):
        n = rules.plausible(s, player, out)
        moves = list(out.action[:n])
        for move in moves:
            to = next_square(s, player, move)
            if to is None or leaving(s)[to] > 1:  # forced into death
                continue
            begin_fill(s, out.scratch)
            assert flood(s, out.scratch, square(*to), False) == set_flood(s, to)
            begin_fill(s, out.scratch)
            assert flood(s, out.scratch, square(*to), True)[1] == set_flood(s, to)[1]
            territory(s, out.scratch, player, square(*to))
            assert out.scratch.territory[: s.players] == set_territory(s, player, to)
    territory(s, out.scratch, NOBODY, 0)
    assert out.scratch.territory[: s.players] == set_territory(s, NOBODY, None)


def next_square(s: Any, player: int, move: int) -> Square | None:
    x, y = to_position(s).snakes[player].body[0]
    dx, dy = WAYS[DIRECTIONS[move]]
    x, y = (x + dx, y + dy) if not s.wrapped else ((x + dx) % s.width, (y + dy) % s.height)
    return (x, y) if 0 <= x < s.width and 0 <= y < s.height else None


def test_sizes():
    assert rules.MAX_ACTIONS == 1 + LONGEST**2
    assert rules.SIDES >= SQUARES


# ---- players


def test_trivial_is_random_among_what_does_not_kill():
    assert choices(position("0,5 rr", "9,9 .."), "trivial") == "ud"
    s, out, rng = position("5,5 dd", "1,1 .."), CARD.out(), seeded(2)
    counts = Counter(CARD.player("trivial")(s, 0, out, rng) for _ in range(3000))
    assert all(900 < counts[move] < 1100 for move in (0, 2, 3))


@pytest.mark.parametrize("name", NAMES)
def test_all_go_straight_on_to_their_death(name):
    assert choices(position("0,0 u.", "1,0 uu."), name) == "d"
    assert choices(position("5,5 lll 1", "1,1 .."), name) == "r"


@pytest.mark.parametrize("name", ["flood", "hungry", "hunter", "voronoi", "cutter"])
def test_careful_players_avoid_a_meeting_that_they_cannot_win(name):
    s = position("4,5 ll", "6,5 rrr", food=[(5, 5)])
    assert "r" not in choices(s, name)
    assert choices(s, "trivial") == "udr"
    assert careful_moves(position("4,5 llll", "6,5 rrr"), 0) == 0b1011
    assert careful_moves(position("0,0 r.", "0,2 rrr"), 0) == 0b0001  # the only safe move


def test_flood_wants_room_and_then_food():
    divided = ["2,2 rrrr" + "." * 20, "0,2 r" + "." * 20]  # two rows below, four above
    for food in ([], [(2, 1)], [(2, 3)]):
        assert choices(position(*divided, width=7, height=7, food=food), "flood") == "u"
    assert choices(position("5,5 dd", "1,1 ..", food=[(9, 5)]), "flood") == "r"
    assert choices(position("5,5 dd", "1,1 ..", food=[(3, 6), (9, 5)]), "flood") == "ul"


def test_hungry_takes_the_shortest_way():
    assert choices(position("5,5 dd", "1,1 ..", food=[(5, 8), (9, 9)]), "hungry") == "u"
    assert choices(position("5,5 dd", "1,1 ..", food=[(3, 6), (9, 9)]), "hungry") == "ul"
    assert choices(position("5,5 dd", "1,1 ..", food=[(10, 5)], mode="wrapped"), "hungry") == "r"
    assert choices(position("1,5 rr", "5,1 ..", food=[(9, 5)], mode="wrapped"), "hungry") == "l"
    assert choices(position("5,5 dd", "1,1 .."), "hungry") == "ulr"


def test_hunter_goes_for_shorter_snakes():
    assert choices(position("5,5 ddd", "5,9 u.", food=[(9, 5)]), "hunter") == "u"
    assert choices(position("5,5 dd", "5,9 u.", food=[(9, 5)]), "hunter") == "r"  # nobody is shorter
    assert choices(position("5,5 ddd 50", "5,9 u.", food=[(9, 5)]), "hunter") == "r"  # starving


def test_voronoi_takes_room_from_others():
    assert choices(position("3,5 lll", "7,9 ."), "voronoi") == "r"
    assert choices(position("0,5 d.", "9,5 .."), "voronoi") == "r"
    assert choices(position("5,5 dd 50", "1,1 ..", food=[(4, 5)]), "voronoi") == "l"


def test_a_cutter_takes_room_from_the_others_alone():
    assert choices(position("5,3 d.", "2,9 .", "8,9 ."), "cutter") == "u"
    assert choices(position("0,5 d.", "9,5 .."), "cutter") == "r"
    assert choices(position("5,5 dd 50", "1,1 ..", food=[(4, 5)]), "cutter") == "l"


# ---- evaluations and rewards


def value(name: str, s: Any) -> list[float]:
    out: Any = CARD.out()
    {**values.EVALUATIONS, **values.REWARDS}[name](s, out)
    return list(out.reward[: s.players])


def test_space():
    even = value("space", position("1,5 ..", "9,5 .."))
    assert even == [0.5, 0.5]
    cornered, roomy = value("space", position("0,0 ..", "3,3 .."))
    assert cornered < 0.25 < roomy
    assert sum(value("space", position("0,0 ..", "3,3 ..", "9,9 .."))) == pytest.approx(1)
    assert value("space", position("1,5 ...", "9,5 .."))[0] > 0.5
    assert value("space", position("1,5 .. 100", "9,5 .. 20"))[0] > 0.5
    ended = after(position("0,5 rr", "5,5 ..", "8,8 .."), "luu")
    assert value("space", ended)[0] == 0
    assert sum(value("space", ended)) == pytest.approx(1)
    assert value("space", after(position("0,5 rr", "5,5 .."), "lu")) == [0, 1]
    assert value("space", after(position("0,5 rr", "10,5 ll"), "lr")) == [0.5, 0.5]
    assert 0 < value("space", position("5,5 .."))[0] < 1


def test_rewards():
    s = after(position("4,5 ll", "6,5 rrr", "9,9 ..", "1,1 .."), "rluu")  # one is beaten by the next
    assert value("survival", s) == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])
    assert value("length", s) == pytest.approx([3 / 13, 4 / 13, 3 / 13, 3 / 13])
    assert value("kills", s) == pytest.approx([0, 1 / 3, 0, 0])
    s = after(position("5,5 lll", "9,9 .."), "lu")  # into its own neck: nobody's kill
    assert value("kills", s) == [0, 0]
    assert value("survival", s) == [0, 1]
    alone = position("5,5 ..")
    assert (value("length", alone), value("kills", alone), value("survival", alone)) == ([3 / 121], [0], [1])


# ---- plain and compiled, and strength


def make_all(policies: Any, scores: Any):
    """Functions that call a player, an evaluation, or play a whole game, by number."""
    trivial, flooding, hungry, hunter, voronoi, cutter = policies
    space, survival, length, kills = scores
    mover, acts, apply, chance, together = rules.mover, rules.is_active, rules.apply, rules.chance, rules.apply_joint
    outcomes, sensible, reward = rules.outcomes, rules.plausible, rules.reward

    def choose(s, player, out, rng, which):
        if which == 0:
            return trivial(s, player, out, rng)
        if which == 1:
            return flooding(s, player, out, rng)
        if which == 2:
            return hungry(s, player, out, rng)
        if which == 3:
            return hunter(s, player, out, rng)
        return voronoi(s, player, out, rng) if which == 4 else cutter(s, player, out, rng)

    def score(s, out, which):
        if which == 0:
            space(s, out)
        elif which == 1:
            survival(s, out)
        elif which == 2:
            length(s, out)
        elif which == 3:
            kills(s, out)
        else:
            reward(s, out)

    def turn(s, out, rng):
        """A turn of players that are hardly sensible, with all that chance does."""
        for player in range(s.players):
            if acts(s, player):
                out.joint[player] = out.action[below(rng, sensible(s, player, out))]
        together(s, out)
        listed = 0
        while mover(s) == CHANCE:
            listed += outcomes(s, out)
            apply(s, chance(s, rng))
        return listed

    def play(s, out, rng, limit):
        """A game of a flooding snake against trivial ones."""
        while mover(s) != OVER and s.turn < limit:
            if mover(s) == CHANCE:
                apply(s, chance(s, rng))
                continue
            for player in range(s.players):
                if acts(s, player):
                    move = flooding(s, player, out, rng) if player == 0 else trivial(s, player, out, rng)
                    out.joint[player] = move
            together(s, out)

    return choose, score, turn, play


@pytest.fixture(scope="module")
def both() -> Any:
    parts = {
        "policies": tuple(PLAYERS.values()),
        "scores": (values.space, values.survival, values.length, values.kills),
    }
    return make_all(**parts), bind(make_all, "battlesnake/test", **parts)


@pytest.mark.parametrize("mode", MODES)
def test_plain_and_compiled_play_the_same(mode, both):
    (choose, score, turn, _), (fast_choose, fast_score, fast_turn, _) = both
    out, fast_out = CARD.out(), CARD.out.native()
    for seed, (width, players) in enumerate([(11, 4), (7, 8), (5, 2), (25, 8), (9, 1)]):
        game = spinney.game("battlesnake", mode=mode, width=width, players=players, shrink_every=3, minimum_food=3)
        s = game.start(seed, manual_chance=True).record
        rng, fast, fast_rng = seeded(seed), type(s).native(s), Rng.native(seeded(seed))
        while rules.mover(s) != OVER and s.turn < 60:
            assert turn(s, out, rng) == fast_turn(fast, fast_out, fast_rng)
            assert type(s).plain(fast) == s
            for which in range(6):
                score(s, out, which)
                fast_score(fast, fast_out, which)
                assert fast_out.reward.tolist() == out.reward
                assert all(0 <= reward <= 1 for reward in out.reward[:players])
                for player in range(players):
                    if s.turn % 4 == 0 and rules.is_active(s, player):
                        move = choose(s, player, out, rng, which)
                        assert fast_choose(fast, player, fast_out, fast_rng, which) == move
                        assert 0 <= move < 4
        assert Rng.plain(fast_rng) == rng


def test_a_flooding_snake_beats_trivial_ones(both):
    out, rng, play = CARD.out.native(), Rng.native(seeded(1)), both[1][3]
    game, wins = spinney.game("battlesnake"), 0
    for seed in range(100):
        s = rules.State.native(game.start(seed, manual_chance=True).record)
        play(s, out, rng, 2000)
        wins += s.cause[0] == 0
    assert wins > 80
