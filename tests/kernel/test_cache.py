"""The compile cache: never stale, never in the way. Each run is a process of its own on a copy of a game."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from spinney.kernel import bind, native
from spinney.kernel.cache import MAGIC, read_code, write_code

ROOT = Path(__file__).parents[2]

RUN = """
import contextlib, json, sys
import spinney
from spinney.kernel import native
compiled = []
native.compiling = lambda label, function: contextlib.nullcontext(label in compiled or compiled.append(label))
game = spinney.game("game.py")
found = game.agent("flat(iterations=300)", seed=1).search.run(game.start(seed=1))
print(json.dumps([compiled, found.values[0]]))
"""


class Folder:
    """A copy of pig whose faces come from a second file, and a cache of its own."""

    def __init__(self, path: Path) -> None:
        self.path, self.library = path, ROOT
        self.cache = path / "cache"
        pig = (ROOT / "examples" / "pig.py").read_text()
        pig = pig.replace("import sys\n", "import sys\n\nimport dice\n", 1)
        self.game = path / "game.py"
        self.game.write_text(pig.replace("return 1 + below(rng, 6)", "return dice.throw(rng)"))
        self.dice = path / "dice.py"
        self.dice.write_text(
            "from spinney.kernel import below, rule\nSIDES = 6\n\n\n"
            "@rule\ndef throw(rng):\n    return 1 + below(rng, SIDES)\n"
        )

    def run(self, **environment: str) -> tuple[list[str], float]:
        """The labels that were compiled, and the value that the search found."""
        variables = {
            **os.environ,
            "SPINNEY_CACHE": str(self.cache),
            "PYTHONPATH": f"{self.library}{os.pathsep}{self.path}",
        }
        done = subprocess.run(
            [sys.executable, "-B", "-c", RUN],
            cwd=self.path,
            env={**variables, **environment},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        compiled, value = json.loads(done.stdout)
        return compiled, value

    def edit(self, file: Path, old: str, new: str) -> None:
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = Folder(tmp_path_factory.mktemp("cache"))
    compiled, made.value = made.run()
    assert compiled == ["pig/flat"]
    return made


def test_no_change_keeps_it(folder):
    assert folder.run() == ([], folder.value)
    folder.edit(folder.game, "# the most that is ever listed", "# another comment,\n# longer")
    assert folder.run() == ([], folder.value)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("dice", "SIDES = 6", "SIDES = 5"),  # a constant of another file
        ("dice", "1 + below(rng, SIDES)", "SIDES - below(rng, SIDES)"),  # a rule of another file
        ("game", "s.pot > 0", "s.pot > 3"),  # a rule
        ("game", "THROW, HOLD = 0, 1", "THROW, HOLD = 1, 0"),  # a constant
        ("game", "    pot = i16", "    spare = i8\n    pot = i16"),  # the record
    ],
)
def test_a_change_makes_it_stale(folder, file, old, new):
    path = getattr(folder, file)
    before = path.read_text()
    folder.edit(path, old, new)
    try:
        compiled, _ = folder.run()
    finally:
        path.write_text(before)
    assert compiled == ["pig/flat"]
    assert folder.run() == ([], folder.value)


def test_a_damaged_file_is_compiled_again(folder):
    for file in folder.cache.glob("*.nbc"):
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
    assert folder.run() == (["pig/flat"], folder.value)
    assert folder.run() == ([], folder.value)


@pytest.fixture
def own(tmp_path, monkeypatch) -> Path:
    """An empty folder as the user's cache, and another as the shared one."""
    monkeypatch.setenv("SPINNEY_CACHE", str(tmp_path / "own"))
    monkeypatch.setenv("SPINNEY_CACHE_SHARED", str(tmp_path / "shared"))
    return tmp_path / "own"


CODE = random.Random(1).randbytes(5000)


def test_no_damage_goes_unnoticed(own):
    """Nothing is unpickled before the checksum is right: damaged code would crash the process."""
    write_code("a-1.nbc", CODE, "a-")
    file, chance = own / "a-1.nbc", random.Random(2)
    whole = file.read_bytes()
    assert read_code("a-1.nbc") == CODE
    damaged = [b"", whole[:4], whole[: len(MAGIC) + 32], whole[:-1], whole + b"x", bytes(len(whole))]
    damaged += [whole[: chance.randrange(len(whole))] for _ in range(24)]
    for _ in range(30):
        at = chance.randrange(len(whole))
        damaged.append(whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :])
    for content in damaged:
        file.write_bytes(content)
        assert read_code("a-1.nbc") is None
    assert len(damaged) == 60
    file.write_bytes(whole)
    assert read_code("a-1.nbc") == CODE


