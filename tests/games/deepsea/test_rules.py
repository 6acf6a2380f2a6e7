"""The rules of Deep Sea Adventure: facts that hold in every game, and positions that random play hardly reaches."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spinney
from spinney import CHANCE
from spinney.games.deepsea import rules
from spinney.games.deepsea.board import levels
from tests.games.deepsea.positions import RULESETS, acting, after, hand, path, position

LIKINGS = {
    "any": (),
    "greedy": ("take", "down"),
    "empty": ("leave", "down"),
    "homesick": ("up", "take"),
    "loose": ("drop",),
}


class Watcher:
    """ArrivalClock at a game step by step and checks what must hold in every one."""

    def __init__(self, state: spinney.State) -> None:
        self.state, self.before = state, state.record.copy()
        self.turns: Counter[int] = Counter()  # of this round
        self.points_before_round = 0
        self.check_position()

    def step(self, action: int) -> None:
        self.before = self.state.record.copy()
        self.state.apply(action)
        self.check_position()
        self.check_change()

    def check_position(self) -> None:
        s = self.state.record
        assert self.chips() == Counter({1: 8, 2: 8, 3: 8, 4: 8})
        tiles = [tile for tile in s.position[: s.players] if tile > 0]
        assert len(set(tiles)) == len(tiles)
        used_up = s.phase == rules.FINISHED and s.length == 0  # then those who drowned stay where they were
        assert used_up or all(tile <= s.length for tile in tiles)
        assert not any(s.path[s.length :])
        assert 0 <= s.air <= rules.FULL_AIR
        assert all(0 <= n <= 6 for n in s.hand[: s.players])
        mover = self.state.mover
        if mover >= 0:
            assert not s.home[mover]
            self.check_decision()
        elif mover == CHANCE:
            assert sum(weight for _, weight in self.state.outcomes()) == pytest.approx(1)

    def chips(self) -> Counter[int]:
        """On the path, in hands and scored, by level. A chip that is turned over goes from the hand to the scored."""
        s = self.state.record
        found: Counter[int] = Counter()
        for stack in s.path[: s.length]:
            found.update(levels(stack))
        for player in range(s.players):
            chips = [level for i in range(s.hand[player]) for level in levels(s.held[player, i])]
            if s.home[player] and s.phase in (rules.REVEAL, rules.FINISHED):
                shown = sum(len(levels(s.held[player, i])) for i in range(s.shown_stack)) + s.shown_chip
                chips = chips[shown:] if player == s.shown_player else chips if player > s.shown_player else []
            found.update(chips)
            found.update({level: s.banked[player, level - 1] for level in range(1, 5)})
        return found

    def check_decision(self) -> None:
        s, names = self.state.record, self.state.names()
        tile, stacks = s.position[s.actor], hand(self.state, s.actor).split()
        if s.phase == rules.DIRECTION:
            assert names in (["down"], ["up"], ["down", "up"])
        elif tile == 0:
            assert names == ["leave"]
        elif s.path[tile - 1]:
            assert names == ["leave", "take"]
        elif s.drops_any:
            assert len(names) == 1 + len(set(stacks))
            assert {stacks[int(name.split()[1]) - 1] for name in names[1:]} == set(stacks)
        else:
            assert len(names) == 1 + (len(stacks) > 0)

    def check_change(self) -> None:
        s, before = self.state.record, self.before
        assert all(new >= old for new, old in zip(s.score, before.score, strict=True))
        if before.phase == rules.ROLL:
            self.check_move()
        if s.round == before.round:
            assert s.air <= before.air
            if before.phase != rules.REVEAL:
                assert s.score == before.score
        self.check_values()
        if s.round != before.round or s.phase == rules.FINISHED:
            assert set(self.turns) == set(range(s.players))  # nobody sat the round out
            self.turns.clear()

    def check_move(self) -> None:
        s, before = self.state.record, self.before
        mover = before.actor
        self.turns[mover] += 1
        if s.round != before.round:
            return
        if before.hand[mover] == 6:
            assert s.position[mover] == before.position[mover]
        if before.position[mover] == 0 and s.length >= s.players:  # there is a free tile
            assert self.turns[mover] == 1
            assert s.position[mover] > 0 or s.home[mover]  # home: turned at the bottom of a short path

    def check_values(self) -> None:
        """What has been turned over and what is in the pool: all values, twice each."""
        s = self.state.record
        if s.refills and s.round != self.before.round:
            self.points_before_round = sum(s.score)
        left = sum(s.pool[level, value] * (4 * level + value) for level in range(4) for value in range(4))
        assert left + sum(s.score) - self.points_before_round == 240
        for level in range(4):
            in_pool = [s.pool[level, value] for value in range(4)]
            assert all(0 <= n <= 2 for n in in_pool)
            if not s.refills:
                assert sum(in_pool) + sum(s.banked[player, level] for player in range(s.players)) == 8


def play_out(watcher: Watcher, choose: random.Random, liking: str) -> None:
    """Random legal actions, most of them of the given kind."""
    state = watcher.state
    while not state.is_over:
        assert len(state.history) < 5000
        if state.mover == CHANCE:
            outcomes, weights = zip(*state.outcomes(), strict=True)
            watcher.step(choose.choices(outcomes, weights)[0])
        else:
            legal = state.legal()
            liked = [action for action in legal if state.name(action).startswith(LIKINGS[liking])]
            watcher.step(choose.choice(liked if liked and choose.random() < 0.7 else legal))
    scores = state.record.score[: state.game.players]
    assert state.rewards() == tuple(float(score == max(scores)) for score in scores)
    assert state.record.round == 3 or state.record.length == 0


GAMES = {
    "seed": st.integers(0, 2**32),
    "players": st.integers(2, 6),
    "ruleset": st.sampled_from(RULESETS),
    "liking": st.sampled_from(sorted(LIKINGS)),
}


@given(**GAMES)
@settings(max_examples=80, deadline=None)
def test_facts_of_every_game(seed, players, ruleset, liking):
    state = spinney.game(f"deepsea(players={players}, ruleset={ruleset})").start(seed, manual_chance=True)
    play_out(Watcher(state), random.Random(seed), liking)


@given(**GAMES)
@settings(max_examples=120, deadline=None)
def test_facts_of_rare_games(seed, players, ruleset, liking):
    """From positions that play rarely comes to: heavy hands, stacks everywhere, a path shorter than the divers are
    many."""
    choose = random.Random(seed)
    state = rare_position(choose, players, ruleset)
    watcher = Watcher(state)
    watcher.turns.update(range(players))  # what they did in this round before
    watcher.points_before_round = sum(state.record.score) if state.record.refills else 0
    play_out(watcher, choose, liking)


def rare_position(choose: random.Random, players: int, ruleset: str) -> spinney.State:
    """All chips dealt at random: scored, in hands of up to six stacks, and on the path."""
    chips = [level for level in (1, 2, 3, 4) for _ in range(8)]
    choose.shuffle(chips)

    def stack() -> str:
        size = min(choose.choice((1, 1, 1, 2, 3)), len(chips))
        return "".join(map(str, sorted(chips.pop() for _ in range(size))))

    scored = [chips.pop() for _ in range(choose.choice((0, 3, 10, 20)))]
    hands = [[stack() for _ in range(choose.choice((0, 1, 2, 5, 6))) if chips] for _ in range(players)]
    tiles = []
    while chips:
        tiles.append(stack())
    tiles += ["."] * choose.randint(0 if tiles else 1, max(1, 26 - len(tiles)))
    choose.shuffle(tiles)
    places = {}
    free = choose.sample(range(1, len(tiles) + 1), len(tiles))
    for player in choose.sample(range(players), choose.randint(1, min(players, len(tiles)))):
        blanks = [tile for tile in free if tiles[tile - 1] == "."]
        if len(hands[player]) == 6 and not blanks:  # who has six took the last one from where it stands
            tiles.append(hands[player].pop())
        places[player] = blanks[0] if len(hands[player]) == 6 else free[0]
        free.remove(places[player])
    divers = [
        " ".join([f"{places[player]}{choose.choice('v^')}" if player in places else "home", *hands[player]])
        for player in range(players)
    ]
    state = position(divers, " ".join(tiles), ruleset, actor=min(places), air=choose.randint(0, 25))
    s = state.record
    for level in scored:
        player, value = choose.randrange(players), choose.choice([v for v in range(4) if s.pool[level - 1, v]])
        s.banked[player, level - 1] += 1
        s.score[player] += 4 * (level - 1) + value
        s.pool[level - 1, value] -= 0 if s.refills else 1
    return state


# ---- directions and the bottom


@pytest.mark.parametrize(
    ("divers", "legal"),
    [
        (["0v", "0v"], "down"),
        (["4v", "0v"], "down"),
        (["4v 1", "0v"], "down up"),
        (["4^", "0v"], "up"),
        (["4^ 1", "0v"], "up"),
        (["5v", "0v"], "up"),  # the last tile
        (["5v 1", "0v"], "up"),
        (["3v", "4v", "5v"], "up"),  # every deeper tile is taken
        (["3v", "4v", "2v"], "down"),
    ],
)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_directions(divers, legal, ruleset):
    """The paper's program does not know that a diver can be blocked."""
    if legal == "up" and "^" not in divers[0]:
        laden = len(divers[0].split()) > 1
        legal = {"paper": "up", "official": "down up", "paper_code": "down up" if laden else "down"}[ruleset]
    assert " ".join(position(divers, "1 1 1 1 1", ruleset).names()) == legal


