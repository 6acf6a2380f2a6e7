"""The same seed for a game and for its agents makes independent random numbers."""

from __future__ import annotations

import itertools

import spinney
from spinney.kernel import next32, seeded
from spinney.kernel import rng as streams

GAME = (streams.SETUP, streams.DICE, streams.PICKS)
PURPOSES = (
    streams.PLAYERS, streams.OPENINGS, streams.BELIEFS, streams.SEARCHES, streams.GUESSES, streams.DEFAULTS,
)  # fmt: skip


def test_no_two_purposes_share_numbers():
    for seed in (0, 1, 7, 2**40):
        drawn = {}
        for stream in (*GAME, *(first + i for first in PURPOSES for i in range(8))):
            rng = seeded(seed, stream)
            numbers = [next32(rng) for _ in range(200)]
            drawn[stream] = set(itertools.pairwise(numbers))
        assert sum(map(len, drawn.values())) == len(set().union(*drawn.values()))


def test_streams_of_purposes_do_not_overlap():
    blocks = sorted(PURPOSES)
    assert max(GAME) < blocks[0]
    assert all(after - before >= 2**20 for before, after in itertools.pairwise(blocks))


def test_a_guess_with_the_seed_of_the_game_is_a_guess():
    """Of two cards that the opponent may have, it is the right one about every other time."""
    game = spinney.game("kuhn_poker")
    right = 0
    for seed in range(120):
        state = game.start(seed)
        right += state.guess(0, seed).record == state.record
    assert 40 <= right <= 80


def test_a_search_with_the_seed_of_the_game_knows_no_more_than_others():
    """One determinization of the cards: what the search believes the opponent to have is not what it has."""
    game = spinney.game("kuhn_poker")
    wins = 0
    for seed in range(200):
        state = game.start(seed)
        agents = [
            game.agent("infoset(iterations=30, method=determinized, determinizations=1)", seed=seed),
            game.agent("infoset(iterations=30, method=determinized, determinizations=1)", seed=10_000 + seed),
        ]
        while not state.is_over:
            state.apply(agents[state.mover].decide(state).action)
        wins += 0 in state.winners()
    assert 70 <= wins <= 130
