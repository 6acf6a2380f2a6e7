"""The one line that a person sees while something compiles for the first time."""

from __future__ import annotations

import sys
from collections.abc import Callable


def _on_terminal(label: str) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"compiling {label}, first run only", file=sys.stderr, flush=True)


listener: Callable[[str], None] = _on_terminal
"""Called with a label such as "connect_four/uct" before a compilation that the cache could not spare."""

_told: set[str] = set()


def compiling(label: str) -> None:
    if label not in _told:
        _told.add(label)
        listener(label)
