"""Root parallelism: independent searches on threads. Compiled searches release the GIL, so they run at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from spinney.search.budget import Budget, spend


def run_workers(steps: Sequence[Callable[[int], int]], budget: Budget) -> int:
    """Spend a budget on several workers, one thread each; return the iterations of all together.

    Iterations are divided among the workers, so that a search with a seed is repeatable; seconds they share.
    """
    if len(steps) == 1:
        return spend(steps[0], budget.iterations, budget)
    with ThreadPoolExecutor(len(steps), thread_name_prefix="spinney") as pool:
        try:
            jobs = [
                pool.submit(spend, step, budget.share(i, len(steps)), budget)
                for i, step in enumerate(steps)
            ]  # fmt: skip
            return sum(job.result() for job in jobs)
        except BaseException:  # Ctrl-C above all: the threads end with their slice
            budget.stop.set()
            raise
