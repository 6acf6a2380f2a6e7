"""The study of techniques: its agents, its table, and the table in the documentation."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from docs.report.techniques import FIGURES, planned, rows
from spinney import games
from spinney.agents import read_spec
from spinney.cli import main
from spinney.pool import open_pool
from spinney.study.rerun import Finding, Rerun, matrix
from spinney.study.techniques import STUDY
from tests.arena.test_report import Page

DOCS = Path(__file__).parents[2] / "docs"


def test_every_agent_has_options_that_go_together():
    """And every game has as many agents as players."""
    for one in STUDY.comparisons:
        game = games.load(one.game)
        assert len(one.agents) == game.players
        assert one.agents[0] != one.agents[1]
        for spec in one.agents:
            read_spec(game, spec)


def test_the_table_says_what_helps(tmp_path, monkeypatch, capsys):
    """Two cells, played for real: the search that sees no winning move loses to the one that does."""
    monkeypatch.setenv("COLUMNS", "100")
    small = [
        replace(
            STUDY.comparisons[0], name=f"{group}, {column}", group=group, column=column, game="tictactoe", games=24,
            agents=agents,
        )
        for group, column, agents in (
            ("search", "noughts", ("uct(iterations=300)", "random")),
            ("chance", "noughts", ("random", "uct(iterations=300)")),
            ("search", "crosses", ("random", "random")),
        )
    ]  # fmt: skip
    monkeypatch.setattr("spinney.study.techniques.STUDY", replace(STUDY, comparisons=tuple(small)))
    file = tmp_path / "figures.json"
    words = ["reproduce", "techniques", "--out", tmp_path / "r", "--workers", "1", "--json", file]
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    assert not ended.value.code
    out, found = capsys.readouterr().out, json.loads(file.read_text())["comparisons"]
    assert [one["games"] for one in found] == [24, 24, 48]  # twice the same agent has both seats
    assert found[0]["low"] > 0.5 > found[1]["high"]
    header = next(line for line in out.splitlines() if "noughts" in line)
    assert "crosses" in header
    text = (tmp_path / "r" / "report.html").read_text()
    assert text.count('class="better"') == text.count('class="worse"') == 1
    assert "svg" not in Page(text).tags


def test_a_cell_that_was_not_played_is_empty():
    one, other = STUDY.comparisons[0], replace(STUDY.comparisons[1], group="another row")
    made = matrix([Finding(it, 10, 0.5, 0.2, 0.8, 1, ()) for it in (one, other)])
    assert made is not None
    assert made.rows[one.group][1] is None
    assert made.rows["another row"][0] is None
    assert all(it.helps is None for row in made.rows.values() for it in row if it)
    assert matrix([Finding(replace(one, column=""), 10, 0.5, 0.2, 0.8, 1, ())]) is None


def test_games_that_nobody_wins_are_not_held_against_anybody(tmp_path):
    """Snakes that meet head to head all die."""
    snakes = replace(
        STUDY.comparisons[0], game="battlesnake(players=2, width=3, height=3)", agents=("trivial", "trivial"), games=40
    )
    with closing(Rerun(STUDY, snakes, tmp_path, 1.0, seed=1)) as rerun, open_pool(1) as pool:
        won = sum(seat.share for game in rerun.play(pool) for seat in game.seats)
        found = rerun.finding()
    assert 0 < won < 40
    assert found.share == pytest.approx(found.even)
    assert found.even == pytest.approx(won / 80)


def test_the_table_in_the_documentation_has_these_figures():
    """And the agents are those of today."""
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    page = (DOCS / "techniques.md").read_text(encoding="utf-8")
    assert "\n".join(rows(figures)) in page
    agents, least = planned(), {one.name: one.games for one in STUDY.comparisons}
    for one in figures:
        assert one["agents"] == agents[one["name"]]
        assert one["games"] >= least[one["name"]]
