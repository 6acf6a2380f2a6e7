"""Recordings: written, replayed, and faults found."""

from __future__ import annotations

import gzip
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

import spinney
from spinney.agents import build
from spinney.games.recording import record, verify
from spinney.play import Session
from tests.tiny import soon_over

DATA = Path(__file__).parents[1] / "conformance" / "data"


def played(name: str, seed: int) -> spinney.State:
    game = spinney.game(soon_over(name))
    return Session(game.start(seed), [build(game, "random", seed + i) for i in range(game.players)]).play()


@pytest.mark.parametrize("name", [*spinney.game_names(), "examples/pig.py(players=3, goal=20)"])
def test_what_is_recorded_replays(name, tmp_path):
    file = tmp_path / "games.jsonl.gz"
    with gzip.open(file, "wt") as lines:
        for seed in range(5):
            print(json.dumps(record(played(name, seed))), file=lines)
    *_, verdict = verify(spinney.game(name).card, file)
    assert (verdict.games, verdict.differences) == (5, [])
    assert verdict.steps > 20


@pytest.mark.parametrize("name", ["connect_four", "tictactoe"])
def test_stored_recordings_replay(name):
    *_, verdict = verify(spinney.game(name).card, DATA / f"{name}.jsonl")
    assert verdict.games >= 20
    assert verdict.differences == []


@pytest.fixture(scope="module")
def deepsea_games():
    """Every fourth of the recorded games; `spinney verify deepsea` replays them all."""
    with gzip.open(DATA / "deepsea.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in itertools.islice(lines, 0, None, 4)]


def test_deepsea_replays_the_reference(deepsea_games, tmp_path):
    kinds = {(game["ruleset"], game["players"]) for game in deepsea_games}
    assert kinds == {(ruleset, players) for ruleset in ("paper", "official") for players in range(2, 7)}
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(json.dumps(game) for game in deepsea_games))
    *_, verdict = verify(spinney.game("deepsea").card, file)
    assert verdict.games == len(deepsea_games) > 80
    assert verdict.steps == sum(len(game["steps"]) for game in deepsea_games)
    assert verdict.differences == []


def test_deepsea_replays_the_papers_program():
    file = DATA / "deepsea_paper_code.jsonl.gz"
    *_, verdict = verify(spinney.game("deepsea").card, file)
    assert (verdict.games, verdict.differences) == (40, [])


def change_choice(game: dict[str, Any]) -> None:
    game["steps"][2].update(legal=["leave", "drop:0"], choice="drop:0")


def reveal(game: dict[str, Any]) -> int:
    """The first step at which chips are turned over."""
    return next(number for number, step in enumerate(game["steps"]) if step.get("reveals"))


def change_reveal(game: dict[str, Any]) -> None:
    shown = game["steps"][reveal(game)]["reveals"][0]
    shown[2] += 1 if shown[2] % 4 == 0 else -1


def change_owner(game: dict[str, Any]) -> None:
    game["steps"][reveal(game)]["reveals"][0][0] = 7


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (lambda game: game["initial"].update(oxygen=24), "before the first step: the recording has oxygen 24"),
        (lambda game: game["steps"][4]["state_after"].update(oxygen=3), "step 5: the recording has oxygen 3"),
        (lambda game: game["steps"][4]["state_after"]["pos"].reverse(), "step 5: the recording has pos"),
        (lambda game: game["steps"][4]["state_after"]["path"][0].append(2), "step 5: the recording has path"),
        (lambda game: game["steps"][2]["legal"].append("drop:0"), "step 3: the recording has legal"),
        (change_choice, "step 3: the recording has the choice drop:0, which the rules do not allow"),
        (lambda game: game["steps"][1].update(dice=[3, 3]), "step 2: the recording has pos"),
        (change_reveal, "the recording has score"),
        (change_owner, "of player 7"),
        (lambda game: game["final_scores"].reverse(), "at the end: the recording has final_scores"),
        (lambda game: game.update(winners=[]), "at the end: the recording has winners []"),
        (lambda game: game["steps"].pop(), "at the end: the recording stops"),
    ],
)
def test_differences_from_the_reference_are_found(change, difference, deepsea_games):
    card = spinney.game("deepsea").card
    game = next(
        game
        for game in deepsea_games
        if len(set(game["final_scores"])) > 1
        and game["steps"][1]["dice"] != [3, 3]
        and game["final_scores"] != game["final_scores"][::-1]
        and any(step.get("reveals") for step in game["steps"])
    )
    game = json.loads(json.dumps(game))
    assert card.formats[".jsonl"].verify(card, game)[1] == []
    change(game)
    assert difference in " ".join(card.formats[".jsonl"].verify(card, game)[1])


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (lambda game: game["steps"][2].update(action="9"), "step 3: '9' is not legal"),
        (lambda game: game["steps"][2].update(mover=1), "step 3: the recording has mover 1, the rules 0"),
        (lambda game: game["steps"][2]["legal"].pop(), "step 3: the recording has legal"),
        (lambda game: game.update(rewards=[0.25, 0.75]), "at the end: the recording has rewards [0.25, 0.75]"),
        (lambda game: game["steps"].pop(), "at the end: the recording stops"),
        (lambda game: game["steps"].append(game["steps"][0]), "the game of connect_four is over"),
    ],
)
def test_differences_are_found(change, difference, tmp_path):
    game = record(played("connect_four", 1))
    change(game)
    file = tmp_path / "game.jsonl"
    file.write_text(json.dumps(game))
    *_, verdict = verify(spinney.game("connect_four").card, file)
    assert difference in " ".join(verdict.differences)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1 is not JSON"),
        ("[1]", "line 1 must be a JSON object"),
        ("{}", "game 1 is not a recording of connect_four: it lacks 'game'"),
        ('{"game": "tictactoe"}', "it is a game of tictactoe"),
        ('{"game": "connect_four", "options": {}, "seed": 1, "steps": 3}', "a value has the wrong type or is missing"),
        ('{"game": "connect_four", "options": {"a": 1}, "seed": 1, "steps": []}', "has no option 'a'"),
        ("\udcff", "cannot be read"),
    ],
)
def test_corrupt_files(text, message, tmp_path):
    file = tmp_path / "game.jsonl"
    file.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(spinney.BadRecording) as caught:
        list(verify(spinney.game("connect_four").card, file))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("halite", lambda game: game.update(initial_entities=[])),
        ("halite", lambda game: game["turns"][0].update(commands=[])),
        ("halite", lambda game: game.update(width=0, height=0)),
        ("saboteur", lambda game: game["moves"][0].update(o=3)),
        ("battlesnake", lambda game: game["moves"].__setitem__(0, 3)),
    ],
)
def test_damaged_recordings_of_official_engines(name, damage, tmp_path):
    with gzip.open(DATA / name / "public.jsonl.gz", "rt") as lines:
        game = json.loads(next(lines))
    damage(game)
    file = tmp_path / "game.jsonl"
    file.write_text(json.dumps(game))
    with pytest.raises(spinney.BadRecording, match=f"game 1 is not a recording of {name}"):
        list(verify(spinney.game(name).card, file))


def test_missing_and_damaged_files(tmp_path):
    card = spinney.game("connect_four").card
    with pytest.raises(spinney.BadRecording, match="No such file"):
        list(verify(card, tmp_path / "none.jsonl"))
    damaged = tmp_path / "game.jsonl.gz"
    damaged.write_bytes(gzip.compress(b'{"a": 1}')[:-9])
    with pytest.raises(spinney.BadRecording, match="cannot be read"):
        list(verify(card, damaged))
