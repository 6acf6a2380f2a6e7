"""Agents that hang, crash or take too much memory forfeit their game, and the tournament goes on."""

from __future__ import annotations

import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

import spinney
from spinney.arena import Arena, GameJob, Pairing
from spinney.arena.referee import Referee
from spinney.errors import BadMessage, BadOption
from tests.cli.test_cli import run

FATAL = """
import ctypes
import os
import time

from spinney import Card
from spinney.games.parts import Board
from spinney.games.tictactoe import board, rules
from spinney.kernel import rule


@rule
def spins(s, player, out, rng):
    while out.action[0] > -9:
        out.action[0] = abs(out.action[0])
    return 0


def sleeps(s, player, out, rng):
    time.sleep(600)


def exits(s, player, out, rng):
    os._exit(7)


def crashes(s, player, out, rng):
    ctypes.string_at(0)


def hoards(s, player, out, rng):
    return len(bytearray(3 * 2**30)) * 0


PLAYERS = {"sleeps": sleeps, "exits": exits, "crashes": crashes, "hoards": hoards, "spins": spins}
BOARD = Board(board.draw, board.name_action)
GAME = Card("fatal", "Fatal", "Tic-tac-toe with agents that never return.", rules, BOARD, PLAYERS)
"""


@pytest.fixture(scope="module")
def fatal(tmp_path_factory) -> str:
    file = tmp_path_factory.mktemp("fatal") / "fatal.py"
    file.write_text(FATAL)
    return str(file)


@pytest.fixture(scope="module")
def referee():
    with closing(Referee()) as referee:
        yield referee


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("sleeps", "did not answer within 1.5 s; the limit is 0.5 s"),
        ("spins", "did not answer within 1.5 s; the limit is 0.5 s"),
        ("exits", "ended its process with code 7"),
        ("crashes", "was ended by SIGSEGV"),
        ("hoards", "raised MemoryError"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="signals and bounds of memory are those of Linux")
def test_the_seat_that_was_asked_forfeits_and_the_next_game_is_played(fatal, referee, agent, reason):
    played = referee.play(GameJob(Pairing(0, 3, (1, 0)), fatal, (agent, "random"), seed=1, limit=0.5, memory=2048))
    assert played.forfeit is not None
    assert played.forfeit[0] == 1
    assert reason in played.forfeit[1]
    assert played.shares == [1.0, 0.0]
    assert [mover for mover, _ in played.steps] == [0]  # what was played before is kept
    fair = referee.play(GameJob(Pairing(1, 3, (0, 1)), fatal, ("random", "random"), seed=1, limit=0.5))
    assert fair.forfeit is None


def test_a_tournament_with_an_agent_that_ends_its_process_is_played_to_the_end(fatal, tmp_path, capsys):
    file = tmp_path / "games.sqlite"
    code, out, errors = run(capsys, "arena", fatal, "exits", "random", "-n", "4", "--file", str(file), "--workers", "1")
    assert (code, errors) == (0, "")
    assert "ended its process with code 7" in out
    arena = Arena(fatal, ["exits", "random"], 4, file, resume=True)
    with closing(arena.store) as store:
        games = store.games()
    assert [game.forfeit is not None for game in games] == [True] * 4
    assert {game.agents[game.forfeit[0]] for game in games} == {0}


# ---- programs as agents

BOT = """
import os, sys

def say(words):
    print(words, flush=True)

how = sys.argv[1]
legal = []
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "start":
        if how == "environment":
            sys.stderr.write(",".join(sorted(os.environ)))
            sys.exit(3)
        say("# " + how)
        say("ready")
    elif word == "legal":
        legal.append(rest.split(" ", 1))
    elif word == "decide":
        number, name = legal[-1]
        if how == "number":
            say("action " + number)
        elif how == "name":
            say("name " + name)
        elif how == "illegal":
            say("action 99")
        elif how == "superscript":
            say("action \u00b2")
        elif how == "hang":
            sys.stdin.read()
        elif how == "flood":
            while True:
                say("#" * 50)
        elif how == "line":
            sys.stdout.write("x" * 10**6)
            say("")
        elif how == "hoard":
            say("action " + number[: len(bytearray(10**9))])
        elif how == "nonsense":
            say("bestmove e2e4")
        legal = []
"""