@pytest.mark.parametrize("ruleset", ["paper", "official"])
def test_the_bottom_ends_a_dive(ruleset):
    """The rest of the throw is lost, and the diver still dives: it acts, and turns in its next turn at the earliest."""
    state = after(position(["3v", "home"], "1 1 1 1 1", ruleset), "down", "dice 6")
    assert (state.record.position[0], state.record.returning[0]) == (5, 0)
    assert state.names() == ["leave", "take"]
    state.apply("leave")
    assert state.names() == (["up"] if ruleset == "paper" else ["down", "up"])
    state = after(position(["3v", "5v"], "1 1 1 1 1", ruleset), "down", "dice 4")
    assert (state.record.position[0], state.record.returning[0]) == (4, 0)


def test_staying_at_the_bottom_where_that_is_allowed():
    state = after(position(["5v", "home"], "1 1 1 1 1", "official"), "down", "dice 5")
    assert (state.record.position[0], state.record.returning[0]) == (5, 0)
    assert after(state, "leave").names() == ["down", "up"]


@pytest.mark.parametrize(
    ("divers", "dice", "tile"),
    [
        (["3v", "0v"], 2, 5),  # just reached: the diver has turned
        (["3v", "0v"], 6, 1),  # two down, four up
        (["3v 1 1", "0v"], 6, 3),  # two down, two up
        (["3v", "4v"], 4, 1),  # one down and three up, over the other twice
        (["3v", "5v"], 3, 3),  # the last tile is taken and costs nothing: one down, two up
        (["4v", "5v"], 2, 3),  # the own tile, which is empty now, and one up
        (["3v 1 1", "0v"], 2, 3),  # no step: it does not turn
        (["4v", "1v"], 5, 0),  # one down, four up: home
    ],
)
def test_bouncing_off_the_bottom(divers, dice, tile):
    state = after(position(divers, "1 1 1 1 1", "paper_code"), "down", dice)
    turned = dice > 2 or divers[0] != "3v 1 1"
    assert (state.record.position[0], state.record.returning[0], state.record.home[0]) == (tile, turned, tile == 0)


