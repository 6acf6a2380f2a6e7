"""Results files of other versions: those of 0.1 are migrated, later ones are refused, unknown columns are ignored."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from spinney.arena import Arena, Store, standings
from spinney.arena.migration import rename_options
from spinney.arena.tables import VERSION
from spinney.errors import BadRecording, SpinneyError
from tests.arena.test_arena import SETTINGS, finished, results_file
from tests.commands import run

DATA = Path(__file__).parent / "data"
AGENTS = [
    "champion(iterations=20, early_factor=5)",
    "uct(iterations=20, fpu=1, early_stop=true)",
    "heuristic(margin=2)",
]
"""The agents of the file of 0.1 by their names of today."""
STANDINGS = [(6, 5, 1, 0.9166666666666666, 22.166666666666668), (4, 2, 1, 0.625, 22.5), (6, 0, 0, 0.0, 14.0)]
"""What 0.1 found after its 8 games: games, won, drawn, share, mean score."""
STANDINGS_OF_12 = [(8, 6, 1, 0.8125, 21.25), (8, 5, 1, 0.6875, 28.75), (8, 0, 0, 0.0, 15.125)]
RATINGS = [333.5003596232303, 152.96444867989626, -486.4648083031266]
RATINGS_OF_12 = [303.2320131561031, 217.85809142030874, -521.0901045764118]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return Path(shutil.copy(DATA / "arena-0.1.sqlite", tmp_path))


def resumed(file: Path, count: int = 8, agents: list[str] = AGENTS, **changes: Any) -> Arena:
    return Arena("deepsea", agents, count, file, **{"seed": 3, "limit": 100.0, "resume": True, **changes})


def check_standings(store: Store, expected: list[Any], ratings: list[float]) -> None:
    rows = standings(store.specs, store.games())
    assert [(row.games, row.won, row.drawn, row.share, row.mean_score) for row in rows] == expected
    assert [row.rating for row in rows] == pytest.approx(ratings, abs=1e-6)
    assert [row.agent for row in rows] == [AGENTS[0], AGENTS[2], AGENTS[1]]
    assert 0 < rows[0].seconds_per_move < rows[0].longest_move


def change(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def version(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


@pytest.mark.parametrize("mode", ["rw", "ro&immutable=1"])
def test_a_file_of_0_1_is_read_and_not_changed(old, capsys, monkeypatch, mode):
    monkeypatch.setattr("spinney.arena.store._reading_mode", lambda file: mode)
    before = old.read_bytes()
    with closing(Store(old)) as store:
        check_standings(store, STANDINGS, RATINGS)
        assert store.game(7).steps == store.games()[7].steps
        assert "format" not in store.settings
        with pytest.raises(BadRecording):
            store.add(finished(8, [1, 0]))
    assert run(capsys, "replay", old, 7)[0] == 0
    code, out, _ = run(capsys, "report", old, "--json", "-")
    assert code == 0
    assert "'uct(iterations=20, fpu=1, early_stop=true)' 'heuristic(margin=2)' --games 8" in json.loads(out)["command"]
    assert old.read_bytes() == before


def test_a_file_of_0_1_is_migrated_and_resumed(old):
    with closing(resumed(old).store) as store:
        check_standings(store, STANDINGS, RATINGS)
    assert version(old) == VERSION
    arena = resumed(old, 12)
    assert sorted(game.number for game in arena.run(workers=1)) == [8, 9, 10, 11]
    with closing(arena.store) as store:
        check_standings(store, STANDINGS_OF_12, RATINGS_OF_12)
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT count(*) FROM seats").fetchone() == (24,)


def test_a_file_of_another_tournament_is_not_migrated(old):
    before = old.read_bytes()
    with pytest.raises(SpinneyError, match="was begun with seed 3, not 4"):
        resumed(old, seed=4)
    assert (version(old), old.read_bytes()) == (0, before)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE games SET shares = '[1, '", "UPDATE games SET seats = '[0]'", "UPDATE games SET forfeit = '7'",
        "UPDATE games SET seed = '99999999999999999999'", "UPDATE run SET value = '[]' WHERE key = 'presets'",
        "UPDATE run SET value = '2' WHERE key = 'format'", "ALTER TABLE games DROP COLUMN moves",
    ],
)  # fmt: skip
def test_a_damaged_file_of_0_1_is_a_clear_error(old, capsys, damage):
    change(old, damage)
    before = old.read_bytes()
    words = ["deepsea", *AGENTS, "--games", 8, "--seed", 3, "--limit", 100, "--file", old, "--resume"]
    for command in (["report", old], ["arena", *words]):
        code, _, errors = run(capsys, *command)
        assert (code, errors.count("\n")) == (2, 1)
        assert errors.startswith(f"spinney: {old} cannot be used as a results file: ")
    assert old.read_bytes() == before


def test_a_file_from_before_there_were_two_clocks(old):
    change(old, "DELETE FROM run WHERE key = 'clock'")
    with closing(Store(old)) as store:
        assert store.settings["clock"] == "wall"
    with pytest.raises(SpinneyError, match='was begun with clock "wall", not "cpu"'):
        resumed(old, clock="cpu")
    resumed(old).store.close()


def test_a_file_from_before_presets_were_noted(old):
    """It goes on if no agent is a preset."""
    change(old, "DELETE FROM run WHERE key = 'presets'")
    with pytest.raises(SpinneyError, match=r"was begun with agents .*haste=5.*; name another file or folder"):
        resumed(old)
    change(old, """UPDATE run SET value = replace(value, 'champion(iterations=20, haste=5)', 'champion')""")
    with pytest.raises(SpinneyError, match=r"was begun with presets \{\}, not .*champion"):
        resumed(old, agents=["champion", *AGENTS[1:]])
    change(old, "UPDATE run SET value = replace(value, 'champion', 'diver')")
    resumed(old, agents=["diver", *AGENTS[1:]]).store.close()


def test_options_are_renamed():
    presets = {"champion": "forest(alone=true, c=1)", "paper_code": "infoset(others='careless(often=none)')"}
    old = {
        "agents": [
            "alphabeta(evaluation=x, table=true, margin=0.02, check=decisive)", "heuristic(margin=2, check=1)", "walk",
            "champion( common = true )", "paper(code=true, trust=0.3)", "forest(alone=true, common=false)",
            "uct(rollout=heuristic(margin=2), cutoff=none, first_play=inf, early=true, haste=10, horizon=3)",
            "flat(each=10)", "net_search(patience=16, blend=0.5, virtual=1, chance=quiet)", "infoset(worlds=4)",
        ],
        "presets": presets,
    }  # fmt: skip
    new = rename_options(old)
    assert new["agents"] == [
        "alphabeta(evaluation=x, transposition_table=true, futility_margin=0.02, prune_with=decisive)",
        "heuristic(margin=2, check=1)", "walk",
        "champion( reward_mode = total)", "paper(code=true, opponent_prior=0.3)",
        "forest(separate_simulations=true, reward_mode=own)",
        "uct(rollout=heuristic(margin=2), rollout_depth=none, fpu=inf, early_stop=true, early_factor=10, max_depth=3)",
        "flat(rollouts_per_action=10)", "net_search(min_visits=16, rollout_mix=0.5, virtual_loss=1, chance=default)",
        "infoset(determinizations=4)",
    ]  # fmt: skip
    assert new["presets"] == {
        "champion": "forest(separate_simulations=true, c=1)",
        "paper_code": "infoset(opponents='careless(often=none)')",
    }
    tuning = {
        "agents": ["joint(cutoff=0)", "x(check=1)"], "agent": "joint(cutoff=0)", "against": ["x(check=1)"],
        "ranges": ["horizon=1..9", "chance=sample|quiet", "rollout=a(check=1)|b"],
        "trials": [{"horizon": 3, "chance": "quiet", "rollout": "b"}], "presets": {},
    }  # fmt: skip
    assert rename_options(tuning) == {
        "agents": ["joint(rollout_depth=0)", "x(check=1)"], "agent": "joint(rollout_depth=0)",
        "against": ["x(check=1)"], "ranges": ["max_depth=1..9", "chance=sample|default", "rollout=a(check=1)|b"],
        "trials": [{"max_depth": 3, "chance": "default", "rollout": "b"}], "presets": {},
    }  # fmt: skip


def test_a_newer_version_is_refused(tmp_path, capsys):
    file = results_file(tmp_path / "r.sqlite", games=2)
    change(file, f"PRAGMA user_version = {VERSION + 1}")
    before = file.read_bytes()
    code, _, errors = run(capsys, "report", file)
    assert (code, errors.count("\n")) == (2, 1)
    assert "was written by a newer version of Spinney" in errors
    with pytest.raises(BadRecording, match="was written by a newer version of Spinney"):
        Store(file, SETTINGS, resume=True)
    assert file.read_bytes() == before


def test_unknown_columns_are_ignored_and_missing_ones_have_their_default(tmp_path):
    file = results_file(tmp_path / "r.sqlite", games=4)
    with closing(Store(file)) as store:
        games = store.games()
    change(
        file, "ALTER TABLE games ADD COLUMN place TEXT DEFAULT 'here'", "ALTER TABLE seats ADD COLUMN nodes INTEGER",
        "UPDATE seats SET nodes = 7", "ALTER TABLE seats DROP COLUMN longest",
        "ALTER TABLE games DROP COLUMN forfeit_reason",
    )  # fmt: skip
    for game in games:
        for seat in game.seats:
            seat.longest = 0.0
    with closing(Store(file)) as store:
        assert store.games() == games
    with closing(Store(file, SETTINGS, resume=True)) as store:
        store.add(finished(4, [1, 0]))
        assert store.games() == [*games, finished(4, [1, 0])]
