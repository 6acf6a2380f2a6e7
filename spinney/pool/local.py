"""Processes of this machine."""

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
    """As many processes as there are cores, or as are asked for. They start with the first job."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1
        self._executor: ProcessPoolExecutor | None = None

    @property
    def room(self) -> int:
        return 2 * self.workers

    def close(self) -> None:
        if self._executor is not None:
            self._executor.shutdown()
            self._executor = None

    def _submit(self, function: Callable[[Any], Any], job: Any) -> Future[Any]:
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(self.workers, mp_context=context, initializer=_start_worker)
        with _interrupts_held(), self._told_when_broken():
            return self._executor.submit(function, job)

    def _finished(self, running: set[Future[Any]]) -> set[Future[Any]]:
        return wait(running, return_when=FIRST_COMPLETED).done

    def _result(self, done: Future[Any]) -> Any:
        with self._told_when_broken():
            return done.result()

    def _end(self, running: set[Future[Any]]) -> None:  # noqa: ARG002  # the processes end, and what they do with them
        if self._executor is not None:
            for process in list((self._executor._processes or {}).values()):
                process.terminate()
            self.close()

    @contextmanager
    def _told_when_broken(self) -> Iterator[None]:
        try:
            yield
        except BrokenProcessPool:
            self.close()
            raise WorkerDied("a worker process died") from None


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits until this is left; workers that are started here never see one, not even in their first second.

    That this thread does not take the signal is not enough: another may, and Python would still interrupt this one.
    """
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield  # Windows, or a thread that is never interrupted
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
    """Ctrl-C is for the parent, which ends its workers; and a parent that was killed takes them along."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
