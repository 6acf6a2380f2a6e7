"""Commands as they are typed, in this process and in others, and the games that they store."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from spinney.arena import Store
from spinney.cli import main
from spinney.errors import BadRecording


def run(capsys, *arguments: object) -> tuple[int, str, str]:
    """The exit code of a command, and what it wrote to standard output and standard error."""
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in arguments])
    captured = capsys.readouterr()
    return ended.value.code or 0, captured.out, captured.err


@contextmanager
def on_terminal(
    command: list[str], environment: dict[str, str]
) -> Iterator[tuple[subprocess.Popen[bytes], Callable[[], str]]]:
    """A process on a terminal of its own, and a function that returns all that it has written so far. Its standard
    input is the terminal, too: `process.stdin` writes to it."""
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    )
    os.close(theirs)
    process.stdin = open(ours, "wb", buffering=0, closefd=False)  # noqa: SIM115
    written = bytearray()

    def listen() -> None:
        with suppress(OSError):  # the other end was closed
            while some := os.read(ours, 4096):
                written.extend(some)

    listening = threading.Thread(target=listen)
    listening.start()

    def read() -> str:
        if process.poll() is not None:
            listening.join()
        return written.decode(errors="replace")

    try:
        yield process, read
    finally:
        process.kill()
        process.wait()
        listening.join()
        os.close(ours)


def arena_command(file: Path, games: int, *more: str) -> list[str]:
    command = [sys.executable, "-m", "spinney", "arena", "deepsea", "heuristic", "diver", "--file", str(file)]
    return [*command, "--games", str(games), "--workers", "2", *more]


def start_and_wait(file: Path, command: list[str]) -> subprocess.Popen[str]:
    """Start a tournament in a process group of its own, and wait until some games are stored."""
    started = subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and started.poll() is None:
        if stored(file) >= 10:
            return started
        time.sleep(0.01)
    os.killpg(started.pid, signal.SIGKILL)
    raise AssertionError(f"no games in time: {started.communicate()}")


def stored(file: Path) -> int:
    """The games that a results file has so far."""
    try:
        with closing(Store(file)) as store:
            return len(store.numbers())
    except BadRecording:  # there is none yet
        return 0


def alive(group: int) -> list[int]:
    """The processes of a group that still run."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, process_group = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(process_group) == group and state != "Z":
            found.append(int(folder.name))
    return found
