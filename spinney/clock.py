"""Budgets: iterations, seconds, or both. Timed work runs in slices sized from its own speed.

Seconds are those of the clock on the wall, for somebody waits. A process that plays games nobody waits for may count
its own CPU time instead: then it does not matter what else the machine is doing.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from typing import Literal

SLICE = 0.02
"""Longest slice in seconds: how soon a search notices Ctrl-C."""
TIMED_SLICE = 0.005
"""Longest slice of a search with a time limit: how soon it notices that the machine has become slower."""
ASK_EVERY = 0.025
"""Seconds between looks at whether the work can still change anything."""
ASKS = 32
"""How often that is, without a time limit: then it does not depend on the clock where the work ends."""

Clock = Literal["wall", "cpu"]
_clock: Clock = "wall"


@contextmanager
def counted_by(clock: Clock) -> Iterator[None]:
    """Which time counts in this process, for all budgets within: CPU time is that of all its threads together."""
    global _clock  # noqa: PLW0603  # a process has one clock
    before, _clock = _clock, clock
    try:
        yield
    finally:
        _clock = before


def now() -> float:
    """The time in seconds, from some beginning."""
    return time.process_time() if _clock == "cpu" else time.perf_counter()


def freeze_gc(*, search: bool = True) -> None:
    """When all is compiled: looking for garbage in what the compiler leaves would take 0.1 s of a move, now and then.

    Unless somebody waits already, that is done once now.
    """
    if search:
        gc.unfreeze()
        gc.collect()
    gc.freeze()


@dataclass
class Budget:
    """What one decision may spend. The clock starts when the budget is made."""

    iterations: float = inf
    seconds: float = inf
    started: float = field(default_factory=now)
    stop: threading.Event = field(default_factory=threading.Event)
    """Set it to end the work early."""
    settled: Callable[[float], bool] | None = None
    """Asked now and then whether so many more iterations of a worker can change nothing; then the work ends."""
    answer: float = 0.0
    """Seconds that it probably takes to put the answer together, after the work."""
    worked: float | None = None
    """Seconds that had passed when the work ended; none: there was nothing to do."""

    @property
    def elapsed(self) -> float:
        return now() - self.started

    @property
    def deadline(self) -> float:
        """Where the work must end: a little before the limit, for a slice of it may take longer than it seemed (the
        machine stalls for some milliseconds now and then), and the answer has to be put together, too."""
        margin = min(0.03, 0.03 * self.seconds + min(0.006, self.seconds / 5))
        return self.started + self.seconds - margin - min(1.5 * self.answer, self.seconds / 4)

    def share(self, part: int, parts: int) -> float:
        """The iterations of one of several workers; together they make up the whole."""
        if self.iterations == inf:
            return inf
        return self.iterations // parts + (part < self.iterations % parts)


def spend(step: Callable[[int], int], iterations: float, budget: Budget) -> int:
    """Call step(n) until the iterations or the time are spent; return the iterations done.

    A step returns how many iterations it did; fewer than asked for means that there is no more to do.
    At least one iteration is done, whatever the time.
    """
    timed = budget.seconds < inf
    longest, done, size = TIMED_SLICE if timed else SLICE, 0, 1 if timed else 256
    asked = now()
    every = 0 if timed or budget.settled is None or iterations == inf else max(ASKS, int(iterations) // ASKS)
    while done < iterations:
        size = int(min(size, iterations - done))
        if every:
            size = min(size, every - done % every)
        before = now()
        did = step(size)
        done += did
        if did < size or budget.stop.is_set():
            break
        after = now()
        each = (after - before) / size
        left = budget.deadline - after
        if left < 2 * each:
            break
        if budget.settled is not None and (done % every == 0 if every else after - asked > ASK_EVERY):
            asked = after
            if budget.settled(min(iterations - done, left / max(each, 1e-9))):
                budget.stop.set()
                break
        size = max(1, int(min(8 * size, min(longest, left / 4) / max(each, 1e-9))))
    return done