# ---- moves


@pytest.mark.parametrize(
    ("divers", "dice", "tile"),
    [
        (["2v", "3v", "5^"], 2, 6),  # over both: 4, 6
        (["6^", "5v", "3^"], 2, 2),  # over both: 4, 2
        (["6^", "5v", "4v", "3v"], 2, 1),  # three in a row cost nothing
        (["0v", "1v", "2v"], 2, 4),
        (["8v 1 1", "0v"], 2, 8),  # no step left
        (["8v 1 1 1 1 1 1", "0v"], 6, 8),
        (["8v 123", "0v"], 3, 10),  # a stack of three weighs as much as one chip
        (["3^", "0v"], 3, 0),
        (["3^", "0v"], 6, 0),  # the exact number is not needed
        (["2^ 1", "1v"], 2, 0),  # one step, over tile 1
        (["4^", "3v", "2v", "1v"], 2, 0),
    ],
)
def test_moves(divers, dice, tile):
    state = position(divers)
    state = after(state, state.legal()[-1] if "^" in divers[0] else "down", dice)
    assert state.record.position[0] == tile
    assert state.record.home[0] == (tile == 0)
    assert state.record.last_in == (0 if tile == 0 else rules.NOBODY)
    assert state.mover == (1 if tile == 0 else 0)  # who is home does not act


