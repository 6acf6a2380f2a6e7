"""The threads of a search, and telling what it has found so far. Compiled searches release the GIL, so that they run in
parallel."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from spinney.clock import Clock, spend

Step = Callable[[int], int]
"""Run this many simulations; return how many were made."""
Settled = Callable[[float], bool]
"""Whether this many more simulations cannot change the choice."""
Found = Callable[[int], Any]
"""What was found in this many simulations. It is called while no thread is in a tree."""
SHARE = 0.01
"""The most of the search's time that goes to telling what it has found so far."""


def in_turn(steps: Sequence[Step]) -> Step:
    """One step made of several that get equal shares of the iterations."""
    if len(steps) == 1:
        return steps[0]
    first = 0

    def step(n: int) -> int:
        nonlocal first
        for i in range(min(n, len(steps))):
            steps[(first + i) % len(steps)](n // len(steps) + (i < n % len(steps)))
        first = (first + n) % len(steps)
        return n

    return step


def run_steps(steps: Sequence[Step], clock: Clock, found: Found, settled: Settled | None = None) -> int:
    """Spend a clock on steps, one thread each; return the iterations of all of them.

    Iterations are divided among the threads, so that a search with a seed is repeatable. All have the same time limit.
    If somebody watches the clock, they are told now and then what was found so far.
    """
    watch = None if clock.watch is None else Watch(clock, found, len(steps))
    try:
        if len(steps) == 1:
            pause = None if watch is None else watch.pause(0)
            return spend(steps[0], clock.most_iterations, clock, settled, pause)
        return _on_threads(steps, clock, settled, watch)
    finally:
        clock.worked = clock.elapsed


def _on_threads(steps: Sequence[Step], clock: Clock, settled: Settled | None, watch: Watch | None) -> int:
    def work(i: int) -> int:
        share = clock.share(i, len(steps))
        if watch is None:
            return spend(steps[i], share, clock, settled)
        try:
            return spend(steps[i], share, clock, settled, watch.pause(i))
        finally:
            watch.leave()

    with ThreadPoolExecutor(len(steps), thread_name_prefix="spinney") as pool:
        try:
            jobs = [pool.submit(work, i) for i in range(len(steps))]
            return sum(job.result() for job in jobs)
        except BaseException:  # Ctrl-C above all: the threads end with their slice
            clock.ended.set()
            raise


class Watch:
    """Tells what a search has found so far. The first thread does it, between two of its slices, while the others wait
    between theirs. The more time this takes, the more rarely it is done."""

    def __init__(self, clock: Clock, found: Found, threads: int) -> None:
        self._clock, self._found = clock, found
        self._changed = threading.Condition()
        self._done, self._running = [0] * threads, threads
        self._wanted = False
        self._due = time.perf_counter() + clock.every

    def pause(self, thread: int) -> Callable[[int], None]:
        """What a thread calls between slices, with the iterations it has done."""

        def pause(done: int) -> None:
            self._done[thread] = done
            if thread == 0 and time.perf_counter() >= self._due:
                self._tell()
            elif self._wanted:
                self._wait()

        return pause

    def leave(self) -> None:
        """A thread has ended."""
        with self._changed:
            self._running -= 1
            self._changed.notify_all()

    def _wait(self) -> None:
        with self._changed:
            self._running -= 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._wanted)
            self._running += 1

    def _tell(self) -> None:
        began = time.perf_counter()
        with self._changed:
            self._wanted = True
            self._changed.wait_for(lambda: self._running == 1)
            waited, busy = time.perf_counter() - began, time.thread_time()
            try:
                assert self._clock.watch is not None
                self._clock.watch(self._found(sum(self._done)))
            finally:
                self._wanted = False
                self._changed.notify_all()
        took = waited + time.thread_time() - busy  # other programs do not count
        self._due = time.perf_counter() + max(self._clock.every, took / SHARE)
