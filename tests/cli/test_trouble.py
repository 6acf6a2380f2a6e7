"""Commands that are interrupted, that find the disk full, and that have neither home nor terminal."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from spinney.arena import Arena, Store, play_game
from spinney.bridges.log import Log
from spinney.cli.output import write_json
from spinney.errors import SpinneyError
from spinney.files import append_atomic, write_atomic
from tests.commands import arena_command, run, start_and_wait, stored

resource = pytest.importorskip("resource", reason="limits and signals of POSIX")
SPINNEY = [sys.executable, "-m", "spinney"]
ROOT = str(Path(__file__).parents[2])


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file can grow larger than this."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def files(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    """A folder to work in, with the results of a small tournament and a recorded game."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", ROOT)
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    arena = Arena("tictactoe", ["heuristic", "random"], 4, Path("results.sqlite"))
    with closing(arena.store) as store:
        for job in arena.jobs:
            store.add(play_game(job))
    Path("games.jsonl").write_text("{}\n")
    return tmp_path


# A full disk.


@pytest.mark.parametrize(
    ("words", "size", "says"),
    [
        (["arena", "tictactoe", "random", "random", "--file", "new.sqlite"], 0, "new.sqlite cannot be used"),
        (["arena", "tictactoe", "random", "random", "--file", "new.sqlite"], 5000, "new.sqlite cannot be used"),
        (["watch", "tictactoe", "random", "random", "-q", "--save", "games.jsonl"], 100, "cannot write games.jsonl: "),
        (["watch", "tictactoe", "random", "random", "-q", "--save", "new.jsonl"], 100, "cannot write new.jsonl: "),
        (["watch", "halite(size=10, turns=5)", "random", "random", "-q", "--save", "new.hlt"], 100, "new.hlt: "),
        (["games", "--json", "new.json"], 100, "cannot write new.json: "),
        (["games", "--json", "games.jsonl"], 100, "cannot write games.jsonl: "),
        (["report", "results.sqlite"], 40_000, "cannot write results.html: "),
        (["bridge", "colosseum", "--agent", "greedy"], 100, "cannot write spinney_agent.py: "),
        (["train", "connect_four", "--preset", "smoke", "--out", "run"], 100, "cannot write run/settings.yaml: "),
    ],
)
def test_a_full_disk_is_one_line_and_leaves_what_was_there(words, size, says, place, capsys):
    before = files(place)
    with room(size):
        code, _, errors = run(capsys, *words)
    assert code == 2
    assert errors.startswith("spinney: ")
    assert errors.count("\n") == 1
    assert says in errors
    assert files(place) == before


def test_a_tournament_goes_on_when_there_is_room_again(place, capsys):
    words = ["arena", "tictactoe", "heuristic", "random", "--games", "60", "--workers", "1", "--file", "new.sqlite"]
    with room(70_000):
        code, _, errors = run(capsys, *words)
    assert (code, errors.count("\n")) == (2, 1)
    assert 0 < stored(place / "new.sqlite") < 60
    assert run(capsys, *words, "--resume")[0] == 0
    assert stored(place / "new.sqlite") == 60
    assert whole(place)


def test_files_are_written_whole_or_not_at_all(tmp_path, monkeypatch):
    file, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to(file)
    write_atomic(link, b"before")
    append_atomic(file, " and after")
    assert link.is_symlink()
    assert file.read_bytes() == b"before and after"
    with room(20), pytest.raises(SpinneyError, match=r"cannot write .*file: File too large"):
        append_atomic(file, "too much for this disk")
    with room(20), pytest.raises(SpinneyError, match=r"cannot write .*link: File too large"):
        write_atomic(link, b"too much for this disk, too")

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(file, b"other")
    assert files(tmp_path) == {"file": b"before and after", "link": b"before and after"}
    write_atomic(Path("/dev/null"), b"nothing takes its place")
    assert Path("/dev/null").is_char_device()


def test_writers_of_one_file_do_not_disturb_each_other(tmp_path):
    file = tmp_path / "file"
    contents = [bytes([65 + i]) * 100_000 for i in range(4)]
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(write_atomic, file, content) for content in contents * 10]
        for job in jobs:
            job.result()
            assert file.read_bytes() in contents
    assert files(tmp_path).keys() == {"file"}


