"""Deadline scheduler: a thread pool that divides time between waiting requests."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from math import ceil, inf

from spinney.agents import Decision
from spinney.clock import Clock, Margin

SPARE = 0.12
"""Seconds before the deadlines at which all requests should be answered while some are waiting, because one stall of
the machine delays many answers then."""


@dataclass(eq=False)
class Job:
    """A request for a decision."""

    decide: Callable[[Clock], Decision]
    deadline: float
    """When the answer must be there, by `time.perf_counter`."""
    margin: Margin
    answer: Future[Decision] = field(default_factory=Future)
    clock: Clock | None = None
    """The time control, once a thread has begun."""

    def limit(self, seconds: float, now: float) -> None:
        """Set the time limit of a running job, within the deadline. A search that should have ended already is stopped:
        its clock would learn a margin from a limit in the past."""
        assert self.clock is not None
        before = self.clock.seconds
        self.clock.seconds = min(self.deadline - self.clock.started, seconds)
        if self.clock.deadline < now:
            self.clock.seconds = before
            self.clock.stop.set()


class Scheduler:
    """A queue of jobs, the earliest deadline first, and the threads that take jobs from it.

    A thread takes its next job by itself: the event loop may be busy with many messages.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="spinney")
        self._lock = threading.Lock()
        """Guards all that follows."""
        self._jobs: list[Job] = []
        self._busy = 0
        """The number of threads that are taking jobs."""
        self._hurried = False
        """Whether searches are to end at once."""

    async def decide(self, decide: Callable[[Clock], Decision], deadline: float, margin: Margin) -> Decision:
        """The result of a function that decides against a clock. The margin is learnt."""
        job = Job(decide, deadline, margin)
        with self._lock:
            self._jobs.append(job)
            self._jobs.sort(key=lambda job: job.deadline)
            if self._busy < self.workers:
                self._busy += 1
                self._threads.submit(self._work)
            else:
                self._divide_time()
        return await asyncio.wrap_future(job.answer)

    @property
    def is_busy(self) -> bool:
        """Whether a search is running."""
        return any(job.clock is not None for job in tuple(self._jobs))

    def hurry(self) -> None:
        """End the running searches now, and those that wait as soon as they begin. The lock is not taken: a signal
        may have interrupted its holder."""
        self._hurried = True
        for job in tuple(self._jobs):
            if job.clock is not None:
                job.clock.stop.set()

    def close(self) -> None:
        """End the running searches at once, and drop the other jobs."""
        self.hurry()
        with self._lock:
            self._jobs = [job for job in self._jobs if job.clock is not None]
        self._threads.shutdown(cancel_futures=True)

    def _work(self) -> None:
        """Take one job after the other, until there are no more."""
        while (job := self._take()) is not None:
            job.answer.set_running_or_notify_cancel()
            try:
                assert job.clock is not None
                give = partial(job.answer.set_result, job.decide(job.clock))
            except Exception as error:  # the thread has other jobs to do
                give = partial(job.answer.set_exception, error)
            with self._lock:
                self._jobs.remove(job)
            if not job.answer.cancelled():  # the client is still there
                give()

    def _take(self) -> Job | None:
        with self._lock:
            job = next((job for job in self._jobs if job.clock is None), None)
            if job is None:
                self._busy -= 1
            else:
                job.clock = Clock(margin=job.margin)
                if self._hurried:
                    job.clock.stop.set()
                self._divide_time()
            return job

    def _divide_time(self) -> None:
        """Set the time limits of the running jobs.

        While others wait, each job gets an equal share of the time until the deadlines, and one that has had its share
        ends now. A search can be ended at any time, so the number of requests need not be known beforehand.
        """
        now = time.perf_counter()
        running = [job for job in self._jobs if job.clock is not None]
        share = inf
        if len(running) < len(self._jobs):
            share = min(self._share(place, job, now) for place, job in enumerate(self._jobs))
        for job in running:
            job.limit(share, now)

    def _share(self, place: int, job: Job, now: float) -> float:
        """The seconds for each job if all up to this one are to be done by its deadline."""
        left = job.deadline - now
        return (left - min(SPARE, left / 4)) / ceil((place + 1) / self.workers)
