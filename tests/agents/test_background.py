"""Agents that are made in the background, and who plays until then."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import pytest

import spinney
from spinney.agents import background, build
from spinney.agents.background import BackgroundAgent
from spinney.errors import BadGame
from spinney.kernel.progress import compiling
from spinney.play import Session
from tests.commands import on_terminal


def test_a_stand_in_plays_until_the_agent_is_made(monkeypatch):
    game, made, told = spinney.game("connect_four"), threading.Event(), []

    def later(game, spec, seed):
        if spec.startswith("flat"):
            assert made.wait(60)
        return build(game, spec, seed)

    monkeypatch.setattr(background, "build", later)
    monkeypatch.setattr(background, "PATIENCE", 0.01)
    agent = BackgroundAgent(game, "flat(iterations=70)", 1, told.append)
    session = Session(game.start(seed=1), [agent, game.agent("random", seed=2)])
    for _ in range(4):
        (decision,) = session.ask()
        assert decision.iterations == 0
    assert told == ["heuristic plays for flat(iterations=70) until compilation is done"]
    assert agent.stood_in
    assert background.is_busy()
    made.set()
    agent._thread.join()
    assert session.ask()[0].iterations == 70
    assert not background.is_busy()


def test_an_agent_that_is_there_in_time_plays_itself():
    game, told = spinney.game("connect_four"), []
    agent = BackgroundAgent(game, "heuristic", 1, told.append)
    agent._thread.join()
    assert agent.decide(game.start(seed=1)).player == 0
    assert (told, agent.stood_in) == ([], False)


def test_an_error_of_the_thread_is_raised_at_the_first_decision():
    game = spinney.game("connect_four")
    agent = BackgroundAgent(game, "forest", 1, print)
    with pytest.raises(BadGame, match="forest cannot play connect_four"):
        agent.decide(game.start(seed=1))


ENDLESS = """
import sys, threading
import spinney.__main__ as entry
from spinney.agents import background, build
background.build = lambda game, spec, seed: build(game, spec, seed) if spec == "heuristic" else threading.Event().wait()
background.PATIENCE = 0.01
sys.argv = ["spinney", "play", "connect_four", *sys.argv[1:]]
entry.main()
"""


def play(*words: str):
    return on_terminal([sys.executable, "-c", ENDLESS, *words], {**os.environ, "COLUMNS": "100"})


def wait_for(read, text: str, count: int = 1) -> None:
    deadline = time.monotonic() + 60
    while read().count(text) < count:
        assert time.monotonic() < deadline, read()
        time.sleep(0.01)


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
def test_a_person_on_a_terminal_need_not_wait():
    """And can leave while the agent is still compiled, by `quit` or by Ctrl-C."""
    for leave, code in (("quit", 0), ("", 130)):
        with play() as (process, read):
            wait_for(read, "(you), as in")
            process.stdin.write(b"4\n")
            wait_for(read, "(you), as in", 2)
            process.stdin.write(b"4\n")
            wait_for(read, "(you), as in", 3)
            if leave:
                process.stdin.write(f"{leave}\n".encode())
            else:
                process.send_signal(signal.SIGINT)
            assert process.wait(30) == code
            assert read().count("heuristic plays for champion(seconds=1) until compilation is done") == 1
            assert "Traceback" not in read()


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
@pytest.mark.parametrize("words", [("--seed", "1"), ("--no-stand-in",)])
def test_a_game_with_a_seed_has_no_stand_in(words):
    with play(*words, "--against", "flat(iterations=70)") as (process, read):
        wait_for(read, "(you), as in")
        process.stdin.write(b"4\n")
        wait_for(read, "(you), as in", 2)
        assert "plays for" not in read()
        assert "expects" in read()


def test_the_progress_of_an_agent_is_not_that_of_others(monkeypatch, tmp_path):
    monkeypatch.setenv("SPINNEY_CACHE", str(tmp_path))
    game, made, begun = spinney.game("connect_four"), threading.Event(), threading.Semaphore(0)

    def slow(game, spec, seed):
        if spec == "random":
            with compiling(f"rules {seed}", "search"):
                begun.release()
                assert made.wait(60)
        return build(game, spec, seed)

    monkeypatch.setattr(background, "build", slow)
    agents = [BackgroundAgent(game, "random", seed, lambda _: None) for seed in (1, 2)]
    for _ in agents:
        assert begun.acquire(timeout=60)
    assert [[label for label, _, _ in agent.progress] for agent in agents] == [["rules 1"], ["rules 2"]]
    made.set()
    for agent in agents:
        agent._thread.join()
        assert agent.progress == []
