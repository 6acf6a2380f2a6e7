"""Tournaments: who meets whom, what is stored, what the figures mean, and what happens when things go wrong."""

from __future__ import annotations

import csv
import gc
import json
import os
import platform
import signal
import sqlite3
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from importlib.metadata import version
from itertools import permutations
from math import log10
from pathlib import Path
from typing import Any

import pytest

import spinney
from spinney.agents.decision import Decision
from spinney.arena import Arena, GameJob, GameResult, Pairing, SeatResult, Store, play_game, schedule, standings
from spinney.arena.play import _freeze_once
from spinney.arena.standings import ratings
from spinney.errors import BadOption, BadRecording, SpinneyError
from spinney.seeds import seat_orders
from spinney.stats import wilson
from tests.commands import alive, arena_command, run, start_and_wait, stored

SETTINGS = {
    "game": "tictactoe",
    "agents": ["heuristic", "random"],
    "games": 10,
    "seed": 1,
    "limit": None,
    "clock": "wall",
}
TIMES = {"seconds_per_move", "longest_move"}


def finished(number: int, shares: Sequence[float], seats: Sequence[int] = (0, 1)) -> GameResult:
    rows = [SeatResult(agent, share, share, 1, 0.1, 0.1) for agent, share in zip(seats, shares, strict=True)]
    return GameResult(number, 7, rows, [(0, 1), (-1, 3)])


def forfeited(number: int) -> GameResult:
    return replace(finished(number, [0, 1]), forfeit_seat=0, forfeit_reason="was late")


def with_seats(game: GameResult, **columns: Sequence[Any]) -> GameResult:
    """The same game with other values of its seats."""
    rows = [replace(row, **{name: values[i] for name, values in columns.items()}) for i, row in enumerate(game.seats)]
    return replace(game, seats=rows)


def wins(*counts: int) -> list[GameResult]:
    """Games at one table, of which each seat wins a number."""
    shares = [[float(seat == winner) for seat in range(len(counts))] for winner in range(len(counts))]
    winners = [winner for winner, count in enumerate(counts) for _ in range(count)]
    return [finished(number, shares[winner], range(len(counts))) for number, winner in enumerate(winners)]


# Who sits where.


@pytest.mark.parametrize("players", [2, 3, 4])
def test_small_fields_play_all_seat_orders_with_the_same_dice(players):
    agents = ["a", "b", "c", "d"][:players]
    every = sorted(permutations(range(players)))
    games = schedule(agents, players, 2 * len(every), seed=5)
    assert [game.seats for game in games] == every * 2
    assert [game.number for game in games] == list(range(2 * len(every)))
    first, second = games[: len(every)], games[len(every) :]
    assert len({game.seed for game in first}) == len({game.seed for game in second}) == 1
    assert first[0].seed != second[0].seed
    assert schedule(agents, players, 1, seed=6)[0].seed != first[0].seed


def test_large_fields_are_rotated_evenly():
    games = schedule(["a", "b", "c", "d", "e", "f"], 6, 12, seed=1)
    assert len({game.seats for game in games}) == 6
    for seat in range(6):
        assert Counter(game.seats[seat] for game in games) == dict.fromkeys(range(6), 2)
    assert len(seat_orders((0, 0, 1, 1, 1))) == 10  # large, but of few orders


def test_more_agents_than_players_meet_in_all_combinations():
    games = schedule(["a", "b", "c", "d"], 2, 24, seed=1)
    assert Counter(game.seats for game in games) == dict.fromkeys(permutations(range(4), 2), 2)


def test_an_agent_named_twice_sits_twice():
    games = schedule(["a", "b", "a"], 3, 6, seed=1)
    assert Counter(game.seats for game in games) == {(0, 0, 1): 2, (0, 1, 0): 2, (1, 0, 0): 2}
    assert {game.seats for game in schedule(["a", "a"], 2, 4, seed=1)} == {(0, 0)}


def test_too_few_agents():
    with pytest.raises(BadOption, match="3 players need at least 3 agents; 2 given"):
        schedule(["a", "b"], 3, 6, seed=1)


# What the figures mean.


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (50, 100, 0.4038, 0.5962), (0, 0, 0, 1)],
)
def test_wilson_against_known_values(won, games, low, high):
    assert wilson(won / max(1, games), games) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_ratings_of_two():
    (one, spread), (two, _) = ratings(2, wins(75, 25))
    assert one - two == pytest.approx(190.8, abs=2)
    assert one + two == pytest.approx(0, abs=1e-9)
    assert spread == pytest.approx(20, abs=1)  # half of the difference's: 400 / ln(10) / sqrt(100 * 0.75 * 0.25) = 40


