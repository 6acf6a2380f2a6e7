"""A pool of processes on this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from spinney.pool.pool import Pool, WorkerDied


class Local(Pool):
    """A process pool, by default with one process per core. The processes start with the first job."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1
        self._executor: ProcessPoolExecutor | None = None

    @property
    def max_pending(self) -> int:
        return 2 * self.workers

    def close(self) -> None:
        if self._executor is not None:
            self._executor.shutdown()
            self._executor = None

    def _submit(self, function: Callable[[Any], Any], job: Any) -> Future[Any]:
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(self.workers, mp_context=context, initializer=_start_worker)
        with _interrupts_deferred(), self._worker_died():
            return self._executor.submit(function, job)

    def _finished(self, running: set[Future[Any]]) -> set[Future[Any]]:
        return wait(running, return_when=FIRST_COMPLETED).done

    def _result(self, done: Future[Any]) -> Any:
        with self._worker_died():
            return done.result()

    def _cancel(self, running: set[Future[Any]]) -> None:  # noqa: ARG002  # terminating the processes ends all jobs
        if self._executor is not None:
            for process in list((self._executor._processes or {}).values()):
                process.terminate()
            self.close()

    @contextmanager
    def _worker_died(self) -> Iterator[None]:
        """Close the pool and raise WorkerDied if a process has died."""
        try:
            yield
        except BrokenProcessPool:
            self.close()
            raise WorkerDied("a worker process died") from None


@contextmanager
def _interrupts_deferred() -> Iterator[None]:
    """Defer Ctrl-C to the end of the block. Processes started in the block inherit the blocked signal.

    Blocking the signal in this thread is not enough: another thread may receive it, and Python's handler would still
    interrupt the main thread.
    """
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield  # Windows, or not the main thread, which alone receives KeyboardInterrupt
        return
    held: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _: held.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, handler)
        if held:
            signal.raise_signal(signal.SIGINT)


def _start_worker() -> None:
    """Ignore Ctrl-C, which the parent handles, and exit when the parent has been killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
