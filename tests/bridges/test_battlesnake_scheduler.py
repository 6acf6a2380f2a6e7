"""How the BattleSnake server divides its time while its event loop is busy."""

from __future__ import annotations

import asyncio
import socket
import time
from typing import Any

from spinney.agents import Decision
from spinney.bridges.battlesnake.scheduler import Scheduler
from spinney.bridges.battlesnake.web import ArrivalClock
from spinney.clock import Clock, Margin


class Slow:
    """An agent that takes all of its time, and notes when it is done."""

    def __init__(self) -> None:
        self.done: list[float] = []

    def __call__(self, clock: Clock) -> Decision:
        clock.restrict(seconds=0.05)
        while clock.now() < clock.deadline and not clock.stop.is_set():
            time.sleep(0.001)
        self.done.append(time.perf_counter())
        return Decision(0, 0, "up")


def fail(clock: Clock) -> Decision:
    raise ValueError("no such player")


def test_thinking_does_not_wait_for_the_event_loop():
    async def ask() -> tuple[float, list[float]]:
        slow, scheduler = Slow(), Scheduler(workers=1)
        jobs = [asyncio.create_task(scheduler.decide(slow, time.perf_counter() + 10, Margin())) for _ in range(4)]
        await asyncio.sleep(0)
        time.sleep(1.5)  # other messages are read
        read = time.perf_counter()
        await asyncio.gather(*jobs)
        scheduler.close()
        return read, slow.done

    read, done = asyncio.run(ask())
    assert len(done) == 4
    assert done[-1] < read


def test_a_thread_outlives_a_fault():
    async def ask() -> list[Any]:
        slow, scheduler = Slow(), Scheduler(workers=1)
        found = await asyncio.gather(
            *(scheduler.decide(decide, time.perf_counter() + 10, Margin()) for decide in (slow, fail, slow)),
            return_exceptions=True,
        )
        scheduler.close()
        return found

    first, fault, last = asyncio.run(ask())
    assert first == last == Decision(0, 0, "up")
    assert isinstance(fault, ValueError)


def test_waiting_requests_share_the_time_and_learn_no_margin_from_that():
    """The first one has all of the time until the others come; then each has its share."""
    margin, used = Margin(0.01), []

    def decide(clock: Clock) -> Decision:
        while clock.now() < clock.deadline and not clock.stop.is_set():
            time.sleep(0.001)
        clock.worked = clock.elapsed
        used.append(clock.finish())
        return Decision(0, 0, "up")

    async def ask() -> float:
        scheduler, started = Scheduler(workers=1), time.perf_counter()
        await asyncio.gather(*(scheduler.decide(decide, started + 1.0, margin) for _ in range(5)))
        scheduler.close()
        return time.perf_counter() - started

    assert asyncio.run(ask()) < 1.0
    assert len(used) == 5
    assert min(used) > 0.08
    assert max(used) < 0.35
    assert margin.seconds < 0.05


def test_closing_ends_running_searches_at_once():
    async def ask() -> float:
        scheduler = Scheduler(workers=1)
        decided = asyncio.create_task(scheduler.decide(wait, time.perf_counter() + 30, Margin()))
        await asyncio.sleep(0.1)
        started = time.perf_counter()
        scheduler.close()
        assert await decided == Decision(0, 0, "up")
        return time.perf_counter() - started

    def wait(clock: Clock) -> Decision:
        clock.stop.wait(20)
        return Decision(0, 0, "up")

    assert asyncio.run(ask()) < 5


def test_a_message_counts_from_when_it_may_have_come():
    arrivals, here, there = ArrivalClock(), *socket.socketpair()
    there.setblocking(False)
    sinces = []

    async def listen() -> None:
        loop = asyncio.get_running_loop()
        read = asyncio.Event()

        def begin() -> None:
            there.recv(1)
            loop.call_soon(respond)

        def respond() -> None:
            sinces.append((time.perf_counter(), arrivals.since))
            read.set()

        loop.add_reader(there, begin)
        for busy in (False, True):
            await asyncio.sleep(0.5)
            came = time.perf_counter()
            here.send(b".")
            if busy:
                time.sleep(0.2)
            await read.wait()
            read.clear()
            now, since = sinces[-1]
            assert came - 0.3 < since <= now - 0.2 * busy
        loop.remove_reader(there)

    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(arrivals)) as runner:
        runner.run(listen())
    here.close()
    there.close()
