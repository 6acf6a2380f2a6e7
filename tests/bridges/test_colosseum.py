"""The bridge into the course's simulator: legal moves in time, for any arguments."""

from __future__ import annotations

import json
import logging
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spinney
from spinney.agents import Decision, SearchAgent
from spinney.bridges.colosseum import SimulatorPlayer
from spinney.bridges.colosseum import player as bridge
from spinney.bridges.colosseum.view import read
from spinney.errors import BadOption, SpinneyError
from spinney.games.colosseum.state import SIDES, is_open
from tests.commands import run

SIMULATOR = Path(__file__).parent / "colosseum_simulator"


def as_the_simulator_sees(state: Any) -> tuple[Any, Any, Any, int]:
    """The arguments of `step` for the player to move."""
    s = state.record
    board = np.array([[not is_open(s, cell, side) for side in range(SIDES)] for cell in range(s.size**2)])
    cells = [tuple(np.int64(place) for place in divmod(s.cell[player], s.size)) for player in (s.mover, 1 - s.mover)]
    return board.reshape(s.size, s.size, SIDES), cells[0], cells[1], int(s.steps)


def played(seed: int, size: int, moves: int) -> Any:
    """A position after some random moves, or the last one before the end."""
    state, picks = spinney.game("colosseum", size=size).start(seed), random.Random(seed)
    for _ in range(moves):
        then = state.copy()
        then.apply(picks.choice(then.legal()))
        if then.is_over:
            break
        state = then
    return state


