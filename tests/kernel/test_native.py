"""Compiled code: out of the way until it is needed, and off the GIL when it runs."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest

import spinney
from spinney.errors import BadGame
from spinney.kernel import bind
from spinney.kernel.fingerprint import fingerprint


@pytest.mark.parametrize(
    "code", ["import spinney", "from spinney.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass"]
)
def test_start_up_does_not_import_numba(code):
    check = f"{code}\nimport sys\nassert 'numba' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_search_releases_the_gil():
    game = spinney.game("connect_four")
    search = game.agent("uct(seed=1)").search
    worker = search.workers[0]
    worker.clear()
    step = search._step(worker, worker.form(game.card.rules.State, game.start().record))
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


def test_one_binding_for_one_fingerprint():
    def make(n):
        def add(x):
            return x + n

        return add

    assert bind(make, "test/add", n=1) is bind(make, "test/add", n=1)
    assert bind(make, "test/add", n=1)(1) == 2
    assert bind(make, "test/add", n=2)(1) == 3
    assert bind(make, "test/add", plain=True, n=2)(1) == 3