def test_infinite_numbers_are_words_in_json(tmp_path):
    write_json(str(tmp_path / "figures"), {"values": [float("inf"), (1.5, float("-inf"))], "nan": float("nan")})
    assert json.loads((tmp_path / "figures").read_text()) == {"values": ["inf", [1.5, "-inf"]], "nan": "nan"}


def test_a_bot_whose_log_is_full_plays_on():
    with closing(Log(Path("/dev/full"))) as log:
        log.note("turn 1")
        log.note("turn 2")


# Files that may not be read or written, and no home.


def test_results_can_be_read_where_nothing_can_be_written(place, monkeypatch):
    before = files(place)
    with closing(Store(Path("results.sqlite"))) as store:
        assert Path("results.sqlite-shm").exists() or len(store.games()) == 4
        assert files(place).keys() > before.keys()  # as long as others may write to it
    monkeypatch.setattr(os, "access", lambda *_: False)
    with closing(Store(Path("results.sqlite"))) as store:
        assert len(store.games()) == 4
        assert files(place) == before
    with closing(sqlite3.connect("results.sqlite")) as writer:  # one that is killed leaves its last game in the log
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("UPDATE games SET seed = 77 WHERE number = 0")
        writer.commit()
        for name in ("results.sqlite", "results.sqlite-wal"):
            shutil.copy(name, f"killed-{name}")
    before = files(place)
    with closing(Store(Path("killed-results.sqlite"))) as store:
        assert store.game(0).seed == 77
        assert files(place) == before


def test_files_without_permission(place, capsys):
    sealed = place / "sealed"
    sealed.write_text("{}")
    sealed.chmod(0)
    if os.access(sealed, os.R_OK):
        pytest.skip("this user may read everything")
    agents = ["tictactoe", "random", "random"]
    for words in (
        ["verify", "tictactoe", "sealed"], ["replay", "sealed", "0"], ["report", "sealed"],
        ["games", "--json", "sealed"], ["train", "battlesnake", "--settings", "sealed"],
        ["watch", *agents, "--save", "sealed"], ["arena", *agents, "--file", "sealed", "--resume"],
    ):  # fmt: skip
        code, out, errors = run(capsys, *words)
        assert (code, out, errors.count("\n")) == (2, "", 1), words
        assert "sealed" in errors


