"""The report that comes with the documentation says what its games say."""

from __future__ import annotations

import json
import re
import tarfile
from contextlib import closing
from html import unescape

import pytest

from docs.report import FIGURES, FOLDER, GAMES, LONGER, PAGE, shares
from spinney.arena.standings import standings
from spinney.arena.store import Store
from spinney.show.html import interval, percent
from spinney.study.rerun import ratio


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    place = tmp_path_factory.mktemp("games")
    with tarfile.open(FOLDER / GAMES) as archive:
        archive.extractall(place, filter="data")
    return place


def test_the_figures_are_those_of_the_games_and_of_the_page(played):
    page = (FOLDER / PAGE).read_text(encoding="utf-8")
    rows = [unescape(row) for row in re.findall(r"<tr><td>(.*?)</tr>", page)]
    found = json.loads((FOLDER / FIGURES).read_text(encoding="utf-8"))
    assert {one["file"].partition("/")[0] for one in found} == {
        "battlesnake", "colosseum", "deepsea", "halite", "saboteur",
    }  # fmt: skip
    for one in found:
        with closing(Store(played / one["file"])) as store:
            finished, agents = store.games(), store.settings["agents"]
            mine = next(row for row in standings(store.specs, finished) if row.agent == agents[one["whose"]])
        assert mine.games == one["games"]
        assert (mine.share, mine.low, mine.high) == pytest.approx((one["share"], one["low"], one["high"]))
        shown = [row for row in rows if row.startswith(f"{one['name']} <small>")]
        words = f"<b>{percent(mine.share)}</b> <small>{interval((mine.low, mine.high))}</small>"
        assert any(words in row for row in shown), one["name"]
        if one["ratio"] is not None:
            halite = ratio(finished)
            assert halite is not None
            assert halite.value == pytest.approx(one["ratio"])  # Pythons differ in how they add floats


def test_the_tables_of_colosseum_are_those_of_its_games(tmp_path):
    with tarfile.open(FOLDER / LONGER) as archive:
        archive.extractall(tmp_path, filter="data")
    page = (FOLDER.parent / "colosseum.md").read_text(encoding="utf-8").splitlines()
    rows = shares(tmp_path / "colosseum")
    assert len(rows) > 5
    assert [line for line in page if re.match(r"\|.* % \(.*\) of \d+ \|", line)] == rows


def test_the_figures_of_colosseum_in_the_readme_are_those_of_its_page():
    """Shares with their intervals, in the rows of the champion."""
    figures = re.compile(r"[\d.]+ % \([\d.]+-[\d.]+\)")
    page = (FOLDER.parent / "colosseum.md").read_text(encoding="utf-8").splitlines()
    readme = (FOLDER.parents[1] / "README.md").read_text(encoding="utf-8").splitlines()
    compared = 0
    for other in ("paper", "alphabeta"):
        (row,) = [line for line in page if line.startswith(f"| champion v {other} |")]
        for line in readme:
            if "reproduce colosseum" in line and f'"champion v {other}' in line:
                assert set(figures.findall(line)) == set(figures.findall(row))
                compared += 1
    assert compared == 2
