"""OpenSpiel: wrapped games against its own states, known results, Spinney's agents as its bots."""

from __future__ import annotations

import random
import sys
from contextlib import closing, suppress

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.bots.uniform_random import UniformRandomBot
from pettingzoo.test import api_test

import spinney
from spinney.arena import Arena
from spinney.bridges import open_spiel
from spinney.bridges.pettingzoo import aec_env
from spinney.errors import BadGame, BadOption, BadPosition, MissingPackage, UnknownName

# in turn, with dice, many legal actions, more players, points, at once, at once with dice, one shot
WRAPPED = [
    "tic_tac_toe",
    "pig(players=3)",
    "backgammon",
    "2048",
    "goofspiel(num_cards=5)",
    "markov_soccer",
    "matrix_rps",
]


@pytest.mark.parametrize("name", WRAPPED)
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32))
def test_a_wrapped_game_goes_as_the_original(name, seed):
    """Both are played side by side at random, with so few states cached that most positions are replayed."""
    picks, theirs = random.Random(seed), pyspiel.load_game(name)
    state, ours = theirs.new_initial_state(), open_spiel.game(theirs).start(seed=1, manual_chance=True)
    low, high = theirs.min_utility(), theirs.max_utility()
    for _ in range(60):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(open_spiel, "CACHED", picks.randrange(1, 4))
            assert str(ours) == str(state).rstrip()
            assert ours.is_over == state.is_terminal()
            if ours.is_over:
                assert ours.rewards() == pytest.approx([(utility - low) / (high - low) for utility in state.returns()])
                return
            if state.is_chance_node():
                assert ours.outcomes() == state.chance_outcomes()
                outcome = picks.choice(state.chance_outcomes())[0]
                assert ours.name(outcome) == state.action_to_string(outcome)
                ours.apply(outcome)
                state.apply_action(outcome)
                continue
            chosen = {player: picks.choice(ours.legal(player)) for player in ours.movers}
            for player in chosen:
                assert ours.legal(player) == state.legal_actions(player)
            for player, action in chosen.items():
                ours.apply(action, player)
            if state.is_simultaneous_node():
                state.apply_actions([chosen[player] for player in range(theirs.num_players())])
            else:
                assert list(chosen) == [state.current_player()]
                state.apply_action(*chosen.values())


def test_dice_fall_as_often_as_they_should():
    game, faces = open_spiel.game("pig"), [0] * 6
    for seed in range(600):
        state = game.start(seed)
        state.apply("roll")
        faces[state.history[-1][1]] += 1
    assert all(60 < count < 140 for count in faces), faces


@pytest.mark.parametrize("spec", ["uct(iterations=400, plain=true)", "flat(iterations=200, plain=true)"])
def test_a_search_finds_the_same_in_their_game_as_in_ours(spec):
    """The same tree, from the same random numbers, through other rules."""
    ours, theirs = spinney.game("tictactoe"), open_spiel.game("tic_tac_toe")
    for cells in ([], [4, 1], [0, 8, 2]):
        found = []
        for game in (ours, theirs):
            state = game.start()
            for cell in cells:
                state.apply(cell)
            choices = game.agent(spec, seed=9).decide(state).choices
            found.append([(choice.action, choice.visits, choice.value) for choice in choices])
        assert found[0] == found[1]


@pytest.mark.parametrize(("cells", "value"), [([4, 0, 8], 0.5), ([4, 1], 1.0), ([0, 1], 1.0), ([0, 4, 8, 1], 0.5)])
def test_the_solver_knows_how_tic_tac_toe_ends(cells, value):
    """With X in the middle, a corner holds the draw, and a side loses."""
    game = open_spiel.game("tic_tac_toe")
    state = game.start()
    for cell in cells:
        state.apply(cell)
    decision = game.agent("uct(iterations=6000, solver=true)", seed=1).decide(state)
    best = max(decision.choices, key=lambda choice: (choice.proven, choice.value))
    assert (best.proven, best.value) == (True, value)


def test_two_searches_draw_tic_tac_toe():
    game = open_spiel.game("tic_tac_toe")
    for seed in range(2):
        agents = [game.agent("uct(iterations=700)", seed=seed + side) for side in range(2)]
        state = game.start()
        while not state.is_over:
            state.apply(agents[state.mover].decide(state).action)
        assert state.rewards() == (0.5, 0.5)


def test_searches_for_players_who_move_at_once_find_an_equilibrium():
    """Rock, paper, scissors: a third each."""
    game = open_spiel.game("matrix_rps")
    search = game.agent("decoupled(select=regret, iterations=3000)", seed=1).search
    for player in range(2):
        shares = [choice.share for choice in search.run(game.start(), player=player).choices]
        assert shares == pytest.approx([1 / 3] * 3, abs=0.05)


# Bots.


