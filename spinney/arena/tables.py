"""The tables of a results file: `run` (settings), `games` (a row per game), `seats` (a row per seat of a game), and
`decisions` (a row per game whose decisions were kept).

The columns of `games` and `seats` are the fields of `GameResult` and `SeatResult`, and are defined nowhere else. To add
a column, add a field with a default: files without the column are read with the default, and get the column when they
are opened for writing. Columns that are not fields are ignored. Any other change needs a new VERSION and a migration.
"""

from __future__ import annotations

import json
from dataclasses import fields
from itertools import groupby
from sqlite3 import Connection
from typing import Any

import pydantic

from spinney.arena.play import GameResult, SeatResult
from spinney.games import CHANCE

VERSION = 2
"""Version of the tables, kept as SQLite's `user_version`; files of Spinney 0.1 have none."""
SQL_TYPES = {"int": "INTEGER", "float": "REAL", "str": "TEXT"}
RESULT = pydantic.TypeAdapter(GameResult)


def _columns(of: type) -> dict[str, str]:
    """The fields of a dataclass with their SQL types; what is neither a number nor text is stored as JSON."""
    return {field.name: SQL_TYPES.get(str(field.type).split()[0], "JSON") for field in fields(of)}


GAMES = {name: kind for name, kind in _columns(GameResult).items() if name not in ("seats", "decisions")}
SEATS = {"game": "INTEGER", "seat": "INTEGER", **_columns(SeatResult)}


def create(connection: Connection) -> None:
    """Create the tables, and the columns that existing tables lack."""
    connection.execute("CREATE TABLE IF NOT EXISTS run (key TEXT PRIMARY KEY, value TEXT)")
    for table, columns, key, more in (("games", GAMES, "number", ""), ("seats", SEATS, "game, seat", "WITHOUT ROWID")):
        defined = ", ".join(f"{name} {kind}" for name, kind in columns.items())
        connection.execute(f"CREATE TABLE IF NOT EXISTS {table} ({defined}, PRIMARY KEY ({key})) {more}")
        present = [column[0] for column in connection.execute(f"SELECT * FROM {table} LIMIT 0").description]
        for name in columns.keys() - set(present):
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {name} {columns[name]}")
    connection.execute("CREATE TABLE IF NOT EXISTS decisions (game INTEGER PRIMARY KEY, figures BLOB)")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def insert(connection: Connection, game: GameResult) -> None:
    """Insert a game, unless there is one with its number."""
    row = {name: getattr(game, name) for name in GAMES}
    row |= {name: json.dumps(row[name], separators=(",", ":")) for name in row if GAMES[name] == "JSON"}
    if _insert(connection, "OR IGNORE", "games", row):
        for number, seat in enumerate(game.seats):
            _insert(connection, "OR REPLACE", "seats", {"game": game.number, "seat": number, **vars(seat)})
        if game.decisions:
            _insert(connection, "OR REPLACE", "decisions", {"game": game.number, "figures": game.decisions})


def _insert(connection: Connection, on_conflict: str, table: str, row: dict[str, Any]) -> bool:
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    query = f"INSERT {on_conflict} INTO {table} ({names}) VALUES ({marks})"
    return connection.execute(query, tuple(row.values())).rowcount == 1


def select(connection: Connection, agents: int, number: int | None = None) -> list[GameResult]:
    """All games in the order of their numbers, or only the game with a number. An inconsistent game is a ValueError."""
    with connection:  # one snapshot of both tables
        connection.execute("BEGIN")
        games = _select(connection, "games", "number", "number", number)
        rows = _select(connection, "seats", "game", "game, seat", number)
    seats = {game: list(group) for game, group in groupby(rows, lambda row: row["game"])}
    return [_result(game, seats.get(game["number"], []), agents) for game in games]


def decisions_of(connection: Connection, number: int) -> bytes:
    """The packed figures of a game's decisions; empty if they were not kept."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'decisions'").fetchone():
        return b""  # an older file
    row = connection.execute("SELECT figures FROM decisions WHERE game = ?", (number,)).fetchone()
    return b"" if row is None else bytes(row[0])


def _select(connection: Connection, table: str, key: str, order: str, number: int | None) -> list[dict[str, Any]]:
    """Rows without their NULLs, for which fields have defaults."""
    where, values = ("", ()) if number is None else (f"WHERE {key} = ?", (number,))
    rows = connection.execute(f"SELECT * FROM {table} {where} ORDER BY {order}", values)
    names = [column[0] for column in rows.description]
    return [{name: value for name, value in zip(names, row, strict=True) if value is not None} for row in rows]


def _result(game: dict[str, Any], seats: list[dict[str, Any]], agents: int) -> GameResult:
    read = {name: json.loads(game[name]) if GAMES.get(name) == "JSON" else game[name] for name in game}
    result = RESULT.validate_python({**read, "seats": seats})
    players = range(len(seats))
    if (
        not seats
        or [row["seat"] for row in seats] != list(players)
        or not all(0 <= agent < agents for agent in result.agents)
        or not all(player in players or player == CHANCE for player, _ in result.steps)
        or result.forfeit_seat not in (None, *players)
        or not all(0 <= share <= 1 for share in result.shares)
        or sum(result.shares) > 1 + 1e-9
    ):
        raise ValueError(f"game {result.number} is inconsistent")
    return result
