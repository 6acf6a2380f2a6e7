"""The file of a room: a line for its setup, then a line for everything that has happened. It is written at every step,
so that a restart of the server loses nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spinney.errors import BadRecording
from spinney.files import append_atomic

LONGEST = 64 * 1024 * 1024
"""Bytes of a journal that is read."""


class Journal:
    """Lines of JSON. A last line that was cut off is left out, and cut away before the next is written."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._unwritten = ""

    def add(self, **entry: Any) -> None:
        """Write an entry, after those that could not be written when they were added."""
        self._unwritten += json.dumps(entry, separators=(",", ":")) + "\n"
        append_atomic(self.file, self._unwritten)
        self._unwritten = ""

    def read(self) -> Iterator[dict[str, Any]]:
        """Everything that was written; a BadRecording if the file is damaged."""
        try:
            if self.file.stat().st_size > LONGEST:
                raise BadRecording(f"{self.file.name} has more than {LONGEST:,} bytes")
            data = self.file.read_bytes()
        except OSError as error:
            raise BadRecording(f"cannot read {self.file.name}: {error.strerror}") from None
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            with self.file.open("r+b") as stream:
                stream.truncate(whole)
        for number, line in enumerate(data[:whole].splitlines(), 1):
            try:
                entry = json.loads(line)
            except ValueError:
                raise BadRecording(f"{self.file.name}: line {number} is damaged") from None
            if not isinstance(entry, dict):
                raise BadRecording(f"{self.file.name}: line {number} is not an object")
            yield entry
