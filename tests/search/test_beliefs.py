"""Opponent modelling: beliefs about opponents from the choices that were seen."""

from __future__ import annotations

import dataclasses
from collections import Counter
from math import sqrt

import pytest

import spinney
from spinney.clock import Clock
from spinney.games.parts import OpponentModels, Searching
from spinney.kernel import seeded
from spinney.play import Session
from spinney.search.beliefs import DRAWS, OWN_CHOICE, SMOOTHING, Beliefs, draw_roles, priors
from spinney.search.uct import UcbSettings
from spinney.search.workspace import workspace_of

SIMPLE = spinney.game("deepsea").card.opponents("simple")


def played(specs: list[str], seed: int, players: int = 2) -> spinney.State:
    game = spinney.game("deepsea", players=players)
    state = game.start(seed)
    return Session(state, [game.agent(spec, seed=seed) for spec in specs]).play()


def beliefs(players: int = 2, prior: float = 0.5) -> Beliefs:
    return Beliefs(spinney.game("deepsea", players=players), SIMPLE, prior, seed=1)


def test_every_role_plays_as_its_spec():
    state = played(["explorer"] * 3, seed=1, players=3)
    card = state.game.card
    players = [card.player(spec) for spec in SIMPLE.specs]
    out, choices = card.out(), 0
    for position, mover, _ in state.steps():
        if mover < 0 or len(position.legal()) == 1:
            continue
        choices += 1
        for role, player in enumerate(players):
            out.role[mover] = role
            said = SIMPLE.policy(position.record, mover, out, seeded(choices))
            assert said == player(position.record, mover, out, seeded(choices)), SIMPLE.specs[role]
    assert choices > 50


@pytest.mark.parametrize("spec", ["heuristic(margin=1)", "heuristic(margin=2)", "diver(depth=9)", "diver(depth=17)"])
def test_players_of_the_cast_are_recognised(spec):
    """In one game all that fits may be that several are alike; an equal it is not."""
    state = played([spec, "explorer"], seed=3)
    watching = beliefs()
    watching.watch(state)
    likely = watching.probabilities(0)
    assert sum(likely) == pytest.approx(1)
    assert likely[SIMPLE.specs.index(spec)] == pytest.approx(max(likely))
    assert likely[-1] < 0.2


def test_who_follows_none_of_the_rules_is_an_equal():
    watching = beliefs()
    watching.watch(played(["random", "explorer"], seed=4))
    assert watching.probabilities(0)[-1] > 0.99
    assert watching.probabilities(1)[-1] > 0.5  # it is like them in much


def test_every_player_of_a_cast_is_as_likely_at_first_and_every_form_of_it():
    cast = OpponentModels(SIMPLE.policy, ("heuristic(margin=1)", "heuristic(margin=2)", "seasoned"))
    assert priors(cast) == [0.25, 0.25, 0.5]
    assert beliefs(prior=0.6).probabilities(0)[2] == pytest.approx(0.2)  # seasoned, one of three players
    assert sum(beliefs(prior=0.6).probabilities(0)[:-1]) == pytest.approx(0.6)


def test_one_choice_by_hand():
    """Bayes' rule: some roles of the cast would do what is seen, others something else."""
    game = spinney.game("deepsea")
    state = game.start(seed=1)
    while state.mover != 0 or "take" not in state.names() or state.record.position[0] < 9:
        state.apply(state.legal()[0])  # down, and leave what is there
    position, watching = state.copy(), beliefs(prior=0.8)
    watching.watch(position)
    before = watching.probabilities(0)
    state.apply("take")
    watching.watch(state)
    out, fits = game.card.out(), []
    for role in range(len(SIMPLE.specs)):
        out.role[0] = role
        says = [position.name(SIMPLE.policy(position.record, 0, out, seeded(i))) for i in range(50)]
        fits.append(says.count("take") / 50)
    assert {0, 1} <= set(fits)
    ways = len(position.legal())
    chances = [(DRAWS * fit + SMOOTHING) / (DRAWS + SMOOTHING * ways) for fit in fits]
    anyone = sum(share * chance for share, chance in zip(priors(SIMPLE), chances, strict=True))
    equal = (1 - OWN_CHOICE) * anyone + OWN_CHOICE / ways
    after = watching.probabilities(0)
    for role, fit in enumerate(fits):
        if fit in (0, 1):  # one of them draws lots
            odds = before[role] / before[-1] * chances[role] / equal
            assert after[role] / after[-1] == pytest.approx(odds, rel=0.01)


def test_looking_often_or_once_is_the_same():
    state = played(["diver(depth=12)", "heuristic"], seed=2)
    once, often = beliefs(), beliefs()
    once.watch(state)
    for position, _, _ in state.steps():
        position.first = state.first
        often.watch(position)
    often.watch(state)
    assert often.probabilities(0) == pytest.approx(once.probabilities(0), abs=0.02)  # one of the roles is drawn
    assert often.probabilities(1) == pytest.approx(once.probabilities(1), abs=0.02)


