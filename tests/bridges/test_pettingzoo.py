"""Environments: PettingZoo's own tests on every game, and what agents may know."""

from __future__ import annotations

import random
import sys

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import spinney
from spinney.bridges.pettingzoo import aec_env, parallel_env
from spinney.errors import BadGame, BadOption, GameOver, IllegalAction, MissingPackage
from spinney.kernel import Record

EVERY = [*spinney.game_names(), "examples/pig.py(players=3)", "examples/pennies.py", "examples/pasture.py"]
SIMULTANEOUS = [game for game in EVERY if spinney.game(game).card.is_simultaneous]
IN_TURN = [game for game in EVERY if game not in SIMULTANEOUS]

# PettingZoo's tests warn of every observation with a mask: it knows its own games alone by name.
DICTIONARIES = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box",
    "ignore:Action mask numpy array is all zeros",  # of those whose game is over
)


def native(record: Record) -> np.record:
    """A record's numbers, read in another way."""
    return type(record).native(record)


@DICTIONARIES
@pytest.mark.parametrize("game", EVERY)
def test_every_game_passes_the_tests_for_agents_in_turn(game):
    api_test(aec_env(game), num_cycles=60)
    seed_test(lambda: aec_env(game), num_cycles=60)


@pytest.mark.parametrize("game", SIMULTANEOUS)
def test_games_with_simultaneous_moves_pass_the_tests_for_parallel_environments(game):
    parallel_api_test(parallel_env(game), num_cycles=300)
    parallel_seed_test(lambda: parallel_env(game))


def test_players_who_move_in_turn_have_no_parallel_environment():
    assert SIMULTANEOUS == ["battlesnake", "goofspiel", "examples/pennies.py"]
    for game in IN_TURN:
        with pytest.raises(BadGame, match="its players move in turn; use aec_env"):
            parallel_env(game)


@pytest.mark.parametrize("game", EVERY)
def test_an_environment_shows_what_a_player_may_know_and_pays_what_the_game_does(game):
    """A state is played beside the environment with the same chance events; at every step all agents observe."""
    env, picks = aec_env(game), random.Random(5)
    env.reset(seed=5)
    beside = env.position.copy()
    for _ in range(80):
        for player, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            record = native(beside.observe(player).record)
            assert list(np.flatnonzero(seen["action_mask"])) == sorted(beside.legal(player))
            assert seen["player"] == player
            for field in record.dtype.names:
                assert np.array_equal(seen["observation"][field], record[field]), field
        if beside.is_over:
            break
        player = beside.movers[0]
        assert env.agent_selection == f"player_{player}"
        action = picks.choice(beside.legal(player))
        beside.apply(action, player)
        env.step(action)
        paid = beside.rewards() if beside.is_over else (0,) * beside.game.players
        assert tuple(env.rewards.values()) == paid
        assert set(env.terminations.values()) == {beside.is_over}


def test_rewards_reach_everybody_at_the_end():
    env = aec_env("tictactoe")
    env.reset(seed=1)
    for cell in (0, 3, 1, 4, 2):
        env.step(cell)
    heard = {}
    for agent in env.agent_iter():
        _, reward, over, _, _ = env.last()
        heard[agent] = (reward, over)
        env.step(None)
    assert heard == {"player_0": (1.0, True), "player_1": (0.0, True)}
    with pytest.raises(GameOver, match="reset starts one"):
        env.step(0)


def test_cards_in_another_hand_cannot_be_seen():
    env = aec_env("saboteur")
    env.reset(seed=3)
    before, record = env.observe("player_0")["observation"], env.position.record
    hand, deck = record.hand, record.deck
    assert list(before["hand"][0]) == [hand[0, kind] for kind in range(len(deck))]
    held = next(kind for kind in range(len(deck)) if hand[1, kind])
    other = next(kind for kind in range(len(deck)) if kind != held and deck[kind])
    for kind, by in ((held, -1), (other, 1)):  # the other player holds another card, and the deck has the first
        hand[1, kind] += by
        deck[kind] -= by
    after = env.observe("player_0")["observation"]
    assert all(np.array_equal(before[field], after[field]) for field in before)
    assert not np.array_equal(env.observe("player_1")["observation"]["hand"], before["hand"])


def test_choices_of_others_are_sealed():
    seen = []
    for side in (0, 1):
        env = aec_env("examples/pennies.py")
        env.reset(seed=1)
        env.step(side)
        seen.append(env.last()[0])
    assert seen[0]["player"] == 1
    assert repr(seen[0]) == repr(seen[1])


def test_wrong_actions_change_nothing():
    env = aec_env("connect_four", render_mode="ansi")
    env.reset(seed=1)
    before = env.render()
    for wrong in (7, -1, None, 1.5):
        with pytest.raises(IllegalAction):
            env.step(wrong)
    assert env.render() == before
    assert env.agent_selection == "player_0"
    together = parallel_env("battlesnake(players=2)")
    together.reset(seed=1)
    for actions, message in [
        ({"player_0": 0, "player_1": 4}, "action 4 is not legal for player 1"),
        ({"player_1": 0}, "no action for player_0"),
    ]:
        with pytest.raises(IllegalAction, match=message):
            together.step(actions)
    assert together.position.movers == (0, 1)
    assert together.position.history == []
    with pytest.raises(BadOption, match="known: ansi, human"):
        aec_env("connect_four", render_mode="rgb_array")


def test_a_snake_that_is_out_stays_until_the_end_and_need_not_choose():
    env = parallel_env("battlesnake(players=3)")
    seen, _ = env.reset(seed=2)
    while len(env.position.movers) == 3:  # the first walks into the wall, the others turn round and round
        turn = env.position.record.turn % 4
        seen, rewards, over, _, _ = env.step(
            {"player_0": 0, "player_1": (0, 3, 1, 2)[turn], "player_2": (0, 3, 1, 2)[turn]}
        )
    assert env.agents == ["player_0", "player_1", "player_2"]
    assert not seen["player_0"]["action_mask"].any()
    assert seen["player_1"]["action_mask"].all()
    assert not any(over.values())
    assert not any(rewards.values())
    while env.agents:
        _, rewards, over, _, _ = env.step({"player_1": 0, "player_2": 1})
    assert all(over.values())
    assert tuple(rewards.values()) == env.position.rewards()


def test_seeds_lead_from_game_to_game():
    env, other = aec_env("colosseum"), aec_env("colosseum")
    shown = []
    for one in (env, other):
        one.reset(seed=4)
        first = str(one.position)
        one.reset()
        shown.append((first, str(one.position)))
    assert shown[0] == shown[1]
    assert shown[0][0] != shown[0][1]


def test_a_missing_package_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "spinney.bridges.pettingzoo")
    with pytest.raises(
        MissingPackage, match=r"^spinney.bridges.pettingzoo needs PettingZoo, .* 'spinney-mcts\[pettingzoo\]'$"
    ):
        __import__("spinney.bridges.pettingzoo")
