"""Root parallelism: independent trees on threads. Compiled searches release the GIL, so that they run in parallel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from spinney.clock import Clock, spend

Step = Callable[[int], int]
"""Run this many simulations; return how many were made."""
Settled = Callable[[float], bool]
"""Whether this many more simulations cannot change the choice."""


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


def run_steps(steps: Sequence[Step], clock: Clock, settled: Settled | None = None) -> int:
    """Spend a clock on steps, one thread each; return the iterations of all of them.

    Iterations are divided among the threads, so that a search with a seed is repeatable. All have the same time limit.
    """
    try:
        if len(steps) == 1:
            return spend(steps[0], clock.most_iterations, clock, settled)
        return _on_threads(steps, clock, settled)
    finally:
        clock.worked = clock.elapsed


def _on_threads(steps: Sequence[Step], clock: Clock, settled: Settled | None) -> int:
    with ThreadPoolExecutor(len(steps), thread_name_prefix="spinney") as pool:
        try:
            jobs = [
                pool.submit(spend, step, clock.share(i, len(steps)), clock, settled)
                for i, step in enumerate(steps)
            ]  # fmt: skip
            return sum(job.result() for job in jobs)
        except BaseException:  # Ctrl-C above all: the threads end with their slice
            clock.ended.set()
            raise
