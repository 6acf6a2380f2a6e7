"""Search with a network: leaves in batches, virtual losses, many trees at once, and time limits."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

import spinney
from spinney.clock import Clock
from spinney.errors import BadGame, BadNetwork, BadOption, MissingPackage, UnknownName
from spinney.kernel import seeded
from spinney.search.batching import PENDING
from spinney.search.evaluators import load, shipped
from spinney.search.network import Trees
from spinney.search.tree import ROOT
from spinney.search.workspace import fill_rng

FOUR = spinney.game("connect_four")
SNAKES = spinney.game("battlesnake")


class Oracle:
    """A network for tests: its numbers depend on the planes alone."""

    has_values = True
    shares = False

    def __init__(self, outputs, favourite=None):
        self.outputs, self.favourite, self.rows, self.calls = outputs, favourite, 0, 0

    def __call__(self, planes):
        self.rows += len(planes)
        self.calls += 1
        sums = planes.reshape(len(planes), -1) @ np.arange(1, planes[0].size + 1, dtype=np.float32)
        priors = np.stack([np.cos(sums * (k + 1)) ** 2 + 0.1 for k in range(self.outputs)], 1).astype(np.float32)
        if self.favourite is not None:
            priors[:] = 0.03
            priors[:, self.favourite] = 1
        priors /= priors.sum(1, keepdims=True)
        return priors, (np.sin(sums) ** 2).astype(np.float32)


def searching(game, oracle, **options):
    """A search whose network is an oracle."""
    given = ", ".join(f"{name}={value}" for name, value in {"weights": "uniform", "seed": 3, **options}.items())
    search = game.agent(f"net_search({given})").search
    search.parts.network.evaluator = oracle
    for worker in search.workers:
        worker.settings.rollout_mix, worker.settings.normalise = 0.0, int(oracle.shares)
    return search


def position(game, moves):
    state = game.start(seed=1)
    for move in moves:
        state.apply(move)
    return state


@pytest.mark.parametrize("select", ["joint", "decoupled"])
def test_a_node_may_be_the_end_of_the_game_or_not(select):
    """Chance has no nodes: food that is drawn saves a starving snake in one simulation, and not in the next."""
    game = spinney.game("battlesnake", players=2, width=5, height=5)
    search = game.agent(f"net_search(weights=uniform, seed=3, chance=sample, select={select}, iterations=3000)").search
    state = game.start(seed=1)
    state.record.food_chance, state.record.health[0], state.record.health[1] = 100, 5, 5
    assert search.run(state, player=0).iterations == search.workers[0].nodes[ROOT].visits == 3000
    nodes, todo, seen = search.workers[0].nodes, [ROOT], 0
    while todo:
        node = nodes[todo.pop()]
        assert node.visits >= 0
        if node.count:
            assert node.mover == spinney.SIMULTANEOUS
            known = nodes[node.first]
            children = range(known.first, known.first + known.count)
            visits = sum(nodes[child].visits for child in children)
            for player in (0, 1):
                moves = [nodes[node.first + 4 * player + move] for move in range(4)]
                assert sum(move.visits for move in moves) == visits
            todo += children
            seen += 1
    assert seen > 100


@pytest.mark.parametrize("batch", [1, 7, 64])
@pytest.mark.parametrize("game", [FOUR, SNAKES], ids=lambda game: game.name)
def test_every_simulation_is_counted_once(game, batch):
    """Virtual losses are taken back: visits are the simulations, and values the means of what was seen."""
    search = searching(game, Oracle(7 if game is FOUR else 3), batch=batch)
    found = search.run(game.start(seed=1), Clock(iterations=200))
    root = found.trees[0]
    assert found.iterations == root.visits == 200
    assert sum(choice.visits for choice in found.choices) == 199  # the first was the root itself
    for _, node in root.walk():
        assert node.visits >= sum(child.visits for child in node.children)
        assert all(-1e-9 <= value <= 1 + 1e-9 for value in node.values)
    nodes, todo = search.workers[0].nodes, [ROOT]
    while todo:  # not all memory: children that have moved left copies behind
        node = nodes[todo.pop()]
        assert node.expanded != PENDING
        todo += range(node.first, node.first + node.count)


def test_a_batch_has_many_leaves():
    oracle = Oracle(7)
    searching(FOUR, oracle, batch=32).run(FOUR.start(), Clock(iterations=500))
    assert oracle.rows > 450
    assert oracle.calls < 60


def planted(search, states, seeds):
    """Trees of several positions."""
    network = search.parts.network
    trees = Trees(network, np.zeros(len(states), search.parts.workspace.dtype), search.workers[0].settings)
    trees.nodes = np.zeros((len(states), 4000), search.node.dtype)
    plant, _ = network.decisions()
    for i, (state, seed) in enumerate(zip(states, seeds, strict=True)):
        trees.roots[i] = type(state.record).native(state.record)
        fill_rng(trees.works[i].rng, seeded(seed))
        plant(trees.nodes, trees.works, trees.roots, i)
    return trees


def test_many_trees_grow_as_each_by_itself():
    """Leaves of several games in one batch give the same trees as each game alone."""
    search = searching(FOUR, Oracle(7), batch=4)
    states, counts = [position(FOUR, moves) for moves in ([], [3], [3, 3], [0, 1, 2])], [4, 3, 2, 4]
    at_once = planted(search, states, range(4))
    one_by_one = [planted(search, [state], [seed]) for seed, state in enumerate(states)]
    for _ in range(30):
        done = at_once.grow(counts).tolist()
        assert done == [int(trees.grow(n)[0]) for trees, n in zip(one_by_one, counts, strict=True)]
    for i, trees in enumerate(one_by_one):
        assert trees.works[0].tree.used == at_once.works[i].tree.used > 50
        assert (trees.nodes[0] == at_once.nodes[i]).all()


@pytest.mark.parametrize("game", [FOUR, SNAKES], ids=lambda game: game.name)
def test_kept_answers_are_those_of_the_network(game):
    """A tree is the same whether the network is asked about a position again or not."""
    oracle = Oracle(7 if game is FOUR else 3)
    search = searching(game, oracle, batch=4)
    state, rows = game.start(seed=1), []
    keeping, asking = planted(search, [state], [1]), planted(search, [state], [1])
    plant, _ = search.parts.network.decisions()
    for _ in range(2):
        for trees in (keeping, asking):
            plant(trees.nodes, trees.works, trees.roots, 0)
            before = oracle.rows
            for _ in range(20):
                if trees is asking:
                    trees.works["answers"]["key"] = 0
                trees.grow(4)
            rows.append(oracle.rows - before)
        used = keeping.works[0].tree.used
        assert (keeping.nodes[0, :used] == asking.nodes[0, :used]).all()
    assert rows[2] < rows[3] / 2


def test_the_prior_leads_and_the_end_of_the_game_corrects_it():
    """Column 4 wins at once: a network that prefers another is overruled, and one that prefers it is followed."""
    state = position(FOUR, [3, 0, 3, 0, 3, 1])
    for favourite in (5, 3):
        search = searching(FOUR, Oracle(7, favourite), batch=8)
        found = search.run(state, Clock(iterations=400))
        assert found.action == 3
    quiet = searching(FOUR, Oracle(7, 5), c=50).run(FOUR.start(), Clock(iterations=60))
    assert max(quiet.choices, key=lambda choice: choice.visits).action == 5


@pytest.mark.parametrize("select", ["joint", "decoupled"])
def test_snakes_follow_their_priors(select):
    """With a high weight of the prior, every snake goes where the network sends it: left, as it faces."""
    state = SNAKES.start(seed=4)
    for _ in range(3):
        for player in state.movers:
            state.apply("up" if "up" in state.names(player) else state.legal(player)[0], player)
    search = searching(SNAKES, Oracle(3, 0), select=select, c=50)
    for player in state.movers:
        found = search.run(state, Clock(iterations=80), player)
        output = search.parts.network.encoder.output
        lefts = [choice.action for choice in found.choices if output(state.record, player, choice.action) == 0]
        assert not lefts or found.action == lefts[0]


def test_without_values_rollouts_evaluate():
    """Uniform search on connect four is plain PUCT with rollouts: it blocks a line."""
    state = position(FOUR, [3, 0, 3, 0, 3])
    agent = FOUR.agent("net_search(weights=uniform, iterations=3000, batch=4)", seed=2)
    assert agent.decide(state).action == 3


@pytest.mark.parametrize("min_visits", [0, 16])
def test_timed_searches_keep_their_time(monkeypatch, min_visits):
    """By a clock that the network alone moves on, a millisecond for every position: no decision is late."""

    class Time:
        now = 0.0

        def perf_counter(self):
            self.now += 1e-5
            return self.now

    class Slow(Oracle):
        def __call__(self, planes):
            time.now += 0.001 * len(planes)
            return super().__call__(planes)

    time = Time()
    monkeypatch.setattr("spinney.clock.time", time)
    search = searching(FOUR, Slow(7), batch=256, min_visits=min_visits)
    for seed in range(10):
        clock = Clock(seconds=0.1)
        found = search.run(FOUR.start(seed), clock)
        assert 0.07 < clock.elapsed < 0.1
        assert found.iterations > 50


def test_there_is_always_something_to_choose(monkeypatch):
    """One iteration is the root's; and the first look of a network may take all the time there is."""

    class Time:
        now = 0.0

        def perf_counter(self):
            self.now += 0.06
            return self.now

    for game, outputs in ((FOUR, 7), (SNAKES, 3)):
        search = searching(game, Oracle(outputs))
        assert chosen(search.run(game.start(seed=1), Clock(iterations=1))).visits == 1
        monkeypatch.setattr("spinney.clock.time", Time())
        assert chosen(search.run(game.start(seed=1), Clock(seconds=0.1))).visits >= 1
        monkeypatch.undo()


