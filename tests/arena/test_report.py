"""The report of a results file: complete, self-contained, and the same every time."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from markupsafe import escape

from spinney.arena import GameResult, Store
from spinney.arena.report import letter, make_report
from spinney.arena.summary import figures
from spinney.stats import wilson
from tests.arena.test_arena import finished, with_seats
from tests.commands import run
from tests.show.pages import HOSTILE, Page

AGENTS = ["uct(iterations=10, rollout=heuristic(margin=2))", "a<b>&'c'", "random"]
SETTINGS = {
    "game": "my games/deepsea.py(players=2)",
    "agents": AGENTS,
    "games": 40,
    "seed": 11,
    "limit": 0.5,
    "clock": "wall",
}


def fill(file: Path, games: Sequence[GameResult], **changes: object) -> Path:
    with closing(Store(file, {**SETTINGS, **changes})) as store:
        for game in games:
            store.add(game)
        store.note_version("Spinney 0.1.0, Python 3.11.7")
    return file


def some_games() -> list[GameResult]:
    """Thirty games of three agents in turn, with points, ties and a forfeit."""
    tables = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    games = []
    for number in range(30):
        shares = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]][number * 7 % 11 % 3]
        points = [10.0 + number % 7, 10.0 + number % 5]
        games.append(with_seats(finished(number, shares, tables[number % 6]), score=points))
    games[8] = with_seats(
        replace(games[8], forfeit_seat=0, forfeit_reason="raised ValueError: <i>no</i>"), share=[0.0, 1.0]
    )
    return games


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return fill(tmp_path / "my results.sqlite", some_games())


def page_of(file: Path) -> str:
    with closing(Store(file)) as store:
        return make_report(figures(store))


def test_it_has_everything(file):
    text = page_of(file)
    page = Page(text)
    assert page.tags.count("svg") == 5
    for agent in AGENTS:
        assert escape(agent) in text
        assert agent in page.words
    assert "a<b>" not in text
    assert "<i>no" not in text
    command = (
        "spinney arena 'my games/deepsea.py(players=2)' 'uct(iterations=10, rollout=heuristic(margin=2))' "
        """'a<b>&'"'"'c'"'"'' random --games 40 --seed 11 --limit 0.5 --file 'my results.sqlite'"""
    )
    for words in (
        "30 of 40 planned", "0.5 s a move", "Spinney 0.1.0, Python 3.11.7", command, "Standings", "Seats",
        "Head to head", "Thinking times", "raised ValueError: <i>no</i>", "even share, 50.0 %", "Points",
        "spinney replay --game 'my games/deepsea.py' 'my results.sqlite' 29",
    ):  # fmt: skip
        assert words in page.words
    with closing(Store(file)) as store:
        for row in figures(store).standings:
            assert f"{100 * row.share:.1f} %" in page.words
            assert f"{100 * row.low:.1f}–{100 * row.high:.1f} %" in page.words  # noqa: RUF001


def test_it_needs_nothing_else(file):
    text = page_of(file)
    page = Page(text)
    assert "http" not in text
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert "@import" not in text
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    used = {value for name, value in page.attributes if name in ("href", "src", "xlink:href")}
    used |= {f"#{name}" for name in re.findall(r"url\(#?([^)]*)\)", text)}
    assert used <= {f"#{name}" for name in ids}
    assert "prefers-color-scheme: dark" in text
    assert not re.search(r"#0102\w\w", text)  # every colour is one of the style sheet


def test_hostile_names_stay_text(tmp_path):
    def page_with(word: str) -> str:
        name = word.replace("\u2028", "")  # which no name may contain
        games = [replace(game, forfeit_reason=game.forfeit_reason and word) for game in some_games()]
        return page_of(fill(tmp_path / f"{len(word)}.sqlite", games, agents=[name, "b", "c"], game=name))

    page, tame = Page(page_with(HOSTILE)), Page(page_with("tame"))
    assert page.tags == tame.tags
    assert [key for key, _ in page.attributes] == [key for key, _ in tame.attributes]
    assert page.words.count(HOSTILE) == 1
    assert page.words.count(HOSTILE.replace("\u2028", "")) == 9


def test_it_is_the_same_every_time(file, capsys):
    first, second = file.with_name("1.html"), file.with_name("2.html")
    code, out, _ = run(capsys, "report", file, "--out", first)
    assert code == 0
    assert "report of 30 games in" in out
    other = {**os.environ, "PYTHONHASHSEED": "5", "TZ": "Asia/Tokyo"}
    subprocess.run([sys.executable, "-m", "spinney", "report", str(file), "--out", str(second)], env=other, check=True)
    assert first.read_bytes() == second.read_bytes()
    assert run(capsys, "report", file)[0] == 0
    assert file.with_suffix(".html").read_bytes() == first.read_bytes()


def test_figures_as_json(file, capsys):
    code, out, errors = run(capsys, "report", file, "--json", "-")
    assert code == 0
    assert "report of 30 games" in errors
    plain = json.loads(out)
    assert (plain["games"], plain["planned"], plain["players"]) == (30, 40, 2)
    assert {row["agent"] for row in plain["standings"]} == set(AGENTS)
    assert sum(seat["share"] for seat in plain["seats"]) == pytest.approx(1)
    assert plain["forfeits"] == [{"game": 8, "agent": AGENTS[0], "seat": 0, "reason": "raised ValueError: <i>no</i>"}]
    one = plain["head_to_head"][AGENTS[0]][AGENTS[2]]
    two = plain["head_to_head"][AGENTS[2]][AGENTS[0]]
    assert one["games"] == two["games"] == 10
    assert one["share"] + two["share"] == pytest.approx(1)
    assert plain["times"]["random"]["longest"] == 0.1


def test_two_agents_have_no_head_to_head(tmp_path):
    games = [finished(number, [1.0, 0.0], [number % 2, 1 - number % 2]) for number in range(200)]
    page = Page(page_of(fill(tmp_path / "r.sqlite", games, agents=["a", "b"])))
    assert "Head to head" not in page.words
    assert "Points" not in page.words
    assert "The seat matters: seat 1 wins 100.0 %" in page.words
    assert "Nobody is shown to be better" in page.words
    assert page.tags.count("svg") == 4


def test_tables_of_three_compare_what_two_of_them_won(tmp_path):
    """An agent twice at a table counts by the mean of its seats; games that others won say nothing."""
    games = [finished(0, [1, 0, 0], [0, 1, 1]), finished(1, [0, 1, 0], [0, 1, 2]), finished(2, [0, 0, 1], [0, 1, 2])]
    with closing(Store(fill(tmp_path / "r.sqlite", games))) as store:
        found = figures(store)
    met = found.head_to_head[0][1]
    assert met is not None
    assert (met.games, met.share) == (2, 0.5)
    assert (met.low, met.high) == wilson(0.5, 2)
    assert found.head_to_head[0][0] is None
    assert found.by_seat[1][2].games == 1
    assert [point.share for point in found.curves[0]] == [1, 0.5, pytest.approx(1 / 3)]


def test_a_tournament_without_games_yet(tmp_path):
    page = Page(page_of(fill(tmp_path / "r.sqlite", [])))
    assert "0 of 40 planned" in page.words
    assert "No games are stored yet." in page.words


def test_many_agents_and_many_games(tmp_path):
    agents = [f"a{i}" for i in range(30)]
    games = [finished(n, [1.0, 0.0], [n * 7 % 30, (n * 7 + 1 + n % 29) % 30]) for n in range(3000)]
    file = fill(tmp_path / "r.sqlite", games, agents=agents)
    text = page_of(file)
    Page(text)
    assert letter(25) == "Z"
    assert letter(26) == "AA"
    assert ">AD<" in text
    assert "These are the best 8 agents." in text
    assert len(text) < 1_000_000


def test_matplotlib_waits_until_a_report_is_made():
    check = "import sys, spinney.cli, spinney.arena.report; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check]).returncode == 0
