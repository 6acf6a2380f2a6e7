"""Counterfactual regret minimisation: equilibria of Kuhn and Leduc poker, measured by OpenSpiel."""

from __future__ import annotations

from types import SimpleNamespace

import pyspiel
import pytest

import spinney
from spinney.bridges.open_spiel import tabular_policy
from spinney.errors import BadGame
from spinney.games.kuhn_poker.rules import BET, PASS
from spinney.kernel import below, rule
from tests.tiny_hidden import COIN_GAME, hidden_card

JACK, QUEEN, KING = range(3)


def policy(game, search, simulations):
    """The average strategy after more simulations, for OpenSpiel."""
    strategy, key = search.solve(simulations), game.card.rules.information_key

    def choose(state):
        legal = state.legal()
        return strategy.get((state.mover, key(state.record, state.mover)), dict.fromkeys(legal, 1 / len(legal)))

    return tabular_policy(pyspiel.load_game(repr(game)), game, choose)


def solve(spec, simulations, options=""):
    """The NashConv after each number of simulations, summed, and the last policy."""
    game, found = spinney.game(spec), []
    search = game.agent(f"mccfr({options})", seed=1).search
    for more in simulations:
        last = policy(game, search, more)
        found.append(pyspiel.nash_conv(pyspiel.load_game(repr(game)), last, True))
    return found, last


def test_the_exploitability_in_kuhn_poker_falls_to_nothing():
    """In chips for the two players together; uniform play has 0.92. The value of the game is known (Kuhn 1950)."""
    found, last = solve("kuhn_poker", (1000, 9000, 90_000, 900_000))
    assert all(found[i + 1] < 0.6 * found[i] for i in range(3))
    assert found[-1] < 0.012
    theirs = pyspiel.load_game("kuhn_poker")
    assert pyspiel.expected_returns(theirs.new_initial_state(), last, -1, False)[0] == pytest.approx(-1 / 18, abs=0.004)


@pytest.mark.parametrize("explore", [0.3, 0.6])
def test_the_exploitability_in_leduc_poker_falls(explore):
    found, _ = solve("leduc_poker", (10_000, 90_000, 900_000), f"explore={explore}")
    assert all(found[i + 1] < 0.6 * found[i] for i in range(2))
    assert found[-1] < 0.6


def test_three_players_find_an_equilibrium_of_kuhn_poker():
    """There is no proof that they do."""
    found, _ = solve("kuhn_poker(players=3)", (10_000, 990_000))
    assert found[-1] < 0.06 < found[0]


def position(*steps):
    state = spinney.game("kuhn_poker").start(manual_chance=True)
    for step in steps:
        state.apply(step)
    return state


def test_decisions_are_drawn_from_the_average_strategy():
    """With a king, call; with a jack, fold; with a queen after a bet, call one time in three. What is decided does not
    depend on the other's card."""
    agent = spinney.game("kuhn_poker").agent("mccfr(iterations=200000)", seed=3)
    for mine, other, often in ((KING, JACK, 1), (JACK, KING, 0), (QUEEN, KING, 1 / 3)):
        decision = agent.decide(position(other, mine, BET))
        assert decision.choices[0].share + decision.choices[1].share == pytest.approx(1)
        call = next(choice for choice in decision.choices if choice.action == BET)
        assert call.share == pytest.approx(often, abs=0.05)
        assert call.value == pytest.approx({KING: 1, JACK: 0}.get(mine, call.value), abs=1e-9)
    repeated = spinney.game("kuhn_poker").agent("mccfr(iterations=1, reuse=true)", seed=3)
    repeated.search.solve(100_000)
    drawn = [repeated.decide(position(KING, QUEEN, BET)).action for _ in range(600)]
    assert drawn.count(BET) / 600 == pytest.approx(1 / 3, abs=0.08)
    figures = {
        tuple((one.action, one.visits, one.share) for one in spinney.game("kuhn_poker").agent(
            "mccfr(iterations=1000)", seed=5).search.run(position(other, QUEEN, PASS)).choices)
        for other in (JACK, KING)
    }  # fmt: skip
    assert len(figures) == 1


def test_a_table_of_just_enough_information_sets_changes_nothing():
    """Kuhn poker has twelve; with fewer, the others are played at random, and the result says so."""
    game = spinney.game("kuhn_poker")
    strategies = [game.agent(f"mccfr({options})", seed=1).search.solve(5000) for options in ("", "information_sets=12")]
    assert strategies[0] == strategies[1]
    assert len(strategies[0]) == 12
    for sets, full in ((12, False), (11, True)):
        found = game.agent(f"mccfr(iterations=5000, information_sets={sets})", seed=1).search.run(position(0, 1))
        assert (found.nodes, found.full) == (sets, full)


def test_reuse_keeps_what_was_learnt():
    game, state = spinney.game("kuhn_poker"), position(KING, JACK)
    for options, learnt in (("", 500), ("reuse=true", 1000)):
        agent = game.agent(f"mccfr(iterations=3000{', ' * bool(options)}{options})", seed=1)
        first, second = (sum(choice.visits for choice in agent.decide(state).choices) for _ in range(2))
        assert first == pytest.approx(500, rel=0.15)  # half of the simulations, a third of the cards
        assert second == pytest.approx(learnt, rel=0.15)


def test_games_that_it_cannot_play_are_refused():
    with pytest.raises(BadGame, match="mccfr cannot play coin: it has no rule information_key"):
        spinney.game(COIN_GAME).agent("mccfr")

    @rule
    def start(s, config, rng):
        s.coin = below(rng, 1 << 30)

    @rule
    def key(s, player):
        return 0

    dealt = hidden_card("dealt", **{**vars(COIN_GAME.rules), "start": start, "information_key": key})
    assert isinstance(dealt.rules, SimpleNamespace)
    with pytest.raises(BadGame, match="its rule start draws random numbers"):
        spinney.game(dealt).agent("mccfr(plain=true)")
