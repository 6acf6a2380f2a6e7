"""The terminal board of Deep Sea Adventure."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spinney
from spinney import CHANCE
from spinney.games.deepsea import rules
from spinney.games.deepsea.board import LEGEND
from spinney.kernel import seeded
from tests.games.deepsea.positions import RULESETS, acting, after, position


def board(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def test_a_board():
    state = acting(
        ["3^ 2 24", "home", "18v 4", "0v"], "1 1 . 1 1 1 . 1 2 2 2 2 2 2 2 3 3 . 133", air=10, round=2, score=[0, 12, 7]
    )
    state.record.banked[1, 0], state.record.banked[1, 3] = 2, 1
    assert str(state) == board(
        """
air [##########...............] 10/25   round 2/3
submarine: P2 home, P4

tile      1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16
chips     1   1   .   1   1   1   .   1   2   2   2   2   2   2   2   3
divers          P1^

tile     17  18  19
chips     3   . 133
divers      P3v

      place      way        points  scored 1 2 3 4  hand
> P1  tile 3     returning       0         . . . .  2 24
  P2  submarine  home           12         2 . . 1  -
  P3  tile 18    diving          7         . . . .  4
  P4  submarine  diving          0         . . . .  -
v diving, ^ returning, . blank; level 1: 0-3 points, 2: 4-7, 3: 8-11, 4: 12-15

P1 carries 2: costs 2 air a turn, and 2 steps of each throw
P1, on tile 3: leave, drop 1 (level 2), drop 2 (levels 24)
"""
    )


def last_line(state: spinney.State) -> str:
    return str(state).splitlines()[-1]


def test_what_is_decided():
    state = position(["2v 1", "home 3"], round=3)
    assert last_line(state) == "P1, which way: down, up"
    state.apply("up")
    assert last_line(state) == "P1 throws two dice of 1 to 3 to go up"
    assert [state.name(sum_) for sum_, _ in state.outcomes()] == ["dice 2", "dice 3", "dice 4", "dice 5", "dice 6"]
    state.apply("dice 2")
    assert last_line(state) == "P1, on tile 1: leave, take (level 1)"
    state = after(state, "take")
    assert last_line(state) == "P1, which way: up (no choice)"
    state = after(state, "up", "dice 4")
    assert last_line(state) == "P1 turns over a chip of level 1"
    assert [state.name(value) for value, _ in state.outcomes()] == ["worth 0", "worth 1", "worth 2", "worth 3"]
    state = after(state, "worth 3", "worth 2")
    assert last_line(state) == "P2 turns over a chip of level 3"
    lines = str(state).splitlines()
    assert "  P1  submarine  home            5         2 . . .  -" in lines
    assert "> P2  submarine  home            0         . . . .  3" in lines
    assert last_line(after(state, "worth 8")) == "the end: P2 has the most points, 8"


def test_everybody_drowned():
    state = after(acting(["2v 1", "5^ 3"], air=0, round=3), "leave")
    assert last_line(state) == "the end: P1, P2 have the most points, 0"
    assert "  P2  tile 5     drowned         0         . . . .  3" in str(state).splitlines()


NO_AIR = "no air left: the round ends with this turn"


@pytest.mark.parametrize(
    ("state", "notes"),
    [
        (position(["9v", "0v"]), []),
        (position(["9v 1", "0v"], air=9), ["P1 carries 1: costs 1 air a turn, and 1 step of each throw"]),
        (
            position(["9^ 1 2", "12^ 1 2 3"], air=2),
            [
                "P1 carries 2: costs 2 air a turn, and 2 steps of each throw",
                "P2 cannot carry 3 stacks home: 12 tiles, air for 1 turn",
            ],
        ),
        (position(["0v", "5^ 1 2"], air=2), []),
        (position(["0v", "6^ 1 2"], air=2), ["P2 cannot carry 2 stacks home: 6 tiles, air for 1 turn"]),
        (position(["0v", "10^ 1 2"], air=3), []),  # two turns, the second uses up the air
        (position(["0v", "11^ 1 2"], air=3), ["P2 cannot carry 2 stacks home: 11 tiles, air for 2 turns"]),
        (position(["9v", "5v"], air=1), []),  # who carries nothing can still be home in time
        (position(["4v", "home"], air=0), [NO_AIR]),
        (position(["7v", "home"], air=0), [NO_AIR, "no way home: P1"]),
        (position(["4v", "1v", "8^"], air=0), [NO_AIR, "no way home: P2, P3"]),
        (acting(["4v", "1v"], air=0), [NO_AIR, "no way home: P1, P2"]),
    ],
)
def test_notes(state, notes):
    lines = str(state).splitlines()
    assert lines[lines.index(LEGEND) + 2 : -1] == notes


@given(
    seed=st.integers(0, 2**32),
    players=st.integers(2, 6),
    ruleset=st.sampled_from(RULESETS),
    spec=st.sampled_from(["random", "pruned", "heuristic"]),
)
@settings(max_examples=25, deadline=None)
def test_boards_fit_and_names_can_be_typed(seed, players, ruleset, spec):
    """Also: who has no way home, by the board, does not come home."""
    game = spinney.game(f"deepsea(players={players}, ruleset={ruleset})")
    state, agent, rng = game.start(seed, manual_chance=True), game.agent(spec, seed=seed), seeded(seed)
    lost: set[int] = set()
    while not state.is_over:
        text = str(state)
        assert max(map(len, text.splitlines())) <= 80
        assert text.isascii()
        if state.mover == CHANCE:
            outcomes = [number for number, _ in state.outcomes()]
            names = [state.name(number) for number in outcomes]
            action = game.card.rules.chance(state.record, rng)
            assert action in outcomes
        else:
            outcomes, names = state.legal(), state.names()
            assert [state.parse(name) for name in names] == outcomes
            action = agent.decide(state).action
        assert len(set(names)) == len(names)
        said = next((line for line in text.splitlines() if line.startswith("no way home: ")), "")
        lost |= {player for player in range(players) if f"P{player + 1}" in said}
        round_ = state.record.round
        state.apply(state.name(action))
        assert not any(state.record.home[player] and state.record.round == round_ for player in lost)
        if state.record.round != round_:
            lost.clear()
    assert max(map(len, str(state).splitlines())) <= 80


def test_a_heavy_hand_fits():
    state = position(["12^ 134 234 124 344 123 334", "0v"], "1 1 1 1 1 1 1 1 1 1 1 . 3", phase=rules.ACT)
    lines = str(state).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[-3] == "P1, on tile 12: leave, drop 1 (levels 134), drop 2 (levels 234),"
    assert lines[-1] == "    drop 6 (levels 334)"