def chosen(found):
    return next(choice for choice in found.choices if choice.action == found.action)


def test_min_visits_ask_little_and_search_much():
    """Nodes with few visits are judged without the network; those with many have its priors."""
    eager, patient = Oracle(7), Oracle(7)
    for oracle, options in ((eager, {}), (patient, {"min_visits": 20})):
        search = searching(FOUR, oracle, batch=8, **options)
        found = search.run(position(FOUR, [3]), Clock(iterations=2000))
        assert found.trees[0].visits == 2000
    assert patient.rows < eager.rows / 10
    for _, node in found.trees[0].walk():
        priors = {child.weight for child in node.children}
        assert node.visits > 10 or len(priors) <= 1  # visits that are still to come count as well
        assert node.visits < 30 or node.mover < 0 or len(priors) > 1


def test_iterations_are_repeatable():
    """Batches end where they are full, not where the machine was slow."""
    trees = []
    for _ in range(2):
        search = searching(SNAKES, Oracle(3), batch=6, min_visits=4, rollout_depth=0)
        found = search.run(SNAKES.start(seed=1), Clock(iterations=1500))
        trees.append([(depth, node.action, node.visits, node.values) for depth, node in found.trees[0].walk()])
    assert trees[0] == trees[1]
    assert trees[0][0][2] == 1500


