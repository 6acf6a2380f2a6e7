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
