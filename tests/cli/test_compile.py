"""Code that is compiled beforehand, and used from another folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from spinney.agents import usual_agent
from spinney.cli.compile import _compiled
from spinney.games import card, game_names, load
from tests.commands import run


def spinney(*words: object, **environment: str) -> str:
    command = [sys.executable, "-m", "spinney", *map(str, words)]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_folder_is_filled_once_and_is_enough(tmp_path):
    folder, own = tmp_path / "new" / "compiled", tmp_path / "own"
    first = json.loads(spinney("compile", "tictactoe", "--to", folder, "--json", "-"))
    assert first["compiled"] == first["entries"] == len(list(folder.glob("*.nbc"))) > 0
    assert first["bytes"] == sum(file.stat().st_size for file in folder.glob("*.nbc"))
    lines = spinney("compile", "tictactoe", "--to", folder).splitlines()
    assert lines[0].startswith("tictactoe uct: ")
    assert lines[1].startswith("0 compiled in ")
    assert lines[1].endswith(f"{first['entries']} in the cache, {first['bytes'] / 1e6:.1f} MB, {folder}")
    spinney("play", "tictactoe", SPINNEY_CACHE=str(own), SPINNEY_CACHE_SHARED=str(folder))
    assert not own.exists()


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_a_folder_that_others_can_write_is_refused(capsys, tmp_path):
    tmp_path.chmod(0o777)
    code, out, errors = run(capsys, "compile", "tictactoe", "--to", tmp_path)
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert f"others can write to {tmp_path}" in errors


def test_a_package_that_is_missing_is_told(capsys, monkeypatch, tmp_path):
    from spinney.cli import compile as command
    from spinney.errors import MissingPackage

    def missing(game, agent):
        raise MissingPackage("it needs onnxruntime")

    monkeypatch.setattr(command, "_compiled", missing)
    code, out, _ = run(capsys, "compile", "tictactoe", "--to", tmp_path / "new")
    assert code == 0
    assert out.splitlines()[0] == "tictactoe uct: left out, it needs onnxruntime"


def test_a_server_needs_code_for_every_number_of_players(monkeypatch):
    (name,) = [name for name in game_names() if Path(card(name).bridge.replace(".", "/"), "server.py").exists()]
    game, prepared = load(name), []
    monkeypatch.setattr(
        "spinney.bridges.battlesnake.agents.AgentPool.prepare", lambda pool, players: prepared.append(players)
    )
    assert len(list(_compiled(game, usual_agent(game)))) == 8
    assert prepared == list(range(1, 9))
