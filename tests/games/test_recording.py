"""Recordings: written, replayed, and faults found."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import spinney
from spinney.agents import build
from spinney.agents.match import play_on
from spinney.games.recording import record, verify

DATA = Path(__file__).parents[1] / "conformance" / "data"


def played(name: str, seed: int) -> spinney.State:
    game = spinney.game(name)
    state = game.start(seed)
    for _ in play_on(state, [build(game, "random", seed + i) for i in range(game.players)]):
        pass
    return state


@pytest.mark.parametrize("name", [*spinney.game_names(), "examples/pig.py(players=3, goal=20)"])
def test_what_is_recorded_replays(name, tmp_path):
    file = tmp_path / "games.jsonl.gz"
    with gzip.open(file, "wt") as lines:
        for seed in range(5):
            print(json.dumps(record(played(name, seed))), file=lines)
    *_, verdict = verify(spinney.game(name).card, file)
    assert (verdict.games, verdict.differences) == (5, [])
    assert verdict.steps > 20


@pytest.mark.parametrize("name", spinney.game_names())
def test_stored_recordings_replay(name):
    *_, verdict = verify(spinney.game(name).card, DATA / f"{name}.jsonl")
    assert verdict.games >= 20
    assert verdict.differences == []


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
        ("{}", "game 1 is not a recording of connect_four: lacks 'game'"),
        ('{"game": "tictactoe"}', "it is a game of tictactoe"),
        ('{"game": "connect_four", "options": {}, "seed": 1, "steps": 3}', "game 1 is not a recording"),
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


def test_missing_and_damaged_files(tmp_path):
    card = spinney.game("connect_four").card
    with pytest.raises(spinney.BadRecording, match="No such file"):
        list(verify(card, tmp_path / "none.jsonl"))
    damaged = tmp_path / "game.jsonl.gz"
    damaged.write_bytes(gzip.compress(b'{"a": 1}')[:-9])
    with pytest.raises(spinney.BadRecording, match="cannot be read"):
        list(verify(card, damaged))
