"""The base class of pools: distribute jobs to workers, and yield results as they arrive."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable
from typing import Any, Self, TypeVar

from spinney.errors import SpinneyError

Job = TypeVar("Job")
Result = TypeVar("Result")


class WorkerDied(SpinneyError):
    """A worker process ended before it finished its job."""


class Pool(ABC):
    """A pool of worker processes."""

    @property
    @abstractmethod
    def max_pending(self) -> int:
        """The number of jobs submitted at once: enough to keep all workers busy."""

    def run(self, function: Callable[[Job], Result], jobs: Iterable[Job | None]) -> Generator[Result]:
        """Run a function on every job and yield the results in the order of completion.

        Jobs may depend on results: a job that is None means that the next job is not known yet, and `jobs` is asked
        again after the next result. If this iterator is closed or fails, running jobs are cancelled. Results that
        arrived together with a failure are yielded before it is raised.
        """
        todo, running = iter(jobs), set[Any]()
        try:
            while True:
                while len(running) < self.max_pending and (job := next(todo, None)) is not None:
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
        except BaseException:  # mostly Ctrl-C: do not wait for running jobs
            if running:
                self._cancel(running)
            raise

    @abstractmethod
    def close(self) -> None:
        """End the workers. They are started again if the pool is used again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @abstractmethod
    def _submit(self, function: Callable[[Any], Any], job: Any) -> Any:
        """Submit a job and return its handle."""

    @abstractmethod
    def _finished(self, running: set[Any]) -> set[Any]:
        """Wait for a job to finish; returns the handles of all finished jobs."""

    @abstractmethod
    def _result(self, done: Any) -> Any:
        """The result of a finished job; raises what the job raised."""

    @abstractmethod
    def _cancel(self, running: set[Any]) -> None:
        """Cancel running jobs."""
