"""Running a tournament on all cores, with every finished game stored before the next is asked for."""

from __future__ import annotations

import multiprocessing
import os
import platform
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from spinney import __version__, games
from spinney.agents import build
from spinney.arena.play import Job, Outcome, play_game
from spinney.arena.schedule import schedule
from spinney.arena.store import Store
from spinney.errors import SpinneyError
from spinney.search.budget import Clock


class Arena:
    """A tournament: a game, agents, a number of games, and the file that holds the results."""

    def __init__(
        self,
        game: str,
        specs: Sequence[str],
        count: int,
        file: Path,
        *,
        seed: int = 1,
        limit: float | None = None,
        clock: Clock = "wall",
        resume: bool = False,
    ) -> None:
        self.game = games.load(game)
        self.specs = tuple(dict.fromkeys(specs))
        for spec in self.specs:  # a wrong spec is an error now; and what compiles is in the cache for all workers
            build(self.game, spec)
        pairings = schedule(specs, self.game.players, count, seed)
        settings = {"game": game, "agents": list(specs), "games": count, "seed": seed, "limit": limit, "clock": clock}
        self.store = Store(file, settings, resume=resume)
        self.jobs = [Job(pairing, game, self.specs, seed, limit, clock) for pairing in pairings]

    def run(self, workers: int | None = None) -> Iterator[Outcome]:
        """Play the games that are not stored yet; yields each when it is stored."""
        stored = self.store.numbers()
        yield from play_all((job for job in self.jobs if job.pairing.number not in stored), self.store, workers)


def play_all(jobs: Iterator[Job | None], store: Store, workers: int | None = None) -> Iterator[Outcome]:
    """Play games on all cores; yields each when it is stored.

    Jobs may depend on games that are still being played: None says that there are no more for now, and the next is
    asked for when another game has been stored.
    """
    first = next(jobs, None)
    if first is None:
        return
    todo = chain([first], jobs)
    store.note_version(f"Spinney {__version__}, Python {platform.python_version()}")
    workers = workers or os.cpu_count() or 1
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker) as pool:
        running: set[Future[Outcome]] = set()
        try:
            while True:
                while len(running) < 2 * workers and (job := next(todo, None)) is not None:
                    with _interrupts_held():
                        running.add(pool.submit(play_game, job))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    outcome = future.result()
                    store.add(outcome)
                    yield outcome
        except BrokenProcessPool:
            raise SpinneyError(
                "a worker process died; the finished games are stored, and a run can go on from there"
            ) from None
        except BaseException:  # Ctrl-C above all: do not wait for games in progress
            for process in multiprocessing.active_children():
                process.terminate()
            raise


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits until this is left; workers that are started here never see one, not even in their first second."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker() -> None:
    """Ctrl-C is for the parent, which ends its workers; and a parent that was killed takes them along."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
