"""Games as the server saw them, for `spinney replay`: a file a snake, a line a message, each written at once."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import pydantic

from spinney.bridges.battlesnake.messages import Message, problem
from spinney.errors import BadRecording
from spinney.files import begins_with


class GameLog:
    """Where a game is written, if anywhere. Trouble with the disk ends the journal, not the game."""

    def __init__(self, folder: Path | None = None, message: Message | None = None) -> None:
        self._file: IO[str] | None = None
        if folder is not None and message is not None:
            with suppress(OSError):
                self._file = _new_file(folder, message)

    def write(self, event: str, message: Message | None = None, **more: Any) -> None:
        """Add a line."""
        if self._file is None:
            return
        line = {"event": event, **more, **(message.model_dump(by_alias=True) if message is not None else {})}
        try:
            self._file.write(json.dumps(line, separators=(",", ":")) + "\n")
            self._file.flush()
        except OSError:
            self.close()

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):  # what could not be written is lost
                file.close()


def _new_file(folder: Path, message: Message) -> IO[str]:
    """A file that is not there yet; ids come from the network, so only plain letters of them are used."""
    game, snake = (re.sub(r"[^A-Za-z0-9-]+", "", part)[:40] for part in message.key)
    stem = f"{time.strftime('%Y%m%d-%H%M%S')}-{game}-{snake}"
    for number in range(1000):
        try:
            return (folder / f"{stem}{f'-{number}' if number else ''}.jsonl").open("x", encoding="utf-8")
        except FileExistsError:
            continue
    raise FileExistsError(stem)


def is_game_log(file: Path) -> bool:
    """Whether a file begins as a journal does."""
    return begins_with(file, b'{"event":')


def read_game_log(file: Path) -> Iterator[tuple[dict[str, Any], Message | None]]:
    """The lines of a journal, and the messages in them. A last line that was cut off is left out."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadRecording(f"{file} cannot be read: {error}") from None
    if "\n" not in text:
        raise BadRecording(f"{file} holds no game: its first line was cut off")
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if not line.endswith("\n"):
            return
        try:
            found = json.loads(line)
            if not isinstance(found, dict) or "event" not in found:
                raise ValueError("it tells of no event")
            yield found, Message.model_validate(found) if "board" in found else None
        except pydantic.ValidationError as error:
            raise BadRecording(f"{file}, line {number}: {problem(error)}") from None
        except (ValueError, RecursionError) as error:
            raise BadRecording(f"{file}, line {number}: {error}") from None
