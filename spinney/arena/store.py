"""The results file: SQLite, each game committed as soon as it is finished."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pydantic

from spinney.arena.play import GameResult
from spinney.errors import BadRecording, SpinneyError
from spinney.games import CHANCE

FORMAT = 1
FINISHED = pydantic.TypeAdapter(GameResult)
NOTES = {"versions", "trials"}
"""What is noted in the course of a run, besides its settings."""
COLUMNS = [field.name for field in fields(GameResult)]


class Store:
    """A results file. Several processes may use one at once: a game that is stored stays as it is."""

    def __init__(self, file: Path, settings: dict[str, Any] | None = None, *, resume: bool = False) -> None:
        """Open a file to read, or with settings to write: a new one, or with resume one of the same settings."""
        self.file = file
        if settings is None and not file.is_file():
            raise BadRecording(f"there is no results file {file}")
        if settings is not None:
            check_new(file, resume)
        fresh, mode = not file.exists(), _how_to_read(file) if settings is None else "rwc"
        with self._errors():
            self._connection = sqlite3.connect(
                f"{Path(os.path.realpath(file)).as_uri()}?mode={mode}", uri=True, timeout=60
            )
            try:
                if settings is None:
                    self._connection.execute("PRAGMA query_only = ON")
                else:
                    self._prepare({"format": FORMAT, **settings})
                self.settings = self._read_settings()
                if self.settings.get("format") != FORMAT or not _are_settings(self.settings):
                    raise BadRecording(f"{file} is not a results file of this version of Spinney")
            except BaseException:
                self.close()
                if fresh and file.exists() and not file.stat().st_size:  # it could not be begun
                    file.unlink()
                raise

    @property
    def specs(self) -> tuple[str, ...]:
        """The different agents, in the order in which they were named: games have their places here."""
        return tuple(dict.fromkeys(self.settings["agents"]))

    def add(self, game: GameResult) -> None:
        """Store a finished game, at once and for good."""
        values = [json.dumps(value) for value in asdict(game).values()]
        marks = ", ".join("?" * len(COLUMNS))
        with self._errors(), self._connection:
            self._connection.execute(f"INSERT OR IGNORE INTO games VALUES ({marks})", values)

    def games(self) -> list[GameResult]:
        """All stored games, in the order of their numbers."""
        with self._errors():
            rows = self._connection.execute(f"SELECT {', '.join(COLUMNS)} FROM games ORDER BY number").fetchall()
            return [_finished(row, len(self.specs)) for row in rows]

    def game(self, number: int) -> GameResult:
        """One stored game."""
        with self._errors():
            query = f"SELECT {', '.join(COLUMNS)} FROM games WHERE number = ?"
            row = self._connection.execute(query, (min(number, 2**63 - 1),)).fetchone()  # SQLite's greatest
            last = self._connection.execute("SELECT max(number) FROM games").fetchone()[0]
            if row is not None:
                return _finished(row, len(self.specs))
        there = "has no games" if last is None else f"has games up to number {last}"
        raise BadRecording(f"{self.file} {there}; number {number} is not there")

    def numbers(self) -> set[int]:
        """Which games are stored."""
        with self._errors():
            return {number for (number,) in self._connection.execute("SELECT number FROM games")}

    @property
    def versions(self) -> tuple[str, ...]:
        """Which versions and machines have played so far."""
        with self._errors():
            return tuple(self._read_settings().get("versions", ()))

    def note_version(self, version: str) -> None:
        """Remember which versions and machine played; a file may have games of several."""
        with self._errors(), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            versions = self._read_settings().get("versions", [])
            if version not in versions:
                self._write("versions", [*versions, version])
            self.settings = self._read_settings()

    def note(self, **values: Any) -> None:
        """Remember something about the run, in place of what was known of it; all of it or nothing."""
        with self._errors(), self._connection:
            for key, value in values.items():
                self._write(key, value)
        self.settings |= values

    def close(self) -> None:
        self._connection.close()

    def _prepare(self, settings: dict[str, Any]) -> None:
        """Make a file ready to write; one that belongs to another program is left as it is."""
        tables = {name for (name,) in self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and not {"run", "games"} <= tables:
            raise BadRecording(f"{self.file} is a database of another program; name another --file")
        self._connection.execute("PRAGMA synchronous = FULL")
        columns = ", ".join(["number INTEGER PRIMARY KEY", *COLUMNS[1:]])
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute("CREATE TABLE IF NOT EXISTS run (key TEXT PRIMARY KEY, value TEXT)")
            self._connection.execute(f"CREATE TABLE IF NOT EXISTS games ({columns})")
            self._settle(settings)
        self._connection.execute("PRAGMA journal_mode = WAL")  # not before: a file that cannot be begun stays empty

    def _read_settings(self) -> dict[str, Any]:
        known = {key: json.loads(value) for key, value in self._connection.execute("SELECT key, value FROM run")}
        return {"clock": "wall", **known} if known else {}  # what all files had that do not name theirs

    def _settle(self, settings: dict[str, Any]) -> None:
        """Write the settings of a new file; a file that has others is refused. Only the number of games may grow, and
        the list of agents where agents are what is searched for."""
        known = self._read_settings()
        newer = {"presets"} - known.keys()  # what older files do not say
        if known and known.keys() - NOTES != settings.keys() - newer:
            raise SpinneyError(f"{self.file} was begun by another command; name another file or folder")
        if known and newer and settings.get("presets"):
            names = ", ".join(settings["presets"])
            raise SpinneyError(f"{self.file} does not say what {names} stood for; name another file or folder")
        for key, value in settings.items():
            if key not in known or (key == "games" and value > known[key]):
                self._write(key, value)
            elif key != "games" and not (key == "agents" and "ranges" in settings) and known[key] != value:
                begun, asked = json.dumps(known[key]), json.dumps(value)
                raise SpinneyError(
                    f"{self.file} was begun with {key} {begun}, not {asked}; name another file or folder"
                )

    def _write(self, key: str, value: Any) -> None:
        self._connection.execute("INSERT OR REPLACE INTO run VALUES (?, ?)", (key, json.dumps(value)))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except SpinneyError:
            raise
        except (sqlite3.Error, ValueError, TypeError) as error:  # damaged pages, damaged values
            raise BadRecording(f"{self.file} cannot be used as a results file: {error}") from error


def _how_to_read(file: Path) -> str:
    """A way to open a file that is not to be changed. SQLite would write beside it, for others may be at work; where
    nothing can be written, nobody is."""
    unchanging = not os.access(file.absolute().parent, os.W_OK) and not file.with_name(f"{file.name}-wal").exists()
    return "ro&immutable=1" if unchanging else "rw"


def check_new(file: Path, resume: bool) -> None:
    """Refuse to begin a file that is there, unless it is to be gone on with."""
    if file.exists() and not resume:
        raise SpinneyError(f"{file} is there already; add --resume to go on with it, or name another --file")


def _are_settings(settings: dict[str, Any]) -> bool:
    kinds: dict[str, Any] = {
        "game": str,
        "agents": list,
        "games": int,
        "seed": int,
        "limit": float | int | None,
        "clock": str,
    }
    fit = all(key in settings and isinstance(settings[key], kind) for key, kind in kinds.items())
    return fit and all(isinstance(agent, str) for agent in settings["agents"])


def _finished(row: tuple[Any, ...], agents: int) -> GameResult:
    """A stored game; one that cannot have been stored by an arena is a ValueError."""
    values = dict(zip(COLUMNS, (value if isinstance(value, int) else json.loads(value) for value in row), strict=True))
    game = FINISHED.validate_python(values)
    seats = len(game.seats)
    lists = (game.shares, game.scores, game.moves, game.seconds, game.longest)
    known = all(0 <= agent < agents for agent in game.seats)
    if (
        not known
        or any(len(numbers) != seats for numbers in lists)
        or not all(CHANCE <= mover < seats for mover, _ in game.steps)
    ):
        raise ValueError(f"game {game.number} does not fit together")
    return game
