"""Kuhn and Leduc poker, step by step beside OpenSpiel's: rules, what is hidden, and what a player can tell apart."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

import spinney
from spinney.games.dealing import NO_CARD
from tests.games.beside_open_spiel import check_steps, games

GAMES = ["kuhn_poker()", "kuhn_poker(players=3)", "kuhn_poker(players=10)", "leduc_poker()", "leduc_poker(players=3)",
         "leduc_poker(players=5)"]  # fmt: skip


@pytest.mark.parametrize("spec", GAMES)
def test_every_step_is_that_of_open_spiel(spec):
    assert check_steps(spec, 150) > 600


@pytest.mark.parametrize("spec", GAMES)
def test_scores_are_the_chips_of_open_spiel(spec):
    for state, ours in games(spec, 100):
        if state.is_terminal():
            assert ours.scores() == pytest.approx(state.returns())


@pytest.mark.parametrize("spec", GAMES)
def test_information_keys_and_views_are_those_of_open_spiel(spec):
    """Two positions have the same key of a player, and the same view, if and only if OpenSpiel has the same information
    state. A key is the same in the view."""
    card = spinney.game(spec).card
    same: list[dict] = [defaultdict(set) for _ in range(4)]
    for state, ours in games(spec, 150):
        if state.is_chance_node() or state.is_terminal():
            continue
        for player in range(state.num_players()):
            told, view = (player, state.information_state_string(player)), ours.observe(player)
            key = (player, card.rules.information_key(ours.record, player))
            assert key[1] == card.rules.information_key(view.record, player)
            assert 0 <= key[1] < 2**63
            shown = (player, tuple(map(str, (getattr(view.record, name) for name in view.record.fields))))
            for found, one, other in zip(same, (told, key, told, shown), (key, told, shown, told), strict=True):
                found[one].add(other)
    assert all(len(others) == 1 for found in same for others in found.values())


@pytest.mark.parametrize("spec", ["kuhn_poker()", "kuhn_poker(players=3)", "leduc_poker()", "leduc_poker(players=3)"])
def test_determinizations_are_all_deals_of_the_information_state(spec):
    """Every deal that OpenSpiel does not tell apart from the real one, and no other, equally often."""
    seen, game = set(), spinney.game(spec)
    for state, ours in games(spec, 5):
        player = state.current_player()
        if player < 0 or state.information_state_string() in seen:
            continue
        seen.add(state.information_state_string())
        possible = consistent(state, player)
        drawn = Counter(deal(ours.guess(player, seed).record) for seed in range(60 * len(possible)))
        assert set(drawn) == possible
        assert min(drawn.values()) > 60 / 3
        assert deal(ours.observe(player).record).count(NO_CARD) == game.players - 1


def deal(s):
    return tuple(s.card[: s.players])


def consistent(state, player):
    """The deals with which the same actions lead to the same information state."""
    steps, players, told = state.history(), state.num_players(), state.information_state_string(player)
    found = set()
    todo = [((), state.get_game().new_initial_state())]
    while todo:
        cards, before = todo.pop()
        if len(cards) < players:
            todo += [((*cards, card), before.child(card)) for card in before.legal_actions()]
            continue
        for step in steps[players:]:
            if before.is_terminal() or step not in before.legal_actions():
                break
            before.apply_action(step)
        else:
            if before.information_state_string(player) == told:
                found.add(cards)
    return found


def test_kuhn_poker_is_worth_what_it_should_be():
    """In an equilibrium the first player loses a chip in eighteen games (Kuhn 1950), whatever its bluffs."""
    game = spinney.game("kuhn_poker")
    for bluff in (0, 1 / 3):
        agents = [game.agent(f"equilibrium(bluff={bluff})", seed=seat) for seat in range(2)]
        total = 0.0
        for seed in range(12000):
            state = game.start(seed)
            while not state.is_over:
                state.apply(agents[state.mover].decide(state).action)
            total += state.scores()[0]
        assert total / 12000 == pytest.approx(-1 / 18, abs=0.03)
