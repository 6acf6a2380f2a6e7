"""A progress bar while something is compiled, with an estimate from the last time."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from statistics import median
from typing import Any

from spinney.errors import SpinneyError
from spinney.files import write_atomic
from spinney.kernel.cache import cache_folder, make_cache_folder

GUESS = 5.0
"""Seconds that compiling takes, if nothing was compiled on this machine before."""
LONGEST = 3600.0
"""A longer time is a mistake in the file."""
TIMES = "times.json"
"""The file in the cache folder with the seconds that each label took."""


@contextmanager
def compiling(label: str, function: str) -> Iterator[None]:
    """Show progress on the terminal, and remember the time that it took."""
    times, name, begun = _read_times(), f"{label}.{function}", time.perf_counter()
    estimate = times.get(name, median(times.values()) if times else GUESS)
    _under_way[threading.get_ident()] = (label, begun, estimate)
    try:
        with _bar(label, estimate):
            yield
    finally:
        del _under_way[threading.get_ident()]
    times = {**_read_times(), name: round(time.perf_counter() - begun, 2)}
    with suppress(OSError, SpinneyError):
        if folder := make_cache_folder():
            write_atomic(folder / TIMES, json.dumps(times))


_under_way: dict[int, tuple[str, float, float]] = {}
"""By thread: what is being compiled, since when, and how long it took the last time."""


Progress = tuple[str, float, float]
"""What is being compiled, the seconds so far, and those that it took the last time."""


def under_way(thread: int | None) -> list[Progress]:
    """What a thread of this process compiles now, or waits for; nothing is possible."""
    found = _under_way.get(thread) if thread is not None else None
    return [] if found is None else [(found[0], time.perf_counter() - found[1], found[2])]


def _read_times() -> dict[str, float]:
    with suppress(OSError, ValueError):
        found = json.loads((cache_folder() / TIMES).read_text())
        if isinstance(found, dict):
            return {name: float(it) for name, it in found.items() if isinstance(it, int | float) and 0 < it < LONGEST}
    return {}


def _bar(label: str, seconds: float) -> Any:
    """A bar on the standard error, if that is a terminal and no other process or thread of ours uses it."""
    from multiprocessing import parent_process  # only here: --help needs none of it

    alone = threading.current_thread() is threading.main_thread() and parent_process() is None
    if not alone or sys.stderr is None or not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn, Task, TextColumn
    from rich.progress_bar import ProgressBar

    class Elapsed(ProgressColumn):
        def render(self, task: Task) -> ProgressBar:
            return ProgressBar(total=seconds, completed=min(task.elapsed or 0.0, 0.98 * seconds), width=30)

    text = f"compiling {label}, about {max(1, round(seconds))} s"
    bar = Progress(TextColumn(text, markup=False), Elapsed(), console=Console(stderr=True), transient=True)
    bar.add_task("")
    return bar
