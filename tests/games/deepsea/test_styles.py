"""The styles of people: what each does where the others do not, and a search that recognises them."""

from __future__ import annotations

import pytest

import spinney
from spinney.games.deepsea import styles
from spinney.play import Session
from tests.games.deepsea.positions import acting, position
from tests.games.deepsea.test_players import choice

GAME = spinney.game("deepsea")


def test_a_cautious_diver_takes_an_early_stack_and_goes_home():
    assert choice(acting(["9v", "0v"], air=25), "cautious") == "take"
    assert choice(acting(["8v", "0v"], air=25), "cautious") == "leave"
    assert choice(position(["9v 2", "0v"]), "cautious") == "up"
    state = acting(["6^ 2", "0v"], air=18)
    assert (choice(state, "cautious"), choice(state, "greedy")) == ("leave", "take")
    assert choice(acting(["6^ 2", "0v"], air=19), "cautious") == "take"


def test_a_greedy_diver_goes_deep_and_wants_more():
    assert choice(acting(["13v", "0v"], air=25), "greedy") == "leave"
    assert choice(acting(["14v", "0v"], air=25), "greedy") == "take"  # of 24 tiles
    assert choice(position(["9v 2", "0v"], air=19), "greedy") == "down"
    assert choice(position(["9v 2", "0v"], air=18), "greedy") == "up"
    assert choice(acting(["6^ 2 2", "0v"], air=7), "greedy") == "take"
    assert choice(acting(["6^ 2 2 2", "0v"], air=25), "greedy") == "leave"
    assert choice(acting(["5^ 1 2", "0v"], "1 1 1 1 . 1", air=1), "greedy") == "leave"  # never drops


def test_a_spoiler_uses_up_the_air():
    assert choice(acting(["2v", "0v"], air=25), "spoiler") == "take"
    assert choice(position(["2v 1", "0v"], air=24), "spoiler") == "down"
    assert choice(acting(["4v 1 1", "0v"], air=20), "spoiler") == "take"
    assert choice(position(["8v 1 1", "0v"], air=24), "spoiler") == "up"


def test_a_follower_waits_for_others():
    assert choice(acting(["12v", "15v"], air=25), "follower") == "leave"
    assert choice(acting(["12v", "15v 1"], air=25), "follower") == "take"
    assert choice(acting(["12v", "9^"], air=25), "follower") == "take"
    assert choice(acting(["17v", "1v"], air=25), "follower") == "take"  # nobody comes


@pytest.mark.parametrize("style", styles.STYLES)
@pytest.mark.parametrize("players", [2, 6])
def test_a_search_recognises_a_style(style, players):
    """Of 31 models and none of them."""
    game = spinney.game(f"deepsea(players={players})")
    agent = game.agent("champion(iterations=50, opponents=people)", seed=1)
    Session(game.start(seed=5), [agent, *(game.agent(style, seed=i) for i in range(players - 1))]).play()
    specs = game.card.opponents("people").specs
    believed = agent.search.parts.beliefs.probabilities(1)
    assert max(believed) == believed[specs.index(style)] > 0.3
