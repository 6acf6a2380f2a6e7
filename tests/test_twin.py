"""The twin in C++ of bench/: its trees are Spinney's node by node, and its playouts draw the same random numbers."""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path

import pytest

import spinney

BENCH = Path(__file__).parents[1] / "bench"
pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")


@pytest.fixture(scope="module")
def bench():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BENCH)
        yield importlib.import_module("cpp_twin")


@pytest.fixture(scope="module")
def twin(bench, tmp_path_factory):
    return bench.build(tmp_path_factory.mktemp("twin"))


def position(columns):
    state = spinney.game("connect_four").start(seed=0)
    for column in columns:
        state.apply(column)
    return state


@pytest.mark.parametrize("solver", [True, False])
@pytest.mark.parametrize("columns", ["", "4453", "44444412261"])
def test_trees_are_equal_node_by_node(bench, twin, columns, solver):
    one = bench.SpinneyUct(position(columns), 30_000, seed=7, solver=solver)
    other = bench.TwinUct(twin, one)
    for n in (1, 2999):
        assert one.run(n) == other.run(n)
        bench.compare_searches(one, other)


def test_trees_are_equal_when_a_position_is_proven(bench, twin):
    one = bench.SpinneyUct(position("414152"), 100_000, seed=1)
    other = bench.TwinUct(twin, one)
    made = one.run(10_000)
    assert 0 < made < 10_000
    assert other.run(10_000) == made
    bench.compare_searches(one, other)


def test_trees_are_equal_when_memory_is_full(bench, twin):
    one = bench.SpinneyUct(position(""), 1000, seed=1)
    other = bench.TwinUct(twin, one)
    assert one.run(3000) == other.run(3000) == 3000
    assert one.worker.work.tree.full == other.tree[1] == 1
    bench.compare_searches(one, other)


def test_a_difference_is_found(bench, twin):
    one = bench.SpinneyUct(position(""), 10_000, seed=1)
    other = bench.TwinUct(twin, one)
    one.run(1000), other.run(1000)
    other.nodes["value"][other.used // 2, 0] += 1e-9
    with pytest.raises(bench.Different, match="values at depth"):
        bench.compare_searches(one, other)
    other.clear()
    other.run(999)
    with pytest.raises(bench.Different):
        bench.compare_searches(one, other)


def test_a_difference_ends_the_script_with_exit_code_1(bench, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["cpp_twin.py", "--simulations", "100", "--repeats", "1"])
    monkeypatch.setattr(bench, "compare_trees", lambda one, other: 0)
    with pytest.raises(SystemExit) as ended:
        bench.common.run(bench.main)
    assert ended.value.code == 1
    assert capsys.readouterr().err == "Spinney and the twin differ: nodes in use and nodes in the tree\n"


def test_a_missing_compiler_is_named(bench, monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(spinney.SpinneyError, match=r"^g\+\+ is not installed"):
        bench.build(tmp_path)


def test_children_are_found_by_their_parents(bench, twin):
    one = bench.SpinneyUct(position(""), 10_000, seed=1)
    other = bench.TwinUct(twin, one)
    one.run(500), other.run(500)
    for nodes in (one.nodes, other.nodes):
        which, children = bench.children(nodes, bench.np.array([0, 1]))
        assert sorted(nodes["action"][children[which == 0]]) == list(range(7))
        assert len(children) == len(set(children)) <= 14


@pytest.mark.parametrize(
    ("game", "games"),
    [
        ("connect_four", 200),
        ("pig", 200),
        ("pig(winscore=30, diceoutcomes=4, horizon=60)", 200),
        ("battlesnake", 20),
        ("battlesnake(mode=royale, players=2)", 5),
        ("battlesnake(mode=wrapped_constrictor, width=7, height=8)", 5),
        ("battlesnake(players=1, width=5, height=5)", 5),
    ],
)
def test_playouts_are_equal(bench, twin, game, games):
    state = spinney.game(game).start(seed=3, manual_chance=True)
    one = bench.spinney_playouts(state, seed=5)(games)
    other = bench.TWIN_PLAYOUTS[state.game.card.name](twin, state, seed=5)(games)
    assert one == other
    assert one.actions > games
