"""The scripts of bench/: what they import is there, and the README names them."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"


@pytest.mark.parametrize("script", sorted(file.name for file in BENCH.glob("*.py") if file.name != "common.py"))
def test_every_script_can_be_asked_for_help(script, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [script, "--help"])
    monkeypatch.syspath_prepend(BENCH)
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(BENCH / script), run_name="__main__")
    assert ended.value.code == 0
    assert capsys.readouterr().out
    assert f"`{script}`" in (BENCH / "README.md").read_text()


@pytest.mark.parametrize("script", ["colosseum_bridge.py", "open_spiel.py", "time_limits.py"])
def test_figures_that_could_not_be_written_are_refused_at_once(script, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "argv", [script, "--json", str(tmp_path / "none" / "figures.json")])
    monkeypatch.syspath_prepend(BENCH)
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(BENCH / script), run_name="__main__")
    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
