"""The results file: an SQLite database in which each game is committed as soon as it is finished."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from spinney.agents.briefs import Briefs, unpack
from spinney.arena.migration import migrate
from spinney.arena.play import GameResult
from spinney.arena.tables import VERSION, create, decisions_of, insert, select
from spinney.errors import BadRecording, SpinneyError

LARGEST = 128 * 1024 * 1024
"""Bytes of a value in a file that is read, at most."""


class Store:
    """A results file. Several processes may write to one file; a game that is stored is never changed."""

    def __init__(
        self, file: Path, settings: dict[str, Any] | None = None, *, resume: bool = False, notes: Collection[str] = ()
    ) -> None:
        """Open a file to read it, or with settings to write to it: a new file, or with `resume` one of a run with the
        same settings. `notes` are settings that the run itself changes."""
        self.file = file
        if settings is None and not file.is_file():
            raise BadRecording(f"there is no results file {file}")
        if settings is not None:
            check_new(file, resume)
        new, mode = not file.exists(), _reading_mode(file) if settings is None else "rwc"
        with self._errors():
            self._connection = _connect(file, mode)
            try:
                if settings is None:
                    self._open_to_read()
                else:
                    self._open_to_write(settings, {"versions", *notes})
                self.settings = self._read_settings()
                if not _are_settings(self.settings):
                    raise BadRecording(f"{file} is not a results file of Spinney")
            except BaseException:
                self.close()
                if new and file.exists() and not file.stat().st_size:  # nothing could be written
                    file.unlink()
                raise

    @property
    def specs(self) -> tuple[str, ...]:
        """The distinct agents in the order in which they were named; games refer to them by index."""
        return tuple(dict.fromkeys(self.settings["agents"]))

    def add(self, game: GameResult) -> None:
        """Store a finished game in one transaction, unless a game with its number is stored."""
        with self._errors(), self._connection:
            insert(self._connection, game)

    def games(self) -> list[GameResult]:
        """All stored games, in the order of their numbers."""
        with self._errors():
            return select(self._connection, len(self.specs))

    def game(self, number: int) -> GameResult:
        """One stored game."""
        with self._errors():
            games = select(self._connection, len(self.specs), min(number, 2**63 - 1))  # SQLite's largest integer
            last = self._connection.execute("SELECT max(number) FROM games").fetchone()[0]
        if not games:
            there = "has no games" if last is None else f"has games up to number {last}"
            raise BadRecording(f"{self.file} {there}; number {number} is not there")
        return games[0]

    def decisions(self, number: int) -> Briefs:
        """The figures of the decisions of a stored game, by the numbers of its steps; none if they were not kept."""
        with self._errors():
            return unpack(decisions_of(self._connection, number))

    def numbers(self) -> set[int]:
        """The numbers of the stored games."""
        with self._errors():
            return {number for (number,) in self._connection.execute("SELECT number FROM games")}

    def count(self) -> int:
        """How many games are stored."""
        with self._errors():
            return int(self._connection.execute("SELECT count(*) FROM games").fetchone()[0])

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions and machines that have played so far."""
        with self._errors():
            return tuple(self._read_settings().get("versions", ()))

    def note_version(self, version: str) -> None:
        """Add a version and machine to those that have played; a file may have games of several."""
        with self._errors(), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            versions = self._read_settings().get("versions", [])
            if version not in versions:
                self._write("versions", [*versions, version])
            self.settings = self._read_settings()

    def note(self, **values: Any) -> None:
        """Change settings of the run in one transaction."""
        with self._errors(), self._connection:
            for key, value in values.items():
                self._write(key, value)
        self.settings |= values

    def close(self) -> None:
        self._connection.close()

    def _open_to_read(self) -> None:
        """A file of 0.1 is migrated in memory. The file may be anybody's: its schema runs nothing."""
        self._connection.execute("PRAGMA trusted_schema = OFF")
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST)
        others = self._connection.execute("SELECT name FROM sqlite_master WHERE type IN ('view', 'trigger')").fetchone()
        if others is not None:
            raise BadRecording(f"{self.file} is not a results file of Spinney: it has '{others[0]}'")
        if self._version() == 0:
            file, self._connection = self._connection, sqlite3.connect(":memory:")
            with closing(file):
                file.backup(self._connection)
            migrate(self._connection)
            self._connection.commit()
        self._connection.execute("PRAGMA query_only = ON")

    def _open_to_write(self, settings: dict[str, Any], notes: set[str]) -> None:
        """Create the tables or bring them up to date, and check the settings, in one transaction."""
        tables = {name for (name,) in self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and not {"run", "games"} <= tables:
            raise BadRecording(f"{self.file} is a database of another program; name another --file")
        self._connection.execute("PRAGMA synchronous = FULL")
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            if self._version() == 0 and tables:
                migrate(self._connection)
            create(self._connection)
            self._settle(settings, notes)
        self._connection.execute("PRAGMA journal_mode = WAL")  # last: a file that cannot be begun stays empty

    def _version(self) -> int:
        version = int(self._connection.execute("PRAGMA user_version").fetchone()[0])
        if version > VERSION:
            raise BadRecording(
                f"{self.file} was written by a newer version of Spinney: its version is {version}, and {VERSION} is "
                "the newest that can be read"
            )
        return version

    def _read_settings(self) -> dict[str, Any]:
        return {key: json.loads(value) for key, value in self._connection.execute("SELECT key, value FROM run")}

    def _settle(self, settings: dict[str, Any], notes: set[str]) -> None:
        """Write the settings of a new file; refuse a file with others. Only the number of games may grow."""
        known = self._read_settings()
        if known and known.keys() - notes != settings.keys() - notes:
            raise SpinneyError(f"{self.file} was begun by another command; name another file or folder")
        for key, value in settings.items():
            if key not in known or (key == "games" and value > known[key]):
                self._write(key, value)
            elif key != "games" and key not in notes and known[key] != value:
                old, new = json.dumps(known[key]), json.dumps(value)
                raise SpinneyError(f"{self.file} was begun with {key} {old}, not {new}; name another file or folder")

    def _write(self, key: str, value: Any) -> None:
        self._connection.execute("INSERT OR REPLACE INTO run (key, value) VALUES (?, ?)", (key, json.dumps(value)))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except SpinneyError:
            raise
        except (sqlite3.Error, ValueError, TypeError, LookupError, AttributeError, OverflowError) as error:  # damaged
            raise BadRecording(f"{self.file} cannot be used as a results file: {error}") from error


def check_new(file: Path, resume: bool) -> None:
    """Refuse to begin a file that exists, unless it is to be resumed."""
    if file.exists() and not resume:
        raise SpinneyError(f"{file} is there already; add --resume to go on with it, or name another --file")


def _connect(file: Path, mode: str) -> sqlite3.Connection:
    real = Path(os.path.realpath(file))
    if mode != COPY:
        return sqlite3.connect(f"{real.as_uri()}?mode={mode}", uri=True, timeout=60)
    connection = sqlite3.connect(":memory:")
    with TemporaryDirectory() as folder:
        copy = Path(shutil.copy(real, folder))
        shutil.copy(_log_of(real), folder)
        with closing(sqlite3.connect(copy)) as whole:
            whole.backup(connection)
    return connection


COPY = "copy"
"""The mode of a file that is copied into memory with its log."""


def _log_of(file: Path) -> Path:
    """The file of what is not merged yet."""
    return file.with_name(f"{file.name}-wal")


def _reading_mode(file: Path) -> str:
    """How to open a file to read it. SQLite writes beside a file that others may be writing to; where nothing can be
    written, the file does not change, and a run that was killed may have left a log that has to be merged."""
    if os.access(file.absolute().parent, os.W_OK):
        return "rw"
    return COPY if _log_of(file).exists() else "ro&immutable=1"


def _are_settings(settings: dict[str, Any]) -> bool:
    number = float | int | None
    kinds: dict[str, Any] = {"game": str, "agents": list, "games": int, "seed": int, "limit": number, "clock": str}
    fit = all(key in settings and isinstance(settings[key], kind) for key, kind in kinds.items())
    return fit and all(isinstance(agent, str) for agent in settings["agents"])
