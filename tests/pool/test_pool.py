"""Pools: the same jobs give the same results in local processes and on Ray, whatever happens to the workers.

One Ray is started for all tests here: two workers, on the loopback address, without a dashboard.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from spinney.arena import Arena
from spinney.cli import _with_ray
from spinney.errors import BadOption, MissingPackage, SpinneyError
from spinney.pool import Local, Pool, WorkerDied, on_ray, open_pool
from spinney.pool.address import check_address
from spinney.pool.local import _interrupts_deferred
from spinney.pool.on_ray import OnRay
from tests.arena.test_arena import without_times
from tests.commands import alive, run, start_and_wait

FALLER = """
import dataclasses
import os
import signal
from pathlib import Path

from spinney.games.tictactoe import GAME as TICTACTOE
from spinney.kernel import rule

FALLEN = Path(__file__).with_suffix(".fallen")
USUAL = TICTACTOE.player("heuristic")


@rule
def faller(s, player, out, rng):
    if FALLEN.parent.name == "falls" and not FALLEN.exists() and rng.count > 20:
        FALLEN.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return USUAL(s, player, out, rng)


GAME = dataclasses.replace(TICTACTOE, name="faller", players={**TICTACTOE.players, "faller": faller})
"""
"""Tic-tac-toe with a player that, in the folder "falls", kills its process in the middle of its first game."""


@pytest.fixture(scope="module")
def ray_pool() -> Iterator[Pool]:
    with open_pool(workers=2, ray="local") as pool:
        assert pool.max_pending == 4  # it starts when it is first asked for something
        yield pool
    import ray

    assert not ray.is_initialized()


@pytest.fixture(params=["local", "ray"])
def pool(request) -> Iterator[Pool]:
    if request.param == "ray":
        yield request.getfixturevalue("ray_pool")
    else:
        with Local(2) as local:
            yield local


def square(number: int) -> int:
    return number * number


def nap(seconds: float) -> float:
    """In many short naps, between which it can be woken."""
    for _ in range(int(10 * seconds)):
        time.sleep(0.1)
    return seconds


def refuse(job: str) -> None:
    raise BadOption(f"{job} is not allowed")


def die(job: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


# What every pool does.


def test_jobs_may_wait_for_results(pool):
    results: list[int] = []

    def jobs() -> Iterator[int | None]:
        yield from range(9)
        while len(results) < 9:
            yield None
        yield sum(results)

    for result in pool.run(square, jobs()):
        results.append(result)
    assert sorted(results[:9]) == [number * number for number in range(9)]
    assert results[9:] == [204 * 204]
    assert list(pool.run(square, [])) == []


def test_what_a_job_raises_is_raised(pool):
    with pytest.raises(BadOption) as raised:
        list(pool.run(refuse, ["this"]))
    assert str(raised.value) == "this is not allowed"


class AtOnce(Pool):
    """Where all jobs are finished at the same moment; a ticket is the job's number."""

    max_pending = 9

    def _submit(self, function, job):
        self.function = function
        return job

    def _finished(self, running):
        return set(running)

    def _result(self, done):
        return self.function(done)

    def _cancel(self, running): ...

    def close(self): ...


def test_what_is_finished_together_with_a_failure_is_not_lost():
    def odd(number: int) -> int:
        if number % 2 == 0:
            raise BadOption(f"{number} is not allowed")
        return number

    results: list[int] = []
    with pytest.raises(BadOption, match=r"^0 is"):
        results.extend(AtOnce().run(odd, [0, 1, 2, 3]))
    assert results == [1, 3]


def test_jobs_of_a_run_that_is_given_up_are_ended(pool):
    """On Ray: in a program that stays connected. Otherwise, see Ctrl-C below."""
    used = OnRay("auto", workers=2) if isinstance(pool, OnRay) else pool
    given_up = used.run(nap, [0, 100, 100, 100])
    assert next(given_up) == 0
    given_up.close()
    before = time.monotonic()
    assert sorted(pool.run(square, [2, 3])) == [4, 9]
    assert time.monotonic() - before < 60


# The arena, tuning and a study, on Ray.