def test_seats_take_turns_and_those_at_home_are_passed_over():
    state = acting(["4v", "home", "home", "5^ 1 2 3"], air=9)
    state.apply("leave")
    assert (state.mover, state.record.air) == (3, 6)  # it has paid for three stacks
    state = after(state, "up", "dice 2", "leave")
    assert (state.mover, state.record.air) == (0, 6)


# ---- acts


def test_a_diver_acts_where_it_stays():
    state = after(position(["3v 1 1", "0v"]), "down", "dice 2")
    assert (state.record.position[0], state.names()) == (3, ["leave", "take"])


def test_taking_and_dropping():
    state = after(acting(["3^ 1", "4^ 2"], "1 1 24 . 3"), "take")
    assert (hand(state, 0), path(state)) == ("1 24", "1 1 . . 3")
    state = after(acting(["4^ 1 24 2", "9v"], "1 1 24 . 3"), "drop 2")
    assert (hand(state, 0), path(state)) == ("1 2", "1 1 24 24 3")


def test_a_dropped_stack_is_for_everybody():
    state = after(acting(["4^ 2", "2v"], "1 1 . . 3 1 1"), "drop 1")
    assert path(state) == "1 1 . 2 3 1 1"
    state = after(state, "down", "dice 4")  # 3, 5, 6, 7: over the first diver
    state = after(state, "leave")
    assert state.names() == ["up"]  # empty-handed, and it goes on returning
    state = after(state, "up", "dice 3", "leave", "up", "dice 3")
    assert (state.record.position[1], state.names()) == (4, ["leave", "take"])
    assert hand(after(state, "take"), 1) == "2"


@pytest.mark.parametrize(
    ("stacks", "legal"),
    [
        ("", "leave"),
        ("4", "leave, drop 1"),
        ("1 3 1 3 24", "leave, drop 1, drop 2, drop 5"),
        ("24 2 4 24", "leave, drop 1, drop 2, drop 3"),
        ("1 2 3 4 12 34", "leave, drop 1, drop 2, drop 3, drop 4, drop 5, drop 6"),
    ],
)
def test_equal_stacks_are_offered_once(stacks, legal):
    assert ", ".join(acting([f"4^ {stacks}", "0v"], "1 1 1 . 1").names()) == legal


@pytest.mark.parametrize(
    ("stacks", "dropped"),
    [
        ("4", 1),
        ("3 12 1 22", 3),
        ("2 12 3", 1),  # level 1 counts nothing: 2 and 12 are equal, the first goes
        ("3 111", 2),
        ("444 34 244", 1),  # from five on all are equal
        ("444 33", 2),
    ],
)
def test_the_papers_program_drops_the_least_stack(stacks, dropped):
    state = acting([f"4^ {stacks}", "0v"], "1 1 1 . 1", "paper_code")
    assert state.names() == ["leave", f"drop {dropped}"]


# ---- the end of a round


def test_the_last_turn_is_played_to_its_end():
    state = after(acting(["8v", "5^ 1 2 3", "6^ 4"], air=2), "leave")
    assert (state.mover, state.record.air) == (1, 0)
    state = after(state, "up", "dice 4")
    assert (state.record.position[1], state.names()) == (4, ["leave", "take"])
    state.apply("take")
    assert (state.record.round, state.record.air) == (2, 25)  # the third did not move any more
    assert path(state).endswith("4 124 13")  # the third was farther than the second


