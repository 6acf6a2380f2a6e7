"""Results files of Spinney 0.1: JSON lists with an entry per seat, and search options under names used before 0.2."""

from __future__ import annotations

import json
import re
from sqlite3 import Connection
from typing import Any

from spinney.arena.play import GameResult, SeatResult
from spinney.arena.tables import create, insert
from spinney.search.options import RENAMED

FORMAT = 1
"""The setting `format` in files of 0.1."""
SEATS = {"seats": "agent", "shares": "share", "scores": "score", "moves": "moves", "seconds": "seconds",
         "longest": "longest"}  # fmt: skip
"""Columns of 0.1 with an entry per seat, and the fields of a seat today."""
SEARCHES = ("flat", "uct", "joint", "decoupled", "infoset", "alphabeta", "forest", "net_search")
"""The agents whose options were renamed; scripted players keep theirs."""
VALUES = {("chance", "quiet"): "default", ("common", "true"): "total", ("common", "false"): "own"}
"""Values that were renamed, by the old option and the old value."""
ARGUMENT = re.compile(r"""(\w+)(\s*=\s*)((?:[^,()'"]|'[^']*'|"[^"]*"|\((?:[^()]|\([^()]*\))*\))*)""")
"""An option with its value, which may be a spec with options of its own."""


def migrate(connection: Connection) -> None:
    """Turn the tables of 0.1 into those of today, in the transaction of the caller."""
    settings = {key: json.loads(value) for key, value in connection.execute("SELECT key, value FROM run")}
    if settings.pop("format", None) != FORMAT:
        raise ValueError("its format is unknown")
    rows = connection.execute("SELECT * FROM games ORDER BY number")
    names = [column[0] for column in rows.description]
    games = [_game(dict(zip(names, row, strict=True))) for row in rows]
    connection.execute("DELETE FROM run")
    connection.execute("DROP TABLE games")
    create(connection)
    for key, value in rename_options({"clock": "wall", "presets": {}, **settings}).items():
        connection.execute("INSERT INTO run (key, value) VALUES (?, ?)", (key, json.dumps(value)))
    for game in games:
        insert(connection, game)


def _game(row: dict[str, Any]) -> GameResult:
    old = {name: json.loads(value) if isinstance(value, str) else value for name, value in row.items()}
    seats = [
        SeatResult(**dict(zip(SEATS.values(), values, strict=True)))
        for values in zip(*(old[name] for name in SEATS), strict=True)
    ]
    seat, reason = old["forfeit"] or (None, None)
    return GameResult(old["number"], old["seed"], seats, old["steps"], seat, reason)


def rename_options(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of a run with today's names of options. The text of specs is otherwise unchanged, because a run is
    resumed with the same text."""
    presets = settings["presets"]

    def spec(text: str) -> str:
        return ARGUMENT.sub(_argument, text) if _is_search(text, presets) else text

    new = {**settings, "presets": {name: spec(text) for name, text in presets.items()}}
    new |= {key: [spec(text) for text in settings[key]] for key in ("agents", "against") if key in settings}
    if "agent" in settings:  # a tuning
        new["agent"] = spec(settings["agent"])
        if _is_search(settings["agent"], presets):
            new["ranges"] = [ARGUMENT.sub(_argument, text) for text in settings["ranges"]]
            new["trials"] = [dict(_value(*item) for item in trial.items()) for trial in settings.get("trials", [])]
    return new


def _is_search(spec: str, presets: dict[str, str]) -> bool:
    """Whether a spec names a search, or a preset or a variant of a preset that stands for one."""
    name = spec.partition("(")[0].strip()
    meant = [text for preset, text in presets.items() if preset == name or preset.startswith(f"{name}_")]
    return [*meant, name][0].partition("(")[0].strip() in SEARCHES


def _argument(match: re.Match[str]) -> str:
    name, equals, value = match.groups()
    choices = "|".join(VALUES.get((name, choice.strip()), choice) for choice in value.split("|"))
    return f"{RENAMED.get(name, name)}{equals}{choices}"


def _value(name: str, value: Any) -> tuple[str, Any]:
    return RENAMED.get(name, name), VALUES.get((name, str(value).lower()), value)
