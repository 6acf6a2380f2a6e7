"""Budgets: iterations exactly, seconds never overrun, and a way out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import spinney
from spinney.agents.agent import FIRST_ANSWER
from spinney.agents.decision import from_search
from spinney.agents.match import play_on
from spinney.clock import Budget, spend
from spinney.kernel.native import Store


@pytest.mark.parametrize("iterations", [1, 7, 5000])
@pytest.mark.parametrize("threads", [1, 3])
def test_iterations_are_exact(iterations, threads):
    game = spinney.game("connect_four")
    decision = game.agent(f"uct(iterations={iterations}, threads={threads})", seed=1).decide(game.start())
    assert decision.iterations == iterations
    assert decision.action in game.start().legal()


class Clock:
    """Work of known cost on a clock of its own."""

    def __init__(self, monkeypatch, cost):
        self.now, self.cost, self.slices = 100.0, cost, []
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)

    def step(self, n):
        self.now += self.cost(n)
        self.slices.append(n)
        return n


@pytest.mark.parametrize("each", [1e-7, 1e-5, 1e-3, 0.02, 0.4])
@pytest.mark.parametrize("seconds", [0.05, 0.5, 2.0])
def test_slices_fit_the_time(monkeypatch, each, seconds):
    clock = Clock(monkeypatch, lambda n: 1e-5 + each * n)
    budget = Budget(seconds=seconds)
    spend(clock.step, float("inf"), budget)
    used = clock.now - 100.0
    assert used <= max(seconds, each + 1e-5)  # one iteration is always done
    assert used >= min(seconds, seconds - 2 * each) * 0.8 - 0.02
    assert all(n == 1 or each * n <= 0.021 for n in clock.slices)


def test_a_slowdown_in_the_middle_is_noticed(monkeypatch):
    clock = Clock(monkeypatch, lambda n: n * (1e-5 if clock.now < 100.2 else 4e-5))
    spend(clock.step, float("inf"), Budget(seconds=0.5))
    assert clock.now <= 100.5


@pytest.mark.parametrize("spec", ["uct(seconds=0.2)", "uct(seconds=0.2, threads=2)", "uct(seconds=0.2, plain=true)"])
def test_seconds_are_kept(spec):
    game = spinney.game("connect_four")
    agent = game.agent(spec, seed=1)
    before = time.perf_counter()
    decision = agent.decide(game.start())
    assert decision.iterations > 100
    assert 0.1 < decision.seconds <= time.perf_counter() - before < 0.2 + 0.5  # a busy machine; bench/ has the figures


def test_both_limits_whichever_comes_first():
    game = spinney.game("connect_four")
    assert game.agent("uct(seconds=10, iterations=100)", seed=1).decide(game.start()).iterations == 100
    assert game.agent("uct(seconds=0.05, iterations=1000000000)", seed=1).decide(game.start()).seconds < 0.5


def seconds_taken(monkeypatch, agent):
    """The seconds of the budgets that an agent's search is given from now on."""
    given, run = [], agent.search.run

    def noted(state, budget, player):
        given.append(budget.seconds)
        return run(state, budget, player)

    monkeypatch.setattr(agent.search, "run", noted)
    return given


@pytest.mark.parametrize("name", ["connect_four", "examples/pig.py(goal=50)", "saboteur"])
def test_the_first_decision_has_a_time_of_its_own(monkeypatch, name):
    """Even if steps are hidden from who decides; and steps without a choice are no decisions."""
    game = spinney.game(name)
    spec = f"{'infoset' if name == 'saboteur' else 'uct'}(iterations=20, seconds=20, first_seconds=30)"
    agents = [game.agent(spec, seed=seat) for seat in range(2)]
    given = [seconds_taken(monkeypatch, agent) for agent in agents]
    for _ in play_on(game.start(seed=1), agents):
        pass
    for seconds in given:
        assert len(seconds) > 1
        assert seconds == [30] + [20] * (len(seconds) - 1)


def test_a_limit_leaves_what_the_options_say():
    game = spinney.game("connect_four")
    state = game.start()
    for spec, iterations, seconds in [
        ("uct", 1e9, 0.5),
        ("uct(iterations=50)", 50, 0.5),
        ("uct(seconds=0.2)", 1e9, 0.2),
        ("uct(seconds=0.2, first_seconds=0.3)", 1e9, 0.3),
        ("flat(rollouts_per_action=10)", 70, 0.5),
        ("flat(rollouts_per_action=10, iterations=30)", 30, 0.5),
        ("flat(rollouts_per_action=10, seconds=0.2, first_seconds=0.3)", 70, 0.3),
    ]:
        search = game.agent(spec, seed=1).search
        budget = search.budget(state, 0, limit=0.5)
        assert (min(1e9, budget.iterations), budget.seconds) == (iterations, seconds)
    assert game.agent("uct").search.budget(state, 0).iterations == 10_000
    agent = game.agent("flat(rollouts_per_action=10)", seed=1)
    agent.limit = 20.0
    assert agent.decide(state).iterations == 70


