"""Self-play and contests as jobs of a pool: plain data, which travels to other machines with the networks it needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from spinney.games.spec import parse_spec, write_spec
from spinney.learn.gating import ContestGame, Result, play_contest_games
from spinney.learn.selfplay import play_first, play_with_network
from spinney.learn.settings import Settings
from spinney.learn.shards import Played
from spinney.pool import Pool

GAMES_A_JOB = 4
"""Games of self-play in one job: they share batches, and if the job is lost, so are they."""
FIXTURES_A_JOB = 16
One = TypeVar("One")
NEEDED = ("network.onnx", "network.json")


@dataclass(frozen=True)
class NetworkBundle:
    """A network's folder, and the files in it that are needed to play."""

    folder: str
    files: tuple[bytes, ...]

    @classmethod
    def pack(cls, folder: Path) -> NetworkBundle:
        return cls(str(folder), tuple((folder / name).read_bytes() for name in NEEDED))

    def unpack(self) -> str:
        """The folder, or on a machine that does not have it another one with the same files."""
        place = Path(self.folder)
        same = all(
            (place / name).is_file() and (place / name).read_bytes() == content
            for name, content in zip(NEEDED, self.files, strict=True)
        )
        return self.folder if same else _unpacked(self.files).name


@cache
def _unpacked(files: tuple[bytes, ...]) -> TemporaryDirectory[str]:
    """Kept as long as this process."""
    place = TemporaryDirectory(prefix="spinney-")
    for file, content in zip(NEEDED, files, strict=True):
        (Path(place.name) / file).write_bytes(content)
    return place


@dataclass(frozen=True)
class Games:
    """Games to be played: by the teacher, or by self-play of a network."""

    settings: Settings
    numbers: tuple[int, ...]
    network: NetworkBundle | None


def each_game(job: Games) -> Iterator[tuple[int, Played]]:
    """The games of a job with their numbers, each when it is over."""
    if job.network is None:
        return play_first(job.settings, job.numbers)
    return play_with_network(job.settings, job.network.unpack(), job.numbers)


def play_games(job: Games) -> list[tuple[int, Played]]:
    return list(each_game(job))


@dataclass(frozen=True)
class ContestGames:
    """Games of a contest to be played; the networks are those that seats name."""

    fixtures: tuple[ContestGame, ...]
    networks: tuple[NetworkBundle, ...]


def play_contest(job: ContestGames) -> list[Result]:
    """The results of a job."""
    here = {network.folder: network.unpack() for network in job.networks}

    def moved(seat: str) -> str:
        name, given = parse_spec(seat)
        folder = here.get(str(given.get("weights")))
        return seat if folder is None else write_spec(name, {**given, "weights": folder})

    fixtures = [replace(one, seats=tuple(moved(seat) for seat in one.seats)) for one in job.fixtures]
    return list(play_contest_games(fixtures))


def games_of(pool: Pool | None, job: Games) -> Iterator[tuple[int, Played]]:
    """All games of a job, each as soon as it is known: in this process, or divided among those of a pool."""
    if pool is None:
        yield from each_game(job)
        return
    size = 1 if job.network is None else GAMES_A_JOB
    parts = (replace(job, numbers=numbers) for numbers in _parts(job.numbers, size))
    for played in pool.run(play_games, parts):
        yield from played


def results_of(pool: Pool | None, job: ContestGames) -> Iterator[Result]:
    """The same for the games of a contest."""
    if pool is None:
        yield from play_contest_games(job.fixtures)
        return
    parts = _parts(job.fixtures, FIXTURES_A_JOB)
    for results in pool.run(play_contest, (replace(job, fixtures=part) for part in parts)):
        yield from results


def _parts(all_of_it: Sequence[One], size: int) -> Iterator[tuple[One, ...]]:
    return (tuple(all_of_it[i : i + size]) for i in range(0, len(all_of_it), size))