def as_moves(state: Any) -> set[Any]:
    size = state.record.size
    return {(divmod(action // SIDES, size), action % SIDES) for action in state.legal()}


@pytest.fixture(autouse=True)
def nothing_logged(monkeypatch):
    monkeypatch.setattr(bridge, "_logged", set())


# Whole games, in a simulator.


MINE = """
import spinney
from spinney.kernel import rule


@rule
def nearest(s, player, out, rng):
    spinney.game("colosseum").card.rules.legal(s, player, out)
    return out.action[0]


GAME = spinney.game("colosseum").card.extend(nearest=nearest)
"""


@pytest.fixture(scope="module")
def simulator(tmp_path_factory) -> Path:
    """A simulator's folder with three agents, added as the docs say; one is of a user's own file."""
    folder = tmp_path_factory.mktemp("simulator") / "project"
    shutil.copytree(SIMULATOR, folder, ignore=shutil.ignore_patterns("__pycache__"))
    limits = ["--first", "2.5", "--later", "1.3", "--margin", "1.2"]  # a busy machine; bench/ has the figures
    mine = folder.parent / "mine.py"
    mine.write_text(MINE)
    for name, game, agent in (
        ("spinney", "colosseum", "uct(rollout_depth=0, reuse=true)"),
        ("hand_made", "colosseum", "greedy"),
        ("own", str(mine), "nearest"),
    ):
        out = folder / "agents" / f"{name}_agent.py"
        command = [sys.executable, "-m", "spinney", "bridge", game, "--agent", agent, "--name", name, *limits]
        done = subprocess.run([*command, "--out", str(out)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        line = next(line.strip() for line in done.stdout.splitlines() if line.strip().startswith("from ."))
        with (folder / "agents" / "__init__.py").open("a") as file:
            file.write(f"{line}\n")
    return folder


def simulate(folder: Path, *players: str, sizes: list[int]) -> list[dict[str, Any]]:
    words = ["--player_1", players[0], "--player_2", players[1], "--board_size", *map(str, sizes)]
    path = os.pathsep.join([str(Path(spinney.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    command, environment = [sys.executable, "simulator.py", *words], {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_games_on_all_usual_boards_are_won_in_time(simulator):
    games = simulate(simulator, "spinney", "random_agent", sizes=[5, 6, 7, 8, 9])
    assert [game["size"] for game in games] == [5, 6, 7, 8, 9]
    for game in games:
        assert game["faults"][0] == []
        first, *later = game["times"][0]
        assert first < 2.5
        assert max(later, default=0) < 1.3
    assert max(game["times"][0][0] for game in games) > 1  # it thinks
    assert sum(game["scores"][0] > game["scores"][1] for game in games) >= 4


def test_agents_of_spinney_play_each_other(simulator):
    for players in (("spinney", "hand_made"), ("spinney", "spinney"), ("own", "hand_made")):
        (game,) = simulate(simulator, *players, sizes=[6])
        assert game["faults"] == [[], []]
        assert game["moves"] > 2


# Reading positions.


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(3, 16), st.integers(0, 60))
def test_positions_are_read_as_they_are(seed, size, moves):
    state = played(seed, size, moves)
    view = read(*as_the_simulator_sees(state))
    assert set(view.moves()) == as_moves(state)
    assert view.some_move() in as_moves(state)
    found, s = view.record(), state.record
    assert (found.size, found.steps, found.mover) == (s.size, s.steps, 0)
    assert list(found.open) == list(s.open)
    assert list(found.cell) == [s.cell[s.mover], s.cell[1 - s.mover]]


@pytest.mark.parametrize(
    "change",
    [
        lambda board, mine, theirs, steps: (board.tolist(), [*map(float, mine)], np.array(theirs), np.int64(steps)),
        lambda board, mine, theirs, steps: (board.astype(np.int8), np.array(mine, np.uint8), theirs, float(steps)),
        lambda board, mine, theirs, steps: (board.astype(float), mine, list(theirs), np.uint8(steps)),
        lambda board, mine, theirs, steps: (np.asfortranarray(board), mine, theirs, steps),
        lambda board, mine, theirs, steps: (board.astype(object), mine, theirs, 10**9),
        lambda board, mine, theirs, steps: (one_sided(board), mine, theirs, steps),
    ],
)
@pytest.mark.parametrize("size", [3, 8, 16])
def test_other_kinds_of_numbers(change, size, caplog):
    state = played(3, size, 2)
    move = SimulatorPlayer("greedy").step(*change(*as_the_simulator_sees(state)))
    assert move in as_moves(state)
    assert [type(number) for number in (*move[0], move[1])] == [int, int, int]
    assert not caplog.records


def one_sided(board: Any) -> Any:
    """Every wall at one of its two cells only."""
    board = board.copy()
    board[1:, :, 0], board[:, 1:, 3] = False, False
    return board


def test_a_shorter_walk_is_kept_to():
    state = played(3, 9, 0)
    board, mine, theirs, _ = as_the_simulator_sees(state)
    for _ in range(10):
        (row, column), _ = SimulatorPlayer("random").step(board, mine, theirs, 1)
        assert abs(row - mine[0]) + abs(column - mine[1]) <= 1
    before = board.copy()
    SimulatorPlayer("uct(iterations=50)").step(board, mine, theirs, 3)
    assert (board == before).all()


# Errors.


def test_a_player_who_is_closed_in_makes_the_only_moves(caplog):
    """In the corner, the opponent on the only way out; and with no way out at all."""
    board = read(np.zeros((5, 5, 4), bool), (0, 0), (0, 1), 3).closed
    board[0, 0, 2] = board[1, 0, 0] = True
    for agent in ("uct(iterations=50)", "greedy"):
        assert SimulatorPlayer(agent).step(board, (0, 0), (0, 1), 3) == ((0, 0), 1)
    board[0, 0, 1] = board[0, 1, 3] = True
    for agent in ("uct(iterations=50)", "greedy"):
        assert SimulatorPlayer(agent).step(board, (0, 0), (0, 1), 3) == ((0, 0), 0)  # there is none
        assert (
            SimulatorPlayer(agent).step(board, (2, 2), (0, 0), 3) in read(board, (2, 2), (0, 0), 3).moves()
        )  # it is over
    assert not caplog.records


@pytest.mark.parametrize("size", [2, 17, 20])
def test_boards_of_other_sizes_get_a_legal_move(size, caplog):
    board = np.zeros((size, size, 4), bool)
    view = read(board, (0, 0), (1, 1), 3)
    for _ in range(3):
        assert SimulatorPlayer("uct(iterations=50)").step(board, (0, 0), (1, 1), 3) in view.moves()
    assert len(caplog.records) == 1
    assert f"a board of {size}x{size}; 3 to 16 cells on a side are allowed" in caplog.text


@pytest.mark.parametrize(
    "question",
    [
        (None, (1, 1), (2, 2), 3),
        (np.zeros((5, 4, 4)), (1, 1), (2, 2), 3),
        (np.zeros((0, 0, 4)), (1, 1), (2, 2), 3),
        (np.zeros((5, 5, 4)), (1, 9), (2, 2), 3),
        (np.zeros((5, 5, 4)), None, (2, 2), 3),
        (np.zeros((5, 5, 4)), (1, 1), ("a", 2), 3),
        (np.zeros((5, 5, 4)), (1, 1), (2, 2), None),
        (np.zeros((5, 5, 4)), (1, 1), (1, 1), 3),
    ],
)
def test_nonsense_is_no_error(question, caplog):
    (row, column), side = SimulatorPlayer("uct(iterations=50)").step(*question)
    assert [type(number) for number in (row, column, side)] == [int, int, int]
    assert len(caplog.records) == 1


@pytest.mark.parametrize("fault", [RuntimeError("out of ideas"), MemoryError(), "illegal", None])
def test_an_agent_that_fails_still_moves(monkeypatch, caplog, fault):
    def decide(state, clock, player):
        if isinstance(fault, Exception):
            raise fault
        return fault if fault is None else Decision(player, 10**6, "")

    player = SimulatorPlayer("uct(iterations=50)")
    monkeypatch.setattr(player._agent, "decide", decide)
    state = played(1, 8, 4)
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            assert player.step(*as_the_simulator_sees(state)) in as_moves(state)
    assert len(caplog.records) == 1  # once, not in every move
    assert "a legal move is made instead" in caplog.text
    if isinstance(fault, Exception):
        assert type(fault).__name__ in caplog.text


def test_wrong_agents_and_times_are_refused():
    with pytest.raises(SpinneyError, match="did you mean 'greedy'"):
        SimulatorPlayer("gredy")
    with pytest.raises(BadOption, match="a margin of 2 s; it must be 0 or more, and less than the 2 s of a move"):
        SimulatorPlayer("greedy", margin=2)


# Time and trees.


def test_the_clock_and_the_agents_own_limits():
    question = as_the_simulator_sees(played(2, 12, 3))
    player = SimulatorPlayer("uct(rollout_depth=0)", first=2.0, later=1.4, margin=1.2)
    times = []
    for _ in range(3):
        before = time.perf_counter()
        player.step(*question)
        times.append(time.perf_counter() - before)
    assert 0.6 < times[0] < 2.0
    assert all(0.1 < seconds < 1.4 for seconds in times[1:])
    assert min(times[1:]) < 0.6
    followed = player._follow(player._agent, read(*as_the_simulator_sees(played(9, 12, 0))))
    assert 0 in followed.state.decided  # no longer first
    for limit in ("iterations=20", "seconds=0.05"):
        player = SimulatorPlayer(f"uct(rollout_depth=0, {limit})")
        before = time.perf_counter()
        player.step(*question)
        assert time.perf_counter() - before < 10  # of the 30 seconds that it has


def test_a_game_is_followed_and_the_tree_kept():
    player = SimulatorPlayer("uct(rollout_depth=0, iterations=20000, reuse=true, solver=false, seed=1)")
    state = played(5, 12, 0)
    size = state.record.size
    for ply in range(3):
        (row, column), side = player.step(*as_the_simulator_sees(state))
        assert player._session is not None
        assert len(player._session.state.history) == 2 * ply + 1
        state.apply((row * size + column) * SIDES + side)
        assert isinstance(player._agent, SearchAgent)
        visits = player._agent.search.workers[0].nodes[0].visits
        assert (visits > 20000) == (ply > 0)  # what is left of the last tree counts
        state.apply(best_reply(player))
    other = played(9, 12, 0)  # another game: the simulator replaced a move, or began anew
    assert player.step(*as_the_simulator_sees(other)) in as_moves(other)
    assert len(player._session.state.history) == 1


def best_reply(player: SimulatorPlayer) -> int:
    """The opponent's most visited move in the player's tree."""
    from spinney.search import Node

    search = player._agent.search
    chosen = player._session.state.history[-1][1]
    root = Node(search.workers[0].nodes)
    below = next(child for child in root.children if child.action == chosen)
    return max(below.children, key=lambda child: child.visits).action


# The command.


def test_a_file_that_cannot_be_imported_is_refused(capsys, tmp_path):
    for name, message in (("player", "its name must end in .py"), ("my-player.py", "cannot be used in Python")):
        code, _, error = run(capsys, "bridge", "colosseum", "--agent", "greedy", "--out", str(tmp_path / name))
        assert code != 0
        assert message in " ".join(error.split())
    assert not list(tmp_path.iterdir())


def test_the_file_says_what_to_do(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "bridge", "colosseum", "--agent", "greedy")
    assert code == 0
    assert "from .spinney_agent import SpinneyAgent" in out
    assert "python simulator.py --player_1 spinney --player_2 random_agent" in out
    text = Path("spinney_agent.py").read_text()
    assert "SimulatorPlayer('greedy', first=30, later=2, margin=0.2)" in text
    assert run(capsys, "bridge", "colosseum", "--agent", "walk", "--first", "5")[0] == 0  # ours may be replaced
    assert "SimulatorPlayer('walk', first=5, later=2, margin=0.2)" in Path("spinney_agent.py").read_text()
