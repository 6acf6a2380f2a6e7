"""The package is typed for its users: a strict check of a program against the wheel, which also runs from it."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROGRAM = """
from typing import Any, assert_type

import spinney
from spinney import Choice, Clock, Decision, Frame, Session
from spinney.kernel import below, rule


@rule
def mine(s: Any, player: int, out: Any, rng: Any) -> int:
    return below(rng, 7)


game = spinney.game("connect_four")
agent = game.agent("uct(iterations=100)", seed=1)
decision = agent.decide(game.start(seed=7), Clock(seconds=10.0))
assert_type(decision, Decision)
for choice in decision.choices:
    assert_type(choice, Choice)
    print(choice.name, choice.visits, f"{choice.value:.3f}")
session = Session(game.start(seed=1), [agent, game.agent("random", seed=2)])
for frame in session.frames():
    assert_type(frame, Frame)
    print([event.words for event in frame.events])
winners: list[int] = session.state.winners()
own = spinney.game(game.card.extend(mine=mine))
print(winners, own.agents())
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Path:
    """An interpreter that has the wheel, and this environment's packages below it."""
    place = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", place, ROOT], check=True
    )
    venv.create(place / "venv", symlinks=True)
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(place / "venv")}))
    with zipfile.ZipFile(next(place.glob("*.whl"))) as wheel:
        wheel.extractall(packages)
    (packages / "below.pth").write_text(sysconfig.get_path("purelib"))
    return Path(sysconfig.get_path("scripts", "venv", {"base": str(place / "venv")})) / "python"


def test_a_users_program_passes_a_strict_check_against_the_wheel(python, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    check = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--python-executable",
        str(python),
        "--cache-dir",
        str(ROOT / ".mypy_cache" / "user"),
    ]
    done = subprocess.run([*check, str(file)], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    done = subprocess.run([python, file], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "'mine'" in done.stdout
