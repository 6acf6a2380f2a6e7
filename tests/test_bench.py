"""The scripts of bench/: what they import is there, and the README names them."""

from __future__ import annotations

import importlib
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

import spinney
from spinney.games.halite.rules import carry_out
from spinney.games.halite.state import add_ship

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


def test_habits_of_fleets_are_counted(monkeypatch):
    """A ship mines two turns and rams a fuller rival; the ships are lost, and a third one goes home."""
    monkeypatch.syspath_prepend(BENCH)
    habits = importlib.import_module("halite_habits")
    s: Any = spinney.game("halite(size=16, turns=100, inspiration=false)").start(1).record
    here, beside, far = 64 * 2 + 8, 64 * 2 + 9, 64 * 12 + 3
    for at in (here, beside, far):
        s.halite[at] = 400
    for number, (player, at, cargo) in enumerate([(0, here, 0), (1, beside, 500), (0, far, 300)]):
        add_ship(s, player, at, cargo, number)
    for number in range(3, 7):
        s.halite[64 * 4 + 3 + number] = 0
        add_ship(s, 0, 64 * 4 + 3 + number, 0, number)
    watch = habits.Watch(2)
    for orders in ([0, 0, 0], [0, 0, 0], [3, 0, 1]):
        s.order[:3] = orders
        before = s.copy()
        carry_out(s)
        watch.turn(before, s)
    own, rival = watch.end(s)
    assert own.stops == [2, 2]
    assert own.mined == 2 * (100 + 75)
    assert own.burnt == 2 * 22
    assert (own.lost, own.cargo_lost, own.cargo_gained) == (1, 175, 675)
    assert (rival.lost, rival.cargo_lost, rival.cargo_gained) == (1, 675, 175)
    assert own.lighter == ["stays", "stays", "rams"]
    assert rival.heavier == ["stays"] * 3
    assert own.ship_turns == 3 * 6
