"""Watching a search think: its decision so far, again and again, and at last the final one."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Self

from spinney.agents.decision import Decision
from spinney.clock import Clock


class Thinking:
    """A decision that is being made in a thread of its own, and the latest that is known of it."""

    def __init__(self, clock: Clock, decide: Callable[[Clock], Decision], so_far: Callable[..., Decision]) -> None:
        self._changed = threading.Condition()
        self._latest: Decision | None = None
        """What has not been read yet."""
        self._so_far = so_far
        self.final: Decision | None = None
        self.error: BaseException | None = None
        self.clock = replace(clock, watch=self._note, stop=threading.Event())
        self._thread = threading.Thread(target=self._work, args=(decide,), name="spinney analyses", daemon=True)
        self._thread.start()

    def _note(self, found: object) -> None:
        decision = self._so_far(found, self.clock)
        with self._changed:
            self._latest = decision
            self._changed.notify_all()

    def _work(self, decide: Callable[[Clock], Decision]) -> None:
        final, problem = None, None
        try:
            final = decide(self.clock)
        except BaseException as error:
            problem = error  # it is raised where somebody reads
        with self._changed:
            self._latest, self.final, self.error = final, final, problem
            self._changed.notify_all()

    @property
    def over(self) -> bool:
        return self.final is not None or self.error is not None

    def read(self) -> Decision | None:
        """Wait for the next decision; None after the final one."""
        with self._changed:
            self._changed.wait_for(lambda: self._latest is not None or self.over)
            decision, self._latest = self._latest, None
        if decision is None and self.error is not None:
            raise self.error
        return decision

    def end(self) -> None:
        """Stop, and wait until the agent is free."""
        self.clock.stop.set()
        self._thread.join()


class Analysis:
    """The decisions so far of a search that goes on in another thread; made by `Agent.analyse`.

    As an iterator, it waits for the next one. What a slow reader misses is left out, but for the final decision, which
    is always the last. As a context manager, it stops the search at the end of the block; so does deleting it.
    """

    def __init__(self, thinking: Thinking) -> None:
        self._thinking = thinking
        weakref.finalize(self, thinking.clock.stop.set)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Decision:
        decision = self._thinking.read()
        if decision is None:
            raise StopIteration
        return decision

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._thinking.end()

    def stop(self) -> None:
        """End the search soon, from any thread; the final decision is still to be read."""
        self._thinking.clock.stop.set()

    def wait(self) -> Decision:
        """The final decision, once the search has ended."""
        while self._thinking.read() is not None:
            pass
        assert self._thinking.final is not None
        return self._thinking.final

    @property
    def is_over(self) -> bool:
        """Whether the final decision has been made."""
        return self._thinking.over
