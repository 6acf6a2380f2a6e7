"""Time control: what a decision may cost, in simulations, seconds of the wall clock, or seconds of CPU time."""

from __future__ import annotations

import dataclasses
import gc
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from math import inf
from typing import Any, Self

from spinney.errors import BadOption

SLICE = 0.02
"""Longest slice of work in seconds: a search notices Ctrl-C after at most this time."""
TIMED_SLICE = 0.005
"""Longest slice with a time limit: the machine may become slower between two slices."""
CHECK_EVERY = 0.025
"""Seconds between two tests for an early stop."""
CHECKS = 32
"""Tests for an early stop without a time limit, so that the result does not depend on the speed of the machine."""
FIRST_MARGIN = 0.005
"""Seconds that the first answer is expected to take: measured with 200 legal actions."""
FADE = 0.9
"""The part of a learnt margin that is left after each decision."""


class Margin:
    """Seconds to keep back from a time limit, learnt from measured decisions: the longest time that a recent one took
    from the planned end of its search to its answer."""

    def __init__(self, seconds: float = FIRST_MARGIN, fade: float = FADE) -> None:
        """Begin with a margin; `fade` is the part of it that is left after each decision."""
        self.seconds, self.fade = seconds, fade

    def learn(self, late: float) -> None:
        """A decision came this many seconds after the planned end of its search."""
        self.seconds = max(self.fade * self.seconds, late)


class Turnstile:
    """Lets a few threads work at a time; the others wait in line. Searches that share it get equal time, and a machine
    with more searches than cores does not switch between all of them."""

    def __init__(self, places: int) -> None:
        self._free, self._line = places, deque[threading.Lock]()
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn = threading.Lock()
            turn.acquire()
            self._line.append(turn)
        turn.acquire()  # until somebody leaves

    def __exit__(self, *error: object) -> None:
        with self._lock:
            if self._line:
                self._line.popleft().release()
            else:
                self._free += 1


@dataclass
class Clock:
    """What one decision may cost. A new clock is running; `start` makes a running copy for the next decision.

    The limits of an agent's own options come on top (`restrict`); the smaller one counts. A decision ends before its
    limit by a margin, which is learnt over the decisions of a clock, or of an agent if the clock brings none. Decisions
    that are made at the same time need a clock each.
    """

    seconds: float = inf
    """The time limit. It may be changed while the clock runs, by a scheduler that divides its time."""
    iterations: float = inf
    """Simulations, or evaluated positions, at most."""
    first_seconds: float | None = None
    """Another time limit for the first decision in a game."""
    reserve: float = 0.0
    """Seconds of the limit that are never used: for a network, or for other work of the machine."""
    cpu: bool = False
    """Count the CPU time of this process instead of wall-clock time."""
    started: float = -inf
    margin: Margin | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    """Set it to end a decision early, from any thread; clear it before the next one."""
    own_seconds: float = inf
    """The limits of the agent that decides, from its own options."""
    own_iterations: float = inf
    ended: threading.Event = field(default_factory=threading.Event)
    """Set by the search itself, when it can end early."""
    watch: Callable[[Any], None] | None = None
    """Called with what the search has found so far, from one of its threads, while all of them pause."""
    every: float = 0.25
    """The least seconds between two such calls."""
    turnstile: Turnstile | None = None
    """Where each slice of a search waits for its turn, if many searches share the machine."""
    worked: float | None = None
    """Seconds until the search ended; none: there was no search."""
    learnt: Margin | None = None
    """The margin that counts: the clock's own, or that of the agent."""

    def __post_init__(self) -> None:
        if self.seconds < 0 or self.iterations < 1:
            limits = f"{self.seconds:g} seconds and {self.iterations:g} iterations"
            raise BadOption(f"a clock of {limits}; at least 0 seconds and 1 iteration are needed")
        if self.started == -inf:
            self.started = self.now()
        self.learnt = self.learnt or self.margin

    def now(self) -> float:
        """The time in seconds, by this clock."""
        return time.process_time() if self.cpu else time.perf_counter()

    def start(self, *, first: bool = False, at: float | None = None) -> Clock:
        """A clock with the same limits for the next decision, running from now or from a time by `now`."""
        seconds = self.first_seconds if first and self.first_seconds is not None else self.seconds
        started = self.now() if at is None else at
        return dataclasses.replace(self, seconds=seconds, started=started, ended=threading.Event(), learnt=None)

    def restrict(self, seconds: float = inf, iterations: float = inf, margin: Margin | None = None) -> Self:
        """Set the limits of the agent that decides, and the margin that it has learnt, if the clock brings none."""
        self.own_seconds, self.own_iterations = seconds, iterations
        self.learnt, self.worked = self.margin or margin, None
        self.ended.clear()
        return self

    def part(self, share: float) -> Clock:
        """A clock for a part of the decision that may use a share of its time limit."""
        part = dataclasses.replace(
            self, seconds=share * self.limit, reserve=0.0, iterations=inf, ended=threading.Event()
        )
        return part.restrict(margin=self.learnt)

    @property
    def most_iterations(self) -> float:
        return min(self.iterations, self.own_iterations)

    @property
    def elapsed(self) -> float:
        return self.now() - self.started

    @property
    def limit(self) -> float:
        """Seconds for the whole decision."""
        return max(0.0, min(self.seconds - self.reserve, self.own_seconds))

    @property
    def timed(self) -> bool:
        return self.limit < inf

    @property
    def deadline(self) -> float:
        """When the search must end: before the limit by the learnt margin, and by some milliseconds, because a slice
        may take longer than expected."""
        limit = self.limit
        slack = min(0.03, 0.03 * limit + min(0.006, limit / 5))
        learnt = 0.0 if self.learnt is None else min(1.5 * self.learnt.seconds, limit / 4)
        return self.started + limit - slack - learnt

    def finish(self) -> float:
        """The decision is made: learn how late it is, and return its seconds."""
        seconds = self.elapsed
        if self.worked is not None and self.learnt is not None:
            self.learnt.learn(seconds - min(self.worked, self.deadline - self.started))
            self.worked = None
        return seconds

    def share(self, part: int, parts: int) -> float:
        """The iterations of one of several workers."""
        most = self.most_iterations
        return inf if most == inf else most // parts + (part < most % parts)