def test_the_time_for_the_answer_is_kept(monkeypatch):
    """The first search can only guess how long it takes to put an answer together, and the next knows."""

    def slowly(*found):
        time.sleep(0.02)
        return from_search(*found)

    game, budgets = spinney.game("tictactoe"), []
    agent = game.agent("uct(seconds=0.2)", seed=1)
    run = agent.search.run

    def noted(view, budget, player):
        budgets.append(budget)
        return run(view, budget, player)

    monkeypatch.setattr(agent.search, "run", noted)
    monkeypatch.setattr("spinney.agents.agent.from_search", slowly)
    for _ in range(2):
        agent.decide(game.start())
    first, second = budgets
    assert first.deadline - first.started == pytest.approx(0.188 - 1.5 * FIRST_ANSWER)
    assert second.answer >= 0.02
    assert second.deadline - second.started == pytest.approx(0.188 - min(1.5 * second.answer, 0.05))


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("tictactoe", "uct(iterations=200, reuse=true)"),
        ("tictactoe", "uct(iterations=20, reuse=true, lookahead=true)"),
        ("tictactoe", "alphabeta(iterations=200, transposition_table=true, killers=true)"),
        ("battlesnake(players=2)", "joint(iterations=200, reuse=true)"),
        ("battlesnake(players=2)", "decoupled(iterations=200, reuse=true)"),
    ],
)
def test_no_decision_waits_for_the_compiler(monkeypatch, name, spec):
    """Making an agent compiles all that its decisions need, those that go on with an old tree among them."""
    game = spinney.game(name)
    monkeypatch.setattr(sys.modules["spinney.kernel.rule"], "_bound", {})  # as in a new process
    agent, state = game.agent(spec, seed=1), game.start(seed=1)
    loaded = []
    monkeypatch.setattr(Store, "load_overload", lambda store, *_: loaded.append(store.label))
    for _ in range(3):
        for mover in state.movers:
            state.apply(agent.decide(state, mover).action, mover)
    assert loaded == []


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_long_search_at_once(threads):
    code = (
        "import spinney\ngame = spinney.game('connect_four')\n"
        f"agent = game.agent('uct(seconds=60, threads={threads})')\nprint('ready', flush=True)\n"
        "agent.decide(game.start())"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline().strip() == b"ready"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        before = time.perf_counter()
        _, errors = process.communicate(timeout=20)
        assert time.perf_counter() - before < 5
        assert b"KeyboardInterrupt" in errors


def test_an_early_stop_changes_nothing_but_the_time():
    """The most visited action leads by more than is left: the choice is that of the whole budget."""
    game = spinney.game("connect_four")
    state = game.start()
    for column in "4455":
        state.apply(column)
    whole = game.agent("uct(iterations=4000000, solver=false)", seed=4).decide(state)
    early = game.agent("uct(iterations=4000000, solver=false, early_stop=true)", seed=4).decide(state)
    assert early.iterations < 0.9 * whole.iterations
    assert early.action == whole.action
    first, second = (choice.visits for choice in early.choices[:2])
    assert first - second > 4_000_000 - early.iterations
    with pytest.raises(spinney.BadOption, match="early_stop=true goes with choice=visits, not with choice=value"):
        game.agent("uct(early_stop=true, choice=value)")


def test_an_early_stop_without_any_limit():
    """A search that somebody else will end may find that it has nothing left to do."""
    game = spinney.game("tictactoe")
    search = game.agent("uct(early_stop=true, solver=true)", seed=1).search
    budget = Budget()
    threading.Timer(5, budget.stop.set).start()
    assert search.run(game.start(), budget).iterations > 0


def test_a_horizon_bounds_the_tree():
    game = spinney.game("connect_four")
    decision = game.agent("uct(iterations=20000, max_depth=3, solver=false)", seed=1).decide(game.start())
    assert max(depth for depth, _ in decision.tree.walk()) == 3
    assert decision.nodes == 1 + 7 + 49 + 343


def test_haste_ends_sooner_and_at_the_same_place_every_time():
    game = spinney.game("connect_four")
    state = game.start()
    for column in "4455":
        state.apply(column)
    counts = {}
    for early_factor in (1, 10):
        spec = f"uct(iterations=400000, solver=false, early_stop=true, early_factor={early_factor})"
        counts[early_factor] = {game.agent(spec, seed=4).decide(state).iterations for _ in range(2)}
        assert len(counts[early_factor]) == 1
    assert max(counts[10]) < 0.7 * min(counts[1]) < 0.7 * 400_000


def test_on_threads_iterations_are_all_made():
    game = spinney.game("connect_four")
    agent = game.agent("uct(iterations=40960, solver=false, early_stop=true, threads=2)", seed=4)
    assert {agent.decide(game.start()).iterations for _ in range(3)} == {40960}
