"""Limits of searches: iterations are exact, seconds are kept, and Ctrl-C ends a search."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import spinney
from spinney.clock import FIRST_MARGIN, Clock, Turnstile, spend
from spinney.kernel.native import DiskCache
from spinney.play import Session
from spinney.search import tree_search


@pytest.mark.parametrize("iterations", [1, 7, 5000])
@pytest.mark.parametrize("threads", [1, 3])
def test_iterations_are_exact(iterations, threads):
    game = spinney.game("connect_four")
    decision = game.agent(f"uct(iterations={iterations}, threads={threads})", seed=1).decide(game.start())
    assert decision.iterations == iterations
    assert decision.action in game.start().legal()


class Work:
    """Work of known cost, which alone moves the time on."""

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
    work = Work(monkeypatch, lambda n: 1e-5 + each * n)
    spend(work.step, float("inf"), Clock(seconds=seconds))
    used = work.now - 100.0
    assert used <= max(seconds, each + 1e-5)  # one iteration is always done
    assert used >= min(seconds, seconds - 2 * each) * 0.8 - 0.02
    assert all(n == 1 or each * n <= 0.021 for n in work.slices)


def test_a_slowdown_in_the_middle_is_noticed(monkeypatch):
    work = Work(monkeypatch, lambda n: n * (1e-5 if work.now < 100.2 else 4e-5))
    spend(work.step, float("inf"), Clock(seconds=0.5))
    assert work.now <= 100.5


def test_searches_that_share_a_turnstile_take_turns():
    clock = Clock(turnstile=Turnstile(2))
    lock, inside, order, most = threading.Lock(), set(), [], []

    def search(name):
        def step(n):
            with lock:
                inside.add(name)
                most.append(len(inside))
                order.append(name)
            time.sleep(0.002)  # others arrive meanwhile
            with lock:
                inside.discard(name)
            return n

        spend(step, 256 * 30, clock.start())

    threads = [threading.Thread(target=search, args=(name,)) for name in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 2
    assert set(order) == set(range(6))
    middle = order[len(order) // 4 : len(order) // 2]
    assert max(map(middle.count, range(6))) <= 2 * max(1, min(map(middle.count, range(6))))  # equal parts


def test_a_slice_that_has_to_wait_ends_before_the_limit(monkeypatch):
    work = Work(monkeypatch, lambda n: 1e-5 * n)

    class Queue(Turnstile):
        def __enter__(self):
            work.now += 0.05
            super().__enter__()

    spend(work.step, float("inf"), Clock(seconds=1.0, turnstile=Queue(1)))
    assert 0.85 <= work.now - 100.0 <= 1.0
    assert sum(work.slices) * 1e-5 >= 0.05  # the time in line does not make the slices shorter


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


def time_limits(monkeypatch, agent):
    """The time limits of an agent's searches from now on."""
    given, run = [], agent.search.run

    def noted(state, clock, player):
        result = run(state, clock, player)
        given.append(clock.limit)
        return result

    monkeypatch.setattr(agent.search, "run", noted)
    return given


@pytest.mark.parametrize("name", ["connect_four", "examples/pig.py(goal=50)", "saboteur"])
def test_the_first_decision_has_a_time_of_its_own(monkeypatch, name):
    """Even if steps are hidden from who decides; and steps without a choice are no decisions."""
    game = spinney.game(name)
    spec = f"{'infoset' if name == 'saboteur' else 'uct'}(iterations=20, seconds=20, first_seconds=30)"
    agents = [game.agent(spec, seed=seat) for seat in range(2)]
    given = [time_limits(monkeypatch, agent) for agent in agents]
    Session(game.start(seed=1), agents).play()
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
        clock = search.limit(Clock(seconds=0.5), state, 0)
        assert (min(1e9, clock.most_iterations), clock.limit) == (iterations, seconds)
    assert game.agent("uct").search.limit(None, state, 0).most_iterations == 10_000
    agent = game.agent("flat(rollouts_per_action=10)", seed=1)
    assert agent.decide(state, Clock(seconds=20.0)).iterations == 70


def test_the_time_for_the_answer_is_kept(monkeypatch):
    """The first search can only guess how long it takes to put an answer together, and the next knows."""

    result_of = tree_search.result_of

    def slowly(*found, **more):
        time.sleep(0.02)
        return result_of(*found, **more)

    game, planned = spinney.game("tictactoe"), []
    agent = game.agent("uct(seconds=0.2)", seed=1)
    limit = agent.search.limit

    def noted(*arguments):
        clock = limit(*arguments)
        planned.append(clock.deadline - clock.started)
        return clock

    monkeypatch.setattr(agent.search, "limit", noted)
    monkeypatch.setattr(tree_search, "result_of", slowly)
    agent.decide(game.start())
    margin = agent.search.margin.seconds
    agent.decide(game.start())
    assert margin >= 0.02
    assert planned == [pytest.approx(0.188 - 1.5 * FIRST_MARGIN), pytest.approx(0.188 - min(1.5 * margin, 0.05))]


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
    monkeypatch.setattr(DiskCache, "load_overload", lambda store, *_: loaded.append(store.label))
    for _ in range(3):
        for mover in state.movers:
            state.apply(agent.decide(state, player=mover).action, mover)
    assert loaded == []


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("threads", ["1", "2", "2, parallel=tree"])
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


def test_a_search_may_be_stopped_from_another_thread():
    game = spinney.game("tictactoe")
    search = game.agent("uct(early_stop=true, solver=false)", seed=1).search
    clock = Clock(seconds=1e6)
    threading.Timer(0.2, clock.stop.set).start()
    assert search.run(game.start(), clock).iterations > 0
    assert clock.elapsed < 5


def test_max_depth_bounds_the_tree():
    game = spinney.game("connect_four")
    decision = game.agent("uct(iterations=20000, max_depth=3, solver=false)", seed=1).decide(game.start())
    assert max(depth for depth, _ in decision.tree.walk()) == 3
    assert decision.result.nodes == 1 + 7 + 49 + 343


def test_early_factor_ends_sooner_and_at_the_same_place_every_time():
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
