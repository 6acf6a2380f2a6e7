"""`make demo`: the script in the examples."""

from __future__ import annotations

import importlib.util
import queue
import sys
import time
from pathlib import Path

import pytest

import spinney
from spinney.agents import read_spec

FILE = Path(__file__).parents[2] / "examples" / "demo.py"


@pytest.fixture
def demo(monkeypatch, tmp_path):
    spec = importlib.util.spec_from_file_location("demo", FILE)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "demo", module)
    spec.loader.exec_module(module)
    monkeypatch.chdir(tmp_path)
    return module


def test_the_five_games_have_such_agents(demo):
    games = [spinney.game(match.game) for match in demo.MATCHES]
    assert sorted(game.name for game in games) == ["battlesnake", "colosseum", "deepsea", "halite", "saboteur"]
    for game, match in zip(games, demo.MATCHES, strict=True):
        assert game.players == 2
        for spec in (match.champion, match.spec):
            read_spec(game, spec)


def test_a_match_tells_what_happens_and_leaves_a_page(demo):
    news = queue.Queue()
    match = demo.Match("connect_four", "flat(iterations=70)", "chance", "random", 4)
    demo.play(0, match, time.time() + 600, news)
    told = [news.get() for _ in range(news.qsize())]
    assert [moves for _, _, moves, *_ in told] == [0, 1, 2, 3, 4, 4]
    assert told[-1][-1] == "stopped, as planned"
    assert 0 <= told[1][3] <= 1
    assert told[2][3] is None
    assert "<title>Connect four: champion v chance</title>" in (Path("demo") / "connect_four.html").read_text()


def test_a_match_that_cannot_be_played_ends(demo):
    news = queue.Queue()
    demo.play(3, demo.Match("connect_four", "nobody", "chance", "random", 4), time.time(), news)
    number, _, _, _, state = news.get()
    assert number == 3
    assert state.startswith("failed: connect_four has no agent 'nobody'")