def spend(
    step: Callable[[int], int],
    iterations: float,
    clock: Clock,
    settled: Callable[[float], bool] | None = None,
    pause: Callable[[int], None] | None = None,
) -> int:
    """Call step(n) in slices until the iterations or the time are spent; return the iterations done.

    A step returns how many iterations it did; fewer than asked for means that there is no more to do. `settled(n)` is
    asked now and then whether n more iterations can change nothing; `pause(n)` is called between slices with the
    iterations done. At least one iteration is done, whatever the time.
    """
    timed = clock.timed
    longest, done, size = TIMED_SLICE if timed or pause is not None else SLICE, 0, 1 if timed else 256
    checked, waits = clock.now(), nullcontext() if clock.turnstile is None else clock.turnstile
    every = 0 if timed or settled is None or iterations == inf else max(CHECKS, int(iterations) // CHECKS)
    while done < iterations:
        size = int(min(size, iterations - done))
        if every:
            size = min(size, every - done % every)
        if pause is not None and done:
            pause(done)
        asked = clock.now()
        with waits:
            before = clock.now()
            did = step(size)
        done += did
        if did < size or clock.stop.is_set() or clock.ended.is_set():
            break
        after = clock.now()
        each = (after - before) / size
        left = clock.deadline - after - (before - asked)  # it may have to wait as long again
        if left < 2 * each:
            break
        if settled is not None and (done % every == 0 if every else after - checked > CHECK_EVERY):
            checked = after
            if settled(min(iterations - done, left / max(each, 1e-9))):
                clock.ended.set()
                break
        size = max(1, int(min(8 * size, min(longest, left / 4) / max(each, 1e-9))))
    return done


def freeze_gc(*, collect: bool = True) -> None:
    """After compiling: freeze what the compiler left, so that a pass of the garbage collector cannot cost a move
    0.1 s. Collect once before, unless a caller is waiting."""
    if collect:
        gc.unfreeze()
        gc.collect()
    gc.freeze()