def test_ratings_of_three_at_a_table():
    (one, _), (two, _), (three, _) = ratings(3, wins(600, 300, 100))
    assert one - two == pytest.approx(400 * log10(2), abs=1)
    assert two - three == pytest.approx(400 * log10(3), abs=1)


def test_ratings_connect_agents_that_never_met():
    games = wins(75, 25) + [with_seats(game, agent=[1, 2]) for game in wins(75, 25)]
    (one, _), (_, _), (three, _) = ratings(3, games)
    assert one - three == pytest.approx(2 * 190.8, abs=10)


def test_the_order_of_games_does_not_matter():
    games = wins(5, 3, 2)
    assert standings("abc", games) == standings("abc", games[::-1])
    assert [r for r, _ in ratings(3, games)] == pytest.approx([r for r, _ in ratings(3, games[::-1])], abs=1e-3)


def test_who_never_lost_has_a_finite_rating():
    (one, spread), (two, _) = ratings(2, wins(50, 0))
    assert 400 < one - two < 2000
    assert 100 < spread < 1000


def test_intervals_shrink_with_games():
    few, many = (standings("ab", wins(3 * n, n))[0] for n in (10, 1000))
    assert (few.agent, few.share, many.share) == ("a", 0.75, 0.75)
    assert many.high - many.low < (few.high - few.low) / 8
    assert many.rating_high - many.rating_low < (few.rating_high - few.rating_low) / 8
    assert many.low < 0.75 < many.high


def test_standings_count_ties_seats_times_and_forfeits():
    games = [
        finished(0, [1, 0]),
        finished(1, [0.5, 0.5], [1, 0]),
        with_seats(forfeited(2), longest=[2.0, 0.1], moves=[3, 1]),
        finished(3, [0, 0]),
    ]
    rows = {row.agent: row for row in standings("abc", games)}
    assert set(rows) == {"a", "b"}  # c has not played
    assert (rows["a"].games, rows["a"].share, rows["a"].forfeits) == (4, 0.375, 1)
    assert (rows["a"].won, rows["a"].drawn) == (1, 2)  # a tie, and a game that nobody won
    assert (rows["a"].longest_move, rows["a"].seconds_per_move) == (2.0, pytest.approx(0.4 / 6))
    assert (rows["b"].share, rows["b"].forfeits) == (0.375, 0)


# What is stored.


def test_a_file_keeps_what_was_stored(tmp_path):
    file = tmp_path / "r.sqlite"
    with closing(Store(file, SETTINGS)) as store:
        store.add(finished(7, [0.5, 0.5]))
        store.add(forfeited(4))
        store.add(finished(4, [1, 0]))  # too late: game 4 is stored
        store.note_version("Spinney 1")
    with closing(Store(file)) as store:
        assert store.games() == [forfeited(4), finished(7, [0.5, 0.5])]
        assert store.game(4) == forfeited(4)
        assert store.numbers() == {4, 7}
        assert store.specs == ("heuristic", "random")
        assert store.settings == {**SETTINGS, "versions": ["Spinney 1"]}
        with pytest.raises(BadRecording, match="has games up to number 7; number 8 is not there"):
            store.game(8)
        with pytest.raises(BadRecording):  # opened to read
            store.add(finished(8, [1, 0]))
    assert os.listdir(tmp_path) == ["r.sqlite"]


def test_whose_seconds_count(monkeypatch):
    """A sleeping agent is late by wall-clock time, and not by CPU time."""

    class Sleeper:
        def decide(self, state, _, *, player):
            time.sleep(0.2)
            return Decision(player, state.legal(player)[0], "")

    monkeypatch.setattr("spinney.arena.play.build", lambda game, spec, seed: Sleeper())
    job = GameJob(Pairing(0, 1, (0, 0)), "tictactoe", ("random",), 1, limit=0.1)
    assert "the limit is 0.1 s" in play_game(job).forfeit[1]
    game = play_game(replace(job, clock="cpu"))
    assert game.forfeit is None
    assert max(seat.longest for seat in game.seats) < 0.1


