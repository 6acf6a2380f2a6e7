"""Root parallelism: independent searches on threads. Compiled searches release the GIL, so they run at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from spinney.clock import Clock, spend


def in_turn(steps: Sequence[Callable[[int], int]]) -> Callable[[int], int]:
    """One step made of several that are to get equal shares of the iterations."""
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


def run_workers(
    steps: Sequence[Callable[[int], int]], clock: Clock, settled: Callable[[float], bool] | None = None
) -> int:
    """Spend a budget on several workers, one thread each; return the iterations of all together.

    Iterations are divided among the workers, so that a search with a seed is repeatable; seconds they share.
    """
    try:
        return (
            spend(steps[0], clock.iterations, clock, settled) if len(steps) == 1 else _on_threads(steps, clock, settled)
        )
    finally:
        clock.worked = clock.elapsed


def _on_threads(steps: Sequence[Callable[[int], int]], clock: Clock, settled: Callable[[float], bool] | None) -> int:
    with ThreadPoolExecutor(len(steps), thread_name_prefix="spinney") as pool:
        try:
            jobs = [
                pool.submit(spend, step, clock.share(i, len(steps)), clock, settled)
                for i, step in enumerate(steps)
            ]  # fmt: skip
            return sum(job.result() for job in jobs)
        except BaseException:  # Ctrl-C above all: the threads end with their slice
            clock.stop.set()
            raise