def test_the_last_turn_has_no_act_in_the_papers_program():
    state = after(acting(["8v", "5^ 1 2 3", "6^ 4"], ruleset="paper_code", air=2), "leave", "up", "dice 4")
    assert state.record.round == 2
    assert path(state).endswith("4 432 1")  # the last chip first
    state = after(acting(["8v", "5^ 1 2 3", "6^ 4"], ruleset="paper_code", air=4), "leave", "up", "dice 4")
    assert (state.record.air, state.names()) == (1, ["leave", "take"])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_who_comes_home_in_the_last_turn_is_safe(ruleset):
    state = after(acting(["8v", "3^ 1 2", "6^ 4"], ruleset=ruleset, air=1), "leave", "up", "dice 5")
    assert state.mover == CHANCE
    state = after(state, "worth 3", "worth 7")
    assert state.record.score[:3] == [0, 10, 0]
    assert [state.record.banked[1, level] for level in range(4)] == [1, 1, 0, 0]
    assert state.record.round == 2


def test_a_round_ends_when_all_are_home():
    state = after(position(["2^ 13", "home 2", "home"], air=9), "up", "dice 4")
    assert state.outcomes() == [(value, 0.25) for value in range(4)]  # seats in turn, levels in ascending order
    state.apply(2)
    assert [value for value, _ in state.outcomes()] == [8, 9, 10, 11]
    state.apply(8)
    assert [value for value, _ in state.outcomes()] == [4, 5, 6, 7]
    state.apply(7)
    assert (state.record.score[:3], state.record.round, state.record.air) == ([10, 7, 0], 2, 25)
    assert state.record.hand == [0] * 6
    assert state.record.home == [0] * 6


def test_values_go_from_the_pool():
    state = position(["1^ 4 4 4", "home"], air=9)
    state = after(state, "up", "dice 6", "worth 15", "worth 15")
    assert state.outcomes() == [(value, pytest.approx(1 / 3)) for value in (12, 13, 14)]
    with pytest.raises(spinney.IllegalAction, match=r"cannot happen; possible: 12 \(worth 12\)"):
        state.apply("worth 15")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_values_of_earlier_rounds(ruleset):
    state = after(position(["1^ 4 4", "home"], ruleset=ruleset), "up", "dice 6", "worth 15", "worth 15")
    assert state.record.round == 2
    left = [state.record.pool[3, value] for value in range(4)]
    assert left == ([2, 2, 2, 2] if ruleset == "paper_code" else [2, 2, 2, 0])


def sunk(divers, ruleset="paper", tiles="1 . 2 . 3 . . 4 . 4"):
    """The path after the round, which ends with the first diver's act; it must not be home."""
    return path(after(acting(divers, tiles, ruleset, air=0), "leave"))


def test_chips_sink_in_threes():
    assert sunk(["4^ 1", "home"]) == "1 2 3 4 4 1"
    assert sunk(["4^ 1 2", "home"]) == "1 2 3 4 4 12"
    assert sunk(["4^ 3 2 1", "home"]) == "1 2 3 4 4 123"
    assert sunk(["4^ 3 2 1 4", "home"]) == "1 2 3 4 4 123 4"
    assert sunk(["4^ 3 2 1 4 4", "9^ 1"]) == "1 2 3 4 4 123 144"
    assert sunk(["4^", "9^"]) == "1 2 3 4 4"


def test_stacks_are_split_when_they_sink():
    assert sunk(["4^ 3 134 24", "home"]) == "1 2 3 4 4 133 244"
    assert sunk(["4^ 1 24", "9^ 3 134"]) == "1 2 3 4 4 133 124 4"
    assert sunk(["4^ 444", "9^ 1"]) == "1 2 3 4 4 144 4"


def test_order_of_sinking():
    divers = ["6^ 1 1", "9^ 2 2", "3^ 3 3"]
    assert sunk(divers) == sunk(divers, "official") == "1 2 3 4 4 122 133"
    assert sunk(divers, "paper_code") == "1 2 3 4 4 332 211"
    divers = ["6^ 1 1", "home", "8^ 3 3"]  # who is home keeps what it has
    assert sunk(divers) == "1 2 3 4 4 133 1"
    assert sunk(divers, "paper_code") == "1 2 3 4 4 331 1"
    assert (
        sunk(["6^ 1 42", "home", "8^ 3 134"], "paper_code") == "1 2 3 4 4 431 324 1"
    )  # the chips of a stack as they lie


