"""Replay data: a file a game while games are being played, then a few shards with checksums.

Whatever is written is written beside its place and moved there when it is complete: a file that has its name is whole.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from spinney.errors import BadNetwork
from spinney.files import make_folder, write_atomic
from spinney.games import Card

GAMES_A_SHARD = 50


def read_json(file: Path) -> Any:
    """What a step of a run has written down."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadNetwork(f"{file} cannot be read: {error}; without it, that step is done again") from None


@dataclass
class Played:
    """Positions of one game or of many, a row each, and what a search thought of them."""

    states: npt.NDArray[np.uint8]
    """The records of positions, byte by byte."""
    acting: npt.NDArray[np.bool_]
    """Who was to move and searched for, by player."""
    policies: npt.NDArray[np.float32]
    """How often the search visited each output, by player."""
    values: npt.NDArray[np.float32]
    """What the search expected, by player."""
    rewards: npt.NDArray[np.float32]
    """What the game was worth in the end, by player."""
    numbers: npt.NDArray[np.int64]
    """The game that each position is from."""

    def __len__(self) -> int:
        return len(self.states)

    def save(self, file: Path) -> None:
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **vars(self))
        write_atomic(file, buffer.getvalue())

    @classmethod
    def load(cls, file: Path) -> Played:
        with np.load(file) as held:
            if missing := {field.name for field in fields(cls)} - set(held):
                raise BadNetwork(
                    f"{file} has no {', '.join(sorted(missing))}; delete its folder to play these games again"
                )
            return cls(**{field.name: held[field.name] for field in fields(cls)})

    @classmethod
    def join(cls, parts: Iterable[Played]) -> Played:
        parts = list(parts)
        return cls(
            **{field.name: np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)}
        )

    def records(self, card: Card) -> Any:
        """The positions as native records."""
        dtype = card.rules.State.dtype
        if self.states.shape[1] != dtype.itemsize:
            raise BadNetwork(
                f"these positions of {card.name} have {self.states.shape[1]} bytes, and its state has "
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
        """The numbers of the games that are there."""
        return {int(file.stem) for file in self._games.glob("*.npz")} if self._games.is_dir() else set()

    def add(self, number: int, played: Played) -> None:
        """Keep a finished game."""
        make_folder(self._games)
        played.save(self._games / f"{number:06}.npz")

    def close(self) -> None:
        """All games are there: pack them into shards, list these with their checksums, and then drop the files."""
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
        """Drop the files of single games once there are shards."""
        if self.complete and self._games.is_dir():
            for file in self._games.iterdir():
                file.unlink()
            self._games.rmdir()

    def read(self) -> Played:
        """All positions, checked."""
        parts = []
        for shard in read_json(self.manifest)["shards"]:
            file = self.folder / shard["file"]
            if not file.is_file() or _checksum(file) != shard["sha256"]:
                raise BadNetwork(f"{file} is not what was written: its checksum differs; play the games again")
            parts.append(Played.load(file))
        return Played.join(parts)


def _checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
