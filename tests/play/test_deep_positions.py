"""Plain and compiled rules give the same positions along random games, to their end: with `SPINNEY_BOUNDSCHECK=1` every
index is checked, too."""

from __future__ import annotations

import random

import pytest

import spinney
from spinney.play.native import NativeState


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("spec", "steps"),
    [
        ("saboteur", 400),
        ("halite(size=16, players=4, turns=120)", 3000),
        ("battlesnake(players=8)", 1200),
        ("battlesnake(players=8, mode=royale, shrink_every=3)", 1200),
        ("deepsea(players=6)", 600),
        ("colosseum(size=12)", 200),
    ],
)
def test_both_give_the_same_positions(spec, steps, seed):
    game = spinney.game(spec)
    plain, native = game.start(seed), NativeState(game, seed)
    pick = random.Random(seed)
    for number in range(steps):
        assert native.is_over == plain.is_over
        if plain.is_over:
            break
        if not plain.waits_for_others or number % 50 == 0:
            assert native.plain().record == plain.record
        assert native.movers == plain.movers
        player = pick.choice(plain.movers)
        sensible = native.plausible(player)
        assert set(sensible) <= set(plain.legal(player))
        action = pick.choice(sensible)  # those survive longer
        plain.apply(action, player)
        native.apply(action, player)
    assert number > 20
