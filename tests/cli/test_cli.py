"""The command line, as it is typed."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys

import spinney
from spinney.play import outcome
from tests.commands import run


def test_help_teaches(capsys):
    code, out, _ = run(capsys, "--help")
    assert code == 0
    for command in ("games", "agents", "play", "watch", "tune", "serve", "bridge", "bench", "verify"):
        assert command in out
        code, text, _ = run(capsys, command, "--help")
        assert code == 0
        assert len(text.split()) > 30
    assert run(capsys, "--version")[1].startswith("spinney ")


def test_games_and_agents(capsys):
    assert "connect_four" in run(capsys, "games")[1]
    games = json.loads(run(capsys, "games", "--json", "-")[1])
    names = ["battlesnake", "breakthrough", "colosseum", "connect_four", "deepsea", "goofspiel", "halite", "hex",
             "kuhn_poker", "leduc_poker", "pig", "saboteur", "tictactoe"]  # fmt: skip
    assert [game["name"] for game in games] == names
    assert "heuristic" in run(capsys, "agents", "connect_four")[1]
    _, out, _ = run(capsys, "agents", "connect_four", "uct")
    assert "fpu" in out
    agents = json.loads(run(capsys, "agents", "examples/pig.py", "--json", "-")[1])
    assert [agent["name"] for agent in agents] == ["random", "heuristic", "command", "flat", "uct"]
    assert [agent["about"] for agent in agents[:2]] == ["A uniformly random legal action.", "Holds at twenty."]
    assert agents[-1]["options"]["choice"]["default"] == "visits"


def test_watch_saves_what_verify_replays(capsys, tmp_path):
    file, figures = tmp_path / "games.jsonl", tmp_path / "figures.json"
    arguments = ("watch", "connect_four", "uct(iterations=200)", "heuristic", "--seed", "1", "--games", "2")
    code, out, _ = run(capsys, *arguments, "--save", str(file), "--json", str(figures))
    assert code == 0
    assert "1 2 3 4 5 6 7" in out
    assert re.search(r"game 2: .*(wins|a draw)", out)
    games = json.loads(figures.read_text())
    assert len(games) == 2
    assert games[0]["decisions"][0]["iterations"] == 200
    code, shown, _ = run(capsys, "replay", str(file), "1")
    assert code == 0
    assert shown.split("\n\n")[-2].split("\n")[1:] == out.splitlines()[-9:-1]  # the last board
    assert shown.splitlines()[-1] == out.splitlines()[-1].replace("game 2", "game 1")
    again = run(capsys, *arguments, "--json", "-", "-q")[1]
    assert [game["rewards"] for game in json.loads(again)] == [game["rewards"] for game in games]
    code, out, _ = run(capsys, "verify", "connect_four", str(file))
    assert code == 0
    assert re.search(r"2 games, \d+ steps, 0 differences", out)
    file.write_text(file.read_text().replace('"rewards": [', '"rewards": [7, ', 1))
    code, out, _ = run(capsys, "verify", "connect_four", str(file), "--json", "-")
    assert code == 1
    assert len(json.loads(out)["differences"]) == 1


def test_a_game_begins_in_a_given_position(capsys, tmp_path):
    file, page = tmp_path / "games.jsonl", tmp_path / "game.html"
    begun = ("watch", "connect_four", "heuristic", "random", "--seed", "1", "-q", "--position")
    text = "connect_four 7/7/7/7/3OO2/3XX2 X"
    code, _, _ = run(capsys, *begun, text, "--save", file, "--html", page)
    assert code == 0
    recorded = json.loads(file.read_text())
    assert (recorded["position"], "seed" in recorded) == (text, False)
    assert "from a given position" in page.read_text()
    assert run(capsys, "verify", "connect_four", str(file))[0] == 0
    code, shown, _ = run(capsys, "replay", file, 0)
    assert code == 0
    assert "|. . . O O . .|" in shown.partition("player 1")[0]
    for wrong, problem in (
        ("connect_four 7/7/7/7/OOO4/XXXX3 -", "the game is over in this position"),
        ("connect_four 7/7/7/7/3OO2/3X3 X", "column 5 has a stone above an empty cell"),
    ):
        code, _, err = run(capsys, *begun, wrong)
        assert (code, problem in err) == (2, True)
    code, _, err = run(capsys, "watch", "kuhn_poker", "random", "random", "--position", "kuhn_poker K,? -")
    assert (code, "is a player's view" in err) == (2, True)


class Typed(io.StringIO):
    """Lines that a person types."""


def play(capsys, monkeypatch, lines: list[str], *arguments: str) -> tuple[int, str]:
    monkeypatch.setattr(sys, "stdin", Typed("".join(f"{line}\n" for line in lines)))
    code, out, _ = run(capsys, "play", *arguments)
    return code, out


def test_a_person_plays_to_the_end(capsys, monkeypatch, tmp_path):
    save, html = tmp_path / "game.jsonl", tmp_path / "game.html"
    lines = ["hint", "moves", "9", "4", "undo", "undo", "4", "x", "4", "4", "1", "2", "3", "5", "6", "7"] * 3
    arguments = ("connect_four", "--against", "random", "--hint", "uct(iterations=500)", "--seed", "1")
    code, out = play(capsys, monkeypatch, lines, *arguments, "--save", str(save), "--html", str(html))
    assert code == 0
    assert re.search(r"hint: [1-7]  value", out)
    assert "legal: 1, 2, 3, 4, 5, 6, 7" in out
    assert "'9' is not legal; legal: 1, 2, 3" in out
    assert "there is no choice to take back" in out
    assert "Game over: " in out
    code, out, _ = run(capsys, "replay", save, 0)
    assert code == 0
    assert "player 1 (you): 4" in out
    assert "connect_four, seed 1" in html.read_text()


def test_a_game_of_your_own_is_shown_where_its_file_is_named(capsys, tmp_path):
    file, pennies = tmp_path / "pennies.jsonl", "examples/pennies.py"
    run(capsys, "watch", pennies, "random", "random", "--seed", "1", "--save", file)
    code, out, _ = run(capsys, "replay", file, 0, "--game", pennies)
    assert code == 0
    assert "game 0: " in out
    for given, problem in (
        ([], "name the .py file"),
        (["--game", "examples/pig.py"], "has a game of 'pennies', and not of 'pig'"),
    ):
        code, out, errors = run(capsys, "replay", file, 0, *given)
        assert (code, out, errors.count("\n")) == (2, "", 1)
        assert problem in errors


def test_a_game_that_is_left_is_not_kept(capsys, monkeypatch, tmp_path):
    save = tmp_path / "game.jsonl"
    assert play(capsys, monkeypatch, ["4", "quit"], "connect_four", "-a", "random", "--save", str(save))[0] == 0
    assert not save.exists()


def test_a_person_plays_alone(capsys, monkeypatch):
    code, out = play(capsys, monkeypatch, ["quit"], "battlesnake(players=1)", "--hint", "flood")
    assert code == 0
    assert "Game left." in out


SNAKES = "battlesnake(players=3, width=5, height=5)"


def test_players_who_move_together_watch_save_verify(capsys, tmp_path):
    """A board is shown once a turn, when the last has chosen, and recordings have a step for each player."""
    file = tmp_path / "games.jsonl"
    agents = ("hungry", "trivial", "decoupled(iterations=50, rollout_depth=0)")
    code, out, _ = run(capsys, "watch", SNAKES, *agents, "--seed", "1", "--save", str(file))
    assert code == 0
    boards, turns = out.count("standard 5x5"), len(re.findall(r"^player 1 \(hungry", out, re.MULTILINE))
    assert boards >= turns + 1 > 2
    recorded = json.loads(file.read_text())
    assert [step["mover"] for step in recorded["steps"][:3]] == [0, 1, 2]
    assert run(capsys, "verify", "battlesnake", str(file))[0] == 0
    recorded["steps"][1]["mover"] = 2
    file.write_text(json.dumps(recorded))
    code, out, err = run(capsys, "verify", "battlesnake", str(file))
    assert code == 1
    assert "step 2: the recording has mover 2, the rules 1" in out + err


def test_a_person_among_players_who_move_together(capsys, monkeypatch):
    """The person chooses first, and others' choices are told afterwards."""
    monkeypatch.setattr("sys.stdin", io.StringIO("up\nundo\nup\nquit\n"))
    code, out, _ = run(capsys, "play", SNAKES, "--against", "flood", "--against", "hungry", "--seed", "2")
    assert code == 0
    told = re.findall(r"player 2 \(flood\): (\w+)", out)
    assert len(told) >= 2
    assert told[0] == told[1]
    assert out.index("player 1 (you)") < out.index("player 2 (flood): ")


