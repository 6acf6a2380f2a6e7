"""Logs of games as the server saw them, for `spinney replay`: a file per snake, a line per message, written at once."""

from __future__ import annotations

import json
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from spinney.agents import Decision
from spinney.bridges.battlesnake.messages import Message
from spinney.bridges.log import Log
from spinney.games.battlesnake.board import DIRECTIONS

DIGITS = 4
"""Decimals of logged values."""


class GameLog(Log):
    """The log of a snake's game, if it has one."""

    def __init__(self, folder: Path | None = None, message: Message | None = None) -> None:
        super().__init__()
        if folder is not None and message is not None:
            with suppress(OSError):
                self._file = _new_file(folder, message)

    def write(self, event: str, message: Message | None = None, **more: Any) -> None:
        if self._file is not None:
            line = {"event": event, **more, **({} if message is None else message.model_dump(by_alias=True))}
            self.note(json.dumps(line, separators=(",", ":")))

    def write_move(self, decision: Decision, milliseconds: float, message: Message) -> None:
        """Add a move and, if it was searched, the figures behind it: the expected reward of every snake for each move,
        its visits, and the principal variation."""
        figures: dict[str, Any] = {}
        if decision.choices:
            figures["value"] = round(decision.values[decision.player], DIGITS)
            figures["choices"] = [
                {
                    "move": choice.name,
                    "visits": choice.visits,
                    "values": [round(value, DIGITS) for value in choice.values],
                }
                for choice in decision.choices
            ]
        if decision.line:
            figures["line"] = decision.line
        self.write(
            "move", message, move=DIRECTIONS[decision.action], iterations=decision.iterations,
            milliseconds=round(milliseconds, 1), **figures,
        )  # fmt: skip


def _new_file(folder: Path, message: Message) -> IO[Any]:
    """A new file. Ids come from the network, so only letters, digits and hyphens of them are used."""
    game, snake = (re.sub(r"[^A-Za-z0-9-]+", "", part)[:40] for part in message.key)
    stem = f"{time.strftime('%Y%m%d-%H%M%S')}-{game}-{snake}"
    for number in range(1000):
        try:
            return (folder / f"{stem}{f'-{number}' if number else ''}.jsonl").open("xb", buffering=0)
        except FileExistsError:
            continue
    raise FileExistsError(stem)