def test_another_game_begins_with_other_players():
    watching = beliefs()
    watching.watch(played(["diver(depth=9)", "diver(depth=9)"], seed=2))
    watching.watch(spinney.game("deepsea").start(seed=3))
    assert watching.probabilities(0) == pytest.approx(beliefs().probabilities(0))


def test_where_the_beginning_is_not_known_the_rest_of_the_game_counts():
    state = played(["diver(depth=9)", "diver(depth=20)"], seed=2)
    positions = [(position.record.copy(), len(position.history)) for position, _, _ in state.steps()]
    record, known = positions[len(positions) // 3]
    watching, game = beliefs(), state.game
    watching.watch(spinney.State(game, record))
    assert watching.probabilities(0)[-1] == pytest.approx(0.5)
    later = spinney.State(game, record.copy())
    for mover, action in state.history[known:]:
        later.apply(action, mover if mover >= 0 else None)
    watching.watch(later)
    assert watching.probabilities(0)[-1] < 0.35


@pytest.mark.parametrize("prior", [0.3, 1.0])
def test_roles_are_drawn_from_the_beliefs(prior):
    watching = beliefs(players=3, prior=prior)
    watching.watch(played(["diver(depth=9)", "explorer", "random"], seed=4, players=3))
    settings = UcbSettings(certain=int(watching.certain))
    work = workspace_of(spinney.game("deepsea", players=3))(rng=seeded(1))
    watching.write(settings)
    counts: list[Counter[int]] = [Counter() for _ in range(3)]
    for _ in range(n := 4000):
        draw_roles(work, settings)
        for player in range(3):
            counts[player][work.out.role[player]] += 1
    for player in range(3):
        for role, likely in enumerate(watching.probabilities(player)[:-1]):
            assert counts[player][role] / n == pytest.approx(likely, abs=5 * sqrt(likely * (1 - likely) / n) + 3 / n)
        assert counts[player][-1] / n == pytest.approx(watching.probabilities(player)[-1], abs=0.04)


def test_the_champion_beats_the_rules_and_recognises_them():
    """In these 20 games; the number of iterations is small."""
    game = spinney.game("deepsea")
    champion, rules = game.agent("champion(iterations=1000)", seed=1), game.agent("heuristic(margin=2)", seed=2)
    wins = 0.0
    for seed in range(20):
        state = game.start(seed)
        Session(state, [champion, rules] if seed % 2 == 0 else [rules, champion]).play()
        wins += (seed % 2 in state.winners()) / len(state.winners())
    assert wins >= 17
    assert champion.search.parts.beliefs.probabilities(1 - seed % 2)[-1] < 0.1


def test_wrong_names_are_told():
    game = spinney.game("deepsea")
    with pytest.raises(spinney.UnknownName, match="uct: option 'opponents' = 'simpel': deepsea has no player"):
        game.agent("uct(opponents=simpel)")
    with pytest.raises(spinney.BadOption, match="early_factor=2 goes with early_stop=true"):
        game.agent("uct(early_factor=2)")


def test_states_made_by_hand_are_games_of_their_own():
    """Steps that do not lead from the one to the other are no reason to believe anything, nor to fail."""
    game = spinney.game("tictactoe")
    agent = game.agent("uct(iterations=100, opponents=random, opponent_prior=0.5)", seed=1)
    for moves in (["1", "2"], ["5", "9", "3", "7"], ["1", "5"]):
        state = game.start()
        for move in moves:
            state.apply(move)
        by_hand = spinney.State(game, state.record)
        for move in ("4", "6"):
            by_hand.apply(move)
        agent.decide(by_hand)
        assert agent.search.parts.beliefs.probabilities(1) == [0.5, 0.5]
    edited = game.start()
    edited.record = state.record.copy()
    agent.decide(edited)


def test_what_was_taken_back_does_not_count():
    state = played(["diver(depth=9)", "diver(depth=20)"], seed=2)
    watching, fresh = beliefs(), beliefs()
    watching.watch(state)
    earlier = next(position.copy() for position, mover, _ in state.steps() if len(position.history) > 40 and mover == 0)
    earlier.first = state.first
    watching.watch(earlier)
    fresh.watch(earlier)
    assert watching.probabilities(0) == pytest.approx(fresh.probabilities(0), abs=0.05)  # one of the roles draws lots


def test_looking_back_leaves_time_to_search():
    state = played(["diver(depth=9)", "diver(depth=20)"], seed=2)
    watching = beliefs()
    watching.watch(state, Clock(seconds=1e-6))
    assert watching.probabilities(0)[-1] == pytest.approx(0.5)
    watching.watch(state, Clock(seconds=60))
    assert watching.probabilities(0)[-1] < 0.3


@pytest.mark.parametrize("specs", [(), ("random",) * 33])
def test_sets_of_models_have_bounds(specs):
    card = spinney.game("tictactoe").card
    searching = Searching(opponent_models={"crowd": OpponentModels(card.player("random"), specs)})
    with pytest.raises(spinney.BadGame, match="the opponent models crowd of tictactoe need a unique name"):
        dataclasses.replace(card, searching=searching)
