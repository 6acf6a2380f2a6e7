"""Bounds on what a process may take of the machine."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

MEBIBYTE = 2**20


@cache
def machine_memory() -> int | None:
    """Bytes of memory of this machine, if the system tells."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows
        return None


def limit_memory(most: int | None, process: int = 0) -> None:
    """Bound the memory that a process may ask for, in MiB; this process, or another one by its number. More is a
    MemoryError there. Only Linux can do that for data alone; elsewhere nothing is bounded."""
    try:
        import resource
    except ImportError:  # Windows
        return
    if most is not None and hasattr(resource, "prlimit"):
        hard = resource.prlimit(process, resource.RLIMIT_DATA)[1]
        bound = most * MEBIBYTE if hard == resource.RLIM_INFINITY else min(most * MEBIBYTE, hard)
        resource.prlimit(process, resource.RLIMIT_DATA, (bound, hard))


def die_with_parent() -> None:
    """End this process when its parent ends; only Linux can do that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def end_family(process: int) -> None:
    """End a process and, where the system lists them, all that it has started."""
    with suppress(OSError):
        listed = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        for child in listed:
            end_family(int(child))
    with suppress(OSError):
        os.kill(process, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
