"""Tree parallelism: one tree that several threads grow."""

from __future__ import annotations

import re
import threading

import pytest

import spinney
from spinney.clock import Clock
from tests.games.test_perft import after
from tests.search.test_known_answers import negamax
from tests.tiny import DARE_GAME, UNLISTED_DARE, dare_value, to_a_choice

SPECS = [
    ("connect_four", "iterations=3000"),
    ("connect_four", "iterations=3000, select=puct, prior=heuristic, virtual_loss=3"),
    ("connect_four", "iterations=3000, select=ucb1_tuned, learn=mast"),
    ("connect_four", "iterations=3000, widen=0.5, bias=0.4, rollout_first=true, rollout_depth=4"),
    ("connect_four", "iterations=3000, nodes=300"),
    ("tictactoe", "iterations=3000, virtual_loss=7"),
    ("examples/pig.py(players=3, goal=20)", "iterations=3000, multiplayer=paranoid"),
    ("deepsea(players=4)", "iterations=600"),
]


def checked(decision, *, rewards=1.0, kept=0):
    """A decision whose tree is as its threads left it: no visit, reward or node was lost, and none is there twice."""
    root, nodes = decision.tree, 0
    assert root.visits == decision.iterations + kept
    seen = set()
    for _, node in root.walk():
        nodes += 1
        children = node.children
        assert len({child.action for child in children}) == len(children)
        assert sum(child.visits for child in children) <= node.visits
        if children:
            assert node._first not in seen
            seen.add(node._first)
        if node.visits and rewards is not None:  # each simulation has added as much
            assert sum(node.values) == pytest.approx(rewards, abs=1e-9)
    assert nodes == decision.result.nodes
    return decision


def rows(decision):
    """The nodes; values to 12 digits, because those of proven nodes are computed in another order."""
    return [
        (depth, node.action, node.visits, node.weight, node.mover, node.proven, [f"{one:.12f}" for one in node.values])
        for depth, node in decision.tree.walk()
    ]


@pytest.mark.parametrize(("name", "options"), SPECS)
@pytest.mark.parametrize("reuse", ["", ", reuse=true"])
def test_on_one_thread_the_tree_is_that_of_a_search_alone(name, options, reuse):
    """The virtual loss of a simulation is no obstacle to itself."""
    game = spinney.game(name)
    alone = re.sub(", virtual_loss=.", "", options)
    one = game.agent(f"uct({alone}{reuse})", seed=7)
    other = game.agent(f"uct({options}{reuse}, parallel=tree)", seed=7)
    state = to_a_choice(game.start(seed=2))
    for _ in range(2):
        alone, shared = one.decide(state), other.decide(state)
        assert rows(shared) == rows(alone)
        assert (shared.action, shared.iterations) == (alone.action, alone.iterations)
        state.apply(alone.action)
        to_a_choice(state)


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize(("name", "options"), SPECS)
def test_no_update_is_lost(name, options, threads):
    game = spinney.game(name)
    state = to_a_choice(game.start(seed=2))
    agent = game.agent(f"uct({options}, parallel=tree, threads={threads})", seed=1)
    for _ in range(5):
        checked(agent.decide(state), rewards=1.0 if game.players == 2 else None)
    longer = agent.decide(state, Clock(iterations=100_000)) if "nodes=300" in options else None
    assert longer is None or (checked(longer).result.full and longer.result.nodes <= 300)


def test_in_plain_python_too():
    agent = spinney.game("tictactoe").agent("uct(iterations=900, parallel=tree, threads=3, plain=true)", seed=1)
    state = spinney.game("tictactoe").start()
    for _ in range(3):
        checked(agent.decide(state))


@pytest.mark.parametrize("moves", ["", "51", "1952", "372"])
@pytest.mark.parametrize("threads", [2, 4])
def test_what_is_proven_is_true(moves, threads):
    """Every proven node of the tree has the value of plain search, whichever thread has proven it, and so has the root
    in the end."""
    game = spinney.game("tictactoe")
    state = after(game, moves)
    for seed in range(5 if moves else 1):
        decision = game.agent(f"uct(iterations=1000000, parallel=tree, threads={threads})", seed).decide(state)
        assert decision.tree.proven
        assert decision.iterations < 1_000_000
        for _, node in decision.tree.walk():
            if node.proven:
                x, o = node.state.record.marks
                cells = "".join("X" if x >> i & 1 else "O" if o >> i & 1 else "." for i in range(9))
                assert node.values[(9 - cells.count(".")) % 2] == negamax(cells)


def test_chance_is_proven_too():
    game = spinney.game(DARE_GAME)
    state = game.start(seed=1)
    for _ in range(2):
        state.apply(0)
    for seed in range(5):
        decision = game.agent("uct(iterations=1000000, parallel=tree, threads=3)", seed).decide(state)
        checked(decision)
        assert decision.tree.proven
        assert decision.values[0] == pytest.approx(dare_value(2, (3, 3)), abs=1e-6)  # probabilities are of type f32


def test_many_short_searches():
    """The threads meet at the root and in the first nodes."""
    game = spinney.game("connect_four")
    agent = game.agent("uct(iterations=40, parallel=tree, threads=4)", seed=1)
    for _ in range(200):
        checked(agent.decide(game.start()))


def test_a_tree_is_kept():
    game = spinney.game("connect_four")
    agent, state = game.agent("uct(iterations=4000, parallel=tree, threads=2, reuse=true)", seed=1), game.start()
    kept = 0
    for _ in range(4):
        decision = checked(agent.decide(state), kept=kept)
        state.apply(decision.action)
        reply = decision.tree.child(decision.action).children[0]
        kept = reply.visits
        state.apply(reply.action)


def test_it_is_stopped_from_another_thread_and_goes_on():
    game = spinney.game("connect_four")
    for early in ("false", "true"):
        agent = game.agent(f"uct(solver=false, parallel=tree, threads=2, nodes=20000, early_stop={early})", seed=1)
        clock = Clock(seconds=1e6)
        threading.Timer(0.2, clock.stop.set).start()
        checked(agent.decide(game.start(), clock))
        assert clock.elapsed < 100
        assert checked(agent.decide(game.start(), Clock(iterations=500))).iterations == 500


def test_an_early_stop():
    game = spinney.game("connect_four")
    state = game.start()
    for column in "4455":
        state.apply(column)
    spec = "uct(iterations=400000, solver=false, early_stop=true, parallel=tree, nodes=20000)"
    assert checked(game.agent(spec, seed=4).decide(state)).iterations < 360_000


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("connect_four", "open_loop=true", "parallel=tree does not go with open_loop=true; open_loop must be false"),
        ("connect_four", "select=grave", "parallel=tree does not go with select=grave"),
        ("connect_four", "lookahead=true", "lookahead must be false"),
        (UNLISTED_DARE, "", "'parallel' = 'tree' is not for unlisted_dare: .* only root is allowed"),
    ],
)
def test_what_it_does_not_go_with(game, options, message):
    with pytest.raises(spinney.BadOption, match=message):
        spinney.game(game).agent(f"uct(parallel=tree, {options})".replace(", )", ")"))


def test_a_virtual_loss_goes_with_one_tree():
    with pytest.raises(spinney.BadOption, match="virtual_loss=2 goes with parallel=tree, not with parallel=root"):
        spinney.game("tictactoe").agent("uct(virtual_loss=2)")
