"""Atomic writing of files: after a full disk, Ctrl-C or a power cut, the previous content is still there."""

from __future__ import annotations

import gzip
import os
import secrets
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from spinney.errors import SpinneyError


def file_name(title: str) -> str:
    """A title as a file name, without characters that are special to shells or file systems."""
    return title.translate(str.maketrans(" /", "--", ",:"))


LARGEST = 128 * 2**20
"""Bytes of a file that are read at once, and of a line of a longer one; also of what a compressed one holds."""
LARGEST_OF_LINES = 4 * 2**30
"""Bytes of a file that is read line by line."""


def read_bounded(file: Path, most: int = LARGEST) -> bytes:
    """The content of a file; a ValueError if it is too large."""
    with file.open("rb") as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise ValueError(f"it has more than {most:,} bytes")
    return data


def inflate(packed: bytes, most: int = LARGEST) -> bytes:
    """What zlib has compressed; a ValueError if it is too large or damaged."""
    try:
        stream = zlib.decompressobj()
        data = stream.decompress(packed, most + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(data) > most or not stream.eof:
        raise ValueError(f"it is cut off, or has more than {most:,} bytes")
    return data


def read_lines(file: Path, most: int = LARGEST, most_in_all: int = LARGEST_OF_LINES) -> Iterator[str]:
    """The lines of a file of text, plain or gzip by its name; a ValueError if it is too large or not UTF-8."""
    total = 0
    with gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb") as stream:
        while line := stream.readline(most + 1):
            total += len(line)
            if len(line) > most or total > most_in_all:
                raise ValueError(f"it has a line of more than {most:,} bytes, or more than {most_in_all:,} in all")
            yield line.decode("utf-8")


def write_atomic(file: Path, content: bytes | str) -> None:
    """Write a file completely or not at all."""
    data = content.encode(errors="replace") if isinstance(content, str) else content  # not all file names are UTF-8
    with os_errors(file):
        if file.exists() and not file.is_file():  # a device or a pipe cannot be replaced
            file.write_bytes(data)
            return
        target = Path(os.path.realpath(file))
        part = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")  # unique: there may be several writers
        try:
            with open(part, "xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(part, target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def append_atomic(file: Path, text: str) -> None:
    """Append a text to a file completely or not at all."""
    data = text.encode()
    with os_errors(file):
        before = file.stat().st_size if file.exists() else None
        try:
            with open(file, "ab", buffering=0) as stream:
                while data:
                    data = data[stream.write(data) :]
        except BaseException:
            if before is None:
                file.unlink(missing_ok=True)
            elif file.is_file():
                os.truncate(file, before)
            raise


def begins_with(file: Path, start: bytes) -> bool:
    """Whether a file can be read and begins with these bytes."""
    try:
        with file.open("rb") as stream:
            return stream.read(len(start)) == start
    except OSError:
        return False


def make_folder(folder: Path) -> Path:
    """Create a folder and its parents, if they do not exist; returns the folder."""
    if folder.exists() and not folder.is_dir():
        raise SpinneyError(f"cannot write to {folder}: it is not a folder")
    with os_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def check_target(*files: str | Path | None, read: Path | None = None) -> None:
    """Refuse files that cannot be written, that are also read, or that are named twice, before any work is done."""
    taken = [] if read is None else [os.path.realpath(read)]
    for target in (Path(file) for file in files if file is not None and file != "-"):
        folder, there = target.absolute().parent, target.exists()
        if not folder.is_dir():
            raise SpinneyError(f"cannot write {target}: there is no folder {target.parent}")
        if target.is_dir():
            raise SpinneyError(f"cannot write {target}: it is a folder; name a file")
        device = there and not target.is_file()
        if not all(os.access(place, os.W_OK) for place in [target] * there + [folder] * (not device)):
            raise SpinneyError(f"cannot write {target}: permission denied")
        if os.path.realpath(target) in taken and not device:
            raise SpinneyError(f"cannot write {target}: this command needs that file for something else; name another")
        taken.append(os.path.realpath(target))


@contextmanager
def os_errors(file: Path) -> Iterator[None]:
    """Turn an OSError into a SpinneyError of one line."""
    try:
        yield
    except OSError as error:
        raise SpinneyError(f"cannot write {file}: {error.strerror or error}") from None
