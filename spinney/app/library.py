"""Stored games: the files that were named at the start, and those that users have uploaded."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import io
import os
import re
import secrets
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from spinney.app.catalogue import Catalogue
from spinney.arena.store import Store
from spinney.arena.stored import ONE_GAME, RESULTS, Listed, kind_of, list_recorded, open_replay
from spinney.errors import BadOption, BadRecording, SpinneyError, UnknownName
from spinney.files import make_folder, write_atomic
from spinney.games import Card, card, game_names
from spinney.games.frame import Frame, Replay
from spinney.games.recording import UNREADABLE

SUFFIXES = (".sqlite", ".jsonl", ".gz")
"""Of stored games, besides those of the games' own formats."""
LARGEST = 48 * 1024 * 1024
"""Bytes of an upload."""
UNPACKED = 128 * 1024 * 1024
"""Bytes of an upload that was compressed."""
MOST_UPLOADS = 50
"""Files that are kept; the oldest make room for new ones."""
MOST_FILES = 500
"""Files of a folder that are listed."""
MOST_LISTED = 2000
"""Games of a recording that are listed."""
MOST_FRAMES = 30_000
LONGEST = 120.0
"""Seconds in which a game must be read."""
KEPT = 8
"""Games and reports that are remembered."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class StoredFile:
    """A file with games. Browsers know it by its `ident`, and never by its path."""

    ident: str
    file: Path
    name: str
    kind: str
    uploaded: bool
    when: float
    size: int

    @property
    def where(self) -> str:
        """The address of its page."""
        return f"/{'results' if self.kind == RESULTS else 'stored'}/{self.ident}"


class Library:
    """All stored games. What takes time runs on a few threads."""

    def __init__(self, uploads: Path, sources: Iterable[Path], catalogue: Catalogue) -> None:
        self.uploads, self.sources, self.catalogue = make_folder(uploads), list(sources), catalogue
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="library")
        self._kinds: dict[Path, tuple[float, str]] = {}
        self._kept: OrderedDict[Any, Any] = OrderedDict()
        formats = {suffix for name in game_names() for suffix, it in card(name).formats.items() if it.read}
        self.suffixes = (*SUFFIXES, *sorted(formats))

    async def work(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Run a function that takes time."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    # ---- files

    def files(self) -> list[StoredFile]:
        """All files, the latest first."""
        found = [self._describe(file, file.name.partition("--")[2], True) for file in self._in(self.uploads)]
        for source in self.sources:
            folder = source.is_dir()
            files = self._in(source) if folder else [source]
            found += [
                self._describe(file, str(file.relative_to(source)) if folder else file.name, False) for file in files
            ]
        return sorted((it for it in found if it is not None), key=lambda it: -it.when)

    def _in(self, folder: Path) -> list[Path]:
        """The files of a folder, and of the folders in it."""
        files = (file for pattern in ("*", "*/*") for file in sorted(folder.glob(pattern)))
        return [file for file in files if file.suffix in self.suffixes and file.is_file()][:MOST_FILES]

    def _describe(self, file: Path, name: str, uploaded: bool) -> StoredFile | None:
        try:
            found = file.stat()
        except OSError:  # it was deleted meanwhile
            return None
        known, kind = self._kinds.get(file, (0.0, ""))
        if known != found.st_mtime:
            kind = kind_of(file)
            self._kinds[file] = (found.st_mtime, kind)
        ident = hashlib.blake2s(os.fsencode(os.path.realpath(file)), digest_size=9).hexdigest()
        return StoredFile(ident, file, name, kind, uploaded, found.st_mtime, found.st_size)

    def find(self, ident: str) -> StoredFile:
        for it in self.files():
            if it.ident == ident:
                return it
        raise UnknownName("there is no such file here; it may have been deleted")

    def add(self, name: str, data: bytes) -> StoredFile:
        """Keep an upload whose games can be read; another is a BadRecording."""
        name = re.sub(r"[^\w.() +-]", "_", name.replace("\\", "/").rpartition("/")[2])[-80:].strip()
        suffix = Path(name).suffix.lower()
        if suffix not in self.suffixes:
            raise BadOption(f"'{name}' is no file of games; allowed: {', '.join(self.suffixes)}")
        if suffix == ".gz":
            name, data = name[: -len(suffix)], _unpacked(name, data)
            name += "" if name.endswith(".jsonl") else ".jsonl"
        file = self.uploads / f"{secrets.token_hex(6)}--{name}"
        write_atomic(file, data)
        found = self._describe(file, name, True)
        assert found is not None
        try:
            self._check(found)
        except BaseException:
            file.unlink(missing_ok=True)
            raise
        self._make_space()
        return found

    def _check(self, it: StoredFile) -> None:
        """Read an upload; of one with many games, what they are."""
        if it.kind == RESULTS:
            with self.told(it), closing(Store(it.file)):
                return
        if it.kind == ONE_GAME:
            self.replay(it, 0)
        elif not self.games(it):
            raise BadRecording(f"{it.name} has no games")

    def _make_space(self) -> None:
        files = sorted(self._in(self.uploads), key=lambda file: file.stat().st_mtime)
        for file in files[: max(0, len(files) - MOST_UPLOADS)]:
            file.unlink(missing_ok=True)

    # ---- what is in them

    @contextmanager
    def told(self, it: StoredFile) -> Iterator[None]:
        """Tell of errors without the paths of this machine."""
        try:
            yield
        except UNREADABLE as error:
            words = str(error) if isinstance(error, SpinneyError) else f"{it.name} cannot be read: {error!r}"
            kind = type(error) if isinstance(error, UnknownName | BadOption) else BadRecording
            raise kind(words.replace(str(it.file), it.name)) from None

    def card_of(self, name: str) -> Card:
        """The card of a game that a file names: one of the catalogue. A path in a file is not followed."""
        own = [known for known, path in self.catalogue.own.items() if Path(path).name == Path(name).name]
        if name not in self.catalogue.cards and not own:
            raise BadOption(f"the file has a game of '{name}', which is not here; start the app with its .py file")
        return self.catalogue.card(name if name in self.catalogue.cards else own[0])

    def games(self, it: StoredFile) -> list[Listed]:
        """The games of a recording."""
        with self.told(it):
            return self.kept((it.ident, it.when), lambda: list(islice(list_recorded(it.file), MOST_LISTED)))

    def replay(self, it: StoredFile, number: int) -> Replay:
        """A game with all its frames; of a file with one game, its number is 0."""

        def read() -> Replay:
            found = open_replay(it.file, None if it.kind == ONE_GAME else number, self.card_of)
            found.frames = list(_bounded(found.frames))
            found.about = found.about.replace(it.file.name, it.name)
            return found

        with self.told(it):
            if it.kind == ONE_GAME and number:
                raise UnknownName(f"{it.name} is one game; it has the number 0")
            return self.kept((it.ident, it.when, number), read)

    # ---- what is remembered

    def kept(self, key: Any, make: Callable[[], Result]) -> Result:
        """What was made before, or is made now."""
        found: Result | None = self.recall(key)
        return self.keep(key, make()) if found is None else found

    def recall(self, key: Any) -> Any:
        """What was kept; None if it is not here any more."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def keep(self, key: Any, made: Result) -> Result:
        self._kept[key] = made
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return made


def _bounded(frames: Iterable[Frame]) -> Iterator[Frame]:
    began = time.monotonic()
    for number, frame in enumerate(frames):
        if number >= MOST_FRAMES or time.monotonic() - began > LONGEST:
            raise BadRecording(f"the game is too long to be shown: more than {number:,} frames, or {LONGEST:g} seconds")
        yield frame.without_trees()


def _unpacked(name: str, data: bytes) -> bytes:
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            found = stream.read(UNPACKED + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BadRecording(f"{name} cannot be read: {error}") from None
    if len(found) > UNPACKED:
        raise BadRecording(f"{name} has more than {UNPACKED:,} bytes when it is unpacked")
    return found
