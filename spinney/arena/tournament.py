"""A tournament: its games are played in worker processes, and each is stored as soon as it is finished."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from itertools import chain
from pathlib import Path

from spinney import __version__, games
from spinney.agents import build, presets_of, read_spec
from spinney.arena.play import GameJob, GameResult, Seconds
from spinney.arena.referee import play_watched
from spinney.arena.schedule import schedule
from spinney.arena.store import Store, check_new
from spinney.errors import BadOption, SpinneyError
from spinney.pool import Local, Pool, WorkerDied


class Arena:
    """A tournament: a game, agents, a number of games, and the results file."""

    def __init__(
        self,
        game: str,
        specs: Sequence[str],
        count: int,
        file: Path,
        *,
        seed: int = 1,
        limit: float | None = None,
        clock: Seconds = "wall",
        resume: bool = False,
        keep_decisions: bool = False,
        memory: int | None = None,
    ) -> None:
        self.game = games.load(game)
        self.specs = tuple(dict.fromkeys(specs))
        for spec in self.specs:  # errors are raised before anything is compiled
            kind, _ = read_spec(self.game, spec)
            if kind == "command" and clock == "cpu":
                raise BadOption(f"{spec}: the CPU time of another program is not counted; leave out --cpu-time")
        pairings = schedule(specs, self.game.players, count, seed)
        check_new(file, resume)
        if not _all_played(file, count):
            for spec in self.specs:  # compile once, for the cache of all workers
                build(self.game, spec)
        settings = {
            "game": game, "agents": list(specs), "games": count, "seed": seed, "limit": limit, "clock": clock,
            "presets": presets_of(self.game, self.specs),
        }  # fmt: skip
        self.store = Store(file, settings, resume=resume)
        self.jobs = [GameJob(it, game, self.specs, seed, limit, clock, keep_decisions, memory) for it in pairings]

    def run(self, workers: int | None = None, pool: Pool | None = None) -> Iterator[GameResult]:
        """Play the games that are not stored yet, in a pool or local processes; yields each after it is stored."""
        stored = self.store.numbers()
        yield from play_all((job for job in self.jobs if job.pairing.number not in stored), self.store, workers, pool)


def _all_played(file: Path, count: int) -> bool:
    """Whether a results file has all games up to a number of games."""
    if not file.is_file() or not file.stat().st_size:  # a run may have ended before it wrote anything
        return False
    with closing(Store(file)) as store:
        return store.numbers() >= set(range(count))


def played_with() -> str:
    """Versions and machine, on which the strength of an agent with a time limit depends."""
    from spinney.kernel.native import host

    machine = f"{platform.system()} {platform.machine()}"
    return f"Spinney {__version__}, Python {platform.python_version()}, {host()}, {machine}"


def play_all(
    jobs: Iterator[GameJob | None], store: Store, workers: int | None = None, pool: Pool | None = None
) -> Iterator[GameResult]:
    """Play games in a pool or in local worker processes; yields each game after it is stored.

    A job may depend on games that are still being played: None means that no job is ready, and the iterator is asked
    again after the next game is stored.
    """
    first = next(jobs, None)
    if first is None:
        return
    store.note_version(played_with())
    with (
        Local(workers) if pool is None else nullcontext(pool) as used,
        closing(used.run(play_watched, chain([first], jobs))) as finished,  # an error here ends the games in progress
    ):
        try:
            for game in finished:
                store.add(game)
                yield game
        except WorkerDied as died:
            raise SpinneyError(f"{died}; the finished games are stored, and the run can be resumed") from None
