"""A game is played in a process of its own, which is ended if an agent does not answer, and whose end is a forfeit."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import time
from array import array
from contextlib import suppress
from functools import cache
from itertools import chain
from multiprocessing.connection import Connection
from multiprocessing.util import Finalize
from typing import Any

from spinney import games
from spinney.arena.play import Forfeit, GameJob, GameResult, empty_result, play_game, settle
from spinney.errors import SpinneyError
from spinney.games import State
from spinney.limits import die_with_parent, end_family, limit_memory

TICK = 0.05
"""Seconds between two looks at a game."""
GRACE = 1.0
"""Seconds beyond the limit after which the process is ended; an agent that answers before is only late."""
NOBODY = -1


class Notes:
    """What the process that plays a game tells the one that watches it: the seat that is asked, since when, and the
    steps so far."""

    def __init__(self, context: Any) -> None:
        self._asked = context.RawValue(ctypes.c_int, NOBODY)
        self._limited = context.RawValue(ctypes.c_bool, False)
        self._since = context.RawValue(ctypes.c_double, 0.0)
        self._heard, self._told = context.Pipe(duplex=False)
        self._known = 0
        self.steps: list[tuple[int, int]] = []
        """The steps that were heard of."""

    def begin(self) -> None:
        """A new game."""
        self._asked.value, self._known, self.steps = NOBODY, 0, []

    def ask(self, seat: int, state: State | None = None) -> None:
        """A seat is asked for a decision; without a state, its agent is being made, which may take its time."""
        if state is not None and len(state.history) > self._known:
            self._told.send_bytes(array("i", chain.from_iterable(state.history[self._known :])).tobytes())
            self._known = len(state.history)
        self._since.value, self._limited.value = time.monotonic(), state is not None
        self._asked.value = seat

    def answered(self) -> None:
        self._asked.value = NOBODY

    @property
    def asked(self) -> int:
        """The seat that is asked now, or NOBODY."""
        return int(self._asked.value)

    @property
    def waited(self) -> float:
        """Seconds since a seat was asked for a decision; 0 if none is."""
        limited = self.asked != NOBODY and self._limited.value
        return time.monotonic() - float(self._since.value) if limited else 0.0

    def hear(self) -> None:
        """Take note of the steps that were told since."""
        with suppress(EOFError, OSError):  # the process has ended
            while self._heard.poll():
                numbers = array("i", self._heard.recv_bytes())
                self.steps += zip(numbers[::2], numbers[1::2], strict=True)

    def close(self) -> None:
        self._heard.close()
        self._told.close()


class Referee:
    """Plays games one after the other in a child process, and ends that process if it must."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._notes: Notes
        self._child: Any = None
        self._jobs: Connection
        Finalize(self, self.close, exitpriority=100)  # before the children of this process are waited for

    def play(self, job: GameJob) -> GameResult:
        """The result of a game; a forfeit if an agent ends the process or does not answer."""
        if self._child is None or not self._child.is_alive():
            self._start()
        self._notes.hear()  # the rest of the game before
        self._notes.begin()
        longest = longest_wait(job.limit, job.clock)
        try:
            self._jobs.send(job)
            while not self._jobs.poll(TICK):
                self._notes.hear()
                if self._notes.waited > longest:
                    reason = f"did not answer within {longest:g} s; the limit is {job.limit:g} s"
                    return self._forfeit(job, reason)
            answer = self._jobs.recv()
        except (EOFError, OSError):
            self._child.join(5)
            return self._forfeit(job, _end_of(self._child.exitcode))
        if isinstance(answer, BaseException):
            raise answer
        assert isinstance(answer, GameResult)
        return answer

    def _forfeit(self, job: GameJob, reason: str) -> GameResult:
        self._notes.hear()
        seat, steps = self._notes.asked, self._notes.steps
        self.close()
        if seat == NOBODY:
            raise SpinneyError(f"the process that played game {job.pairing.number} {reason}; no agent was asked then")
        state = games.load(job.game).start(job.pairing.seed, manual_chance=True)
        for mover, action in steps:
            state.apply(action, mover if mover >= 0 else None)
        return settle(empty_result(job), state, Forfeit(seat, reason))

    def _start(self) -> None:
        self.close()
        self._jobs, theirs = self._context.Pipe()
        self._notes = Notes(self._context)
        self._child = self._context.Process(target=_play_games, args=(theirs, self._notes))
        self._child.start()
        theirs.close()

    def close(self) -> None:
        """End the process and those that it has started."""
        if self._child is None:
            return
        self._jobs.close()
        self._notes.close()
        if self._child.is_alive():
            end_family(self._child.pid)
        self._child.join()
        self._child = None


def longest_wait(limit: float | None, clock: str) -> float:
    """Wall-clock seconds after which an agent is taken for one that does not answer. CPU time may pass slowly."""
    if limit is None:
        return float("inf")
    return limit + GRACE if clock == "wall" else 10 * limit + 10 * GRACE


@cache
def _referee() -> Referee:
    return Referee()


def play_watched(job: GameJob) -> GameResult:
    """Play a game in a process that can be ended; this process keeps it for the next games."""
    return _referee().play(job)


def _play_games(jobs: Connection, notes: Notes) -> None:
    """The child: play what comes, until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process handles it
    _end_with_parent()
    while True:
        try:
            job = jobs.recv()
        except (EOFError, OSError):
            return
        limit_memory(job.memory)
        notes.begin()
        try:
            answer: Any = play_game(job, notes)
        except Exception as error:
            answer = error
        try:
            jobs.send(answer)
        except OSError:
            return
        except Exception as error:  # an error that cannot be sent
            jobs.send(SpinneyError(f"{type(answer).__name__}: {answer} ({error})"))


def _end_with_parent() -> None:
    """End this process when its parent is gone, even if an agent never returns."""
    die_with_parent()
    if sys.platform == "linux":
        parent = multiprocessing.parent_process()
        if parent is not None and os.getppid() != parent.pid:
            os._exit(1)


def _end_of(code: int | None) -> str:
    """How a process ended, in words."""
    if code is not None and code < 0:
        try:
            return f"was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"was ended by signal {-code}"
    return f"ended its process with code {code}"
