"""A snake of one's own, as docs/serve-battlesnake.md tells a new user to serve it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import spinney
from spinney import games
from spinney.bridges.battlesnake import read_log
from spinney.bridges.battlesnake.engine import Match
from spinney.bridges.battlesnake.server import Server
from tests.commands import run

ROOT = Path(__file__).parents[2]
SNAKE = ROOT / "examples" / "mysnake.py"


@contextmanager
def command(*words: str) -> Iterator[str]:
    """`spinney serve` in a process of its own, and its address."""
    line = [sys.executable, "-u", "-m", "spinney", "serve", *words, "--port", "0"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            yield next(line.split()[2].rstrip(";") for line in process.stdout if line.startswith("listening on"))
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=20)


def test_an_own_snake_is_served_and_plays_a_whole_game(tmp_path):
    with (
        command(str(SNAKE), "--agent", "mine", "--log", str(tmp_path)) as mine,
        command("battlesnake", "--agent", "random") as random,
    ):
        match = Match(spinney.game("battlesnake", players=2), [mine, random], "own", timeout=5.0, seed=5)
        match.play()
    assert match.state.winners() == [0]
    assert [(snake.late, snake.wrong) for snake in match.snakes] == [(0, 0)] * 2
    (file,) = tmp_path.iterdir()
    replay = read_log(file)
    assert replay.about == "game own, snake own-0, player 1: mine"
    assert len(list(replay.frames)) > match.state.record.turn
    assert replay.result == "game own, snake own-0: won"


def test_the_page_shows_the_snake():
    page = (ROOT / "docs" / "serve-battlesnake.md").read_text()
    (shown,) = re.findall(r"^```{code-block} python\n(.*?)^```$", page, re.M | re.S)
    assert shown == SNAKE.read_text()
    assert len([line for line in shown.splitlines() if line.strip()]) <= 20


def test_options_that_the_engine_tells_are_refused(capsys, monkeypatch):
    monkeypatch.setattr(Server, "prepare", lambda self: pytest.fail("it is served"))
    code, _, error = run(capsys, "serve", f"{SNAKE}(width=7, mode=royale)", "--agent", "mine")
    assert (code, error) == (
        2,
        f"spinney: {SNAKE}(width=7, mode=royale): the engine tells mode, width; leave them out\n",
    )


def test_a_variant_keeps_its_own_options(tmp_path):
    """Options that are not BattleSnake's are the user's; the engine tells the others."""
    file = tmp_path / "variant.py"
    file.write_text(
        """
from dataclasses import replace

import pydantic

import spinney
from spinney.games.battlesnake.options import BattlesnakeOptions


class Mine(BattlesnakeOptions):
    luck: int = pydantic.Field(3, ge=0, le=9, description="of no use")


GAME = replace(spinney.game("battlesnake").card, name="lucky", options=Mine)
"""
    )
    server = Server(games.load(f"{file}(luck=7)"), "hungry", f"{file}(luck=7)", tell=lambda line: None)
    server.agents.prepare(2)
    assert server.agents._free[2][0].game.options == games.load(str(file), luck=7, players=2).options
    server.close()


def test_a_game_without_the_verb_is_refused_in_a_line(capsys, tmp_path):
    for verb, game in (("serve", "connect_four"), ("bot", str(SNAKE)), ("client", "nothing"), ("bridge", "halite")):
        code, out, error = run(capsys, verb, game)
        assert (code, out) == (2, "")
        assert re.fullmatch(rf"spinney: there is no \w+ for '.*{Path(game).name}'; there is one for: \w+\n", error)
    file = tmp_path / "elsewhere.py"
    file.write_text(
        "from dataclasses import replace\nimport spinney\n"
        "GAME = replace(spinney.game('tictactoe').card, bridge='no.such.package')\n"
    )
    assert "the bridge no.such.package of tictactoe cannot be loaded" in run(capsys, "serve", file)[2]


def test_help_lists_games_and_shows_a_bridges_options_without_the_web_framework(capsys):
    code, out, _ = run(capsys, "serve", "--help")
    assert (code, "battlesnake" in out, "halite" in out) == (0, True, False)
    assert "Show this message" in out
    for game in ("battlesnake", str(SNAKE)):
        assert "--workers" in run(capsys, "serve", game, "--help")[1]
    load = "import sys; from spinney.cli import main; sys.argv[1:] = ['serve', 'battlesnake', '--help']"
    check = "try: main()\nfinally: assert 'fastapi' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", f"{load}\n{check}"], cwd=ROOT, stdout=subprocess.DEVNULL)
    assert done.returncode == 0
