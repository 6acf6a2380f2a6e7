"""The compile cache: never stale, never in the way. Each run is a process of its own on a copy of a game."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

RUN = """
import json, sys
import spinney
from spinney.kernel import native
compiled = []
native.report_compiling = lambda label: label in compiled or compiled.append(label)
game = spinney.game("game.py")
found = game.agent("flat(iterations=300)", seed=1).search.run(game.start(seed=1))
print(json.dumps([compiled, found.values[0]]))
"""


class Folder:
    """A copy of pig whose faces come from a second file, and a cache of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
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
        variables = {**os.environ, "SPINNEY_CACHE": str(self.cache), "PYTHONPATH": f"{ROOT}{os.pathsep}{self.path}"}
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


def test_damaged_files_are_compiled_again(folder):
    files = list(folder.cache.glob("*.nbc"))
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[:100])
    assert folder.run() == (["pig/flat"], folder.value)
    assert folder.run() == ([], folder.value)


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