@pytest.mark.parametrize(
    ("divers", "last_in", "paper", "official"),
    [
        (["6^ 1", "9^ 2", "3^ 3"], rules.NOBODY, 2, 1),  # nobody home: the same starter, or the farthest
        (["6^ 1", "home", "3^ 3"], 1, 1, 0),
        (["6^ 1", "home", "home"], 2, 2, 0),
    ],
)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_who_starts_the_next_round(divers, last_in, paper, official, ruleset):
    state = after(acting(divers, ruleset=ruleset, air=0, last_in=last_in, starter=2), "leave")
    assert state.record.round == 2
    assert state.mover == state.record.starter == (official if ruleset == "official" else paper)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_last_one_home_starts_if_nobody_drowned(ruleset):
    state = after(position(["home", "3^", "home"], ruleset=ruleset, actor=1, last_in=2), "up", "dice 4")
    assert (state.record.round, state.mover) == (2, 1)
    assert state.record.last_in == rules.NOBODY


# ---- short paths and the end of the game


@pytest.mark.parametrize("ruleset", ["paper", "official"])
def test_who_finds_every_tile_taken_waits(ruleset):
    state = after(position(["0v", "1v", "2v"], "1 1", ruleset), "down", "dice 4")
    assert (state.record.position[0], state.record.home[0], state.names()) == (0, 0, ["leave"])
    state = after(state, "leave", "up", "dice 3")
    assert state.record.home[1]
    state = after(state, "up", "dice 2")
    assert state.record.home[2]
    assert after(state, "down", "dice 2").record.position[0] == 2


def test_the_game_ends_when_the_path_is_used_up():
    state = after(position(["1^ 2", "home"], ". .", score=[3, 9]), "up", "dice 3", "worth 6")
    assert state.is_over
    assert state.rewards() == (1.0, 1.0)
    assert "no tile is left" in str(state)
    state = after(position(["1^ 2", "home"], ". ."), "up", "dice 3", "worth 6")
    assert state.rewards() == (1.0, 0.0)
    state = after(acting(["2v", "home 2"], ". .", air=0), "leave", "worth 4")
    assert state.is_over
    assert "P1  tile 2     drowned" in str(state)
    state = after(acting(["1^ 2", "home"], ". .", air=0), "leave")
    assert (path(state), state.is_over) == ("2", False)  # a drowned diver's chips are a path


def test_the_third_round_is_the_last():
    state = after(acting(["1^ 2", "home 3", "4v"], "1 . . .", air=0, round=3, score=[9, 0, 1]), "leave", "worth 8")
    assert state.is_over
    assert state.record.score[:3] == [9, 8, 1]
    assert state.rewards() == (1.0, 0.0, 0.0)
    assert path(state) == "1 . . ."  # nothing sinks any more


@pytest.mark.parametrize("ruleset", RULESETS)
def test_ties_are_broken_by_the_chips_of_the_highest_level(ruleset):
    state = acting(["1^ 2", "5^", "6^"], ruleset=ruleset, air=0, round=3, score=[12, 12, 9])
    state.record.banked[0, 1], state.record.banked[0, 2], state.record.banked[1, 3] = 1, 1, 1
    state = after(state, "leave")
    assert rules.winners(state.record) == ([0, 1] if ruleset == "paper_code" else [1])
    assert state.rewards() == (1.0, 1.0, 0.0)


def test_all_lead_if_nobody_has_points():
    state = after(acting(["1^ 2", "5^"], air=0, round=3), "leave")
    assert state.rewards() == (1.0, 1.0)


def test_points_as_rewards():
    """The other reward: from the fewest points to the most."""
    state = after(acting(["1^ 2", "5^", "6^"], air=0, round=3, score=[5, 20, 10]), "leave")
    out = state.game.card.out()
    state.game.card.all_rewards["score"](state.record, out)
    assert out.reward[:3] == [0.0, 1.0, pytest.approx(1 / 3)]
    state.record.score[:3] = [7, 7, 7]
    state.game.card.all_rewards["score"](state.record, out)
    assert out.reward[:3] == [pytest.approx(1 / 3)] * 3
