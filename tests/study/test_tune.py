"""Tuning: what may be tried, how the games are shared out, what is found, and what a stop costs."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from math import log10
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spinney
from spinney.arena import Arena, Pairing, Store
from spinney.errors import BadOption, SpinneyError
from spinney.games.spec import parse_spec, write_spec
from spinney.stats import Share, difference, wilson
from spinney.study import Tuning
from spinney.study.search_space import Tunable
from spinney.study.tune import Block, make_plan, propose, share_of
from tests.arena.test_arena import without_times
from tests.commands import run, start_and_wait, stored

COMMAND = ["tune", "tictactoe", "uct(iterations=30)", "c=0.1..3", "iterations=1..100"]
AGAINST = ["--against", "heuristic", "--games", "60"]


def tuning(file: Path, agent: str = "uct(iterations=30)", resume: bool = False, **more: Any) -> Tuning:
    settings = {"ranges": ["c=0.1..3", "iterations=1..100"], "against": ["heuristic"], "budget": 60, **more}
    return Tuning("tictactoe", agent, file=file, resume=resume, **settings)


def results(tuned: Tuning) -> list[Any]:
    with closing(tuned.store):
        return [without_times(game) for game in tuned.store.games()]


# What may be tried.


def read(*ranges: str, agent: str = "uct(iterations=30)", game: str = "connect_four") -> Tunable:
    return Tunable(spinney.game(game), agent, ranges)


def test_ranges_know_what_an_option_takes():
    c, iterations, choice, solver = read(
        "c=0.1..2", "iterations=10..5000", "choice=visits|value", "solver=true|false"
    ).ranges
    assert (c.ends, c.whole, c.log) == ((0.1, 2.0), False, False)
    assert (iterations.ends, iterations.whole, iterations.log) == ((10, 5000), True, True)
    assert (choice.ends, solver.ends) == (("visits", "value"), (True, False))
    assert read("c=0.1..2:log").ranges[0].log
    assert not read("c=0.01..50:linear").ranges[0].log
    assert read("rollout=random|heuristic").with_values({"rollout": "random"}) == "uct(iterations=30, rollout=random)"
    assert (c.fit(1.23456), iterations.fit(99)) == (1.235, 99)


def test_the_agents_own_values_are_tried_as_they_are():
    assert read("c=0.1..2").own_values() == {"c": pytest.approx(2**0.5)}
    assert read("c=0.1..2").with_values({"c": 2**0.5}) == "uct(iterations=30)"
    assert read("c=0.1..2", agent="uct(c=0.5)").own_values() == {"c": 0.5}
    assert read("c=0.1..1").own_values() is None
    paper = Tunable(spinney.game("colosseum"), "paper(code=true, seconds=none)", ["c=0.1..2"])
    assert paper.with_values({"c": 0.5}) == "paper_code(seconds=none, c=0.5)"
    assert read("fpu=0.1..1").own_values() is None  # infinite by default


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        (["cc=0..1"], "uct has no option 'cc' to tune; did you mean 'c'\\? known: iterations, seconds"),
        (["seed=0..1"], "no option 'seed' to tune"),
        (["c"], "cannot read the range 'c'; write option=low..high or option=one\\|other"),
        (["c=1"], "write c=low..high or c=one\\|other"),
        (["c=a..b"], "option 'c' takes numbers: c=low..high"),
        (["iterations=1.5..9"], "option 'iterations' takes whole numbers"),
        (["c=2..1"], "must go from a finite number to a larger one"),
        (["c=0..inf"], "must go from a finite number to a larger one"),
        (["c=-1..1"], "option 'c' = -1.0 must be greater than or equal to 0"),
        (["c=0..1:log"], "it must begin above 0"),
        (["c=1..2:sqrt"], "it may end in :log or :linear"),
        (["choice=1..2"], "option 'choice' of uct is not a number; write choice=one\\|other"),
        (["choice=visits|most"], "option 'choice' = 'most' must be 'visits' or 'value'"),
        (["choice=visits|visits"], "has a choice twice"),
        (["choice=visits|"], "cannot read '' in 'choice=visits\\|'"),
        (["c=1..2", "c=2..3"], "option 'c' has two ranges"),
        (["rollout=random|greedy"], "the ranges allow .*has no player 'greedy'"),
        (["nodes=2..100"], "the ranges allow .*'nodes' = 2 is too small"),
        (["early_stop=true|false", "choice=visits|value"], "early_stop=true goes with choice=visits"),
        ([], "nothing to tune; give a range such as c=0.1..2 for one of: iterations"),
    ],
)
def test_ranges_that_cannot_be(ranges, message):
    with pytest.raises(SpinneyError, match=message):
        read(*ranges)


@given(
    st.dictionaries(
        st.sampled_from(["c", "rollout", "nodes"]),
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters(codec="ascii"))
        | st.sampled_from(["diver(depth=20)", "true", "None", "inf", "heuristic"]),
    )
)  # fmt: skip
def test_specs_are_read_as_they_were_written(options):
    read_back = parse_spec(write_spec("uct", options))
    assert read_back == ("uct", options)
    assert [type(value) for value in read_back[1].values()] == [type(value) for value in options.values()]


# How the games are shared out.


@given(st.integers(8, 20_000), st.sampled_from([2, 4, 6, 12, 24]))
def test_no_plan_plays_more_than_it_may_or_less_than_it_should(budget, round_):
    if budget < 8 * round_:
        with pytest.raises(BadOption, match="games are too few"):
            make_plan(budget, round_)
        return
    plan = make_plan(budget, round_)
    assert budget - 2 * round_ < plan.games <= budget
    assert plan.trials >= 4
    assert plan.finalists >= 2
    assert all(games % round_ == 0 and games > 0 for games in (plan.block, plan.semifinal, plan.final))
    assert 2 * plan.final >= budget // 4 - 2 * round_


def test_blocks_that_leave_no_trials():
    with pytest.raises(BadOption, match="blocks of 50 games leave 2 trials"):
        make_plan(200, 2, block=50)
    assert make_plan(200, 2, block=5).block == 4


def test_candidates_sit_everywhere_with_all_opponents_and_the_same_dice(tmp_path):
    against = ["heuristic", "diver", "random"]
    tuned = Tuning("deepsea(players=3)", "heuristic", ["margin=1..4"], against, 200, tmp_path / "a", seed=4)
    blocks = [tuned._block(spec, 0, 36, "search") for spec in ("heuristic(margin=1)", "heuristic")]
    for block in blocks:  # three pairs of opponents in six orders, twice
        assert Counter(block.seats.values()) == {0: 12, 1: 12, 2: 12}
        met = [list(game.seats) for game in block.pairings]
        for number, seat in block.seats.items():
            del met[number][seat]
        assert Counter(tuple(sorted(others)) for others in met) == {(0, 1): 12, (0, 2): 12, (1, 2): 12}
        assert len({game.seed for game in block.pairings[:18]}) == 1
    assert [game.seed for game in blocks[0].pairings] == [game.seed for game in blocks[1].pairings]
    assert tuned._block("heuristic", 0, 1, "final").pairings[0].seed != blocks[0].pairings[0].seed
    tuned.store.close()


def test_one_opponent_takes_all_seats_and_two_of_three_are_refused(tmp_path):
    tuned = Tuning("deepsea(players=4)", "heuristic", ["margin=1..4"], ["diver"], 64, tmp_path / "a")
    tuned.store.close()
    assert sorted(tuned._seatings) == sorted({(-1, 1, 1, 1), (1, -1, 1, 1), (1, 1, -1, 1), (1, 1, 1, -1)})
    with pytest.raises(BadOption, match="is for 4 players: name one opponent for all seats, or at least 3"):
        Tuning("deepsea(players=4)", "heuristic", ["margin=1..4"], ["diver", "random"], 64, tmp_path / "b")


# What is found.


def block(values: dict[str, Any], shares: list[float]) -> Block:
    games = [Pairing(number, 1, (0, 1)) for number in range(len(shares))]
    return Block("x", games, dict.fromkeys(range(len(shares)), 0), dict(enumerate(shares)), values)


def test_proposals_gather_where_the_games_are_won():
    """The share is highest at c = 1 and with choice=value; later proposals are mostly near there."""
    ranges = read("c=0.01..100", "choice=visits|value").ranges
    before: list[Block] = []
    for trial in range(60):
        values = propose(ranges, before, seed=trial)
        distance = abs(log10(values["c"]))
        before.append(block(values, [max(0.0, 0.8 - 0.3 * distance - 0.2 * (values["choice"] != "value"))]))
    late = before[30:]
    assert sum(0.1 < one.values["c"] < 10 for one in late) > 20  # by chance, 15
    assert sum(one.values["choice"] == "value" for one in late) > 20  # by chance, 15 of 30
    assert propose(ranges, before, seed=5) == propose(ranges, before, seed=5) != propose(ranges, before, seed=6)


def test_differences_against_known_values():
    """Newcombe 1998, table II, column (a): 56/70 and 48/80 differ by 0.2000, method 10 says 0.0524 to 0.3339."""
    one, other = (Share(n, k / n, *wilson(k / n, n)) for k, n in ((56, 70), (48, 80)))
    assert difference(one, other) == tuple(pytest.approx(value, abs=5e-5) for value in (0.2, 0.0524, 0.3339))


def test_more_iterations_are_found_to_be_better(tmp_path):
    arguments = ("connect_four", "uct(iterations=5)", ["iterations=2..400", "choice=visits|value"])
    tuned = Tuning(*arguments, ["uct(iterations=60)"], 120, tmp_path / "a.sqlite", seed=1)
    played = list(tuned.run(workers=1))
    with closing(tuned.store):
        figures = tuned.figures()
    assert len(played) == tuned.played == tuned.plan.games
    assert parse_spec(tuned.winner())[1]["iterations"] > 60
    assert figures["best"]["share"] > 0.5
    assert figures["untuned"]["share"] < 0.3
    assert figures["difference"]["low"] > 0
    assert figures["best"]["games"] == figures["untuned"]["games"] == tuned.plan.final
    assert tuned.trials[0].spec == "uct(iterations=5)"


def test_an_agent_is_tuned_against_itself(tmp_path):
    tuned = tuning(tmp_path / "a", ranges=["c=0.1..3"], against=["uct(iterations=30)"])
    for _ in tuned.run(workers=1):
        pass
    first = tuned.trials[0]
    assert first.spec == "uct(iterations=30)"
    assert {game.seats for game in first.pairings} == {(0, 0)}
    assert sorted(first.seats.values()) == [0, 1]
    by_number = {game.number: game for game in results(tuned)}
    assert first.shares == {n: by_number[n].shares[seat] for n, seat in first.seats.items()}


# Stopping and going on.


def test_a_run_that_was_stopped_comes_to_the_same(tmp_path):
    whole = tuning(tmp_path / "whole", budget=80)
    for _ in whole.run(workers=2):
        pass
    games = (tuned := tuning(file := tmp_path / "stopped", budget=80)).run(workers=1)
    for _ in range(66):  # into the last games
        next(games)
    games.close()
    tuned.store.close()
    again = tuning(file, resume=True, budget=80)
    assert 66 <= again.played < 80
    for _ in again.run(workers=1):
        pass
    for part in ("trials", "finalists", "best", "untuned"):
        assert again.figures()[part] == whole.figures()[part]
    assert list(again.run(workers=1)) == []
    assert results(again) == results(whole)


def test_a_killed_run_loses_only_the_games_in_progress(tmp_path, capsys):
    file = tmp_path / "killed.sqlite"
    command = [sys.executable, "-m", "spinney", *COMMAND, *AGAINST, "--file", str(file), "--workers", "1"]
    started = start_and_wait(file, command)
    os.killpg(started.pid, signal.SIGKILL)
    started.communicate()
    assert 10 <= stored(file) < 60
    code, out, errors = run(capsys, *COMMAND, *AGAINST, "--file", file, "--resume", "--workers", "1", "--json", "-")
    assert (code, json.loads(out)["plan"]["trials"]) == (0, 15)
    assert "New games" in errors
    undisturbed = json.loads(
        run(capsys, *COMMAND, *AGAINST, "--file", tmp_path / "b", "--workers", 1, "--json", "-")[1]
    )
    for figures in (undisturbed, again := json.loads(out)):
        figures["settings"].pop("versions")
    assert again == undisturbed


def test_one_file_has_one_tuning(tmp_path):
    file = tmp_path / "a.sqlite"
    tuning(file).store.close()
    with pytest.raises(SpinneyError, match="is there already; add --resume"):
        tuning(file)
    changes = {
        "seed": 2, "ranges": ["c=0.1..2", "iterations=1..100"], "against": ["random"], "budget": 90, "block": 2,
        "agent": "uct(iterations=31)",
    }  # fmt: skip
    for name, value in changes.items():
        with pytest.raises(SpinneyError, match=f"was begun with {name} .*; name another file or folder"):
            tuning(file, resume=True, **{name: value})
    with pytest.raises(SpinneyError, match="was begun by another command"):
        Arena("tictactoe", ["uct(iterations=30)", "heuristic"], 60, file, resume=True)
    other = tmp_path / "b.sqlite"
    Arena("tictactoe", ["uct(iterations=30)", "heuristic"], 60, other).store.close()
    with pytest.raises(SpinneyError, match="was begun by another command"):
        tuning(other, resume=True)
    tuning(file, resume=True).store.close()


def test_one_tuning_has_one_champion(tmp_path):
    file = tmp_path / "a.sqlite"
    options: dict[str, Any] = {"ranges": ["iterations=1..100"], "against": ["champion"], "budget": 60}
    with closing(Tuning("colosseum(size=3)", "alphabeta", file=file, **options).store) as store:
        assert store.settings["presets"] == {"champion": spinney.game("colosseum").card.presets["champion"]}
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE run SET value = '{\"champion\": \"walk\"}' WHERE key = 'presets'")
    with pytest.raises(SpinneyError, match=r"was begun with presets .*; name another file or folder"):
        Tuning("colosseum(size=3)", "alphabeta", file=file, resume=True, **options)


def test_the_file_is_one_of_the_arena(tmp_path, capsys):
    file = tmp_path / "a.sqlite"
    code, out, _ = run(capsys, *COMMAND, *AGAINST, "--file", file, "--workers", 1)
    assert code == 0
    assert "58 games, 15 trials in" in " ".join(out.split())
    assert run(capsys, "replay", file, 3)[0] == 0
    assert run(capsys, "report", file)[0] == 0
    page = file.with_suffix(".html").read_text()
    assert "spinney tune tictactoe" in page
    with closing(Store(file)) as store:
        assert store.specs[:2] == ("uct(iterations=30)", "heuristic")
        assert len(store.settings["trials"]) == 15


# What people type.


def test_without_optuna_a_line_says_what_to_install(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "optuna", None)
    code, _, errors = run(capsys, *COMMAND, *AGAINST)
    assert code == 2
    assert errors == "spinney: tuning needs Optuna, which is not installed; try: pip install 'spinney-mcts[tune]'\n"
    assert os.listdir(tmp_path) == []


def test_nothing_else_imports_optuna():
    code = "import sys, spinney.cli; print('optuna' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


def test_shares_of_blocks():
    assert share_of([]) == Share(0, 0.0, 0.0, 1.0)
    assert share_of([block({}, [1, 0.5]), block({}, [0, 0])])[:2] == (4, 0.375)


def test_a_tuning_of_0_1_goes_on_to_its_result(tmp_path):
    """It was stopped after 26 of 32 games. The other six are played with the random numbers of today."""
    file = Path(shutil.copy("tests/arena/data/tune-0.1.sqlite", tmp_path))
    agent, ranges = "uct(iterations=10, early_stop=true)", ["fpu=0.1..2", "max_depth=3|none"]
    tuned = Tuning("tictactoe", agent, ranges, ["heuristic"], 32, file, resume=True)
    assert len(list(tuned.run(workers=1))) == 6
    with closing(tuned.store):
        figures = tuned.figures()
    assert (figures["best"]["agent"], figures["best"]["share"]) == (f"{agent[:-1]}, fpu=1.378, max_depth=none)", 0.25)
    assert [one["share"] for one in figures["trials"]] == [0, 0, 0, 0, 0, 0.5, 0.25, 0.25]
    assert [one["share"] for one in figures["finalists"]] == [0.5, 0.125, 0.125, 0.125]
    assert figures["trials"][0]["values"] == {"fpu": 0.9608, "max_depth": 3}