@pytest.mark.parametrize(
    ("name", "agent", "games", "least"),
    [
        ("tic_tac_toe", "uct(iterations=3000, reuse=true)", 20, 0.5),
        ("connect_four", "uct(iterations=2000)", 10, 0.9),
        ("pig(winscore=15,horizon=60)", "uct(iterations=60)", 6, 0.2),
        ("matrix_mp", "decoupled(iterations=50)", 4, -1),
    ],
)
def test_bots_play_in_their_matches(name, agent, games, least):
    """Spinney's bot on every seat against one that moves at random, by both evaluators of OpenSpiel."""
    theirs, rng, won = pyspiel.load_game(name), np.random.RandomState(3), 0.0
    bots = [open_spiel.Bot(theirs, agent, player, seed=player) for player in range(2)]
    for number in range(games):
        seat = number % 2
        table = [UniformRandomBot(player, rng) for player in range(2)]
        table[seat] = bots[seat]
        simultaneous = theirs.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        if number < games // 2 or simultaneous:
            returns = evaluate_bots(theirs.new_initial_state(), table, rng)
        else:
            returns = pyspiel.evaluate_bots(theirs.new_initial_state(), table, number)
        assert name != "tic_tac_toe" or returns[seat] >= 0
        won += returns[seat]
    assert won / games >= least


def test_bots_of_games_that_we_have_play_ours_and_others_are_wrapped():
    for name, game in [
        ("connect_four", "connect_four"),
        ("tic_tac_toe", "tictactoe"),
        ("hex", "hex"),
        ("clobber", None),
    ]:
        bot = open_spiel.Bot(pyspiel.load_game(name), "random")
        assert bot.game.name == (game or "open_spiel_clobber")
        assert bot.game.card.plain == (game is None)


def test_a_bot_plays_any_position_of_its_game_and_no_other():
    theirs = pyspiel.load_game("connect_four")
    bot = open_spiel.Bot(theirs, "uct(iterations=500)", player=1, seed=1)
    state = theirs.new_initial_state()
    for column in (3, 0, 3, 0, 3):
        state.apply_action(column)
    assert bot.step(state) == 3  # or the first player has four
    again = theirs.new_initial_state()
    again.apply_action(6)
    assert bot.step(again) in again.legal_actions()  # no move of the same game: a new one
    other = pyspiel.load_game("tic_tac_toe").new_initial_state()
    other.apply_action(3)
    with pytest.raises(BadGame, match="this bot plays connect_four for player 1"):
        bot.step(other)


# What does not fit, and where else a wrapped game is a game like any other.


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("kuhn_poker", BadGame, "kuhn_poker cannot be wrapped: it has imperfect information"),
        ("stones_and_gems", BadGame, "it samples chance itself"),
        ("mfg_crowd_modelling", BadGame, "infinitely many players"),
        ("oshi_zumo", BadGame, "51 MOVES for 2 players; at most 31"),
        ("morpion_solitaire(nope=1)", BadOption, "cannot load 'morpion_solitaire"),
        ("conect_four", UnknownName, "did you mean 'connect_four'"),
    ],
)
def test_games_that_do_not_fit_are_refused(name, error, message):
    with pytest.raises(error, match=message) as refused:
        open_spiel.game(name)
    assert "\n" not in str(refused.value)


def test_a_game_that_is_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(open_spiel, "LONGEST", 41)
    with pytest.raises(BadGame, match="it may take 42 steps; 41 are allowed"):
        open_spiel.card(pyspiel.load_game("connect_four"))


def test_searches_of_wrapped_games_run_plain():
    game = open_spiel.game("tic_tac_toe")
    assert game.agent("uct(iterations=10)", seed=1).spec == "uct(iterations=10, seed=1, plain=true)"
    with pytest.raises(BadOption, match="'plain' must be true: the rules of open_spiel_tic_tac_toe cannot be compiled"):
        game.agent("uct(iterations=10, plain=false)")


@pytest.mark.filterwarnings("ignore:Observation", "ignore:Action mask numpy array is all zeros")
def test_a_wrapped_game_is_a_game_like_any_other(tmp_path):
    arena = Arena("examples/clobber.py", ["flat(iterations=50)", "random"], 4, tmp_path / "clobber.sqlite")
    with closing(arena.store):
        played = list(arena.run(workers=1))
        assert sum(game.shares[game.agents.index(0)] for game in played) >= 3
        assert not any(game.forfeit for game in played)
    api_test(aec_env(open_spiel.card("pig")), num_cycles=20)


@pytest.mark.parametrize("name", ["hex(board_size=3)", "pig(players=2)", "oshi_zumo(coins=4)"])
def test_a_position_is_written_as_its_history(name):
    """OpenSpiel checks no actions: an illegal one would end the process."""
    game, pick = open_spiel.game(name), random.Random(1)
    for seed in range(3):
        state = game.start(seed)
        for _ in range(40):
            assert game.from_text(state.to_text()).record == state.record
            for player in state.movers:
                state.apply(pick.choice(state.legal(player)), player)
    for _ in range(300):
        text = list(state.to_text())
        at = pick.randrange(len(repr(game)) + 1, len(text))
        text[at] = pick.choice("0123456789-,")
        with suppress(BadPosition):
            assert game.from_text("".join(text), manual_chance=True).to_text() == "".join(text)
    with pytest.raises(BadPosition, match="step 1 is 77; allowed: "):
        game.from_text(f"{game!r} 77")


def test_a_missing_package_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "spinney.bridges.open_spiel")
    with pytest.raises(
        MissingPackage, match=r"^spinney.bridges.open_spiel needs OpenSpiel, .* 'spinney-mcts\[open-spiel\]'$"
    ):
        __import__("spinney.bridges.open_spiel")