def test_games_on_ray_are_those_of_local_processes(tmp_path, monkeypatch, ray_pool):
    """The game is a file that is named as seen from a folder in which Ray was not started."""
    shutil.copy("examples/pig.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    games = []
    for name, where in (("local", {"workers": 1}), ("ray", {"pool": ray_pool})):
        arena = Arena("pig.py(goal=20)", ["uct(iterations=60)", "heuristic"], 12, Path(name), seed=3)
        with closing(arena.store):
            assert len(list(arena.run(**where))) == 12
            games.append([without_times(game) for game in arena.store.games()])
    assert games[0] == games[1]
    assert all(game.forfeit is None for game in games[0])


def test_a_worker_that_is_killed_loses_no_finished_game(tmp_path, ray_pool):
    games = []
    for folder, where in (("stays", {"workers": 1}), ("falls", {"pool": ray_pool})):
        file = tmp_path / folder / "faller.py"
        file.parent.mkdir()
        file.write_text(FALLER)
        arena = Arena(str(file), ["faller", "random"], 10, tmp_path / f"{folder}.sqlite", seed=1)
        with closing(arena.store):
            yielded = [game.number for game in arena.run(**where)]
            games.append([without_times(game) for game in arena.store.games()])
    assert file.with_suffix(".fallen").exists()
    assert sorted(yielded) == list(range(10))
    (fallen,) = [game.number for game in games[1] if game.forfeit is not None]
    seat, reason = games[1][fallen].forfeit
    assert (games[1][fallen].agents[seat], reason) == (0, "was ended by SIGKILL")
    assert [game for game in games[0] if game.number != fallen] == [game for game in games[1] if game.number != fallen]


def test_the_same_command_says_the_same_on_ray(tmp_path, capsys, ray_pool):
    """`tune` asks for games that depend on others, and all its figures are those of the same games."""
    figures = []
    for name, where in (("local", ["--workers", "2"]), ("ray", ["--ray"])):
        words = ["tune", "tictactoe", "uct(iterations=20)", "c=0.1..3", "--against", "heuristic", "--games", "32"]
        code, out, err = run(capsys, *words, "--file", tmp_path / name, *where, "--json", "-")
        assert code == 0, err
        figures.append(json.loads(out))
    assert figures[0] == figures[1]


def test_a_study_is_played_on_ray(tmp_path, capsys, ray_pool):
    file = tmp_path / "study.py"
    file.write_text("""
from dataclasses import replace
from spinney.games.deepsea import GAME as DEEPSEA
study = DEEPSEA.study
one = replace(study.comparisons[0], name="one", agents=("heuristic", "random"), games=6)
GAME = replace(DEEPSEA, name="study", study=replace(study, comparisons=(one,), timings=()))
""")
    shares = []
    for name, where in (("local", ["--workers", "1"]), ("ray", ["--ray"])):
        code, out, err = run(capsys, "reproduce", file, "--out", tmp_path / name, *where, "--json", "-")
        assert code == 0, err
        shares.append(json.loads(out)["comparisons"][0]["share"])
    assert shares[0] == shares[1]


def test_a_command_finds_a_cluster_by_its_address(tmp_path, ray_pool):
    import ray

    address = ray.get_runtime_context().gcs_address
    assert address.startswith("127.0.0.1:")
    command = ["arena", "tictactoe", "heuristic", "random", "--games", "4", "--file", str(tmp_path / "a.sqlite")]
    done = subprocess.run(
        [sys.executable, "-m", "spinney", *command, "--ray", address], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "4 games in" in done.stdout


def test_ctrl_c_ends_a_cluster_that_the_command_started(tmp_path):
    """All processes get the signal, as on a terminal; it is for ours alone."""
    command = [sys.executable, "-m", "spinney", "arena", "tictactoe", "heuristic", "random", "--workers", "2", "--ray"]
    file = tmp_path / "a.sqlite"
    process = start_and_wait(file, [*command, "--games", "100000", "--file", str(file)])
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert re.fullmatch(r"stopped; [\d,]+ games are in .*: go on with --resume\n", out)
    deadline = time.monotonic() + 30
    while alive(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert alive(process.pid) == []


def test_ctrl_c_waits_for_a_worker_that_is_being_started():
    """Whichever thread takes the signal: a worker would read half of what it is sent."""
    begun, given, sent = threading.Event(), threading.Event(), []

    def take() -> None:
        begun.wait()
        signal.raise_signal(signal.SIGINT)
        given.set()

    def send() -> None:
        with _interrupts_deferred():
            begun.set()
            given.wait()
            sent.append("all of it")

    other = threading.Thread(target=take)
    other.start()
    with pytest.raises(KeyboardInterrupt):
        send()
    other.join()
    assert sent == ["all of it"]


# What goes wrong.


def test_a_job_that_always_kills_its_worker_is_an_error(monkeypatch, ray_pool):
    monkeypatch.setattr(on_ray, "RETRIES", 0)
    with pytest.raises(WorkerDied, match=r"^a Ray worker was lost 1 times over the same job \(.*\)$"):
        list(OnRay("auto", workers=1).run(die, [1]))  # connected already, so any address does
    with Local(1) as local:
        with pytest.raises(WorkerDied, match=r"^a worker process died$"):
            list(local.run(die, [1]))
        assert list(local.run(square, [3])) == [9]


def test_machines_that_lack_the_program_are_told(monkeypatch, ray_pool):
    ghost = ModuleType("ghost")
    exec("def job(number): return number", ghost.__dict__)
    monkeypatch.setitem(sys.modules, "ghost", ghost)
    with pytest.raises(SpinneyError, match=r"cannot run this \(.*'ghost'.*\); Spinney .* must be installed on all"):
        list(ray_pool.run(ghost.job, [1]))
    monkeypatch.setattr(on_ray, "__version__", "9.9")
    with pytest.raises(SpinneyError, match=r"^a machine of the Ray cluster has Spinney 0.*, but this machine has 9.9$"):
        list(ray_pool.run(square, [1]))


@pytest.mark.parametrize("address", ["here", "10.0.0.1", "ray://", "host:0", "host:99999", "ray://a b:1", "a:1:2"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(
        BadOption, match="is not the address of a Ray cluster; allowed: auto, HOST:PORT, ray://HOST:PORT"
    ):
        check_address(address)


@pytest.mark.parametrize("address", ["127.0.0.1:9", "ray://127.0.0.1:9", "[::1]:9"])
def test_a_cluster_that_cannot_be_reached_is_one_line_at_once(address, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(on_ray, "_import_ray", lambda: SimpleNamespace(is_initialized=lambda: False))
    before = time.monotonic()
    file = tmp_path / "a.sqlite"
    code, _, err = run(capsys, "arena", "tictactoe", "random", "random", "--file", file, "--ray", address)
    assert code == 2
    assert err.startswith(f"spinney: no Ray cluster answers at {address}: ")
    assert err.count("\n") == 1
    assert time.monotonic() - before < 10
    assert not file.exists()


def test_what_ray_says_becomes_one_line(monkeypatch):
    def init(**_: object) -> None:
        raise ConnectionError("Could not find any running Ray instance.\nMore lines.")

    fake = SimpleNamespace(is_initialized=lambda: False, init=init, exceptions=SimpleNamespace(RayError=KeyError))
    monkeypatch.setattr(on_ray, "_import_ray", lambda: fake)
    with pytest.raises(
        SpinneyError, match=r"^cannot connect to a Ray cluster on this machine: Could not find .*ance\.$"
    ):
        open_pool(ray="auto")


def test_without_ray_its_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(
        MissingPackage, match=r"^--ray needs Ray, which is not installed; try: .*'spinney-mcts\[ray\]'$"
    ):
        open_pool(ray="local")


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("arena deepsea a b --ray", "arena deepsea a b --ray=local"),
        ("arena --ray deepsea a b", "arena --ray=local deepsea a b"),
        ("arena deepsea a b --ray --games 4", "arena deepsea a b --ray=local --games 4"),
        ("arena deepsea a b --ray auto --games 4", "arena deepsea a b --ray auto --games 4"),
        ("arena --ray 10.0.0.1:6379 deepsea a b", "arena --ray 10.0.0.1:6379 deepsea a b"),
        ("arena --ray ray://head:10001 deepsea", "arena --ray ray://head:10001 deepsea"),
        ("arena --ray=here deepsea", "arena --ray=here deepsea"),
    ],
)
def test_the_address_may_be_left_out(words, meant):
    assert _with_ray(words.split()) == meant.split()
