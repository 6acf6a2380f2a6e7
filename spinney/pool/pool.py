"""What all pools do: keep their workers busy with jobs, and hand out results as they come."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable
from typing import Any, Self, TypeVar

from spinney.errors import SpinneyError

Job = TypeVar("Job")
Result = TypeVar("Result")


class WorkerDied(SpinneyError):
    """A process that was at work on a job has ended, and the job is not done."""


class Pool(ABC):
    """Processes that run jobs."""

    @property
    @abstractmethod
    def room(self) -> int:
        """How many jobs are handed out at once: enough that no worker has to wait for the next."""

    def run(self, function: Callable[[Job], Result], jobs: Iterable[Job | None]) -> Generator[Result]:
        """Run a function on every job; yields the results in the order in which they are finished.

        Jobs may depend on results: None says that there are no more for now, and the next is asked for when another
        result has been taken. If this iterator is closed or fails, jobs in progress are ended; what was finished
        together with a job that failed is yielded first.
        """
        todo, running = iter(jobs), set[Any]()
        try:
            while True:
                while len(running) < self.room and (job := next(todo, None)) is not None:
                    running.add(self._submit(function, job))
                if not running:
                    return
                done = self._finished(running)
                running -= done
                failure: Exception | None = None
                for one in done:
                    try:
                        result = self._result(one)
                    except Exception as error:
                        failure = failure or error
                    else:
                        yield result
                if failure is not None:
                    raise failure
        except BaseException:  # Ctrl-C above all: do not wait for jobs in progress
            if running:
                self._end(running)
            raise

    @abstractmethod
    def close(self) -> None:
        """End the workers. A pool that is closed can be used again, and starts them anew."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @abstractmethod
    def _submit(self, function: Callable[[Any], Any], job: Any) -> Any:
        """Begin a job; returns a ticket for it."""

    @abstractmethod
    def _finished(self, running: set[Any]) -> set[Any]:
        """The tickets of jobs that are finished; waits for the first."""

    @abstractmethod
    def _result(self, done: Any) -> Any:
        """The result of a finished job; raises what the job raised."""

    @abstractmethod
    def _end(self, running: set[Any]) -> None:
        """Give up jobs in progress."""
