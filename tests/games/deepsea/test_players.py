"""The hand-written divers: one position for each of their rules, and how strong they are."""

from __future__ import annotations

import pytest

import spinney
from spinney.games.deepsea import rules
from spinney.kernel import seeded
from spinney.play import Session
from tests.games.deepsea.positions import RULESETS, acting, position


def choice(state: spinney.State, spec: str) -> str:
    """What a player does, in words; it must be legal."""
    card = state.game.card
    action = card.player(spec)(state.record, state.mover, card.out(), seeded(1))
    assert action in state.legal()
    return state.name(action)


@pytest.mark.parametrize("spec", ["heuristic", "heuristic(margin=2)", "diver", "diver(depth=20)"])
@pytest.mark.parametrize(
    ("divers", "way"),
    [
        (["0v", "0v"], "down"),
        (["6v", "0v"], "down"),
        (["6v 1", "0v"], "up"),  # home with the first treasure
        (["6^", "0v"], "up"),
        (["24v", "0v"], "up"),  # the bottom
        (["22v", "24v", "23^"], "up"),  # no free tile further down
        (["22v", "24v", "21^"], "down"),
    ],
)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_directions(spec, divers, way, ruleset):
    """In the paper's program a diver without a treasure cannot turn back, not even at the bottom."""
    at_the_bottom = divers[0] in ("24v", "22v") and way == "up"
    assert choice(position(divers, ruleset=ruleset), spec) == (
        "down" if at_the_bottom and ruleset == "paper_code" else way
    )


@pytest.mark.parametrize(
    ("divers", "air", "act"),
    [
        (["5v", "7^ 1"], 23, "leave"),
        (["5v", "7^ 1"], 22, "take"),  # others have begun to collect
        (["12v", "7^ 1"], 24, "leave"),  # the middle of 24 tiles is not past it
        (["13v", "7^ 1"], 24, "take"),
        (["13v", "7v"], 25, "leave"),  # nobody has begun
        (["24v", "7v"], 25, "leave"),
    ],
)
@pytest.mark.parametrize("margin", [1, 2])
def test_heuristic_diving(divers, air, act, margin):
    """Rules 1 and 2: dive on with full air; take past the middle, or when the air is falling."""
    assert choice(acting(divers, air=air), f"heuristic(margin={margin})") == act


def test_heuristic_does_not_drop_while_diving():
    state = acting(["5v 1 2", "0v"], "1 1 1 1 . 1", air=1)
    assert choice(state, "heuristic") == choice(state, "diver") == "leave"


@pytest.mark.parametrize(
    ("diver", "air", "one", "two"),
    [
        ("6^ 2", 6, "leave", "leave"),
        ("6^ 2", 7, "take", "leave"),
        ("6^ 2", 12, "take", "leave"),
        ("6^ 2", 13, "take", "take"),
        ("6^", 13, "take", "take"),  # with nothing in hand too
        ("6^ 2 2", 25, "leave", "leave"),  # never a third
    ],
)
def test_a_second_stack(diver, air, one, two):
    """Rule 4: on the way home a second stack, if there is more air than tiles, or than twice as many."""
    state = acting([diver, "0v"], air=air)
    assert choice(state, "heuristic") == choice(state, "heuristic(margin=1)") == one
    assert choice(state, "heuristic(margin=2)") == choice(state, "diver") == two


@pytest.mark.parametrize(
    ("diver", "air", "act"),
    [
        ("6^ 2 1", 6, "leave"),
        ("6^ 2 1", 5, "drop 2"),  # the least
        ("6^ 12 2 3", 5, "drop 1"),  # the first of equals
        ("6^ 3 4 111", 5, "drop 3"),
        ("6^ 444 34", 5, "drop 1"),  # from a sum of five on all are equal
        ("6^ 1", 1, "leave"),  # the last one is kept
        ("6^", 1, "leave"),
    ],
)
@pytest.mark.parametrize("spec", ["heuristic", "heuristic(margin=2)", "diver(depth=20)"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_dropping(diver, air, act, spec, ruleset):
    """Rule 5: with two stacks or more on a blank and less air than tiles, the least is dropped."""
    assert choice(acting([diver, "0v"], "1 1 1 1 1 . 1", ruleset, air=air), spec) == act


@pytest.mark.parametrize(
    ("divers", "air", "act"),
    [(["9v", "0v"], 25, "leave"), (["10v", "0v"], 25, "take"), (["3v", "0v"], 23, "leave"), (["3v", "0v"], 22, "take")],
)
def test_diver_takes_from_its_depth_on(divers, air, act):
    assert choice(acting(divers, air=air), "diver(depth=10)") == act


def test_blanks_are_left():
    state = acting(["5v", "0v"], "1 1 1 1 . 1", air=10)
    assert {choice(state, spec) for spec in ("heuristic", "diver(depth=1)", "pruned", "random")} == {"leave"}


@pytest.mark.parametrize("players", [2, 4, 6])
def test_pruned_never_does_what_people_would_not_do(players):
    game = spinney.game(f"deepsea(players={players})")
    counts = dict.fromkeys(["full", "short", "drop", "free"], 0)
    for seed in range(60):
        state, agent = game.start(seed), game.agent("pruned", seed=seed)
        while not state.is_over:
            s, player, legal = state.record, state.mover, state.names()
            hand, tile = s.hand[player], s.position[player]
            done = agent.decide(state).name
            if s.phase == rules.ACT and "take" in legal:
                counts["full"] += hand >= 2
                counts["short"] += hand == 1 and s.air <= tile
                assert done == "leave" or hand == 0 or (hand == 1 and s.air > tile)
            elif s.phase == rules.ACT and hand >= 2 and s.air < tile:
                counts["drop"] += 1
                assert done.startswith("drop")
            elif len(legal) > 1:
                counts["free"] += 1
            state.apply(done)
    assert all(count > 10 for count in counts.values()), counts


def test_deep_divers_beat_the_paper():
    """About 87 of 100 games, from the first seat and from the second."""
    game = spinney.game("deepsea")
    diver, heuristic = game.agent("diver(depth=20)", seed=1), game.agent("heuristic(margin=2)", seed=2)
    wins = 0
    for seed in range(200):
        seats = [diver, heuristic] if seed % 2 == 0 else [heuristic, diver]
        rewards = Session(game.start(seed), seats).play().rewards()
        wins += rewards[seed % 2] > rewards[1 - seed % 2]
    assert 150 < wins < 195
