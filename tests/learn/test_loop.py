"""The whole loop: it runs, it can be killed at any moment, and it comes to the same result."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import spinney
from spinney.cli import main
from spinney.errors import BadNetwork
from spinney.learn.gating import ContestGame, Result, play_contest_games
from spinney.learn.jobs import ContestGames, Games, NetworkBundle, play_contest, play_games
from spinney.learn.loop import Loop
from spinney.learn.selfplay import play_first, play_with_network
from spinney.learn.settings import Settings, Shape, Training, preset_for
from spinney.learn.shards import Played, Shards
from spinney.pool import open_pool

TINY = Settings(
    game="connect_four",
    teacher="uct(iterations=30)",
    first_games=3,
    iterations=2,
    games=4,
    search="net_search(iterations=10, batch=4)",
    parallel_games=2,
    reward="win",
    shape=Shape(filters=4, dense=16),
    training=Training(epochs=3, batch=32, rate=1e-3, one_cycle=True, mirror=True, held_out=0.3),
    gate_games=6,
    opponents={"random": 4},
)
KILLED = """
import os, signal, sys
from pathlib import Path
from spinney.learn.loop import Loop
from spinney.learn.settings import Settings

class Assassin:
    def begin(self, stage, total, done):
        self.here = stage == sys.argv[2]
        self.seen = 0
    def advance(self, note=""):
        self.seen += 1
        if self.here and self.seen == 2:
            os.kill(os.getpid(), signal.SIGKILL)

