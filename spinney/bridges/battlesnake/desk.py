"""A few threads that think for many games, and share out the time so that nobody's answer is late."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import ceil, inf
from typing import Any

from spinney.bridges.battlesnake.agents import Agents, Answer
from spinney.games.battlesnake.state import MAX_PLAYERS
from spinney.search import Budget

FIRST_OVERRUN = 0.05
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


class Desk:
    """Jobs, those that are urgent first. All but the thinking happens in the event loop's thread."""

    def __init__(self, agents: Agents, workers: int) -> None:
        self.agents, self.workers = agents, workers
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="spinney")
        self._jobs: list[Job] = []
        self._overrun = dict.fromkeys(range(1, MAX_PLAYERS + 1), FIRST_OVERRUN)
        """For each number of players, the seconds that answers have lately come after the end of their budget."""

    async def answer(self, record: Any, player: int, deadline: float) -> Answer:
        """A move for a player, in time."""
        job = Job(record, player, deadline, asyncio.get_running_loop().create_future())
        self._jobs.append(job)
        self._jobs.sort(key=lambda job: job.deadline)
        self._share_out()
        return await job.answer

    def close(self) -> None:
        """Let those who think finish at once, and forget the others."""
        for job in self._jobs:
            job.budget.stop.set()
        self._threads.shutdown(cancel_futures=True)

    def _share_out(self) -> None:
        """Begin the next jobs where a thread is free, and tell all that run how long they may.

        While others wait, a job gets an equal share of the time until the deadlines: who has had it, ends now. A search
        can be ended at any time, so it need not be known beforehand how many will ask.
        """
        now = time.perf_counter()
        waiting = [job for job in self._jobs if not job.running]
        free = self.workers - len(self._jobs) + len(waiting)
        begun, waiting = waiting[:free], waiting[free:]
        for job in begun:
            job.running, job.budget = True, Budget(started=now)
        share = min(self._share(place, job, now) for place, job in enumerate(self._jobs)) if waiting else inf
        for job in self._jobs:
            if job.running:
                started = job.budget.started
                last = min(job.deadline, started + share) - self._overrun[job.record.players]
                job.budget.seconds = min(max(last, now) - started, self.agents.seconds)
        for job in begun:
            self._begin(job)

    def _share(self, place: int, job: Job, now: float) -> float:
        """The seconds for each job if all up to this one are to be done by its deadline."""
        left = job.deadline - now
        return (left - min(RESERVE, left / 4)) / ceil((place + 1) / self.workers)

    def _begin(self, job: Job) -> None:
        loop = asyncio.get_running_loop()
        thinking = loop.run_in_executor(self._threads, self.agents.answer, job.record, job.player, job.budget)
        thinking.add_done_callback(lambda done: self._end(job, done))

    def _end(self, job: Job, done: asyncio.Future[Answer]) -> None:
        self._jobs.remove(job)
        players = job.record.players
        late = job.budget.elapsed - job.budget.seconds
        self._overrun[players] = max(FADES * self._overrun[players], late)
        if not job.answer.done():
            if done.cancelled():
                job.answer.cancel()
            elif (error := done.exception()) is not None:
                job.answer.set_exception(error)
            else:
                job.answer.set_result(done.result())
        if self._jobs:
            self._share_out()