def test_a_file_knows_what_its_champion_was(tmp_path):
    """Another version may give the name to another agent."""
    file, agents = tmp_path / "r.sqlite", ["champion(seconds=0.01)", "paper(code=true)", "random"]
    with closing(Arena("colosseum(size=3)", agents, 2, file).store) as store:
        settings, presets = store.settings, store.settings["presets"]
        known = spinney.game("colosseum").card.presets
        assert presets == {name: known[name] for name in ("champion", "paper_code")}
    with pytest.raises(SpinneyError, match=r"was begun with presets .*; name another file or folder"):
        Store(file, {**settings, "presets": {**presets, "champion": "random"}}, resume=True)


def test_only_the_same_tournament_goes_on(tmp_path):
    file = tmp_path / "r.sqlite"
    Store(file, SETTINGS).close()
    with pytest.raises(SpinneyError, match="is there already; add --resume"):
        Store(file, SETTINGS)
    for change in (
        {"seed": 2},
        {"agents": ["random", "heuristic"]},
        {"limit": 1.0},
        {"clock": "cpu"},
        {"game": "connect_four"},
    ):
        with pytest.raises(SpinneyError, match=f"was begun with {next(iter(change))} .*; name another file or folder"):
            Store(file, {**SETTINGS, **change}, resume=True)
    Store(file, {**SETTINGS, "games": 20}, resume=True).close()
    with closing(Store(file)) as store:
        assert store.settings == {**SETTINGS, "games": 20}
    with pytest.raises(BadRecording, match="there is no results file"):
        Store(tmp_path / "other")


def test_a_run_that_ended_before_it_began_goes_on(tmp_path):
    file = tmp_path / "r.sqlite"
    file.touch()
    arena = Arena("tictactoe", ["random", "random"], 2, file, resume=True)
    assert len(list(arena.run(workers=1))) == 2
    arena.store.close()


