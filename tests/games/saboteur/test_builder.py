"""Positions of kinds in which games were lost: what the builder and its list of actions make of them."""

from __future__ import annotations

import random

import pytest

import spinney
from spinney.games.saboteur import means_ends, rules
from spinney.kernel import seeded

GAME = spinney.game("saboteur")
CARD = GAME.card
ROWS = "14/14/14/14/14/5@8"
UNDER_THREAT = [
    # the nugget is under one of two objectives: a tile that may reach it gives the other the rest of the way
    (f"{ROWS}/5a8/5a8/5g8/5g8/5i8/14/3#1#1#6/14 8:move:2 r:1,1,0 0,0 cghikmB,bfhijjB -,- "
     "a2d1e1f3g2h3i2j3k2l1n1o1p1M4B2D3X2 Tile:8,10,5", "Tile:8 11 5", "Tile:1 11 5"),
    # blocked, and a Destroy is what stops the other: other cards are dropped before it
    (f"{ROWS}/5g8/5g8/5ig7/5a8/4fJk7/14/3#1#1#6/14 14:move:2 r:5,1,0 0,1 bcfnBBD,hhhhijD -,k "
     "a3d1e1f2g2h1i3j3k1l1m1o1p1M3B2D1X1 Tile:10,10,6", "Drop Destroy", "Drop 7"),
    # a tile that opens the middle objective, from which one more leads to the nugget on the left
    (f"{ROWS}/5a8/3jkF8/3a10/3hg9/4iH8/14/3#1#1#6/14 15:move:1 l:1,1,0 0,0 fffhilB,egjnoMB b,cd "
     "a2g3h2i3j3k2m1p1M3B2D3X2 Tile:7_flip,10,5", "Tile:8 11 5", "Drop 11"),
    # the tile to destroy is the one that keeps the other out
    (f"{ROWS}/5a8/5a8/5g8/5g8/4kiH7/5a8/3#1#F#6/14 15:move:1 r:7,3,2 0,0 fhjnMBD,bcdglmD -,- "
     "a1e1f2g2h3i4j4k2o1p1M2B2D1X1 Tile:5_flip,12,6", "Destroy 12 6", "Drop 13"),
    # a Map under a threat
    (f"{ROWS}/5g8/4fJkj6/7a6/7i6/7a6/14/3#1#1#6/14 18:move:2 r:5,0,0 0,0 fhiimoD,hjkMBBB -,c "
     "a2e1f2g4h3i2j2k1l1n1p1M3X1 Destroy,11,7,b", "Map 12 3", "Tile:7 11 7"),
    # a Bonus under a threat
    (f"{ROWS}/5g8/5g8/5a8/5i8/5g8/14/3#1#1#6/14 26:move:2 m:5,1,0 0,1 efhhjjM,hhiiBDD abfkmD,dffkknop "
     "a2c1g2h1i2j3l1M2B2 Tile:6,10,5", "Bonus", "Destroy 10 5"),
]  # fmt: skip
"""Positions, what lost a game, and what the builder does."""


def listed(s):
    out = CARD.out()
    return [int(action) for action in out.action[: means_ends.planner(s, s.player, out)]]


@pytest.mark.parametrize(("text", "lost", "better"), UNDER_THREAT)
def test_the_builder_sees_what_the_other_can_do_next(text, lost, better):
    state = GAME.from_text(f"saboteur {text}")
    s = state.record
    names = {state.name(action): action for action in state.legal()}
    work = CARD.out().scratch
    n = means_ends.rate(s, s.player, work)
    risks = {state.name(work.candidate[i]): work.risk[i] for i in range(n)}
    assert names[lost] != names[better] == CARD.player("means_ends")(s, s.player, CARD.out(), seeded(1))
    if lost in risks and not lost.startswith("Drop"):
        assert risks[better] == 0.0
        assert risks[lost] > 0.4
    assert names[better] in listed(s)


@pytest.mark.parametrize("seed", range(3))
def test_a_search_decides_unless_one_action_wins_for_sure(seed):
    picks, state = random.Random(seed), GAME.start(seed)
    while not state.is_over:
        s = state.record
        actions = listed(s)
        if len(actions) < min(means_ends.FEWEST, sum(1 for n in range(20) if s.hand[s.player, n])):
            assert len(actions) == 1
            then = s.copy()
            rules.apply(then, actions[0])
            assert rules.nugget_known_to(s, s.player) == s.nugget
            assert then.winner == s.player
        state.apply(picks.choice(actions))
