"""`spinney review`: every kind of file, going on after a kill, the page, errors."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

import spinney
from spinney.bridges.battlesnake.engine import Match
from spinney.games.recording import record
from tests.bridges.battlesnake_server import served
from tests.commands import run
from tests.play.test_review import played
from tests.show.pages import Page, data_of, needs_browser, opened, probed

LIMIT = ("--iterations", "300")


@pytest.fixture
def blunder(tmp_path: Path) -> Path:
    """A recording in which player 2 does not block in frame 5."""
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(record(played("connect_four", "4 1 4 1 4 2 4"), ["x", "y"])) + "\n")
    return file


def reviewed(capsys, *words: object) -> dict[str, object]:
    code, out, err = run(capsys, "review", *words, "--json", "-")
    assert code == 0, err
    return json.loads(out)


def test_the_table_and_the_json_name_the_blunder(capsys, blunder):
    code, out, _ = run(capsys, "review", blunder, 0, *LIMIT)
    assert code == 0
    row = next(line for line in out.splitlines() if line.startswith("│"))
    assert [cell.strip() for cell in row.strip("│").split("│")][:4] == ["5", "2", "2", "4"]
    assert "player 1 ▅" in out or "player 1 ▆" in out
    assert "7 of 7 decisions" in out
    found = reviewed(capsys, blunder, 0, *LIMIT)
    assert found["worst"][0] == found["decisions"][5]
    assert (found["names"], found["curve"][-1]) == (["x", "y"], {"frame": 7, "values": [1.0, 0.0]})


def test_a_review_that_was_killed_goes_on_with_the_same_result(capsys, blunder, tmp_path):
    whole = reviewed(capsys, blunder, 0, "--iterations", 40000, "--out", tmp_path / "whole.jsonl")
    out = tmp_path / "part.jsonl"
    command = [sys.executable, "-m", "spinney", "review", str(blunder), "0", "--iterations", "40000", "--out", str(out)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and (not out.exists() or out.read_text().count("\n") < 2):
        time.sleep(0.005)
    process.kill()
    process.wait()
    with out.open("a") as stream:
        stream.write('{"key": "cut o')
    assert reviewed(capsys, blunder, 0, "--iterations", 40000, "--out", out) == whole
    assert out.read_text() == (tmp_path / "whole.jsonl").read_text()


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(blunder):
    command = [sys.executable, "-m", "spinney", "review", str(blunder), "0", "--seconds", "3"]
    kept = blunder.with_name("games.jsonl-0.review.jsonl")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while process.poll() is None and not kept.exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    count = kept.read_text().count("\n")
    assert 1 <= count < 7
    assert f"stopped; {count} of 7 decisions are in {kept}: the same command goes on" in out


def test_a_results_file_with_decisions(capsys, tmp_path):
    file, page = tmp_path / "r.sqlite", tmp_path / "game.html"
    agents = ("uct(iterations=60)", "random")
    words = ("arena", "tictactoe", *agents, "-n", 2, "--file", file, "--workers", 1, "--keep-decisions")
    assert run(capsys, *words)[0] == 0
    found = reviewed(capsys, file, 1, *LIMIT)
    assert found["names"] == ["random", "uct(iterations=60)"]
    assert run(capsys, "replay", file, 1, "--html", page)[0] == 0
    frames = data_of(page.read_text())["frames"]
    figures = [words for frame in frames for words in frame.get("figures", [])[2::2] if words]
    assert figures
    assert all(words.startswith("value 0.") or words.startswith("value 1.") for words in figures)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE decisions SET figures = x'00' WHERE game = 1")
    code, _, err = run(capsys, "review", file, 1, *LIMIT)
    assert (code, err.count("\n")) == (2, 1)
    assert "its decisions are damaged" in err


def test_a_recording_keeps_the_decisions_of_watched_games(capsys, tmp_path):
    file, watched, again = (tmp_path / name for name in ("g.jsonl", "watched.html", "again.html"))
    words = ("watch", "tictactoe", "uct(iterations=80)", "random", "--seed", 2, "-q", "--save", file, "--html", watched)
    assert run(capsys, *words)[0] == 0
    assert run(capsys, "verify", "tictactoe", file)[0] == 0
    assert run(capsys, "replay", file, 0, "--html", again)[0] == 0
    figures = [[frame.get("figures") for frame in data_of(page.read_text())["frames"]] for page in (watched, again)]
    assert figures[0] == figures[1]
    assert sum(map(bool, figures[0])) > 3


def test_a_log_of_a_server(capsys, tmp_path):
    with served("champion(iterations=100, seed=1)", 2, log=tmp_path) as (url, _, _):
        Match(spinney.game("battlesnake", players=2), [url] * 2, "two", timeout=10.0, seed=3).play(turns=6)
    file = next(file for file in tmp_path.iterdir() if file.suffix == ".jsonl")
    found = reviewed(capsys, file, *LIMIT, "--out", tmp_path / "out")
    assert {(it["frame"], it["player"]) for it in found["decisions"]} >= {(1, 0), (1, 1), (2, 0), (2, 1)}


def test_a_replay_file_of_halite(capsys, tmp_path):
    file, page = tmp_path / "game.hlt", tmp_path / "game.html"
    words = ("watch", "halite(size=16, turns=60)", "collector", "random", "--seed", 1, "-q", "--save", file)
    assert run(capsys, *words)[0] == 0
    found = reviewed(capsys, file, "--html", page)
    assert len(found["curve"]) == 61
    assert all(sum(row["values"]) == pytest.approx(1) for row in found["curve"])
    assert found["agent"] == ""
    assert not [*tmp_path.glob("*.review.jsonl")]
    assert "The largest losses" in Page(page.read_text()).words
    code, _, err = run(capsys, "review", file, "--seconds", 1)
    assert (code, err) == (2, "spinney: single orders of Halite III are not judged; leave out --agent, --seconds and "
                              "--iterations\n")  # fmt: skip


@needs_browser
def test_a_click_jumps_to_the_decision(capsys, blunder, tmp_path):
    page = tmp_path / "review.html"
    assert run(capsys, "review", blunder, 0, *LIMIT, "--html", page)[0] == 0
    script = """
      const seen = [at], box = the.graph.getBoundingClientRect(), note = () => seen.push(at);
      const move = (type, share) => the.graph.dispatchEvent(new PointerEvent(type,
        {bubbles: true, pointerId: 1, clientX: box.left + share * box.width, clientY: box.top + 5}));
      the.graph.setPointerCapture = () => {};
      document.querySelector("#worst button").click(); note();
      move("pointerdown", 3 / 7); note();
      document.querySelector("button.fault").click(); note();
      move("pointermove", 0);
      const out = document.createElement("i");
      out.id = "probe";
      out.textContent = JSON.stringify([seen, the.under.textContent, the.now.style.left,
        [...document.querySelectorAll("#players output")].map(place => place.textContent),
        document.querySelectorAll("[data-now]").length, document.documentElement.scrollWidth <= innerWidth]);
      document.body.append(out);"""
    seen, under, cursor, values, now, fits = probed(opened(page.read_text(), tmp_path, script))
    assert seen == [0, 5, 3, 5]
    assert under.startswith("frame 0, 1: 0.")
    assert cursor.startswith("71.4")
    assert sum(map(float, values)) == pytest.approx(1, abs=0.011)
    assert now == 2  # in the list and in the graph
    assert fits


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("none.jsonl",), "there is no file none.jsonl"),
        (("games.jsonl",), "games.jsonl may have many games; add the number of one, from 0"),
        (("games.jsonl", 7), "games.jsonl has 1 game; number 7 is not there"),
        (("games.jsonl", 0, "--agent", "heuristic"), "heuristic cannot review a game: its values are not means"),
        (("games.jsonl", 0, "--agent", "alphabeta"), "alphabeta cannot review a game: its values are not means"),
        (("games.jsonl", 0, "--agent", "nobody"), "connect_four has no agent 'nobody'"),
        (("games.jsonl", 0, "--out", "damaged"), "damaged: line 1 is not a finding of a review; name another --out"),
        (("games.jsonl", 0, "--out", "games.jsonl"), "cannot write games.jsonl: this command needs that file"),
        (("damaged", 0), "damaged"),
        (("damaged.sqlite", 0), "damaged.sqlite cannot be used as a results file"),
        (("damaged.hlt",), "damaged.hlt is not a replay file of Halite"),
    ],
)
def test_errors_are_one_line(words, error, blunder, capsys, monkeypatch):
    monkeypatch.chdir(blunder.parent)
    for name in ("damaged", "damaged.hlt"):
        Path(name).write_text('{"frame": 3}\n')
    Path("damaged.sqlite").write_bytes(b"SQLite format 3\0 and no more")
    code, out, err = run(capsys, "review", *words, *(() if "hlt" in str(words) else LIMIT))
    assert (code, out) == (2, "")
    assert err.startswith(f"spinney: {error}")
    assert err.count("\n") == 1
