"""The results file: SQLite, each game committed as soon as it is finished."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from spinney.arena.play import Outcome
from spinney.errors import BadRecording, SpinneyError

FORMAT = 1
COLUMNS = [field.name for field in fields(Outcome)]


class Store:
    """A results file. Several processes may use one at once: a game that is stored stays as it is."""

    def __init__(self, file: Path, settings: dict[str, Any] | None = None, *, resume: bool = False) -> None:
        """Open a file to read, or with settings to write: a new one, or with resume one of the same settings."""
        self.file = file
        if settings is None and not file.is_file():
            raise BadRecording(f"there is no results file {file}")
        if settings is not None and file.exists() and not resume:
            raise SpinneyError(f"{file} is there already; add --resume to go on with it, or name another --file")
        with self._errors():
            self._open()
            if settings is not None:
                self._settle({"format": FORMAT, **settings})
            self.settings: dict[str, Any] = {
                key: json.loads(value) for key, value in self._connection.execute("SELECT key, value FROM run")
            }
        if self.settings.get("format") != FORMAT:
            raise BadRecording(f"{file} is not a results file of this version of Spinney")

    def add(self, outcome: Outcome) -> None:
        """Store a finished game, at once and for good."""
        values = [json.dumps(value) for value in asdict(outcome).values()]
        marks = ", ".join("?" * len(COLUMNS))
        with self._errors(), self._connection:
            self._connection.execute(f"INSERT OR IGNORE INTO games VALUES ({marks})", values)

    def outcomes(self) -> list[Outcome]:
        """All stored games, in the order of their numbers."""
        with self._errors():
            rows = self._connection.execute(f"SELECT {', '.join(COLUMNS)} FROM games ORDER BY number").fetchall()
        return [_outcome(row) for row in rows]

    def outcome(self, number: int) -> Outcome:
        """One stored game."""
        with self._errors():
            query = f"SELECT {', '.join(COLUMNS)} FROM games WHERE number = ?"
            row = self._connection.execute(query, (number,)).fetchone()
            last = self._connection.execute("SELECT max(number) FROM games").fetchone()[0]
        if row is None:
            there = "has no games" if last is None else f"has games up to number {last}"
            raise BadRecording(f"{self.file} {there}; number {number} is not there")
        return _outcome(row)

    def numbers(self) -> set[int]:
        """Which games are stored."""
        with self._errors():
            return {number for (number,) in self._connection.execute("SELECT number FROM games")}

    def close(self) -> None:
        self._connection.close()

    def _open(self) -> None:
        self._connection = sqlite3.connect(self.file, timeout=60)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        columns = ", ".join(["number INTEGER PRIMARY KEY", *COLUMNS[1:]])
        with self._connection:
            self._connection.execute("CREATE TABLE IF NOT EXISTS run (key TEXT PRIMARY KEY, value TEXT)")
            self._connection.execute(f"CREATE TABLE IF NOT EXISTS games ({columns})")

    def _settle(self, settings: dict[str, Any]) -> None:
        """Write the settings of a new file; a file that has others is refused. Only the number of games may change."""
        with self._connection:
            known = dict(self._connection.execute("SELECT key, value FROM run"))
            for key, value in settings.items():
                text = json.dumps(value)
                if key in known and known[key] != text and key != "games":
                    raise SpinneyError(
                        f"{self.file} was begun with {key} {known[key]}, not {text}; name another --file"
                    )
                self._connection.execute("INSERT OR REPLACE INTO run VALUES (?, ?)", (key, text))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise BadRecording(f"{self.file} cannot be used as a results file: {error}") from error


def _outcome(row: tuple[Any, ...]) -> Outcome:
    values: dict[str, Any] = dict(
        zip(COLUMNS, (value if isinstance(value, int) else json.loads(value) for value in row), strict=True)
    )
    values["steps"] = [tuple(step) for step in values["steps"]]
    values["forfeit"] = None if values["forfeit"] is None else tuple(values["forfeit"])
    return Outcome(**values)