def test_an_arena_of_players_who_move_together(capsys, tmp_path):
    file = str(tmp_path / "snakes.sqlite")
    arguments = ("arena", SNAKES, "flood", "trivial", "trivial", "--games", "6", "--workers", "1", "--file", file)
    code, out, _ = run(capsys, *arguments, "--json", "-")
    assert code == 0
    rows = {row["agent"]: row for row in json.loads(out)}
    assert rows["flood"]["games"] == 6
    assert rows["trivial"]["games"] == 12
    code, out, _ = run(capsys, "replay", file, "0")
    assert code == 0
    assert "player 3 (trivial):" in out


def test_undo_goes_back_to_the_same_position(capsys, monkeypatch):
    _, out = play(capsys, monkeypatch, ["1", "undo", "quit"], "tictactoe", "--against", "random", "--seed", "1")
    first = out.index(" 1 | 2 | 3")
    assert out.count(" 1 | 2 | 3") == 2
    assert out.rindex(" 1 | 2 | 3") > first
    assert "Game left." in out


def test_dice_are_told_and_the_end_of_input_ends_the_game(capsys, monkeypatch):
    arguments = (
        "examples/pig.py(players=3, goal=100)",
        "-a",
        "heuristic",
        "-a",
        "random",
        "--seat",
        "2",
        "--seed",
        "4",
    )
    code, out = play(capsys, monkeypatch, ["throw", "t", "hold"], *arguments)
    assert code == 0
    assert "chance: a " in out
    assert "player 3 (random)" in out
    assert "Game left." in out or "Game over" in out


