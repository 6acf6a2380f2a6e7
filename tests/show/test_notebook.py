"""Notebooks: states, decisions, reviews and standings as parts of a page."""

from __future__ import annotations

from dataclasses import replace

import pytest

import spinney
from spinney.arena import GameResult, SeatResult, standings
from spinney.play import replay_of
from spinney.play.review import Findings, Reviewer, begin_review, judged
from spinney.show.notebook import html_of
from tests.show.pages import HOSTILE, Page
from tests.tiny import to_a_choice


@pytest.mark.parametrize("name", [*spinney.game_names(), "examples/pig.py"])
def test_a_state_is_its_picture_or_its_text(name):
    state = spinney.game(name).start(seed=1)
    page = Page(state._repr_html_())
    picture = state.game.card.board.picture
    assert ("svg" in page.tags) == (picture is not None)
    assert ("pre" in page.tags) == (picture is None)
    assert f"{state.game!r} after {len(state.history)} steps, player{'s' * (len(state.movers) > 1)} 1 " in page.words
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
    with pytest.raises(TypeError, match="a State, a Decision and a Review"):
        html_of(3)


def test_a_review_has_a_curve_for_each_player_and_the_worst_decisions():
    state = spinney.game("connect_four").start(1)
    for move in "4141424":
        state.apply(move)
    reviewer = Reviewer(state.game, "uct", iterations=2000)
    review = begin_review(replay_of(state, (HOSTILE, "b")), reviewer.spec)
    assert "No decision cost more" in Page(review._repr_html_()).words
    list(judged(review, reviewer, Findings()))
    page = Page(review._repr_html_())
    assert [value for name, value in page.attributes if name == "stroke"][1:] == ["var(--agent-0)", "var(--agent-1)"]
    assert page.tags.count("tr") == len(review.worst) > 0
    assert f"played {review.worst[0].played}; {review.worst[0].best} was better" in page.words
    assert HOSTILE in page.words
    assert "script" not in page.tags


def test_standings_are_a_table_with_a_row_for_each_agent():
    def game(number, seats):
        return GameResult(number, 1, [SeatResult(agent, share, share, 5, 0.5, 0.2) for agent, share in seats], [])

    agents = ["heuristic", HOSTILE]
    found = standings(agents, [game(0, [(0, 0.0), (1, 1.0)]), game(1, [(1, 0.5), (0, 0.5)])])
    page = Page(found._repr_html_())
    assert page.tags.count("tr") == 3
    assert page.words.index(HOSTILE) < page.words.index("heuristic")
    assert "75.0%" in page.words
    assert "script" not in page.tags
