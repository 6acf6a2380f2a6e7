"""`spinney table`: a game at a real table, typed line by line."""

from __future__ import annotations

import io
import json

from tests.commands import run
from tests.play.test_table import table_of
from tests.recorded_tables import left, recorded, sayings


def typed(capsys, monkeypatch, lines, *arguments):
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return run(capsys, "table", *arguments)


def test_a_recorded_game_is_typed_with_a_correction_and_a_pause(capsys, monkeypatch, tmp_path):
    game, file = recorded("deepsea.jsonl.gz", 1)[0], tmp_path / "table.json"
    said = list(sayings(game))
    table, lines = table_of(game, said, 0), []
    while left(table, said):
        lines.append(left(table, said)[0])
        table.enter(lines[-1])
    half = len(lines) // 2
    wrong = "6" if table.entries[1].words == "dice 2" else "2"
    begin = ("deepsea(ruleset=paper)", "--names", "Ann,Ben", "--agent", "heuristic", "--file", str(file))
    code, out, _ = typed(
        capsys,
        monkeypatch,
        [wrong, f"correct 2 {lines[0]}", "nonsense", *lines[1:half], "help", "log", "board"],
        *begin,
    )
    assert code == 0
    assert f"corrected: Ann: {table.entries[1].words}" in out
    assert "'nonsense' is not legal; legal: leave, take" in out
    assert "advice: " in out
    assert "you get home" in out
    assert "submarine: " in out
    code, out, _ = typed(capsys, monkeypatch, [*lines[half:], "scores"], "deepsea", "--file", str(file))
    assert code == 0
    result = " and ".join(("Ann", "Ben")[winner] for winner in game["winners"])
    assert f"The game is over: {result} win" in out
    assert f"│ total   │ {game['final_scores'][0]:>3} │ {game['final_scores'][1]:>3} │" in out
    assert json.loads(file.read_text())["game"] == "deepsea"


def test_prompts_say_what_to_type_and_who_begins(capsys, monkeypatch):
    lines = ["3 2", "undo", "undo", "correct 9", "correct x", "options", "position"]
    arguments = (
        "deepsea(ruleset=paper)",
        "--names",
        "Ann,Ben,Cem",
        "--begins",
        "2",
        "--seat",
        "1",
        "--agent",
        "heuristic",
    )
    code, out, _ = typed(capsys, monkeypatch, lines, *arguments)
    assert code == 0
    assert out.startswith("Deep Sea Adventure: Ben, Cem, Ann; you are Ann.\n")
    assert "2  Ben throws two dice to go down (such as 3 2, 3+2 or 5): " in out
    for words in (
        "taken back: dice 5",
        "there is no entry to take back",
        "entry 9: allowed are the numbers of entries, 1 to 1",
        "say which entry, as in correct 7",
        "can be entered: dice 2, dice 3",
        "deepsea(players=3) 1 25 ",
    ):
        assert words in out


def test_saboteur_from_the_second_seat(capsys, monkeypatch):
    lines = ["8 8 5 6 0 Map Malus", "8 5 6", "map left", "gold", "Map", "quit"]
    code, out, _ = typed(
        capsys, monkeypatch, lines, "saboteur", "--names", "Ann,Ben", "--seat", "2", "--agent", "greedy"
    )
    assert code == 0
    assert "Ben gets 7 cards: which ones?" in out
    assert "the nugget may be left or middle or right, 33% each" in out
    assert "Ben sees the left objective: is it the nugget?" in out
    assert "Ann: draws a card (nothing else was possible)" in out


def test_wrong_options_are_one_line(capsys, monkeypatch, tmp_path):
    bad, other = tmp_path / "bad.json", tmp_path / "other.json"
    bad.write_text("{")
    typed(capsys, monkeypatch, [], "deepsea", "--agent", "heuristic", "--file", str(other))
    for arguments, why in (
        (("deepsea", "--seat", "3"), "seat 3: there are 2 people at the table"),
        (("deepsea(players=2)", "--names", "A,B,C"), "3 names; deepsea(ruleset=official) is for 2 players"),
        (("saboteur", "--seat", "0"), "say which seat is yours"),
        (("leduc_poker",), "leduc_poker cannot be followed"),
        (("deepsea", "--position", "air 99"), "a number from 0 to 25 is allowed"),
        (("deepsea", "--file", str(bad)), "bad.json: "),
        (("deepsea", "--file", str(other), "--seat", "1"), "--seat: "),
        (("pig", "--file", str(other)), "other.json: "),
    ):
        code, _, error = typed(capsys, monkeypatch, [], *arguments)
        assert code == 2, arguments
        assert error.count("\n") == 1
        assert why in error


def test_the_game_as_people_own_it_unless_its_rules_are_named(capsys, monkeypatch, tmp_path):
    for spec, known in (("deepsea", "deepsea(ruleset=official)"), ("deepsea(ruleset=paper)", "deepsea")):
        file = tmp_path / f"{known}.json"
        assert typed(capsys, monkeypatch, ["3 2"], spec, "--agent", "heuristic", "--file", str(file))[0] == 0
        assert json.loads(file.read_text())["game"] == known
