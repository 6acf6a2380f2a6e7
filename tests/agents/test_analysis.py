"""Analysis: the decisions so far, the final one, and every way to end it."""

from __future__ import annotations

import gc
import threading

import pytest

import spinney
from spinney.clock import Clock
from tests.tiny import soon_over, to_a_choice

SEARCHING = [
    ("connect_four", "uct(iterations=4000)"),
    ("connect_four", "uct(iterations=4000, threads=2)"),
    ("connect_four", "uct(iterations=4000, root=gumbel, select=puct)"),
    ("examples/pig.py", "uct(iterations=4000, open_loop=true)"),
    ("examples/pig.py", "flat(iterations=4000)"),
    ("battlesnake(players=3, width=5, height=5)", "joint(iterations=2000)"),
    ("battlesnake(players=3, width=5, height=5)", "decoupled(iterations=2000, select=exp3, choice=strategy)"),
    ("kuhn_poker", "infoset(iterations=4000)"),
    ("kuhn_poker", "infoset(iterations=4000, method=determinized, determinizations=3)"),
    ("connect_four", "alphabeta(iterations=40000)"),
    ("halite", "forest(iterations=1000)"),
    ("connect_four", "net_search(iterations=2000, weights=uniform)"),
]
ENDLESS = "uct(iterations=1000000000000, nodes=1000, solver=false)"


def a_choice(name: str) -> spinney.State:
    """A position in which somebody has to choose; in halite, of orders for ships."""
    game = spinney.game(soon_over(name))
    state = game.start(seed=1)
    if name == "halite":
        while state.record.turn < 3:
            state.apply("spawn" if "spawn" in state.names() else state.legal()[0])
    return to_a_choice(state)


def endless() -> tuple[spinney.Agent, spinney.State]:
    game = spinney.game("connect_four")
    return game.agent(ENDLESS, seed=1), game.start(seed=1)


@pytest.mark.parametrize(("name", "spec"), SEARCHING, ids=[spec for _, spec in SEARCHING])
def test_watching_a_search_changes_nothing_and_shows_the_way_to_its_result(name, spec):
    state = a_choice(name)
    player = state.movers[0]
    decided = state.game.agent(spec, seed=3).decide(state, player=player)
    so_far: list[spinney.SearchResult] = []
    watched = state.game.agent(spec, seed=3).decide(state, Clock(watch=so_far.append, every=0), player=player)
    *_, final = state.game.agent(spec, seed=3).analyse(state, player=player, every=0)
    for other in (watched, final):
        assert (other.action, other.name, other.values) == (decided.action, decided.name, decided.values)
        assert (other.choices, other.line) == (decided.choices, decided.line)
        assert (other.result.depth, other.result.nodes) == (decided.result.depth, decided.result.nodes)
    counts = [result.iterations for result in (*so_far, final)]
    assert counts == sorted(counts)
    assert 0 < counts[0] < counts[-1] == decided.iterations
    for result in so_far:
        assert result.player == player
        assert result.action in state.legal(player)
        assert result.trees == ()  # the tree still grows
        assert result.nodes <= decided.result.nodes
        if name != "halite":
            assert sum(choice.share for choice in result.choices) == pytest.approx(1)


@pytest.mark.parametrize("threads", [1, 2])
def test_it_is_stopped_from_another_thread(threads):
    game = spinney.game("connect_four")
    agent = game.agent(f"{ENDLESS[:-1]}, threads={threads})", seed=1)
    analysis = agent.analyse(game.start(), every=0)
    first = next(analysis)
    threading.Thread(target=analysis.stop).start()
    *_, last = analysis
    assert first.iterations < last.iterations < 10**12
    assert last.tree is not None
    assert analysis.is_over
    assert analysis.wait() is last
    assert next(analysis, None) is None


def test_the_end_of_its_block_stops_it():
    agent, state = endless()
    with agent.analyse(state) as analysis:
        assert not analysis.is_over
    assert analysis.is_over
    assert analysis.wait().action in state.legal()


def test_another_decision_of_the_agent_stops_it():
    agent, state = endless()
    first = agent.analyse(state)
    second = agent.analyse(state)
    assert first.is_over
    assert agent.decide(state, Clock(iterations=500)).iterations == 500
    assert second.is_over


def test_leaving_a_loop_stops_it():
    agent, state = endless()
    before = set(threading.enumerate())
    for decision in agent.analyse(state, every=0):
        assert decision.iterations > 0
        break
    gc.collect()
    for thread in set(threading.enumerate()) - before:
        thread.join(60)
        assert not thread.is_alive()


def test_the_game_may_go_on_meanwhile():
    agent, state = endless()
    with agent.analyse(state, every=0) as analysis:
        for column in "444444":
            state.apply(column)
        analysis.stop()
        assert "4" in {choice.name for choice in analysis.wait().choices}  # in the position of the beginning


def test_a_clock_limits_it_and_is_not_changed():
    agent, state = endless()
    clock = Clock(iterations=700)
    assert agent.analyse(state, clock).wait().iterations == 700
    assert not clock.stop.is_set()
    assert clock.watch is None


@pytest.mark.parametrize("spec", ["random", "heuristic"])
def test_a_player_that_does_not_search_has_one_decision(spec):
    game = spinney.game("connect_four")
    state = game.start()
    (decision,) = game.agent(spec, seed=5).analyse(state)
    assert decision.action == game.agent(spec, seed=5).decide(state).action


def test_errors_come_where_they_are_seen(monkeypatch):
    agent, state = endless()
    with pytest.raises(spinney.BadOption, match="at least 0"):
        agent.analyse(state, every=-1)
    with pytest.raises(spinney.WrongPlayer, match="to move: 0"):
        agent.analyse(state, player=1)

    def fail(*_):
        raise RuntimeError("out of order")

    monkeypatch.setattr(agent.search, "run", fail)
    with pytest.raises(RuntimeError, match="out of order"):
        next(agent.analyse(state))
