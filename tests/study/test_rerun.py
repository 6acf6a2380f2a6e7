"""A paper's comparisons played again: repeatable, resumable, and complete on their page."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from spinney import games
from spinney.agents import build
from spinney.arena import GameResult, SeatResult, Store
from spinney.cli import main
from spinney.games.deepsea.study import STUDY
from spinney.stats import wilson
from spinney.study.page import make_study_page
from spinney.study.rerun import Finding, Measured, Played, ratio
from tests.arena.test_arena import without_times
from tests.arena.test_report import Page
from tests.commands import run, start_and_wait, stored

TINY = """
from dataclasses import replace

from spinney.games.deepsea import GAME as DEEPSEA
from spinney.games.deepsea.study import STUDY, agents

played = [one for one in STUDY.comparisons if one.published]
comparisons = [replace(one, agents=agents(one.group, int(one.x) // 100), games=8) for one in played]
timings = [replace(one, agents=("uct(iterations=300, threads=2)", "uct(iterations=300)")) for one in STUDY.timings]
GAME = replace(DEEPSEA, name="tiny", study=replace(STUDY, comparisons=tuple(comparisons), timings=tuple(timings)))
"""
"""The study of Deep Sea Adventure with a hundredth of the iterations."""
CHOSEN = "MCTS beats rules, 10,000"
"""Two of its comparisons."""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("tiny") / "tiny.py"
    file.write_text(TINY)
    return file


@pytest.fixture(scope="module")
def played(tiny) -> Path:
    """The folder of a run, and in it the figures."""
    folder = tiny.with_name("played")
    words = ["reproduce", tiny, "--only", CHOSEN, "--scale", "0.5", "--seed", "5", "--out", folder]
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in [*words, "--workers", "1", "--json", folder.with_name("figures.json")]])
    assert not ended.value.code
    return folder


def figures(folder: Path) -> dict:
    return json.loads(folder.with_name("figures.json").read_text())


def finished_games(file: Path) -> list[GameResult]:
    with closing(Store(file)) as store:
        return store.games()


def finding(number: int, share: float = 0.6, games: int = 50) -> Finding:
    return Finding(STUDY.comparisons[number], games, share, *wilson(share, games), 7, ("Spinney 0.1.0",))


def test_the_agents_of_the_paper_can_play():
    game = games.load("deepsea")
    for spec in {spec for one in (*STUDY.comparisons, *STUDY.timings) for spec in one.agents}:
        build(game, spec)


def test_a_stopped_run_goes_on_to_the_same_figures(tiny, played, tmp_path, capsys):
    """Games that are there stay as they are; those that are not come out as they did before, whoever plays them."""
    again = tmp_path / "again"
    shutil.copytree(played, again)
    files = sorted(again.glob("*.sqlite"))
    assert len(files) == 2
    with closing(sqlite3.connect(files[0])) as connection, connection:
        connection.execute("DELETE FROM games WHERE number % 2 = 1")
    kept = {file: finished_games(file) for file in files}
    words = ("--only", CHOSEN, "--scale", "0.5", "--seed", 5, "--workers", 2, "--out", again, "--json", "-")
    code, out, errors = run(capsys, "reproduce", tiny, *words)
    assert code == 0
    assert json.loads(out) == figures(played)
    assert errors.count("heuristic MCTS") == 1  # nothing is printed twice
    for file in files:
        before, after = finished_games(played / file.name), finished_games(file)
        assert len(after) == 4
        assert [without_times(game) for game in before] == [without_times(game) for game in after]
        assert [game for game in after if game.number in {one.number for one in kept[file]}] == kept[file]
    assert (again / "report.html").read_bytes() == (played / "report.html").read_bytes()


def test_a_finished_run_is_shown_without_its_agents(tiny, played, capsys, monkeypatch):
    """What is stored can be looked at at once; only who is to play has to be compiled."""
    monkeypatch.setattr("spinney.arena.tournament.build", lambda *_: pytest.fail("an agent was made"))
    words = ("--only", CHOSEN, "--scale", "0.5", "--seed", 5, "--out", played, "--json", "-")
    code, out, _ = run(capsys, "reproduce", tiny, *words)
    assert code == 0
    assert json.loads(out) == figures(played)


def test_another_seed_needs_another_folder(tiny, played, capsys):
    code, _, errors = run(capsys, "reproduce", tiny, "--only", CHOSEN, "--seed", 6, "--out", played)
    assert code == 2
    assert "was begun with seed 5, not 6; name another file or folder" in errors


def test_figures_for_programs(played):
    plain = figures(played)
    assert (plain["study"], plain["timings"]) == ("Deep Sea Adventure", [])
    expected = [one for one in STUDY.comparisons if CHOSEN in one.name]
    assert [one["comparison"]["name"] for one in plain["comparisons"]] == [one.name for one in expected]
    for one, comparison in zip(plain["comparisons"], expected, strict=True):
        assert (one["games"], one["seed"], one["comparison"]["published"]) == (4, 5, comparison.published)
        assert one["published_interval"] == list(wilson(comparison.published, 100))
        assert 0 <= one["low"] <= one["share"] <= one["high"] <= 1
        assert one["verdict"] in ("agrees", "not told apart", "higher here", "lower here")


def test_the_page_has_every_comparison(played):
    text = (played / "report.html").read_text()
    page = Page(text)
    assert page.tags.count("svg") == 2
    for words in (
        "Deep Sea Adventure, played again",
        STUDY.paper,
        "2 of 12, 8 games",
        "--scale 0.5",
        f"--only '{CHOSEN}'",
    ):
        assert words in page.words
    assert "--seed 5" in page.words
    for one in figures(played)["comparisons"]:
        comparison = one["comparison"]
        row = next(row for row in text.split("<tr>") if comparison["name"] in row)
        for share, (low, high) in (
            (comparison["published"], one["published_interval"]), (one["share"], (one["low"], one["high"])),
        ):  # fmt: skip
            assert f"<b>{100 * share:.1f} %</b> <small>{100 * low:.1f}–{100 * high:.1f} %</small>" in row  # noqa: RUF001
        assert one["verdict"] in row.replace("&nbsp;", " ")
        assert all(agent in row for agent in comparison["agents"])
    assert "http" not in text
    assert not {"script", "link", "img"} & set(page.tags)
    assert not re.search(r"#0102\w\w", text)
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("xs", [(10_000, 100_000, 1_000_000), (3, 4), (0, 500), (2,)], ids=str)
def test_a_page_of_few_points(xs):
    """Comparisons that were not played leave a gap; one x is a line of one point; agents may be named anything."""
    comparisons = [replace(STUDY.comparisons[0], x=x, agents=("<i>", "flat")) for x in xs]
    study = replace(STUDY, comparisons=tuple(comparisons))
    page = Page(
        make_study_page(Played(study, [replace(finding(0, 1.0, 2), comparison=comparisons[-1])], []), "spinney")
    )
    assert page.tags.count("svg") == 1
    assert "<i> v flat" in page.words
    assert "Speed" not in page.words
    for x in xs:
        assert f"{x:,}" in page.words


def test_a_page_of_timings_alone():
    measured = [Measured(timing, 1.25 + i) for i, timing in enumerate(STUDY.timings)]
    page = Page(make_study_page(Played(STUDY, [], measured), "spinney reproduce deepsea"))
    for one in measured:
        assert one.timing.name in page.words
        assert f"{one.ratio:.2f}" in page.words
        assert f"{one.timing.published:.2f}" in page.words
    assert "time\N{NO-BREAK SPACE}by\N{NO-BREAK SPACE}the\N{NO-BREAK SPACE}clock" in page.words
    assert "svg" not in page.tags


@pytest.mark.parametrize(
    ("share", "count", "verdict"),
    [(0.91, 100, "agrees"), (0.5, 2, "not told apart"), (0.5, 100, "lower here"), (0.99, 1000, "higher here")],
)
def test_verdicts(share, count, verdict):
    assert finding(0, share, count).verdict == verdict


def test_timings_can_be_measured_alone(tiny, tmp_path, capsys):
    code, out, _ = run(capsys, "reproduce", tiny, "--only", "against", "--out", tmp_path)
    assert code == 0
    ratios = re.findall(
        r"([\d.]+) times the (CPU time|time by the clock) \(published (1.[35]0)\)", " ".join(out.split())
    )
    assert [ratio[1:] for ratio in ratios] == [("CPU time", "1.30")] + [("time by the clock", "1.50")] * 2
    assert all(float(ratio[0]) > 0 for ratio in ratios)
    assert out.rstrip().endswith(f"the page is {tmp_path / 'report.html'}")
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_all_studies_on_one_page(tiny, tmp_path, monkeypatch, capsys):
    """Each in a folder of its own; a comparison's name may stand in several of them."""
    other = tmp_path / "other.py"
    other.write_text(
        TINY.replace('name="tiny", study=replace(STUDY,', 'name="other", study=replace(STUDY, title="Other",')
    )
    monkeypatch.setattr(
        sys.modules["spinney.cli.reproduce"], "game_names", lambda: ["tictactoe", str(tiny), str(other)]
    )
    words = ("--only", "rules beat pure, 10,000", "--scale", "0.25", "--out", tmp_path / "all", "--workers", 1)
    code, _, errors = run(capsys, "reproduce", "all", *words, "--json", tmp_path / "figures.json")
    assert code == 0, errors
    assert sorted(file.parent.name for file in (tmp_path / "all").rglob("*.sqlite")) == ["other", "tiny"]
    text = (tmp_path / "all" / "report.html").read_text()
    page = Page(text)
    assert page.tags.count("svg") == 2
    for words in ("2 papers, played again", "2 of 24, 4 games", "spinney reproduce all", "Deep Sea Adventure", "Other"):
        assert words in page.words
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    plain = json.loads((tmp_path / "figures.json").read_text())
    assert [study["study"] for study in plain] == ["Deep Sea Adventure", "Other"]
    assert [len(study["comparisons"]) for study in plain] == [1, 1]


def test_scores_are_compared():
    """One with twice what the three others have on average; the seats do not matter, nor who of them had how much."""
    played = [
        GameResult(
            i, 1, [SeatResult(int(seat != i), score=60.0 if seat == i else 10.0 * (seat + 1)) for seat in range(4)], []
        )
        for i in range(4)
    ]
    others = sum(10.0 * (seat + 1) for i in range(4) for seat in range(4) if seat != i) / 3
    found = ratio(played)
    assert found.value == pytest.approx(240 / others)
    assert found.low <= found.value <= found.high
    study = replace(STUDY, scores="halite", draws=False)
    one = replace(finding(0), ratio=found, comparison=replace(STUDY.comparisons[0], published_ratio=0.67))
    words = Page(make_study_page(Played(study, [one], []), "spinney")).words
    assert "Halite" in words
    assert "0.67" in words
    assert f"{found.value:.2f}" in words


def test_long_comparisons_are_asked_for(tiny, tmp_path, capsys):
    code, _, errors = run(capsys, "reproduce", tiny, "--only", "1,000,000", "--out", tmp_path / "r")
    assert code == 2
    assert "add --full" in errors


def test_an_interrupt_leaves_the_finished_games(tiny, tmp_path):
    """The first of two comparisons is stopped: one line, and no page."""
    file = tmp_path / "rules-beat-pure-10000-iterations.sqlite"
    words = ["reproduce", str(tiny), "--only", "rules beat pure", "--scale", "1000", "--out", str(tmp_path)]
    stopped = start_and_wait(file, [sys.executable, "-m", "spinney", *words])
    os.killpg(stopped.pid, signal.SIGINT)
    out, errors = stopped.communicate(timeout=30)
    assert (stopped.returncode, errors) == (130, "")
    assert out == f"stopped; {stored(file)} games are in {tmp_path}: the same command goes on from there\n"
    assert 10 <= stored(file) < 8000
    assert not (tmp_path / "report.html").exists()


DRAWS = """
from dataclasses import replace

from spinney.games.study import Comparison, Results, Study
from spinney.games.tictactoe import GAME as TICTACTOE

one = Comparison("r v r", "r v r", 1, "tictactoe", ("random", "uct(iterations=5)"), published=0.5, published_games=20,
                 published_results=(Results(10, 0.4, 0.3), Results(10, 0.25, 0.5)), games=60)
other = replace(one, name="fresh", published=None, published_games=0, published_results=())
GAME = replace(TICTACTOE, study=Study("Noughts", "none", "games", (one, other), draws=True))
"""
"""A study in which draws matter."""


def test_draws_are_counted_apart(tmp_path, capsys, monkeypatch):
    """Seat by seat, on the screen, on the page and for programs; what the results file says is counted here again."""
    monkeypatch.setenv("COLUMNS", "80")  # as narrow as terminals are
    file = tmp_path / "noughts.py"
    file.write_text(DRAWS)
    words = ("--seed", 3, "--workers", 1, "--out", tmp_path / "r", "--json", tmp_path / "figures.json")
    code, out, _ = run(capsys, "reproduce", file, *words)
    assert code == 0
    games = finished_games(tmp_path / "r" / "r-v-r.sqlite")
    page = (tmp_path / "r" / "report.html").read_text()
    found = json.loads((tmp_path / "figures.json").read_text())["comparisons"]
    for seat in range(2):
        shares = [game.shares[seat] for game in games if game.agents[seat] == 0]
        won, lost = (sum(share == one for share in shares) / len(shares) for one in (1, 0))
        assert 0 < won + lost < 1
        assert found[0]["results"][seat] == {"games": 30, "won": won, "lost": lost}
        low, high = wilson(won, 30)
        lines = [line for line in out.splitlines() if line.startswith(f"│ {seat + 1}, ")]
        published, here = lines[:2]
        assert f"{won:.1%} ({100 * low:.1f}-{100 * high:.1f})" in here
        assert f"{1 - won - lost:.1%}" in here
        assert ("40.0%" if seat == 0 else "50.0%") in published
    assert "Wins, draws and losses" in page
    assert page.count("<td>fresh</td>") == 2


def test_studies_without_draws_say_nothing_of_them(played):
    assert "Wins, draws and losses" not in (played / "report.html").read_text()
