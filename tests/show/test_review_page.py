"""Pages of reviews: everything that the script refers to is there, and names stay text."""

from __future__ import annotations

import re

from spinney.play import replay_of
from spinney.play.review import Findings, Reviewer, begin_review, judged
from spinney.show.review import review_page, spark
from tests.play.test_review import played
from tests.show.pages import HOSTILE, Page
from tests.show.test_replay_page import GRAPH


def page_with(word: str) -> str:
    review = begin_review(replay_of(played("connect_four", "4 1 4 1 4 2 4"), [word, "b"]))
    reviewer = Reviewer(review.replay.game, iterations=500)
    list(judged(review, reviewer, Findings()))
    review.agent = word
    return review_page(review)


def test_names_stay_text_and_nothing_is_missing():
    text = page_with(HOSTILE)
    page, tame = Page(text), Page(page_with("tame"))
    assert (page.tags, page.attributes) == (tame.tags, tame.attributes)
    assert page.words.count(HOSTILE) == 3  # the title, the name, and who judged
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert {*ids} >= GRAPH
    assert page.tags.count("path") >= 3
    frames = [value for name, value in page.attributes if name == "data-frame"]
    assert frames[0] == "5"
    assert len(frames) == 2 * len(set(frames))  # in the graph and in the list
    assert re.search(r"frame 5: played 2; 4 was better", page.words)


def test_bars_of_a_curve():
    assert spark([0, 0.5, 1]) == "▁▅█"
    assert spark([i / 599 for i in range(600)])[::59] == "▁█"
    assert len(spark([0.5] * 600)) == 60
    assert spark([]) == ""