def test_without_a_home_everything_works(place):
    nowhere = {"HOME": "/dev/null/home", "SPINNEY_CACHE": "/dev/null/cache", "PYTHONPATH": ROOT}
    done = subprocess.run([*SPINNEY, "report", "results.sqlite"], env=nowhere, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "results.html" in files(place)


# No terminal.


def test_whoever_reads_along_may_leave(place):
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb") as gone:
        done = subprocess.run([*SPINNEY, "games"], stdout=gone, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (1, "")


def test_output_to_a_full_disk(place):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*SPINNEY, "games"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (2, "spinney: the output: No space left on device\n")


def test_closed_streams_lead_nowhere(place):
    """A person who is not there leaves the game; and a file that is opened is not taken for standard output."""
    words = ["watch", "tictactoe", "random", "random", "--save", "new.jsonl"]
    for line in (["play", "tictactoe", "-a", "random"], words):
        command = ["sh", "-c", '"$@" <&- >&-', "sh", *SPINNEY, *line]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        assert (done.returncode, done.stderr) == (0, "")
    assert (place / "new.jsonl").read_bytes().startswith(b'{"game": "tictactoe"')


def test_no_letter_is_too_strange(place, capsys, monkeypatch):
    """What is typed may not be UTF-8, boards may have lines that a terminal has not, and files have any name."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\nquit\n"), "utf-8"))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))
    code, _, errors = run(capsys, "play", "saboteur", "--against", "random")
    sys.stdout.seek(0)
    assert (code, errors) == (0, "")
    assert "Game left." in sys.stdout.read()
    os.rename("results.sqlite", "caf\udce9.sqlite")
    code, _, errors = run(capsys, "report", "caf\udce9.sqlite")
    sys.stdout.seek(0)
    assert (code, errors) == (0, "")
    assert "report of 4 games in caf?.html" in sys.stdout.read()


# Ctrl-C.


def whole(folder: Path) -> bool:
    """Whether all databases are, and nothing else was left half done."""
    for file in folder.rglob("*.sqlite"):
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return not [file for file in folder.rglob("*") if file.suffix in (".part", ".tmp") or "-journal" in file.name]


def test_a_tournament_goes_on_after_an_interrupt(place):
    file = place / "new.sqlite"
    stopped = start_and_wait(file, arena_command(file, 5000))
    os.killpg(stopped.pid, signal.SIGINT)
    out, errors = stopped.communicate(timeout=30)
    assert (stopped.returncode, errors) == (130, "")
    played = stored(file)
    assert f"stopped; {played} games are in" in " ".join(out.split())
    assert 10 <= played < 5000
    assert whole(place)
    done = subprocess.run(arena_command(file, played + 2, "--resume"), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert stored(file) >= played + 1


def a_line(process: subprocess.Popen[str]) -> None:
    """It says something."""
    assert process.stdout is not None
    assert process.stdout.read(1)


def a_file(name: str) -> Callable[[subprocess.Popen[str]], None]:
    def wait(process: subprocess.Popen[str]) -> None:
        while process.poll() is None and not list(Path().glob(name)):
            time.sleep(0.02)

    return wait


def compiling(process: subprocess.Popen[str]) -> None:
    """The compiler is loaded, and at work."""
    while process.poll() is None and "llvmlite" not in Path(f"/proc/{process.pid}/maps").read_text():
        time.sleep(0.02)
    time.sleep(0.5)


@pytest.mark.parametrize(
    ("words", "ready"),
    [
        (["watch", "halite", "random", "random", "--save", "new.hlt", "--json", "new.json"], a_line),
        (["play", "tictactoe", "--against", "random"], a_line),
        (["tune", "deepsea", "heuristic", "margin=1..4", "-a", "diver", "--file", "t.sqlite"], a_file("t.sqlite")),
        (["train", "connect_four", "--preset", "smoke", "--out", "run"], a_file("run/settings.yaml")),
        (["bot", "halite", "--agent", "collector", "--log", "new.log"], a_file("new.log")),
        pytest.param(["bench", "battlesnake"], compiling, marks=pytest.mark.skipif(
            not Path("/proc/self/maps").exists(), reason="looks for the compiler in /proc")),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)  # fmt: skip
def test_an_interrupt_ends_any_command(words, ready, place):
    before = files(place).keys()
    process = subprocess.Popen(
        [*SPINNEY, *words], start_new_session=True, text=True, env=os.environ | {"SPINNEY_CACHE": "cache"},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    ready(process)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    assert whole(place)
    begun = {"t.sqlite", "new.log"} | {name for name in files(place) if name.startswith(("run/", "cache/"))}
    assert files(place).keys() <= before | begun


def test_an_interrupt_ends_a_client_in_its_game(place):
    with socket.create_server(("127.0.0.1", 0)) as server:
        words = ["client", "saboteur", "--agent", "greedy", "--port", str(server.getsockname()[1])]
        process = subprocess.Popen([*SPINNEY, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        connection, _ = server.accept()
        with closing(connection):
            assert connection.recv(100) == b"START spinney\n"
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (130, "")


LOADING = """
import signal, sys
import spinney.__main__ as entry

class Interrupt:
    def find_spec(self, name, *_):
        if name == "spinney.cli":
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
entry.main()
"""
CONSTRUCTOR = """
import signal, sys
import spinney.__main__ as entry

class Node:
    def __init__(self):
        signal.raise_signal(signal.SIGINT)
        self.made = True

    def __del__(self):
        del self.made

sys.argv = ["spinney", "play", "tictactoe", "-a", "random"]
from spinney.cli.play import GameScreen

GameScreen.run = lambda self: Node()
entry.main()
"""
DESTRUCTOR = """
import signal, sys, time
import spinney.__main__ as entry

class Node:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

sys.argv = ["spinney", "play", "tictactoe", "-a", "random"]
from spinney.cli.play import GameScreen

def run(self):
    Node()
    time.sleep(30)

GameScreen.run = run
entry.main()
"""


@pytest.mark.parametrize("code", [LOADING, CONSTRUCTOR, DESTRUCTOR], ids=["loading", "constructor", "destructor"])
def test_an_interrupt_is_never_lost_nor_a_traceback(code, place):
    """While the commands are imported, in a constructor, whose object is left half made, and in a destructor, where
    Python can only complain of an exception."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=25)
    assert (done.returncode, done.stderr) == (130, "")
