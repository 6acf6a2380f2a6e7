"""`spinney analyse`: positions from moves and from stored games, JSON lines, the screen, Ctrl-C, errors."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import spinney
from tests.commands import on_terminal, run

COMMAND = [sys.executable, "-m", "spinney", "analyse", "connect_four", "uct(nodes=1000)", "--seed", "1"]


def lines(capsys, *arguments: object) -> list[dict[str, object]]:
    """The JSON lines of an analysis."""
    code, out, err = run(capsys, "analyse", *arguments, "--json", "-")
    assert code == 0, err
    return [json.loads(line) for line in out.splitlines()]


def test_it_prints_a_json_line_for_each_decision_so_far_and_the_last_is_that_of_decide(capsys):
    agent, moves = "uct(c=1)", "4 4 3"
    game = spinney.game("connect_four")
    state = game.start()
    for column in moves.split():
        state.apply(column)
    decided = game.agent("uct(c=1, iterations=5000)", seed=2).decide(state)
    *_, last = lines(capsys, "connect_four", agent, "--moves", moves, "--iterations", 5000, "--seed", 2)
    expected = json.loads(json.dumps(decided.to_dict()))
    for timed in ("seconds", "per_second"):
        assert last.pop(timed) > 0
        expected.pop(timed)
    assert last == expected
    assert last["errors"][0] > 0
    assert last["line"][0] == last["name"]
    assert last["most_nodes"] == 1_000_000


def test_json_lines_go_to_a_file(capsys, tmp_path):
    file = tmp_path / "analysis.jsonl"
    run(capsys, "analyse", "connect_four", "uct", "--iterations", 3000, "--json", file)
    *_, last = map(json.loads, file.read_text().splitlines())
    assert last["iterations"] == 3000


def test_without_a_terminal_it_prints_the_final_table_alone(capsys):
    code, out, _ = run(capsys, "analyse", "connect_four", "uct", "--iterations", 5000, "--seed", 1)
    assert code == 0
    assert out.count("5,000 simulations") == 1
    assert out.count("players 1 to 2") == 1
    for word in ("line", "depth", "memory", "±", "player 1 chooses 4"):
        assert word in out


@pytest.mark.parametrize(
    ("game", "moves", "shown"),
    [
        ("examples/pig.py", "throw, a 4; throw a 5", "player 1 has 9 in the pot"),
        ("colosseum(size=5)", "c3 up c3 down", "player 1 to move"),
        ("battlesnake(players=2, width=5, height=5)", "up up", "player 1 to move"),
    ],
)
def test_moves_are_names_with_spaces_of_players_and_of_chance(game, moves, shown, capsys):
    known = spinney.game(game)
    if game.startswith("colosseum"):
        state = known.start(seed=1)
        moves = []
        for _ in range(2):
            moves.append(state.names()[0])
            state.apply(moves[-1])
        moves = " ".join(moves)
    code, out, err = run(capsys, "analyse", game, "random", "--moves", moves, "--seed", 1)
    assert code == 0, err
    assert shown in out


def test_chance_is_drawn_with_a_seed_and_asked_for_without(capsys):
    code, _, err = run(capsys, "analyse", "examples/pig.py", "--moves", "throw")
    assert (code, err) == (
        2,
        "spinney: chance is to move; add its outcome to --moves (a 1, a 2, a 3, a 4, a 5, a 6), or have it drawn with "
        "--seed\n",
    )
    code, out, _ = run(capsys, "analyse", "examples/pig.py", "random", "--moves", "throw", "--seed", 3)
    assert code == 0
    assert "to move" in out


@pytest.mark.parametrize("text", ["kuhn_poker K,? -", "kuhn_poker K,Q -"])
def test_a_position_is_a_text_from_which_moves_go_on(text, capsys):
    code, out, err = run(capsys, "analyse", "kuhn_poker", "infoset", "--position", text, "--iterations", 50)
    assert code == 0, err
    assert "Q" not in boards(out)
    code, out, err = run(
        capsys, "analyse", "tictactoe", "random", "--position", "tictactoe XO1/3/3 X", "--moves", "5 9"
    )
    assert code == 0, err
    assert "".join(it for it in boards(out) if it.isalnum()) == "XO34X678O"


def boards(out: str) -> str:
    return out.partition("\nplayer ")[0].strip()


def test_positions_of_recordings_and_results_files(capsys, tmp_path):
    recording, results = tmp_path / "games.jsonl", tmp_path / "games.sqlite"
    run(capsys, "watch", "tictactoe", "random", "random", "--seed", 4, "-q", "--save", recording)
    run(capsys, "arena", "tictactoe", "random", "heuristic", "-n", 2, "--file", results, "--workers", 1)
    for file in (recording, results):
        replayed = run(capsys, "replay", file, 0, "--delay", 0)[1]
        code, out, err = run(capsys, "analyse", "tictactoe", "random", "--file", file, "--game", 0, "--step", 3)
        assert code == 0, err
        assert boards(out) in replayed
        last = run(capsys, "analyse", "tictactoe", "random", "--file", file, "--game", 0)[1]
        assert boards(last) in replayed


def test_positions_of_files_of_an_official_engine(capsys, tmp_path):
    file = tmp_path / "game.hlt"
    run(capsys, "watch", "halite(size=10, turns=20)", "collector", "random", "--seed", 1, "-q", "--save", file)
    code, out, err = run(capsys, "analyse", "halite", "collector", "--file", file, "--step", 7, "--player", 2)
    assert code == 2
    assert "to move: 1" in err
    code, out, err = run(capsys, "analyse", "halite", "forest", "--file", file, "--step", 7, "--iterations", 20)
    assert code == 0, err
    assert "20 simulations" in out


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("connect_four", "--moves", "4 9"), "--moves: '9' is not legal; legal: 1, 2, 3, 4, 5, 6, 7"),
        (("connect_four", "--moves", "1 2 1 2 1 2 1 2"), "--moves: the game is over before '2'"),
        (("connect_four", "--moves", "1 2 1 2 1 2 1"), "the game is over in this position"),
        (("connect_four", "uct", "--player", "2"), "--player 2: to move: 1"),
        (("connect_four", "uct", "--step", "2"), "--step needs the --file of a stored game"),
        (("connect_four", "uct", "--game", "2"), "--game needs the --file of a stored game"),
        (("connect_four", "uct", "--file", "none.jsonl"), "--file none.jsonl: there is no such file"),
        (("connect_four", "heuristic", "--seconds", "2"), "heuristic does not search, so it has no limits"),
        (
            ("connect_four", "--position", "tictactoe 3/3/3 X"),
            "this is not a position of connect_four: it begins with 'tictactoe'",
        ),
        (("kuhn_poker", "--position", "kuhn_poker ?,Q -"), "the position hides the cards of player 1"),
        (("connect_four", "--position", "x", "--file", "y.jsonl"), "--position and --file both name a position"),
        (("connect_four", "infoset"), "infoset cannot play connect_four"),
        (("connect_four", "nobody"), "connect_four has no agent 'nobody'"),
    ],
)
def test_errors_are_one_line(arguments, error, capsys):
    code, out, err = run(capsys, "analyse", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"spinney: {error}")
    assert err.count("\n") == 1


def test_a_stored_game_of_another_kind_or_step_is_refused(capsys, tmp_path):
    file = tmp_path / "games.jsonl"
    run(capsys, "watch", "tictactoe", "random", "random", "--seed", 4, "-q", "--save", file)
    _, _, err = run(capsys, "analyse", "connect_four", "random", "--file", file, "--game", 0)
    assert err == f"spinney: {file} has a game of 'tictactoe', not of 'connect_four'\n"
    _, _, err = run(capsys, "analyse", "tictactoe", "random", "--file", file, "--game", 0, "--step", 99)
    assert "--step must be from 0 to" in err
    _, _, err = run(capsys, "analyse", "tictactoe", "random", "--file", file, "--game", 0, "--moves", "1")
    assert "give one of them" in err


def test_ctrl_c_ends_with_the_last_answer():
    process = subprocess.Popen(
        [*COMMAND, "--seconds", "3600", "--json", "-"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    first = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    last = json.loads(out.splitlines()[-1])
    assert last["iterations"] >= first["iterations"] > 0
    assert last["seconds"] < 3600


def test_the_screen_is_live_on_a_terminal_until_ctrl_c():
    environment = {**os.environ, "COLUMNS": "100", "TERM": "xterm"}
    with on_terminal([*COMMAND, "--seconds", "3600"], environment) as (process, read):
        deadline = time.monotonic() + 120
        while read().count("memory") < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert "chooses" not in read()
        process.send_signal(signal.SIGINT)
        process.wait(120)
        assert process.returncode == 0
        assert "player 1 chooses 4" in read()