def test_reuse_keeps_the_tree():
    state = FOUR.start()
    agent = FOUR.agent("net_search(weights=uniform, iterations=200, reuse=true)", seed=1)
    first = agent.decide(state)
    state.apply(first.action)
    state.apply(state.legal()[0])
    assert agent.decide(state).tree.visits > 200


def test_what_is_refused(tmp_path, monkeypatch):
    with pytest.raises(BadGame, match="it has no encoder"):
        spinney.game("tictactoe").agent("net_search")
    with pytest.raises(UnknownName, match="has no agent 'net'"):
        spinney.game("tictactoe").agent("net")
    with pytest.raises(UnknownName, match=r"no network 'nobody'.*uniform"):
        FOUR.agent("net(weights=nobody)")
    with pytest.raises(BadOption, match="chance has no nodes"):
        SNAKES.agent("net_search(weights=uniform, chance=list)")
    file = tmp_path / "n.onnx"
    file.write_bytes(b"")
    with pytest.raises(BadNetwork, match=r"needs its card, n\.json"):
        load(FOUR.card, str(file))
    (tmp_path / "n.json").write_text(json.dumps({"game": "battlesnake", "encoder": 1}))
    with pytest.raises(BadNetwork, match="is for battlesnake, encoder 1"):
        load(FOUR.card, str(file))
    about = {"game": "connect_four", "encoder": 1, "planes": [2, 6, 7], "outputs": 7}
    (tmp_path / "n.json").write_text(json.dumps(about))
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingPackage, match=r"pip install 'spinney-mcts\[net\]'"):
        load(FOUR.card, str(file))


def test_net_plays_by_its_policy():
    """Uniform and cold it is any column; agents are listed for games with an encoder, and for those alone."""
    from spinney.agents import agent_options

    assert "uniform" in shipped(FOUR.card)
    assert {"net", "net_search"} <= agent_options(FOUR).keys()
    assert not {"net", "net_search"} & agent_options(spinney.game("deepsea")).keys()
    agent = FOUR.agent("net(weights=uniform, temperature=1)", seed=1)
    assert len({agent.decide(FOUR.start()).action for _ in range(60)}) == 7
    state = SNAKES.start(seed=2)
    careful = SNAKES.agent("net(weights=uniform, temperature=1)", seed=1)
    for _ in range(25):
        for player in state.movers:
            action = careful.decide(state, player=player).action
            out = SNAKES.card.out()
            assert action in out.action[: SNAKES.card.rules.plausible(state.record, player, out)]
            state.apply(action, player)
