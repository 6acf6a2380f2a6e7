"""Replay data: one file per game while games are played, then a few shards with checksums."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from spinney.errors import BadNetwork
from spinney.files import make_folder, read_bounded, write_atomic
from spinney.games import Card

GAMES_A_SHARD = 50
LARGEST_DATA = 8 * 2**30
"""Bytes of the arrays of a shard."""


def read_json(file: Path) -> Any:
    """The content of a JSON file of a run."""
    try:
        return json.loads(read_bounded(file))
    except (OSError, ValueError, RecursionError) as error:
        raise BadNetwork(f"{file} cannot be read: {error}; delete it to repeat that step") from None


@dataclass
class Played:
    """Positions of games with the results of a search. All arrays have one row per position."""

    states: npt.NDArray[np.uint8]
    """The bytes of the state records."""
    acting: npt.NDArray[np.bool_]
    """Whether each player had a choice."""
    policies: npt.NDArray[np.float32]
    """The share of the visits of each network output, per player."""
    values: npt.NDArray[np.float32]
    """The search's value for each player."""
    rewards: npt.NDArray[np.float32]
    """The reward of each player at the end of the game."""
    numbers: npt.NDArray[np.int64]
    """The number of the game."""

    def __len__(self) -> int:
        return len(self.states)

    def save(self, file: Path) -> None:
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **vars(self))
        write_atomic(file, buffer.getvalue())

    @classmethod
    def load(cls, file: Path) -> Played:
        try:
            with zipfile.ZipFile(file) as packed:
                if sum(part.file_size for part in packed.infolist()) > LARGEST_DATA:
                    raise ValueError(f"it holds more than {LARGEST_DATA:,} bytes")
            with np.load(file) as held:
                names = [field.name for field in fields(cls)]
                if missing := ", ".join(sorted(set(names) - set(held))):
                    raise BadNetwork(f"{file} has no {missing}; delete its folder to play these games again")
                return cls(**{name: held[name] for name in names})
        except (OSError, EOFError, ValueError, LookupError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
            raise BadNetwork(f"{file} cannot be read: {error}; delete its folder to play these games again") from None

    @classmethod
    def join(cls, parts: Iterable[Played]) -> Played:
        arrays = zip(*(vars(part).values() for part in parts), strict=True)
        return cls(*(np.concatenate(rows) for rows in arrays))

    def records(self, card: Card) -> Any:
        """The positions as native records."""
        dtype = card.rules.State.dtype
        if self.states.shape[1] != dtype.itemsize:
            raise BadNetwork(
                f"these positions of {card.name} have {self.states.shape[1]} bytes each, but its state has "
                f"{dtype.itemsize} now; play the games again"
            )
        return np.ascontiguousarray(self.states).reshape(-1).view(dtype)


class Shards:
    """A folder of replay data."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = folder / "manifest.json"
        self._games = folder / "games"

    @property
    def complete(self) -> bool:
        return self.manifest.is_file()

    def stored(self) -> set[int]:
        """The numbers of the games stored so far."""
        return {int(file.stem) for file in self._games.glob("*.npz")} if self._games.is_dir() else set()

    def add(self, number: int, played: Played) -> None:
        """Store a finished game."""
        make_folder(self._games)
        played.save(self._games / f"{number:06}.npz")

    def close(self) -> None:
        """Pack the games into shards, write the manifest with their checksums, and delete the files of single games."""
        files = sorted(self._games.glob("*.npz"))
        listed = []
        for first in range(0, len(files), GAMES_A_SHARD):
            part = Played.join(Played.load(file) for file in files[first : first + GAMES_A_SHARD])
            shard = self.folder / f"shard-{first // GAMES_A_SHARD:04}.npz"
            part.save(shard)
            listed.append({"file": shard.name, "positions": len(part), "sha256": _checksum(shard)})
        write_atomic(self.manifest, json.dumps({"games": len(files), "shards": listed}, indent=2))
        self.clean()

    def clean(self) -> None:
        """Delete the files of single games if there are shards."""
        if self.complete and self._games.is_dir():
            for file in self._games.iterdir():
                file.unlink()
            self._games.rmdir()

    def read(self) -> Played:
        """All positions. Raises an error if a checksum is wrong."""
        parts = []
        manifest = read_json(self.manifest)
        try:
            listed = [(self.folder / str(shard["file"]), shard) for shard in manifest["shards"]]
        except (TypeError, LookupError):
            raise BadNetwork(f"{self.manifest} lists no shards; delete it to pack the games again") from None
        for file, shard in listed:
            if not _is_whole(file, shard.get("sha256")):
                raise BadNetwork(f"{file} is missing or damaged: its checksum differs; play the games again")
            parts.append(Played.load(file))
        return Played.join(parts)


def _is_whole(file: Path, checksum: object) -> bool:
    try:
        return file.is_file() and _checksum(file) == checksum
    except OSError:  # a name that no file can have
        return False


def _checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