def results_file(file: Path, games: int = 200) -> Path:
    with closing(Store(file, SETTINGS)) as store:
        for game in wins(games // 2, games - games // 2):
            store.add(game)
    return file


def damage(file: Path, how: str) -> None:
    data = file.read_bytes()
    if how == "cut":
        file.write_bytes(data[: len(data) // 2])
    elif how == "overwritten":
        file.write_bytes(data[:4096] + os.urandom(len(data) - 4096))
    elif how == "text":
        file.write_text("these are not results, though there is enough text\n" * 100)
    else:
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute(how)


@pytest.mark.parametrize(
    "how",
    [
        "cut", "overwritten", "text", "UPDATE seats SET share = '[1, '", "UPDATE games SET steps = 'null'",
        "PRAGMA user_version = 99", "PRAGMA user_version = 0", "DELETE FROM run WHERE key = 'agents'",
        "UPDATE run SET value = '{' WHERE key = 'seed'", "DROP TABLE games", "DROP TABLE run", "DROP TABLE seats",
        "UPDATE games SET steps = '[[-5, 0]]'", "UPDATE games SET steps = NULL", "UPDATE seats SET agent = 2",
        "DELETE FROM seats WHERE seat = 0", "DELETE FROM seats", "UPDATE games SET forfeit_seat = 2",
    ],
)  # fmt: skip
def test_a_damaged_file_is_a_clear_error(tmp_path, capsys, how):
    file = results_file(tmp_path / "r.sqlite")
    damage(file, how)
    for command in (["replay", file, 100], ["report", file]):
        code, _, errors = run(capsys, *command)
        assert code == 2
        assert errors.startswith(f"spinney: {file} ")
        assert errors.count("\n") == 1


@pytest.mark.parametrize("more", [[], ["--html", "new.html"]])
def test_a_stored_step_that_cannot_be_made_is_a_clear_error(tmp_path, capsys, monkeypatch, more):
    monkeypatch.chdir(tmp_path)
    file = results_file(tmp_path / "r.sqlite")
    damage(file, "UPDATE games SET steps = '[[0, 99]]'")
    code, _, errors = run(capsys, "replay", file, 0, *more)
    assert code == 2
    assert errors.startswith("spinney: step 0 is not possible in ")
    assert not (tmp_path / "new.html").exists()


def test_a_database_of_another_program_is_left_alone(tmp_path):
    file = tmp_path / "r.sqlite"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE letters (text)")
    before = file.read_bytes()
    with pytest.raises(BadRecording, match="of another program"):
        Store(file, SETTINGS, resume=True)
    with pytest.raises(BadRecording, match="no such table"):
        Store(file)
    assert file.read_bytes() == before


def test_two_runs_on_one_file_store_every_game_once(tmp_path):
    file = results_file(tmp_path / "r.sqlite", games=10)

    def add(games: Sequence[GameResult]) -> None:
        with closing(Store(file, SETTINGS, resume=True)) as store:
            for game in games:
                store.add(game)

    games = wins(60, 40)
    threads = [threading.Thread(target=add, args=(order,)) for order in (games, games, games[::-1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with closing(Store(file)) as store:
        assert [game.number for game in store.games()] == list(range(100))
        assert store.games()[10:] == games[10:]
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


# Games.

BROKEN = """
import time

from spinney import Card
from spinney.games.parts import Board
from spinney.games.tictactoe import board, rules
from spinney.kernel import rule


@rule
def raises(s, player, out, rng):
    raise RuntimeError("out of ideas")


@rule
def late(s, player, out, rng):
    time.sleep(0.8)
    return rules.legal(s, player, out) and out.action[0]


@rule
def illegal(s, player, out, rng):
    return 99


players = {"raises": raises, "late": late, "illegal": illegal, "a<b>&c": illegal}
GAME = Card("broken", "Broken", "Tic-tac-toe, badly.", rules, Board(board.draw, board.name_action), players)
"""


@pytest.fixture
def broken(tmp_path: Path) -> str:
    file = tmp_path / "broken.py"
    file.write_text(BROKEN)
    return str(file)


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("raises", "raised RuntimeError: out of ideas"),
        ("late", "s for a move; the limit is 0.75 s"),
        ("illegal", "played an illegal action: action 99 is not legal for player"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_who_breaks_the_rules_forfeits(broken, agent, reason, seat):
    seats = (0, 1) if seat == 0 else (1, 0)
    played = play_game(GameJob(Pairing(3, 1, seats), broken, (agent, "random"), seed=1, limit=0.75))
    assert played.forfeit is not None
    assert played.forfeit[0] == seat
    assert reason in played.forfeit[1]
    assert played.shares == [float(other != seat) for other in range(2)]
    assert (played.number, played.agents, len(played.steps)) == (3, list(seats), seat)
    assert played.seats[1 - seat].moves == seat


def test_the_others_share_what_a_forfeit_leaves(monkeypatch):
    import spinney.arena.play as module

    def build(game, spec, seed):
        agent = real(game, "random" if spec == "bad" else spec, seed)
        if spec == "bad":
            agent.decide = lambda state, clock, player: {}["x"]
        return agent

    real = module.build
    monkeypatch.setattr(module, "build", build)
    played = play_game(GameJob(Pairing(0, 1, (1, 0, 1)), "deepsea(players=3)", ("bad", "heuristic"), seed=1))
    assert played.shares == [0.5, 0, 0.5]
    assert played.forfeit == (1, "raised KeyError: 'x'")


def test_games_end_with_shares_that_sum_to_one():
    played = [
        play_game(GameJob(pairing, "deepsea(players=3)", ("heuristic", "diver", "random"), seed=1))
        for pairing in schedule(["heuristic", "diver", "random"], 3, 6, seed=1)
    ]
    for game in played:
        assert sum(game.shares) == pytest.approx(1)
        assert game.forfeit is None
        assert sum(seat.moves for seat in game.seats) == sum(mover >= 0 for mover, _ in game.steps)
        assert all(seat.seconds >= seat.longest > 0 for seat in game.seats)
    assert len({tuple(game.steps) for game in played}) == 6
    again = play_game(
        GameJob(Pairing(0, played[0].seed, (0, 1, 2)), "deepsea(players=3)", ("heuristic", "diver", "random"), 1)
    )
    assert without_times(again) == without_times(played[0])


def without_times(game: GameResult) -> GameResult:
    n = len(game.seats)
    return with_seats(game, seconds=[0.0] * n, longest=[0.0] * n)


def test_the_garbage_collector_does_not_look_through_the_compiler_in_a_move():
    gc.unfreeze()
    _freeze_once.cache_clear()
    play_game(GameJob(Pairing(0, 1, (0, 1)), "tictactoe", ("random", "heuristic"), seed=1))
    assert gc.get_freeze_count() > 10_000


# Whole tournaments.


def test_the_number_of_workers_does_not_change_the_games(tmp_path):
    games = []
    for workers in (1, 2):
        arena = Arena("tictactoe", ["uct(iterations=50)", "heuristic"], 12, tmp_path / f"{workers}.sqlite", seed=3)
        yielded = sorted(arena.run(workers=workers), key=lambda game: game.number)
        with closing(arena.store):
            assert arena.store.games() == yielded
            (played,) = arena.store.versions
            for told in (
                f"Spinney {spinney.__version__}, Python ",
                f", Numba {version('numba')}, ",
                platform.machine(),
            ):
                assert told in played
            assert list(arena.run(workers=workers)) == []
        games.append([without_times(game) for game in yielded])
    assert games[0] == games[1]
    assert len(games[0]) == 12


def test_killed_in_the_middle_and_resumed_gives_the_same_table(tmp_path):
    file, games = tmp_path / "killed.sqlite", 200
    killed = start_and_wait(file, arena_command(file, games))
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate()
    before = stored(file)
    assert 10 <= before < games
    tables = []
    for path, more in ((file, ["--resume"]), (tmp_path / "undisturbed.sqlite", [])):
        done = subprocess.run(arena_command(path, games, "--json", "-", *more), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        tables.append([{key: row[key] for key in row.keys() - TIMES} for row in json.loads(done.stdout)])
    assert tables[0] == tables[1]
    assert stored(file) == games


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_workers_end_when_their_parent_is_killed(tmp_path):
    file = tmp_path / "r.sqlite"
    parent = start_and_wait(file, arena_command(file, 5000))
    parent.kill()
    parent.communicate(timeout=30)  # at the end of output, nobody is left who could write
    deadline = time.monotonic() + 10
    while alive(parent.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert alive(parent.pid) == []


# The commands.


def test_the_commands_teach(capsys):
    for command in ("arena", "replay", "report", "reproduce"):
        code, text, _ = run(capsys, command, "--help")
        assert code == 0
        assert "Example: " in text or command == "replay"


def test_figures_for_people_and_programs(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    file, table, figures = tmp_path / "r.sqlite", tmp_path / "r.csv", tmp_path / "r.json"
    agents = ["diver(depth=20)", "heuristic(margin=2)", "random"]
    code, out, errors = run(
        capsys, "arena", "deepsea", *agents, "--games", 12, "--seed", 4, "--file", file,
        "--csv", table, "--json", figures,
    )  # fmt: skip
    assert (code, errors) == (0, "")
    rows = json.loads(figures.read_text())
    for row in rows:
        assert f"│ {row['agent']} " in out
        assert f" {row['share']:.1%} " in out
        assert f" {100 * row['low']:.1f}-{100 * row['high']:.1f} " in out
    assert "…" not in out
    assert "12 games in" in out
    assert {row["agent"] for row in rows} == set(agents)
    needed = {"agent", "games", "share", "low", "high", "mean_score", "seconds_per_move", "longest_move", "forfeits"}
    for row in rows:
        assert row.keys() >= needed | {"rating", "rating_low", "rating_high"}
        assert 0 <= row["low"] <= row["share"] <= row["high"] <= 1
        assert row["rating_low"] < row["rating"] < row["rating_high"]
        assert row["longest_move"] >= row["seconds_per_move"] > 0
        assert (row["games"], row["forfeits"]) == (8, 0)
    assert [row["share"] for row in rows] == sorted((row["share"] for row in rows), reverse=True)
    with table.open(newline="") as lines:
        read = list(csv.DictReader(lines))
    assert [row["agent"] for row in read] == [row["agent"] for row in rows]
    assert [float(row["share"]) for row in read] == [row["share"] for row in rows]

    code, out, _ = run(capsys, "replay", file, 3)
    assert code == 0
    with closing(Store(file)) as store:
        game = store.game(3)
    first, second = (agents[agent] for agent in game.agents)
    assert f"player 1 ({first}): " in " ".join(out.split())
    assert f"player 2 ({second}): " in " ".join(out.split())
    assert f"game 3: shares player 1 {game.shares[0]:g}, player 2 {game.shares[1]:g}" in " ".join(out.split())


def test_forfeits_are_told(tmp_path, capsys, broken):
    file = tmp_path / "r.sqlite"
    code, out, _ = run(capsys, "arena", broken, "illegal", "random", "--games", 2, "--file", file)
    assert code == 0
    assert "forfeits" in out
    assert "game 1: illegal played an illegal action" in " ".join(out.split())
    code, _, errors = run(capsys, "replay", file, 1)
    assert (code, errors.count("\n")) == (2, 1)
    assert "name the .py file of that game" in errors
    out = run(capsys, "replay", file, 1, "--game", broken)[1]
    assert "player 2 played an illegal action" in " ".join(out.split())
