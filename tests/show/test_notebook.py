"""Notebooks: a state and a decision as parts of a page."""

from __future__ import annotations

from dataclasses import replace

import pytest

import spinney
from spinney.games.notebook import html_of
from tests.show.pages import HOSTILE, Page
from tests.tiny import to_a_choice


@pytest.mark.parametrize("name", [*spinney.game_names(), "examples/pig.py"])
def test_a_state_is_its_picture_or_its_text(name):
    state = spinney.game(name).start(seed=1)
    page = Page(state._repr_html_())
    picture = state.game.card.board.picture
    assert ("svg" in page.tags) == (picture is not None)
    assert ("pre" in page.tags) == (picture is None)
    assert repr(state).strip("<>") in page.words
    assert "prefers-color-scheme: dark" in page.words


def test_a_decision_has_a_bar_for_each_action_and_the_figures():
    game = spinney.game("connect_four")
    decision = game.agent("uct(iterations=2000)", seed=1).decide(game.start())
    page = Page(decision._repr_html_())
    assert page.tags.count("tr") == 7
    assert "width:100.0%" in [value for name, value in page.attributes if name == "style"]
    for words in ("line", "depth", "memory", "2,000 simulations", str(decision)):
        assert words in page.words


def test_an_agent_that_does_not_search_has_its_action_alone():
    state = to_a_choice(spinney.game("connect_four").start())
    decision = state.game.agent("random", seed=1).decide(state)
    page = Page(decision._repr_html_())
    assert "table" not in page.tags
    assert decision.name in page.words


def test_names_are_escaped():
    game = spinney.game("connect_four")
    decision = game.agent("uct(iterations=500)", seed=1).decide(game.start())
    choices = tuple(replace(choice, name=HOSTILE) for choice in decision.choices)
    hostile = replace(decision, name=HOSTILE, result=replace(decision.result, choices=choices, line=(HOSTILE,)))
    tame = replace(decision, name="tame", result=replace(decision.result, line=("tame",)))
    assert Page(hostile._repr_html_()).tags == Page(tame._repr_html_()).tags
    with pytest.raises(TypeError, match="a State and a Decision"):
        html_of(3)
