"""Logs of games that bridges play."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import IO, Any


class Log:
    """A file of lines, each of which is written at once, if there is a file. An error of the disk ends the log, not the
    game."""

    def __init__(self, file: Path | None = None) -> None:
        self._file: IO[Any] | None = None if file is None else file.open("wb", buffering=0)

    def note(self, line: str) -> None:
        if self._file is not None:
            try:
                self._file.write(f"{line}\n".encode())
            except OSError:
                self.close()

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):  # what could not be written is lost
                file.close()
