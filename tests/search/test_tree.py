"""The tree: golden trees, reuse, bounded memory, merging, the final choice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import spinney
from spinney.search import Choice, Node
from spinney.search.result import best
from spinney.search.tree import NONE, ROOT, add, find
from tests.games.test_perft import after
from tests.tiny import to_a_choice

GOLDEN = Path(__file__).with_name("golden")
GOLDEN_SEARCHES = {
    "connect_four": ("connect_four", "uct(iterations=150, seed=1)"),
    "connect_four_bias": ("connect_four", "uct(iterations=150, seed=2, bias=0.4, rollout=heuristic, c=0.8)"),
    "pig": ("examples/pig.py(players=3, goal=20)", "uct(iterations=250, seed=3)"),
    "pig_open_loop": ("examples/pig.py(players=3, goal=20)", "uct(iterations=250, seed=4, open_loop=true)"),
    "leduc_observers": ("leduc_poker", "infoset(iterations=250, seed=6, method=mo_ismcts)"),
    "tictactoe_flat": ("tictactoe", "flat(iterations=90, seed=5)"),
}


def rows(tree: Node) -> list[list[object]]:
    return [
        [depth, node.action, node.visits, [round(value, 9) for value in node.values], node.mover, node.proven]
        for depth, node in tree.walk()
        if node.visits
    ]


@pytest.mark.parametrize("name", GOLDEN_SEARCHES)
def test_golden_trees(name):
    """Node by node as recorded. After a change that is meant to change the search, delete the file and run twice."""
    game_spec, agent_spec = GOLDEN_SEARCHES[name]
    game = spinney.game(game_spec)
    tree = rows(game.agent(agent_spec).search.run(game.start(seed=1)).trees[0])
    file = GOLDEN / f"{name}.json"
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_text("[\n" + ",\n".join(json.dumps(row) for row in tree) + "\n]\n")
        pytest.fail(f"{file.name} was not there; it has been written: look at it, and run again")
    assert tree == json.loads(file.read_text())


@pytest.mark.parametrize("spec", ["connect_four", "examples/pig.py(players=2, goal=20)"])
@pytest.mark.parametrize("open_loop", ["true", "false"])
def test_reuse_keeps_the_statistics_of_the_subtree(spec, open_loop):
    game = spinney.game(spec)
    state = to_a_choice(game.start(seed=2))
    agent = game.agent(f"uct(iterations=4000, reuse=true, open_loop={open_loop})", seed=1)
    first = agent.decide(state)
    known = len(state.history)
    state.apply(first.action)
    state.apply(state.legal()[0])
    kept = first.tree
    for mover, action in state.history[known:]:
        if not (open_loop == "true" and mover < 0):
            kept = kept.child(action)
    path = agent.search._path(state, state.mover)
    worker = agent.search.workers[0]
    agent.search._plant(worker, path)
    assert rows(Node(worker.nodes)) == rows(kept)
    assert worker.work.tree.used == sum(1 for _ in kept.walk())


def test_reuse_adds_to_what_was_kept_and_forgets_other_games():
    game = spinney.game("connect_four")
    agent = game.agent("uct(iterations=2000, reuse=true)", seed=1)
    state = game.start()
    first = agent.decide(state)
    reply = first.tree.child(first.action).children[0]
    state.apply(first.action)
    state.apply(reply.action)
    second = agent.decide(state)
    assert second.tree.visits == reply.visits + 2000
    assert second.iterations == 2000
    assert first.tree.visits == 2000  # the first decision still has its own tree
    assert agent.decide(game.start()).tree.visits == 2000
    assert agent.decide(after(game, "11112222")).tree.visits == 2000


@pytest.mark.parametrize(
    ("name", "spec", "seed"),  # where the steps of the tests are legal as well
    [
        ("colosseum", "uct(iterations=3000, rollout_depth=0, solver=false, reuse=true)", 10),
        ("battlesnake(players=2)", "joint(iterations=100, rollout_depth=0, chance=sample, reuse=true, plain=true)", 2),
        ("battlesnake(players=2)", "decoupled(iterations=100, rollout_depth=0, reuse=true, plain=true)", 2),
    ],
)
def test_the_same_steps_from_another_start_are_another_game(name, spec, seed):
    game = spinney.game(name)
    agent = game.agent(spec, seed=1)
    node = agent.decide(game.start(1), player=0).tree.children[0]
    steps = (node.action, node.children[0].action) if name == "colosseum" else (node.action % 4, node.action // 4)
    kept = []
    for start in (1, seed):
        state = game.start(start, manual_chance=True)
        for player, action in enumerate(steps):
            state.apply(action, player)
        while state.mover == spinney.CHANCE:
            state.apply(0)
        kept.append(agent.search._path(state.observe(0), 0) is not None)
    assert kept == [True, False]


def test_memory_is_bounded_and_a_full_tree_goes_on():
    game = spinney.game("connect_four")
    for spec in ("uct(iterations=5000, nodes=500)", "uct(iterations=5000, nodes=500, threads=2)"):
        decision = game.agent(spec, seed=1).decide(game.start())
        assert decision.result.nodes <= 500
        assert decision.result.full
        assert sum(choice.visits for choice in decision.choices) == 5000
        assert decision.name == "4"
    assert not game.agent("uct(iterations=50, nodes=500)", seed=1).decide(game.start()).result.full


def test_children_that_are_added_one_by_one():
    """In any order and at any place; with less than four times the memory of the children, as searches count on."""
    worker = spinney.game("tictactoe").agent("uct(plain=true)").search.workers[0]
    for n in (1, 7, 64, 300, 1000):
        worker.clear(4 * n)
        nodes, work, actions = worker.nodes, worker.work, []
        for action in range(n):
            place = action * 7 % (len(actions) + 1)
            child = add(nodes, work, ROOT, place, action)
            nodes[child].visits = action + 1
            actions.insert(place, action)
        first = nodes[ROOT].first
        assert [nodes[first + i].action for i in range(n)] == actions
        assert all(nodes[find(nodes, ROOT, action)].visits == action + 1 for action in actions)
        assert work.tree.nodes == n + 1
        assert work.tree.used <= 4 * n
    assert find(nodes, ROOT, n) == NONE


@pytest.mark.parametrize("reuse", ["true", "false"])
def test_memory_is_used_again_unless_somebody_looks_at_the_tree(reuse):
    game = spinney.game("connect_four")
    agent = game.agent(f"uct(iterations=500, nodes=20000, solver=false, reuse={reuse})", seed=1)
    worker, blocks, state = agent.search.workers[0], [], game.start()
    for column in "445566":
        assert agent.decide(state).iterations == 500
        blocks.append(worker.nodes)
        state.apply(column)
    used = {id(nodes) for nodes in blocks[1:]}  # the first tree is never a kept one, and may have less room
    assert len(used) == (2 if reuse == "true" else 1)  # two: the part that is kept is copied


@pytest.mark.parametrize("options", ["", ", reuse=true", ", threads=2"])
def test_a_tree_that_somebody_looks_at_stays_as_it_is(options):
    game = spinney.game("connect_four")
    agent, state = game.agent(f"uct(iterations=1000, nodes=20000{options})", seed=1), game.start()
    seen = [tree.children[0] for _ in range(4) for tree in agent.decide(state).trees]
    shown = [rows(node) for node in seen]
    for column in "1122":
        agent.decide(state)
        state.apply(column)
    assert [rows(node) for node in seen] == shown
    assert all(len(worker.memory) <= 2 for worker in agent.search.workers)


@pytest.mark.parametrize("reuse", ["true", "false"])
def test_after_a_search_that_was_broken_off_nothing_of_it_is_used(reuse):
    """Its tree was of another position than the last whole one: the same steps would lead from that to a wrong place,
    here to a win that is none. And a thread may still be at work in its memory."""
    game = spinney.game("connect_four")
    agent, state = game.agent(f"uct(iterations=20000, reuse={reuse})", seed=1), after(game, "41")
    agent.decide(state)
    for column in "41":
        state.apply(column)
    parts = agent.search.parts
    entry, slices = parts.simulate, iter(range(2))

    def broken_off(*arguments):
        if next(slices, None) is None:
            raise KeyboardInterrupt
        return entry(*arguments)

    parts.simulate = broken_off
    with pytest.raises(KeyboardInterrupt):
        agent.decide(state)
    parts.simulate, left = entry, agent.search.workers[0].nodes
    decision = agent.decide(state)
    assert not decision.tree.proven
    assert decision.tree.visits == 20000
    assert agent.search.workers[0].nodes is not left


def test_node_size():
    from spinney.search.tree import node_record

    assert node_record(2).dtype.itemsize <= 40


def test_threads_are_merged_and_repeatable():
    game = spinney.game("connect_four")
    one, two = (game.agent("uct(iterations=3001, threads=3)", seed=5).decide(game.start()) for _ in range(2))
    assert one.choices == two.choices
    assert len(one.trees) == 3
    assert len({tuple(child.visits for child in tree.children) for tree in one.trees}) > 1  # not three times the same
    assert [tree.visits for tree in one.trees] == [1001, 1000, 1000]
    for choice in one.choices:
        nodes = [tree.child(choice.action) for tree in one.trees]
        assert choice.visits == sum(node.visits for node in nodes)
        assert choice.value == pytest.approx(sum(node.values[0] * node.visits for node in nodes) / choice.visits)


def choice(action: int, visits: int, value: float, proven: bool = False) -> Choice:
    return Choice(action, visits, (value, 1 - value), proven)


@pytest.mark.parametrize(
    ("by", "choices", "right"),
    [
        ("visits", [choice(0, 90, 0.5), choice(1, 10, 0.9)], 0),
        ("value", [choice(0, 90, 0.5), choice(1, 10, 0.9)], 1),
        ("visits", [choice(0, 90, 0.9), choice(1, 1, 1.0, True)], 1),  # a proven win
        ("visits", [choice(0, 90, 0.0, True), choice(1, 1, 0.1)], 1),  # anything but a proven loss
        ("visits", [choice(0, 90, 0.0, True), choice(1, 1, 0.0)], 1),  # even if it has always lost so far
        ("visits", [choice(0, 90, 0.0, True), choice(1, 0, 0.0)], 1),  # or was never tried
        ("visits", [choice(0, 90, 0.4), choice(1, 1, 0.5, True)], 1),  # a sure draw, rather than less
        ("visits", [choice(0, 90, 0.6), choice(1, 1, 0.5, True)], 0),  # not a sure draw, rather than more
        ("visits", [choice(0, 90, 0.0, True), choice(1, 1, 0.5, True)], 1),
        ("value", [choice(0, 90, 0.1), choice(1, 0, 0.9)], 0),  # never what was not tried
    ],
)
def test_final_choice(by, choices, right):
    assert best(choices, 0, by) == right


def test_the_principal_variation_has_legal_moves():
    game = spinney.game("connect_four")
    state = after(game, "4433")
    decision = game.agent("uct(iterations=20000)", seed=1).decide(state)
    assert decision.line[0] == decision.name
    assert len(decision.line) > 2
    for name in decision.line:
        state.apply(name)


def test_a_tree_can_be_read():
    game = spinney.game("connect_four")
    tree = game.agent("uct(iterations=500)", seed=1).decide(game.start()).tree
    lines = str(tree).splitlines()
    assert lines[0].split()[:3] == ["root", "500", "visits"]
    assert len(lines) == 1 + 5 + 5 * 5
