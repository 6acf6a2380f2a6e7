"""The commands that write replay pages."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from spinney.arena.play import GameJob, play_game
from spinney.arena.schedule import Pairing
from spinney.games.halite import hlt
from spinney.play import replay_of
from spinney.show.replay_page import replay_data
from tests.arena.test_arena import finished
from tests.arena.test_report import fill
from tests.commands import run
from tests.games.test_game_pictures import GAMES
from tests.show.pages import HOSTILE, Page, data_of, decoded
from tests.show.test_replay_page import PIG, play


def test_watch_makes_a_page_of_each_game(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("watch", "tictactoe", "heuristic", "random", "--seed", 1, "--html", "game.html")
    code, out, errors = run(capsys, *words, "--games", 2, "-q", "--json", "-")
    assert code == 0
    assert [game["agents"] for game in json.loads(out)] == [["heuristic(seed=1)", "random(seed=2)"]] * 2
    assert re.search(r"^\d frames in game-2.html$", errors, re.MULTILINE)
    assert {file.name for file in tmp_path.iterdir()} == {"game-1.html", "game-2.html"}
    data = data_of(Path("game-1.html").read_text())
    assert data["result"] == "heuristic(seed=1) (player 1) wins (rewards 1, 0)"
    assert "heuristic(seed=1)" in Page(Path("game-1.html").read_text()).words
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert " 1 | 2 | 3" in out
    assert data_of(Path("game.html").read_text()) == data


def test_replay_makes_a_page(capsys, tmp_path):
    html = tmp_path / "game.html"
    games = [
        play_game(GameJob(Pairing(0, 1, (0, 1)), PIG, ("heuristic", "random"), 1)),
        replace(finished(1, [0, 1], [0, 0]), steps=[], forfeit_seat=0, forfeit_reason="was <late>"),
    ]
    file = fill(tmp_path / "r.sqlite", games, game=PIG, agents=[HOSTILE, "random"])
    code, out, _ = run(capsys, "replay", file, 0, "--game", PIG, "--html", html)
    assert (code, " ".join(out.split())) == (0, f"{len(data_of(html.read_text())['frames'])} frames in {html}")
    page = Page(html.read_text())
    assert HOSTILE in page.words
    assert f"game 0 of r.sqlite: {PIG}, seed 1" in page.words
    assert data_of(html.read_text())["result"].startswith("game 0: shares player 1 ")
    assert run(capsys, "replay", file, 1, "--game", PIG, "--html", html)[0] == 0
    data = data_of(html.read_text())
    assert data["result"] == "game 1: shares player 1 0, player 2 1; player 1 was <late>"
    assert len(data["frames"]) == 1
    for words, problem in (
        (["replay", file, 0, "--html", "no/such/folder/x.html"], "there is no folder no/such/folder"),
        (["replay", file, 0, "--html", tmp_path], "it is a folder; name a file"),
        (["replay", file, 0, "--html", file], "needs that file for something else; name another"),
        (["replay", file, 7, "--html", html], "number 7 is not there"),
        (["watch", "tictactoe", "random", "random", "--html", "no/such/folder/x.html"], "there is no folder"),
    ):
        code, out, errors = run(capsys, *words)
        assert (code, out, errors.count("\n")) == (2, "", 1)
        assert problem in errors


def test_replay_makes_a_page_of_a_hlt_file(capsys, tmp_path):
    state = play(GAMES["halite"], *["random"] * 4, seed=2)
    names = ["ann", HOSTILE, "cem", "dee"]
    hlt.write(tmp_path / "game.hlt", state, names)
    assert run(capsys, "replay", tmp_path / "game.hlt", "--html", tmp_path / "game.html")[0] == 0
    page = (tmp_path / "game.html").read_text()
    data, ours = data_of(page), replay_data(replay_of(state, names))
    assert HOSTILE in Page(page).words
    (winner,) = state.winners()
    rewards = ", ".join(str(int(player == winner)) for player in range(4))
    assert data["result"] == f"{names[winner]} (player {winner + 1}) wins (rewards {rewards})"
    for frame, known in zip(decoded(data), decoded(json.loads(json.dumps(ours))), strict=True):
        assert frame | {"events": 0} == known | {"events": 0}
    events = [line for frame in decoded(data) for line in frame["events"]]
    assert {"player 1: spawn", "player 2: spawn"} <= {*events}
    assert any(re.fullmatch("player .: .*[2-9]× (north|south|east|west).*", line) for line in events)  # noqa: RUF001
