"""Halite's players, its board, and its replay files."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
import zstandard

import spinney
from spinney.agents import build
from spinney.cli import main
from spinney.errors import BadRecording
from spinney.games.frame import outcome
from spinney.games.halite import hlt, rules
from spinney.games.halite.recording import first_position, replay
from spinney.games.halite.state import State
from spinney.kernel import Rng, seeded
from spinney.play import Session
from tests.games.halite.match import compiled

DATA = Path(__file__).parents[2] / "conformance" / "data" / "halite"
CARD = spinney.game("halite").card


def test_collectors_collect():
    """They beat random players by far, and keep their ships."""
    for seed in range(10):
        s = State.native(spinney.game("halite(size=32)").start(seed).record)
        _, lost = compiled()(s, CARD.out.native(), Rng.native(seeded(seed)), 1)
        assert rules.rank(s, 0) == 1
        assert s.treasury[0] > 12_000 or s.turn < 300
        assert lost <= 5  # random ships are in the way


def test_collectors_do_not_lose_ships_when_alone():
    for seed in range(5):
        s = State.native(spinney.game("halite(size=24, players=1)").start(seed).record)
        assert compiled()(s, CARD.out.native(), Rng.native(seeded(seed)), 1)[1] == 0
        assert s.treasury[0] > 15_000
        assert sum(s.cargo[: s.ships]) < 500  # all are home in the end


@pytest.fixture(scope="module")
def played():
    """A game with all that can happen."""
    game = spinney.game("halite(size=10, turns=60, energy=30000, players=4)")
    return Session(game.start(4), [build(game, "random", seed) for seed in range(4)]).play()


def unpacked(file):
    """The JSON of a replay file."""
    return zstandard.ZstdDecompressor().decompressobj().decompress(file.read_bytes())


@pytest.mark.parametrize("compressed", [True, False])
def test_replay_files_are_read_as_they_were_written(played, tmp_path, compressed):
    file, names = tmp_path / "game.hlt", ["ann", "bob", "cem", "dee"]
    hlt.write(file, played, names)
    if not compressed:
        file.write_bytes(unpacked(file))
    recording = hlt.read_recording(file)
    assert recording == hlt.recorded(played) | {"names": names}
    turns = recording["turns"]
    assert {event[0] for turn in turns for event in turn["events"]} == {"spawn", "construct", "shipwreck"}
    assert any(ship[-1] for turn in turns for fleet in turn["entities"].values() for ship in fleet)  # inspired
    assert replay(CARD, recording) == (played.record.turn, [])
    shown = CARD.formats[".hlt"].read(file)
    frames = list(shown.frames)
    assert CARD.board.draw(frames[-1].record) == str(played)
    assert len(frames) == played.record.turn + 1
    assert frames[0].events == ()
    said = [event for frame in frames for event in frame.events]
    assert {event.mover for event in said} == {0, 1, 2, 3}
    assert any(re.fullmatch(r".*[2-9]× (north|south|east|west).*", event.words) for event in said)  # noqa: RUF001
    assert shown.result == outcome(played, names)


def test_the_engines_games_survive_a_replay_file():
    with gzip.open(DATA / "public.jsonl.gz", "rt") as lines:
        games = [json.loads(line) for line in lines]
    for recorded in games[1:3] + [game for game in games if "edge" in game["tags"] and not game["initial_dropoffs"]]:
        for turn in recorded["turns"]:
            turn.setdefault("terminated", [])
            for player in turn["terminated"]:
                turn["commands"].pop(str(player), None)
        again = hlt.from_hlt(json.loads(json.dumps(hlt.to_hlt(recorded, "abcd"))))
        again["tags"] = recorded["tags"]
        assert replay(CARD, again) == (len(recorded["turns"]), [])
        assert first_position(again) == first_position(recorded)


def test_what_is_no_replay_file_is_refused(tmp_path):
    file = tmp_path / "game.hlt"
    for content in (b"", b"{}", b"[1]", hlt.MAGIC + b"nonsense", b"\xff\xfe"):
        file.write_bytes(content)
        with pytest.raises(BadRecording, match="is not a replay file"):
            list(hlt.read(file).frames)
    with pytest.raises(BadRecording, match="cannot be read"):
        hlt.read(tmp_path / "none.hlt")


def test_a_replay_file_that_the_rules_play_otherwise_is_refused(played, tmp_path):
    file = tmp_path / "game.hlt"
    hlt.write(file, played, "abcd")
    data = json.loads(unpacked(file))
    data["full_frames"][7]["energy"]["0"] += 1
    file.write_text(json.dumps(data))
    with pytest.raises(BadRecording, match="turn 7: the recording has energy"):
        list(hlt.read(file).frames)


def test_a_damaged_replay_file_is_refused(played, tmp_path):
    file = tmp_path / "game.hlt"
    hlt.write(file, played, "abcd")
    data = json.loads(unpacked(file))
    data["production_map"].update(width=0, height=0)
    file.write_text(json.dumps(data))
    with pytest.raises(BadRecording, match="cannot be replayed: it has 4 players on 0x0; 1, 2 or 4 on a square of 10"):
        list(hlt.read(file).frames)


def test_the_command_line_writes_and_shows_replay_files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    watch = ["watch", "halite(size=10, turns=12)", "collector", "random", "--seed", "2", "--save", "game.hlt"]
    for words in (watch, ["replay", "game.hlt"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
        shown = capsys.readouterr().out
        assert shown.count("turn 5 of 12") == 1  # once a turn, not once an order
        assert "the end: " in shown


def test_the_board(played):
    game = spinney.game("halite(size=10, map_seed=1)")
    state = game.start(1)
    assert state.names() == ["wait", "spawn"]
    state.apply("spawn")
    state.apply("spawn")
    assert state.names() == ["stay", "north", "south", "east", "west"]
    lines = str(state).splitlines()
    assert lines[0] == "turn 1 of 400   10x10   halite .:-=+*%# from 1, 8, 16, ... to 512"
    assert lines[8] == " 5 | % * a1: * * : b2* % |"
    assert lines[-1] == "A orders ship 1 on 2,5 with 0 cargo"
    assert lines[-4:-2] == [
        "A  player 1  treasury   4000  ships   1  cargo      0  dropoffs  0",
        "B  player 2  treasury   4000  ships   1  cargo      0  dropoffs  0",
    ]
    assert "wins (" in str(played)
