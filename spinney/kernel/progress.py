"""The progress line on the terminal when a function is compiled for the first time."""

from __future__ import annotations

import sys
from collections.abc import Callable


def _on_terminal(label: str) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"compiling {label}, first run only", file=sys.stderr, flush=True)


listener: Callable[[str], None] = _on_terminal
"""Called on a cache miss, before the compilation, with a label such as "connect_four/uct"."""

_reported: set[str] = set()


def compiling(label: str) -> None:
    """Call the listener, once per label."""
    if label not in _reported:
        _reported.add(label)
        listener(label)
