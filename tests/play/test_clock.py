"""The one time control: limits, reserves, and margins that are learnt."""

from __future__ import annotations

import time
from math import inf

import pytest

import spinney
from spinney.clock import FADE, Clock, Margin


class Time:
    """A time that the test sets."""

    def __init__(self, monkeypatch):
        self.now = 100.0
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)
        monkeypatch.setattr(time, "process_time", lambda: self.now / 10)


def test_the_smaller_limit_counts(monkeypatch):
    Time(monkeypatch)
    clock = Clock(seconds=2.0, reserve=0.5).restrict(seconds=1.0, iterations=50)
    assert (clock.limit, clock.most_iterations) == (1.0, 50)
    clock.seconds = 1.2  # a scheduler takes time away while it runs
    assert clock.limit == pytest.approx(0.7)
    assert Clock(iterations=20).restrict(iterations=50).most_iterations == 20
    assert Clock().limit == inf


def test_the_first_decision_may_have_another_limit(monkeypatch):
    now = Time(monkeypatch)
    clock = Clock(seconds=2.0, first_seconds=30.0, reserve=0.2)
    assert clock.start(first=True).limit == pytest.approx(29.8)
    assert clock.start().limit == pytest.approx(1.8)
    now.now = 105.0
    assert clock.start().started == 105.0
    assert clock.start(at=103.0).elapsed == 2.0


def test_a_margin_is_learnt_from_measured_decisions(monkeypatch):
    """Whatever comes after the planned end of the search is kept back next time, and fades."""
    now = Time(monkeypatch)
    margin = Margin(0.0)
    clock = Clock(seconds=2.0).restrict(margin=margin)
    planned = clock.deadline
    now.now = planned + 0.01
    clock.worked = clock.elapsed
    now.now = planned + 0.25  # to put the answer together took a quarter of a second
    assert clock.finish() == pytest.approx(now.now - 100.0)
    assert margin.seconds == pytest.approx(0.25)
    later = Clock(seconds=2.0).restrict(margin=margin)
    assert later.deadline - later.started == pytest.approx(planned - 100.0 - 1.5 * 0.25)
    later.worked = 0.5  # this one ended early, and answered at once
    now.now = later.started + 0.5
    later.finish()
    assert margin.seconds == pytest.approx(FADE * 0.25)
    now.now += 5  # a decision without a search, by the same clock, teaches nothing
    later.finish()
    assert margin.seconds == pytest.approx(FADE * 0.25)


def test_a_margin_takes_at_most_a_quarter(monkeypatch):
    Time(monkeypatch)
    clock = Clock(seconds=0.4).restrict(margin=Margin(10.0))
    assert clock.deadline - clock.started > 0.25


def test_cpu_time_instead_of_the_wall_clock(monkeypatch):
    now = Time(monkeypatch)
    clock = Clock(cpu=True)
    now.now += 10
    assert clock.elapsed == pytest.approx(1.0)


def test_a_part_of_a_decision_has_a_part_of_its_time(monkeypatch):
    Time(monkeypatch)
    clock = Clock(seconds=2.0, reserve=0.4).restrict(seconds=1.0, iterations=7)
    assert (clock.part(0.5).limit, clock.part(0.5).most_iterations) == (0.5, inf)
    assert clock.part(0.5).stop is clock.stop


def test_a_clock_serves_one_agent_after_the_other():
    """What the options of one agent allow, or its early stop, does not limit the next one."""
    game = spinney.game("connect_four")
    state, clock = game.start(seed=1), Clock(iterations=3000)
    first, second = (game.agent(f"uct(iterations={n}, early_stop=true)", seed=1) for n in (100, 5000))
    assert first.decide(state, clock).iterations == 100
    assert game.agent("uct(seconds=0.001)", seed=1).decide(state, clock).iterations <= 3000
    assert second.decide(state, clock).iterations > 100
    assert game.agent("uct", seed=1).decide(state, clock).iterations == 3000
    clock.stop.set()
    assert game.agent("uct", seed=1).decide(state, clock.start()).iterations < 3000


@pytest.mark.parametrize("limits", [{"seconds": -1}, {"iterations": 0}])
def test_limits_that_cannot_be(limits):
    with pytest.raises(spinney.BadOption, match="a clock of"):
        Clock(**limits)
