"""Compiled code: out of the way until it is needed, and off the GIL when it runs."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import spinney
from spinney.errors import BadGame
from spinney.kernel import Record, bind, i8, i64, native, rule
from spinney.kernel.cache import cache_folder
from spinney.kernel.fingerprint import fingerprint
from spinney.kernel.rule import RULES
from tests.commands import on_terminal


def test_a_search_releases_the_gil():
    game = spinney.game("connect_four")
    search = game.agent("uct(seed=1)").search
    worker = search.workers[0]
    worker.clear()
    root = worker.form(game.card.rules.State, game.start().record)
    step = search.step(worker, root)
    thread = threading.Thread(target=step, args=(400_000,))  # one call, no slices
    ticks = 0
    thread.start()
    while thread.is_alive():
        time.sleep(0.001)
        ticks += 1
    assert ticks > 10


def test_what_rules_may_refer_to():
    table = {"a": 1}

    def make():
        return lambda: table["a"]

    with pytest.raises(BadGame, match="table is a dict, which rules cannot refer to"):
        fingerprint(make)
    with pytest.raises(BadGame):
        bind(make, "test/table")


def test_defaults_count():
    def made(table):
        return lambda i, table=table: table[i]

    ones = np.ones(5000, np.int8)
    other = ones.copy()
    other[2500] = 2  # where a long array's text has dots
    assert fingerprint(made(ones)) == fingerprint(made(ones.copy()))
    assert fingerprint(made(ones)) != fingerprint(made(other))
    with pytest.raises(BadGame, match="a default is a dict"):
        fingerprint(made({}))


def test_one_binding_for_one_fingerprint():
    def make(n):
        def add(x):
            return x + n

        return add

    assert bind(make, "test/add", n=1) is bind(make, "test/add", n=1)
    assert bind(make, "test/add", n=1)(1) == 2
    assert bind(make, "test/add", n=2)(1) == 3
    assert bind(make, "test/add", plain=True, n=2)(1) == 3


def test_bounds_are_checked_on_request():
    """Out of range is silent when compiled, so all rules and searches also run with checks, and a fault is seen."""
    code = """
import spinney
from spinney.kernel import Record, bind, i8

class Three(Record):
    cell = i8[3]

def make():
    def peek(record, i):
        return record.cell[i]
    return peek

for i in (3, -1):
    try:
        bind(make, "test/peek")(Three.native(), i)
    except IndexError:
        print("caught")
deepsea = [f"deepsea(players=6, ruleset={ruleset})" for ruleset in ("paper", "official", "paper_code")]
for spec in ("connect_four", "tictactoe", "examples/pig.py(players=4, goal=15)", *deepsea):
    game = spinney.game(spec)
    for agent in ("uct(iterations=3000)", "flat(iterations=3000)", "uct(iterations=3000, open_loop=true, nodes=999)"):
        game.agent(agent, seed=1).search.run(game.start(seed=1))
print("done")
"""
    environment = {**os.environ, "SPINNEY_BOUNDSCHECK": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.stdout.split() == ["caught", "caught", "done"], done.stderr


def test_arrays_are_passed_without_reference_counting(monkeypatch, tmp_path):
    """It would cost atomic operations at every call that is not inlined."""
    monkeypatch.setenv("SPINNEY_CACHE", str(tmp_path))

    def make():
        @rule
        def last(numbers, n):
            return numbers[n - 1]

        def total(numbers, n):
            found = 0.0
            for i in range(n):
                found += last(numbers, i + 1)
            return found

        return total

    total = bind(make, "test/total")
    assert total(np.arange(5.0), 5) == 10
    (code,) = total.inspect_llvm().values()
    assert "noalias" in code
    assert "incref" not in code.split("cpython")[0]


def test_a_rule_is_compiled_once_for_all_integers(tmp_path, monkeypatch):
    monkeypatch.setenv("SPINNEY_CACHE", str(tmp_path))

    class Widths(Record):
        small = i8
        large = i64

    @rule
    def double(x):
        return 2 * x

    def make():
        def total(widths, n):
            return double(3) + double(widths.small) + double(widths.large) + double(n)

        return total

    assert bind(make, "test/widths")(Widths.native(Widths(small=100, large=2**40)), 1) == 2 * (3 + 100 + 2**40 + 1)
    assert len(native._compiled_rules[double].signatures) == 1


def test_a_rule_can_raise_an_error(tmp_path):
    """Compiled, and read from the cache."""
    code = """
from spinney.kernel import Record, bind, i8, i64, native, rule

@rule
def checked(x):
    if x > 2:
        raise ValueError("too large")
    return 10 // x

def make():
    def run(x):
        return checked(x) + checked(x)
    return run

for x in (2, 0, 5):
    try:
        print(bind(make, "test/raise")(x))
    except (ValueError, ZeroDivisionError) as error:
        print(type(error).__name__, error)
"""
    (tmp_path / "game.py").write_text(code)
    environment = {**os.environ, "SPINNEY_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(Path(__file__).parents[2])}
    for _ in range(2):
        command = [sys.executable, str(tmp_path / "game.py")]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert done.stdout.splitlines() == [
            "10", "ZeroDivisionError integer division by zero", "ValueError too large",
        ], done.stderr  # fmt: skip
    assert len(list((tmp_path / "cache").glob("*.nbc"))) == 1


def test_the_rules_of_a_plain_search_go_with_it():
    game = spinney.game("tictactoe")
    game.agent("uct(plain=true)")
    gc.collect()
    known = len(RULES)
    for _ in range(3):
        game.agent("uct(plain=true)")
    gc.collect()
    assert len(RULES) == known


def test_an_empty_variable_names_no_cache_folder(monkeypatch):
    monkeypatch.delenv("SPINNEY_CACHE", raising=False)
    for platform, variable in (("linux", "XDG_CACHE_HOME"), ("win32", "LOCALAPPDATA")):
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setenv(variable, "")
        assert cache_folder().is_absolute()


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
def test_a_bar_of_progress_on_a_terminal(tmp_path):
    """With an estimate: a guess at first, then from the last time."""
    code = "import spinney\nspinney.game('tictactoe').agent('flat')\nspinney.game('tictactoe').agent('flat(threads=2)')"

    def shown() -> str:
        environment = {**os.environ, "SPINNEY_CACHE": str(tmp_path), "COLUMNS": "100"}
        with on_terminal([sys.executable, "-c", code], environment) as (process, read):
            assert process.wait() == 0
            return read()

    assert "compiling tictactoe/flat, about 5 s" in shown()
    assert "compiling" not in shown()
    assert list(json.loads((tmp_path / "times.json").read_text())) == ["tictactoe/flat.search"]
    for file in tmp_path.glob("*.nbc"):
        file.unlink()
    (tmp_path / "times.json").write_text('{"tictactoe/flat.search": 77}')
    assert "compiling tictactoe/flat, about 77 s" in shown()
    for file in tmp_path.glob("*.nbc"):
        file.unlink()
    (tmp_path / "times.json").write_text("[damaged")
    assert "compiling tictactoe/flat, about 5 s" in shown()