@pytest.mark.skipif(os.name == "nt", reason="owners and modes of POSIX")
def test_only_what_nobody_else_can_write_is_used(own, monkeypatch):
    write_code("a-1.nbc", CODE, "a-")
    file = own / "a-1.nbc"
    for path, modes in ((file, (0o664, 0o646, 0o666)), (own, (0o775, 0o757, 0o777))):
        usual = path.stat().st_mode
        for mode in modes:
            path.chmod(mode)
            assert read_code("a-1.nbc") is None
        path.chmod(usual)
        assert read_code("a-1.nbc") == CODE
    owner = file.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert (read_code("a-1.nbc") == CODE) == (owner == 0)
    own.chmod(0o777)
    write_code("a-2.nbc", CODE, "a-")
    assert not (own / "a-2.nbc").exists()


def test_a_shared_folder_is_searched_second(own):
    write_code("a-1.nbc", CODE, "a-")
    own.rename(own.with_name("shared"))
    assert read_code("a-1.nbc") == CODE
    write_code("a-1.nbc", b"newer", "a-")
    assert read_code("a-1.nbc") == b"newer"
    (own / "a-1.nbc").write_bytes(b"damaged")
    assert read_code("a-1.nbc") == CODE


def test_a_cache_from_elsewhere_is_used(folder, tmp_path):
    """Another user's folder, another checkout with newer files, another place of the game."""
    there = Folder(tmp_path)
    there.game.write_text(folder.game.read_text())
    there.library = tmp_path / "library"
    ignored = shutil.ignore_patterns("weights", "__pycache__")
    shutil.copytree(ROOT / "spinney", there.library / "spinney", ignore=ignored, copy_function=shutil.copy)
    shared = Path(shutil.copytree(folder.cache, tmp_path / "shared"))
    assert there.run(SPINNEY_CACHE_SHARED=str(shared)) == ([], folder.value)
    assert not there.cache.exists()


def test_the_key_covers_the_compiler(own, monkeypatch):
    def make():
        return lambda x: x + 1

    def name() -> str:
        entry = bind(make, "test/key")
        return str(entry._cache._name("signature", entry.targetctx.codegen()))

    usual = name()
    assert name() == usual
    for where, setting, value in (
        (native, "THIS_FILE", "edited"),
        (native, "OPTIONS", {**native.OPTIONS, "boundscheck": not native.OPTIONS["boundscheck"]}),
        (native.numba.config, "OPT", 1),
        (native.numba, "__version__", "0.0"),
        (sys, "version_info", (3, 11, 99)),
    ):
        with monkeypatch.context() as changed:
            changed.setattr(where, setting, value)
            assert name() != usual


def test_no_cache_folder_is_no_error(folder):
    assert folder.run(SPINNEY_CACHE=str(folder.dice / "not" / "a" / "folder")) == (["pig/flat"], folder.value)


SEVERAL = """
import json, sys
import spinney
found = []
for players in map(int, sys.argv[1:]):
    game = spinney.game("game.py", players=players)
    found.append(game.agent("flat(iterations=300)", seed=1).search.run(game.start(seed=1)).values)
print(json.dumps(found))
"""


def test_files_from_several_processes_go_together(tmp_path):
    """Code for two and for three players, compiled in a process each, is loaded by a third that has both in one."""
    folder = Folder(tmp_path)

    def run(*players: str) -> list[list[float]]:
        variables = {**os.environ, "SPINNEY_CACHE": str(folder.cache), "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"}
        command = [sys.executable, "-B", "-c", SEVERAL, *players]
        done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=True)
        found: list[list[float]] = json.loads(done.stdout)
        return found

    (two,), (three,) = run("2"), run("3")
    assert [len(two), len(three)] == [2, 3]
    assert run("3", "2") == [three, two]
    assert run("2", "3") == [two, three]
