"""How the BattleSnake server shares out its time while its event loop is busy."""

from __future__ import annotations

import asyncio
import socket
import time
from typing import Any

import spinney
from spinney.bridges.battlesnake.agents import Answer
from spinney.bridges.battlesnake.scheduler import Scheduler
from spinney.bridges.battlesnake.web import ArrivalClock
from spinney.search import Budget


class Slow:
    """Agents who take all of their time, and note when they are done."""

    seconds = 0.05

    def __init__(self) -> None:
        self.done: list[float] = []

    def answer(self, record: Any, player: int, budget: Budget) -> Answer:  # noqa: ARG002
        if player < 0:
            raise ValueError("no such player")
        while budget.elapsed < budget.seconds:
            time.sleep(0.001)
        self.done.append(time.perf_counter())
        return Answer(0)


def test_thinking_does_not_wait_for_the_event_loop():
    async def ask() -> tuple[float, list[float]]:
        slow = Slow()
        desk = Scheduler(slow, workers=1)  # type: ignore[arg-type]
        record, deadline = spinney.game("battlesnake").start(1).record, time.perf_counter() + 10
        jobs = [asyncio.create_task(desk.answer(record, player, deadline)) for player in range(4)]
        await asyncio.sleep(0)
        time.sleep(1.5)  # other messages are read
        read = time.perf_counter()
        await asyncio.gather(*jobs)
        desk.close()
        return read, slow.done

    read, done = asyncio.run(ask())
    assert len(done) == 4
    assert done[-1] < read


def test_a_thread_outlives_a_fault():
    async def ask() -> list[Any]:
        desk = Scheduler(Slow(), workers=1)  # type: ignore[arg-type]
        record, deadline = spinney.game("battlesnake").start(1).record, time.perf_counter() + 10
        found = await asyncio.gather(
            *(desk.answer(record, player, deadline) for player in (0, -1, 1)), return_exceptions=True
        )
        desk.close()
        return found

    first, fault, last = asyncio.run(ask())
    assert first == last == Answer(0)
    assert isinstance(fault, ValueError)


def test_a_message_counts_from_when_it_may_have_come():
    looks, here, there = ArrivalClock(), *socket.socketpair()
    there.setblocking(False)
    sinces = []

    async def listen() -> None:
        loop = asyncio.get_running_loop()
        read = asyncio.Event()

        def begin() -> None:
            there.recv(1)
            loop.call_soon(respond)

        def respond() -> None:
            sinces.append((time.perf_counter(), looks.since))
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

    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(looks)) as runner:
        runner.run(listen())
    here.close()
    there.close()
