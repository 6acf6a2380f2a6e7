"""The cache of compiled code on disk: where it is, and which of its files may be used.

A file is unpickled, and its machine code runs: so it must belong to the user or to root, nobody else may be able to
write it or its folder, and its checksum must be right. Any other file is as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

MAGIC = b"spinney3"
"""Begins every file; the number is that of the format. The SHA-256 of the content and the content follow."""
MAX_FILES = 32
"""Files kept per label and function: for several rollouts, numbers of players and Python versions."""
STALE = 3600
"""Seconds after which a temporary file is that of a process that was killed."""


def cache_folder() -> Path:
    """The user's folder of compiled code: $SPINNEY_CACHE, or in the user's cache folder."""
    if chosen := os.environ.get("SPINNEY_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "spinney" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "spinney"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "spinney"


def shared_folder() -> Path:
    """A second folder, which is only read: $SPINNEY_CACHE_SHARED, or `_compiled` in the package."""
    return Path(os.environ.get("SPINNEY_CACHE_SHARED") or Path(__file__).parents[1] / "_compiled")


def read_code(name: str) -> bytes | None:
    """The content of a file of the user's folder or of the shared one, if it can be trusted."""
    for folder in (cache_folder(), shared_folder()):
        with contextlib.suppress(OSError):
            content = _read_trusted(folder / name)
            if content is not None:
                if folder == cache_folder():
                    with contextlib.suppress(OSError):
                        os.utime(folder / name)  # the least recently used files are pruned
                return content
    return None


def _read_trusted(file: Path) -> bytes | None:
    if not _trusted(os.stat(file.parent)):
        return None
    with open(file, "rb") as stream:
        if not _trusted(os.fstat(stream.fileno())):
            return None
        head, content = stream.read(len(MAGIC) + 32), stream.read()
    return content if head == MAGIC + hashlib.sha256(content).digest() else None


def _trusted(found: os.stat_result) -> bool:
    """Whether a file or folder is the user's or root's, and nobody else can write it."""
    if not hasattr(os, "geteuid"):  # Windows
        return True
    return found.st_uid in (os.geteuid(), 0) and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def make_cache_folder() -> Path | None:
    """The user's folder, made if it is not there; none if nothing in it would be trusted."""
    folder = cache_folder()
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o755, exist_ok=True)
    if _trusted(folder.stat()):
        return folder
    _complain(folder)
    return None


def check_cache_folder() -> None:
    """Say on the terminal if nothing in the user's folder would be trusted."""
    with contextlib.suppress(OSError):
        if not _trusted(cache_folder().stat()):
            _complain(cache_folder())


@cache
def _complain(folder: Path) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"{open_to_others(folder)}, so compiled code is not cached", file=sys.stderr)


def open_to_others(folder: Path) -> str:
    return f"others can write to {folder} (chmod go-w {folder} mends it)"


def write_code(name: str, content: bytes, prefix: str) -> None:
    """Write a file to the user's folder, and prune the oldest of those that begin with the prefix."""
    folder = make_cache_folder()
    if folder is None:
        return
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=prefix, suffix=".tmp")
    try:
        with open(handle, "wb") as stream:
            stream.write(MAGIC + hashlib.sha256(content).digest() + content)
        os.chmod(temporary, 0o644)  # other users may read a shared folder
        os.replace(temporary, folder / name)
    except BaseException:
        os.unlink(temporary)
        raise
    files = sorted(folder.glob(f"{prefix}*.nbc"), key=lambda file: -file.stat().st_mtime)
    left_behind = [file for file in folder.glob(f"{prefix}*.tmp") if file.stat().st_mtime < time.time() - STALE]
    for file in files[MAX_FILES:] + left_behind:
        file.unlink(missing_ok=True)
