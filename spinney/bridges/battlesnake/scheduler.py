"""A few threads that think for many games, and share out the time so that nobody's answer is late."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import ceil, inf
from typing import Any

from spinney.bridges.battlesnake.agents import Agents, Answer
from spinney.clock import Clock as Budget
from spinney.games.battlesnake.state import MAX_PLAYERS

FIRST_OVERRUN = 0.02
"""Seconds that answers are taken to come too late before any has been timed."""
RESERVE = 0.06
"""Seconds before the deadlines at which all should be done while jobs wait: many are late if the machine falters."""
FADES = 0.9
"""What is left, an answer later, of the longest that answers came too late."""


@dataclass(eq=False)
class Job:
    """A position to think about."""

    record: Any
    player: int
    deadline: float
    """When the answer must be there, by `time.perf_counter`."""
    answer: asyncio.Future[Answer]
    budget: Budget = field(default_factory=Budget)
    running: bool = False


class Scheduler:
    """Jobs, those that are urgent first, and the threads that take them one after the other.

    Between two jobs a thread does not wait for the event loop, which may have many messages to read first.
    """

    def __init__(self, agents: Agents, workers: int) -> None:
        self.agents, self.workers = agents, workers
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="spinney")
        self._lock = threading.Lock()
        """For what follows."""
        self._jobs: list[Job] = []
        self._busy = 0
        """How many threads take jobs just now."""
        self._overrun = dict.fromkeys(range(1, MAX_PLAYERS + 1), FIRST_OVERRUN)
        """For each number of players, the seconds that answers have lately come after the end of their budget."""

    async def answer(self, record: Any, player: int, deadline: float) -> Answer:
        """A move for a player, in time."""
        loop = asyncio.get_running_loop()
        job = Job(record, player, deadline, loop.create_future())
        with self._lock:
            self._jobs.append(job)
            self._jobs.sort(key=lambda job: job.deadline)
            if self._busy < self.workers:
                self._busy += 1
                self._threads.submit(self._work, loop)
            else:
                self._share_out()
        return await job.answer

    def close(self) -> None:
        """Let those who think finish at once, and forget the others."""
        with self._lock:
            self._jobs = [job for job in self._jobs if job.running]
            for job in self._jobs:
                job.budget.stop.set()
        self._threads.shutdown(cancel_futures=True)

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        """Think about one job after the other, until there are no more."""
        while (job := self._take()) is not None:
            answer: Answer | Exception
            try:
                answer = self.agents.answer(job.record, job.player, job.budget)
            except Exception as error:  # whoever asked hears of it; the thread has others to serve
                answer = error
            self._end(job)
            loop.call_soon_threadsafe(_give, job.answer, answer)

    def _take(self) -> Job | None:
        with self._lock:
            job = next((job for job in self._jobs if not job.running), None)
            if job is None:
                self._busy -= 1
            else:
                job.running, job.budget = True, Budget()
                self._share_out()
            return job

    def _share_out(self) -> None:
        """Tell all that run how long they may.

        While others wait, a job gets an equal share of the time until the deadlines: who has had it, ends now. A search
        can be ended at any time, so it need not be known beforehand how many will ask.
        """
        now = time.perf_counter()
        running = [job for job in self._jobs if job.running]
        share = inf
        if len(running) < len(self._jobs):
            share = min(self._share(place, job, now) for place, job in enumerate(self._jobs))
        for job in running:
            started = job.budget.started
            last = min(job.deadline, started + share) - self._overrun[job.record.players]
            job.budget.seconds = min(max(last, now) - started, self.agents.seconds)

    def _share(self, place: int, job: Job, now: float) -> float:
        """The seconds for each job if all up to this one are to be done by its deadline."""
        left = job.deadline - now
        return (left - min(RESERVE, left / 4)) / ceil((place + 1) / self.workers)

    def _end(self, job: Job) -> None:
        with self._lock:
            self._jobs.remove(job)
            players = job.record.players
            late = job.budget.elapsed - job.budget.seconds
            self._overrun[players] = max(FADES * self._overrun[players], late)


def _give(waiting: asyncio.Future[Answer], answer: Answer | Exception) -> None:
    if waiting.done():  # whoever asked has gone
        return
    if isinstance(answer, Exception):
        waiting.set_exception(answer)
    else:
        waiting.set_result(answer)