def test_bench_has_the_figures(capsys):
    _, out, _ = run(capsys, "bench", "tictactoe", "--simulations", "500", "--json", "-")
    figures = json.loads(out)
    assert figures["playouts_per_second"]["one_thread"] > figures["playouts_per_second"]["plain"] > 0
    assert figures["uct_per_second"]["one_thread"] > figures["uct_per_second"]["plain"] > 0
    assert figures["bytes_per_node"] == {"uct": 40}


def test_as_a_process():
    """The real thing once: exit codes, and nothing on standard error when all is well."""
    done = subprocess.run([sys.executable, "-m", "spinney", "games"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    done = subprocess.run([sys.executable, "-m", "spinney", "play", "chess"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_what_people_type_is_never_markup(capsys, monkeypatch):
    _, out = play(capsys, monkeypatch, ["[/x]", "[bold]", "hint", "quit"], "tictactoe",
                  "--hint", "uct(rollout='nobody[/x]')")  # fmt: skip
    assert "'[/x]' is not legal" in out
    assert "tictactoe has no player 'nobody[/x]'" in out
    assert "Game left." in out


def test_nothing_typed_is_the_help(capsys):
    code, out, errors = run(capsys)
    assert (code, errors) == (2, "")
    assert "Commands" in out


def test_a_tie_on_points_is_won_by_the_rule_book():
    state = spinney.game("deepsea").start(seed=1)
    state.record.phase, state.record.score[0], state.record.score[1] = 4, 9, 9
    assert outcome(state, ["a", "b"]) == "a draw (rewards 1, 1)"
    state.record.banked[1, 3] = 1
    assert outcome(state, ["a", "b"]) == "b (player 2) wins (rewards 1, 1)"


def test_a_person_sees_only_what_he_may_know(capsys, monkeypatch):
    """Neither the other's cards nor what it draws and drops, until the game is over."""
    monkeypatch.setattr("sys.stdin", io.StringIO("drop\n" + "Drop 0\nundo\nhint\nquit\n"))
    code, out, _ = run(capsys, "play", "saboteur", "--against", "random", "--seed", "2")
    assert code == 0
    assert "player 2: 7 cards" in out
    assert "player 1 draws" in out
    assert "player 2 draws" not in out
    assert "nugget is hidden" not in out
    assert "12 │?│ · │?│ · │?│" in out
    game = spinney.game("saboteur")
    other = game.agent("official_random", seed=3)
    moves = []
    state = game.start(2)
    while not state.is_over:  # the same game, with the first legal drop for the person
        if state.mover == 1:
            legal = state.legal()
            state.apply(legal[0] if len(legal) == 1 else other.decide(state).action)
        else:
            moves.append(state.name(state.legal()[-1]))
            state.apply(moves[-1])
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{move}\n" for move in moves)))
    code, out, _ = run(capsys, "play", "saboteur", "--against", "official_random", "--seed", "2")
    assert code == 0
    assert "player 2 draws" not in out
    assert re.search(r"player 2 \(official_random\): Drop\n", out)
    assert not re.search(r"player 2 \(official_random\): Drop \w", out)
    assert out.rstrip().endswith(("a draw (rewards 0.5, 0.5)", "wins (rewards 0, 1)"))
    assert "$" in out  # at the end all is shown
