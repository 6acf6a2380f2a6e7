"""Self-play and gating games as jobs of a pool. A job contains the networks it needs, for other machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
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
"""Self-play games per job. They share batches, and are all repeated if the worker is lost."""
CONTEST_GAMES_A_JOB = 16
FILES = ("network.onnx", "network.json")

T = TypeVar("T")


@dataclass(frozen=True)
class NetworkBundle:
    """A network's folder and the content of the files that are needed to play."""

    folder: str
    files: tuple[bytes, ...]

    @classmethod
    def pack(cls, folder: Path) -> NetworkBundle:
        return cls(str(folder), tuple((folder / name).read_bytes() for name in FILES))

    def unpack(self) -> str:
        """The folder if it exists with these files; otherwise a temporary folder with them."""
        files = [Path(self.folder) / name for name in FILES]
        same = all(file.is_file() for file in files) and self == NetworkBundle.pack(Path(self.folder))
        return self.folder if same else _unpacked(self.files).name


@cache
def _unpacked(files: tuple[bytes, ...]) -> TemporaryDirectory[str]:
    """A temporary folder with the files of a network. It is deleted when the process ends."""
    folder = TemporaryDirectory(prefix="spinney-")
    for name, content in zip(FILES, files, strict=True):
        (Path(folder.name) / name).write_bytes(content)
    return folder


@dataclass(frozen=True)
class Games:
    """Games to play: by the teacher, or with a network by self-play."""

    settings: Settings
    numbers: tuple[int, ...]
    network: NetworkBundle | None


def each_game(job: Games) -> Iterator[tuple[int, Played]]:
    """Play the games of a job; yields each with its number when it is over."""
    if job.network is None:
        return play_first(job.settings, job.numbers)
    return play_with_network(job.settings, job.network.unpack(), job.numbers)


def play_games(job: Games) -> list[tuple[int, Played]]:
    return list(each_game(job))


@dataclass(frozen=True)
class ContestGames:
    """Gating games to play, and the networks in their seats."""

    games: tuple[ContestGame, ...]
    networks: tuple[NetworkBundle, ...]


def play_contest(job: ContestGames) -> list[Result]:
    """Play the games of a job with its own copies of the networks."""
    folders = {network.folder: network.unpack() for network in job.networks}

    def unpacked(seat: str) -> str:
        name, given = parse_spec(seat)
        folder = folders.get(str(given.get("weights")))
        return seat if folder is None else write_spec(name, {**given, "weights": folder})

    return list(play_contest_games([replace(one, seats=tuple(map(unpacked, one.seats))) for one in job.games]))


def games_of(pool: Pool | None, job: Games) -> Iterator[tuple[int, Played]]:
    """Play all games of a job, in this process or in a pool; yields each when it is known."""
    if pool is None:
        return each_game(job)
    parts = _parts(job.numbers, 1 if job.network is None else GAMES_A_JOB)
    return chain.from_iterable(pool.run(play_games, (replace(job, numbers=numbers) for numbers in parts)))


def results_of(pool: Pool | None, job: ContestGames) -> Iterator[Result]:
    """Play all gating games of a job, in this process or in a pool."""
    if pool is None:
        return play_contest_games(job.games)
    parts = _parts(job.games, CONTEST_GAMES_A_JOB)
    return chain.from_iterable(pool.run(play_contest, (replace(job, games=games) for games in parts)))


def _parts(items: Sequence[T], size: int) -> Iterator[tuple[T, ...]]:
    return (tuple(items[i : i + size]) for i in range(0, len(items), size))