@pytest.fixture(scope="module")
def bot(tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("bot") / "bot.py"
    file.write_text(BOT)
    return file


def spec(bot: Path, how: str, **options: object) -> str:
    more = "".join(f", {name}={value}" for name, value in options.items())
    return f"command(run='{sys.executable} {bot} {how}'{more})"


@pytest.mark.parametrize("how", ["number", "name"])
@pytest.mark.parametrize("game", ["tictactoe", "deepsea(players=3)", "goofspiel", "saboteur"])
def test_a_program_plays_every_kind_of_game(bot, game, how):
    loaded = spinney.game(game)
    state = loaded.start(seed=2)
    agents = [loaded.agent(spec(bot, how))] + [loaded.agent("random", seed=seat) for seat in range(1, loaded.players)]
    for _ in range(12):
        for player in state.movers:
            decision = agents[player].decide(state, player=player)
            if player == 0:
                assert decision.action == state.legal(0)[-1]
            state.apply(decision.action, player)


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("illegal", "action '99' is not the number of a legal action"),
        ("superscript", "is not the number of a legal action"),
        ("hang", "did not answer within"),
        ("flood", "comments and no line that begins with 'action' or 'name'"),
        ("line", "wrote a line of more than"),
        ("hoard", "MemoryError"),
        ("nonsense", "wrote 'bestmove e2e4'; a line that begins with 'action' or 'name' is needed"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="bounds of memory are those of Linux")
def test_a_program_that_does_wrong_forfeits_with_the_reason(bot, referee, how, reason):
    specs = ("random", spec(bot, how, seconds=0.3, memory=512))
    played = referee.play(GameJob(Pairing(0, 1, (0, 1)), "tictactoe", specs, seed=1))
    assert played.forfeit is not None
    assert played.forfeit[0] == 1
    assert reason in played.forfeit[1]


def test_a_program_has_time_to_start_and_is_told_the_limit(referee, tmp_path):
    slow = tmp_path / "slow.py"
    checks = BOT.replace("number, name = legal[-1]", "number, name = legal[-1]; assert float(rest) <= 0.5")
    slow.write_text(f"import time\ntime.sleep(1.5)\n{checks}")
    specs = ("random", f"command(run='{sys.executable} {slow} number', seconds=60)")
    assert referee.play(GameJob(Pairing(0, 1, (0, 1)), "tictactoe", specs, seed=1, limit=0.5)).forfeit is None


@pytest.mark.skipif(sys.platform != "linux", reason="the system lists children")
def test_what_a_program_has_started_ends_with_it(tmp_path):
    mark = tmp_path / "alive"
    script = tmp_path / "family.sh"
    background = f"(while sleep 0.1; do date > {mark}; done) &"
    script.write_text(f"{background}\nwhile read word rest; do [ $word = start ] && echo ready; done\nwait\n")
    agent = spinney.game("tictactoe").agent(f"command(run='bash {script}')")
    assert agent.name == "command"
    del agent
    time.sleep(0.5)
    mark.unlink(missing_ok=True)
    time.sleep(0.5)
    assert not mark.exists()


def test_cpu_time_of_programs_is_not_counted(tmp_path):
    with pytest.raises(BadOption, match="CPU time of another program"):
        Arena("tictactoe", ["command(run='true')", "random"], 2, tmp_path / "x.sqlite", clock="cpu")


def test_the_example_plays(referee):
    specs = (f"command(run='{sys.executable} examples/randombot.py')", "random")
    assert referee.play(GameJob(Pairing(0, 1, (0, 1)), "battlesnake(players=2)", specs, seed=1)).forfeit is None


def test_a_program_gets_no_secrets(bot, monkeypatch):
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("A_SECRET", "word")
    with pytest.raises(BadMessage, match="has ended with code 3: LANG,") as gone:
        spinney.game("tictactoe").agent(spec(bot, "environment"))
    assert "A_SECRET" not in str(gone.value)


def test_a_program_that_is_not_there_is_one_line(capsys):
    code, _, errors = run(capsys, "watch", "tictactoe", "random", "command(run='a \"b')")
    assert (code, errors.count("\n")) == (2, 1)
    code, _, errors = run(capsys, "watch", "tictactoe", "random", "command(run='./no-such-bot')")
    assert (code, errors) == (2, "spinney: cannot start ./no-such-bot: No such file or directory\n")