folder = Path(sys.argv[1])
Loop(folder, Settings.load(folder / "settings.yaml"), Assassin()).run()
"""


class Quiet:
    def begin(self, stage, total, done):
        pass

    def advance(self, note=""):
        pass


def products(folder: Path) -> dict[str, bytes]:
    """All that a run leaves but the time of day, and the order in which the games of a contest ended."""
    kept = {}
    for file in sorted(folder.rglob("*")):
        name = str(file.relative_to(folder))
        if file.is_file() and "tensorboard" not in name and file.name != "log.jsonl":
            data = file.read_bytes()
            kept[name] = b"\n".join(sorted(data.splitlines())) if file.suffix == ".jsonl" else data
    return kept


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    Loop(folder, TINY, Quiet()).run()
    return folder


def test_a_killed_run_comes_to_the_same_result(tmp_path, undisturbed):
    """Killed in self-play, in training and in a contest, each time after two games or epochs of it."""
    TINY.write(tmp_path / "settings.yaml")
    for stage in ("games 1: self-play", "training 2.0", "contest 2"):
        run = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), stage], capture_output=True, text=True)
        assert run.returncode == -signal.SIGKILL, run.stderr
    assert not (tmp_path / "networks" / "02" / "chosen.json").exists()
    half = next((tmp_path / "networks" / "02").glob("contest.jsonl"))
    half.write_text(half.read_text() + '{"number": 5, "sha')  # a line that was being written
    (tmp_path / "networks" / "02" / "chosen.json.part").write_text("{")  # and a file that was
    Loop(tmp_path, TINY, Quiet()).run()
    (tmp_path / "networks" / "02" / "chosen.json.part").unlink(missing_ok=True)
    assert products(tmp_path) == products(undisturbed)


@pytest.mark.parametrize("ray", [None, "local"])
def test_a_pool_plays_the_same_games(tmp_path, undisturbed, ray):
    """In two processes, and on a Ray cluster of two workers."""
    with open_pool(2, ray) as pool:
        Loop(tmp_path, TINY, Quiet(), pool).run()
    assert products(tmp_path) == products(undisturbed)


def test_networks_travel_with_jobs(undisturbed):
    """A machine that does not have their folder plays the same."""
    packed = NetworkBundle.pack(undisturbed / "networks" / "01" / "candidate-0")
    elsewhere = replace(packed, folder="/nowhere/candidate-0")
    one, other = ([(i, game.states.tobytes()) for i, game in play_games(Games(TINY, (0, 1), network))]
                  for network in (packed, elsewhere))  # fmt: skip
    assert one == other
    seats = tuple(f"net(weights='{elsewhere.folder}', temperature=1.0)" for _ in range(2))
    results = play_contest(ContestGames((ContestGame(0, "connect_four", seats, 1, 100),), (elsewhere,)))
    assert [result.number for result in results] == [0]


def test_a_network_of_the_same_name_is_another(undisturbed, tmp_path):
    """A machine may still have the folder of an earlier run."""
    parcel = NetworkBundle.pack(undisturbed / "networks" / "01" / "candidate-0")
    assert parcel.unpack() == parcel.folder
    for name in ("network.onnx", "network.json"):
        (tmp_path / name).write_bytes(b"older")
    moved = Path(replace(parcel, folder=str(tmp_path)).unpack())
    assert moved != tmp_path
    assert (moved / "network.onnx").read_bytes() == parcel.files[0]


def test_one_run_at_a_time(undisturbed):
    loop = Loop(undisturbed, TINY, Quiet())
    with loop._lock, pytest.raises(BadNetwork, match="another run is using"):
        Loop(undisturbed, TINY, Quiet()).run()
    assert Loop(undisturbed, TINY, Quiet()).run()


def test_whoever_wins_more_of_its_games_goes_on(tmp_path, monkeypatch):
    """With three networks at tables of two, not all sit equally often."""
    settings = TINY.model_copy(update={"candidates": 2, "gate_games": 4})
    loop = Loop(tmp_path, settings, Quiet())
    tables = loop._seatings(3)[:4]
    sat = [sum(table.count(one) for table in tables) for one in range(3)]
    assert sorted(sat) == [2, 2, 4]
    busy, good = sat.index(4), sat.index(2)
    met = [i for i, table in enumerate(tables) if good in table]

    def shares(i):
        """Of two games the good one wins one, and one is drawn; the busy one has that draw, and wins the other two."""
        if i == met[1]:
            return [0.5, 0.5]
        return [float(one == (good if i in met else busy)) for one in tables[i]]

    monkeypatch.setattr(loop, "_results", lambda *_: [Result(i, shares(i), 9) for i in range(4)])
    folders = [tmp_path / "networks" / name for name in "abc"]
    (tmp_path / "networks" / "02").mkdir(parents=True)
    assert loop._choose(2, folders[:2], folders[2]) == folders[good]


def test_what_a_run_leaves(undisturbed):
    """Networks with their cards, data whose checksums are checked, settings that are read back; and they play."""
    assert Settings.load(undisturbed / "settings.yaml") == TINY
    about = json.loads((undisturbed / "networks" / "02" / "candidate-0" / "network.json").read_text())
    assert about["game"] == "connect_four"
    assert about["shares"] is True
    assert about["config"] == {"kind": "own", "filters": 4, "dense": 16}
    shards = Shards(undisturbed / "data" / "01")
    played = shards.read()
    assert sorted(set(played.numbers.tolist())) == [0, 1, 2, 3]
    assert np.allclose(played.policies[played.acting].sum(1), 1)
    weights = undisturbed / "networks" / "02" / "candidate-0"
    game = spinney.game("connect_four")
    for spec in (f"net(weights='{weights}')", f"net_search(weights='{weights}', iterations=30)"):
        decision = game.agent(spec, seed=1).decide(game.start())
        assert decision.action in range(7)
    with pytest.raises(BadNetwork, match="other settings"):
        Loop(undisturbed, TINY.model_copy(update={"games": 5}), Quiet())


def test_a_damaged_shard_is_noticed(tmp_path):
    shards = Shards(tmp_path)
    for number, played in play_first(TINY, [0, 1]):
        shards.add(number, played)
    assert shards.stored() == {0, 1}
    shards.close()
    whole = len(shards.read())
    assert whole > 10
    assert not (tmp_path / "games").exists()
    file = tmp_path / "shard-0000.npz"
    whole_file = file.read_bytes()
    data = bytearray(whole_file)
    data[len(data) // 2] ^= 1
    file.write_bytes(bytes(data))
    with pytest.raises(BadNetwork, match="checksum differs"):
        shards.read()
    with np.load(io.BytesIO(whole_file)) as held:
        np.savez(file, **{name: held[name] for name in held if name != "rewards"})
    with pytest.raises(BadNetwork, match=r"has no rewards; delete its folder"):
        Played.load(file)
    shards.manifest.write_text("{")
    with pytest.raises(BadNetwork, match=r"manifest\.json cannot be read"):
        shards.read()


def same(one: Played, other: Played) -> bool:
    return all((getattr(one, name) == getattr(other, name)).all() for name in vars(one))


def test_a_game_does_not_depend_on_its_neighbours(undisturbed):
    """A game of self-play, and one of a contest, is the same alone as among others."""
    weights = str(undisturbed / "networks" / "01" / "candidate-0")
    among = dict(play_with_network(TINY, weights, range(4)))
    alone = dict(play_with_network(TINY, weights, [2]))
    assert same(among[2], alone[2])
    seats = (f"net(weights='{weights}', temperature=1)", "random")
    fixtures = [ContestGame(i, "connect_four", seats, 100 + i, 200) for i in range(5)]
    results = {result.number: result for result in play_contest_games(fixtures)}
    assert next(play_contest_games([fixtures[3]])) == results[3]
    assert len(results) == 5


@pytest.mark.parametrize(("reward", "expected"), [("survival", 0.5), ("kills", 0.0)])
def test_rewards_are_of_the_reward_that_is_asked_for(reward, expected):
    """A game of two that is cut off after a turn, when both are alive."""
    settings = preset_for("smoke", "battlesnake").model_copy(update={"reward": reward, "max_turns": 1})
    ((_, played),) = play_first(settings, [0])
    assert played.rewards.tolist() == [[expected, expected]]


def test_smoke(tmp_path, capsys):
    """`spinney train battlesnake --preset smoke`, the whole of it."""
    with pytest.raises(SystemExit) as ended:
        main(["train", "battlesnake", "--preset", "smoke", "--out", str(tmp_path / "run")])
    printed = capsys.readouterr().out
    assert ended.value.code == 0, printed
    assert "Networks without search" in printed
    assert len(list((tmp_path / "run" / "tensorboard").glob("events*"))) == 1
    log = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert [line["event"] for line in log].count("contest") == 2


def test_presets_fit_other_games():
    fitted = preset_for("desk", "connect_four")
    assert fitted.teacher == "uct(iterations=400)"
    assert fitted.opponents.keys() == {"random", "heuristic"}
    assert preset_for("smoke", "battlesnake").game == "battlesnake(players=2, width=7, height=7)"
    assert preset_for("smoke", "battlesnake(width=9)").game == "battlesnake(width=9)"


def test_settings_of_the_shipped_networks():
    file = Path(spinney.__file__).parent / "games" / "battlesnake" / "weights" / "desk-settings.yaml"
    assert Settings.load(file) == preset_for("desk", "battlesnake")


def test_settings_of_version_0_1_are_refused_in_a_line(tmp_path):
    file = tmp_path / "settings.yaml"
    file.write_text("game: connect_four\nteacher: uct(iterations=30, cutoff=4)\ntogether: 2\ntraining:\n  warm: true\n")
    with pytest.raises(
        BadNetwork, match=r"settings of Spinney 0\.1: 'together' is called 'parallel_games' now, 'warm'"
    ):
        Settings.load(file)
