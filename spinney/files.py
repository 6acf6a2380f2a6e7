"""Writing files so that a full disk, Ctrl-C or a power cut leaves what was there before; and a first look at them."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from spinney.errors import SpinneyError


def file_name(words: str) -> str:
    """Words as the name of a file, without what shells and systems do not like."""
    return words.translate(str.maketrans(" /", "--", ",:"))


def write_whole(file: Path, content: bytes | str) -> None:
    """Write a file so that it is there as a whole or not at all, whatever happens."""
    data = content.encode(errors="replace") if isinstance(content, str) else content  # names of files are not all UTF-8
    with told(file):
        if file.exists() and not file.is_file():  # a device or a pipe: nothing can take its place
            file.write_bytes(data)
            return
        place = Path(os.path.realpath(file))
        beside = place.with_name(f"{place.name}.{secrets.token_hex(4)}.part")  # others may write the same file
        try:
            with open(beside, "xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(beside, place)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise


def append_whole(file: Path, text: str) -> None:
    """Add all of a text to the end of a file, or nothing."""
    data = text.encode()
    with told(file):
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
    """Whether a file can be read, and begins like that."""
    try:
        with file.open("rb") as stream:
            return stream.read(len(start)) == start
    except OSError:
        return False


def make_folder(folder: Path) -> Path:
    """A folder to write to, made with those above it if need be."""
    if folder.exists() and not folder.is_dir():
        raise SpinneyError(f"cannot write to {folder}: it is not a folder")
    with told(folder):
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
def told(file: Path) -> Iterator[None]:
    """Trouble with a file that is written, in a line."""
    try:
        yield
    except OSError as error:
        raise SpinneyError(f"cannot write {file}: {error.strerror or error}") from None
