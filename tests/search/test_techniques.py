"""Techniques of tree search: statistics by their definition, and games whose answers are known."""

from __future__ import annotations

from collections import Counter
from itertools import product
from statistics import mean

import pytest

import spinney
from spinney import OVER
from spinney.errors import BadOption
from spinney.games.parts import Player
from spinney.kernel import rule, uniform
from spinney.play import Session
from spinney.search import learning
from spinney.search.tree import NONE, ROOT
from tests.games.test_perft import after
from tests.search.test_known_answers import dare_after, negamax
from tests.tiny import DARE_GAME, TRIO_GAME, TRIO_REWARDS, TURNS, bandit, dare_value


def searched(game, spec, seed=1, state=None):
    """A plain search, after its decision."""
    agent = game.agent(f"{spec}, plain=true)", seed=seed)
    agent.decide(game.start() if state is None else state)
    return agent.search


class Recorded:
    """The simulations of a plain search: the path, the actions of all players, and the rewards."""

    def __init__(self, monkeypatch, name):
        self.simulations = []
        learn = getattr(learning, name)

        def record(nodes, work, o):
            trace, path = work.trace, work.path
            made = list(zip(trace.player, trace.action, trace.depth, strict=True))[: trace.length]
            self.simulations.append((path.node[: path.depth + 1], made, trace.tree, list(path.reward)))
            learn(nodes, work, o)

        monkeypatch.setattr(learning, name, record)


def test_amaf_values_by_their_definition(monkeypatch):
    """The AMAF value of a child: the mean reward of the simulations through its parent in which the parent's mover made
    the child's action there or later."""
    recorded = Recorded(monkeypatch, "learn_amaf")
    search = searched(spinney.game("tictactoe"), "uct(select=rave, c=0.3, iterations=300, solver=false")
    nodes = search.workers[0].nodes
    expected = Counter()
    for path, made, tree, reward in recorded.simulations:
        for i, (player, _, depth) in enumerate(made[:tree]):
            later = {action for other, action, _ in made[i:] if other == player}
            parent = nodes[path[depth]]
            for child in range(parent.first, parent.first + parent.count):
                if nodes[child].action in later:
                    expected[child, "visits"] += 1
                    expected[child, "value"] += reward[player]
    assert len(recorded.simulations) == 300
    assert sum(expected[child, "visits"] > nodes[child].visits for child, _ in expected) > 50
    for child, _ in expected:
        assert nodes[child].amaf_visits == expected[child, "visits"]
        assert nodes[child].amaf_value == pytest.approx(expected[child, "value"])


def test_history_and_ngrams_by_their_definition(monkeypatch):
    recorded = Recorded(monkeypatch, "learn_history")
    search = searched(spinney.game("tictactoe"), "uct(learn=nst, iterations=300, solver=false")
    work, visits, value, pairs = search.workers[0].work, Counter(), Counter(), Counter()
    for _, made, _, reward in recorded.simulations:
        for i, (player, action, _) in enumerate(made):
            visits[player, action] += 1
            value[player, action] += reward[player]
            pairs[player, action, made[i - 1][1] if i else None] += 1
    for player, action in product(range(2), range(9)):
        assert work.history.visits[player, action] == visits[player, action]
        assert work.history.value[player, action] == pytest.approx(value[player, action])
    triples = sum(max(0, len(made) - 2) for _, made, _, _ in recorded.simulations)
    assert sum(work.ngrams.visits) == sum(n for (*_, last), n in pairs.items() if last is not None) + triples


def test_rollouts_learn_what_wins():
    """An action that wins at once is made first in nearly all rollouts, once it was made."""
    game = spinney.game("connect_four")
    state = after(game, "121212")
    plain = game.agent("flat(iterations=700)", seed=1).decide(state)
    for learn in ("mast", "nst"):
        learnt = game.agent(f"uct(iterations=700, learn={learn}, epsilon=0.1, solver=false)", seed=1).decide(state)
        assert learnt.name == plain.name == "1"


def test_grave_refers_to_an_ancestor_with_enough_visits(monkeypatch):
    """With no visits needed it is RAVE: every node refers to itself."""
    game = spinney.game("connect_four")
    trees = [
        [(node.action, node.visits) for _, node in game.agent(spec, seed=1).decide(game.start()).tree.walk()]
        for spec in (
            "uct(iterations=2000, c=0.2, select=rave)",
            "uct(iterations=2000, c=0.2, select=grave, reference_visits=0)",
            "uct(iterations=2000, c=0.2, select=grave, reference_visits=50)",
        )
    ]
    assert trees[0] == trees[1] != trees[2]


@pytest.mark.parametrize(
    ("options", "size", "iterations", "least"),
    [
        ("select=rave, c=0.1", 6, 300, 0.7),
        ("select=grave, c=0.1", 6, 300, 0.7),
        ("c=0.4, learn=mast, epsilon=0.6", 8, 1000, 0.52),
    ],
)
def test_values_of_actions_help_in_hex(options, size, iterations, least):
    """At equal simulations: a cell is worth much the same in many positions (Gelly and Silver 2011). In
    longer runs the shares are about 0.85, 0.87 and 0.66."""
    game, games, won = spinney.game(f"hex(board_size={size})"), 100, 0.0
    one = game.agent(f"uct(iterations={iterations}, {options})", seed=1)
    plain = game.agent(f"uct(iterations={iterations}, c=0.4)", seed=2)
    for seed in range(games):
        agents = [one, plain] if seed % 2 == 0 else [plain, one]
        session = Session(game.start(seed), agents, events=False)
        session.play()
        won += session.state.rewards()[seed % 2]
    assert won / games >= least


# Transpositions.


@pytest.mark.parametrize("moves", ["", "5", "15", "19", "1952"])
def test_a_graph_proves_the_same_with_fewer_nodes(moves):
    game = spinney.game("tictactoe")
    state, position = after(game, moves), ["."] * 9
    for i, move in enumerate(moves):
        position[int(move) - 1] = "XO"[i % 2]
    tree, graph = (
        game.agent(f"uct(iterations=1000000, transpositions={it})", seed=1).decide(state) for it in ("false", "true")
    )
    assert tree.tree.proven
    assert graph.tree.proven
    assert tree.values == graph.values
    assert graph.values[state.mover] == negamax("".join(position))
    if graph.values[0] == 0.5:  # nothing is cut off by a win
        assert graph.result.nodes < 0.8 * tree.result.nodes


def test_a_graph_has_one_node_per_position_and_its_visits_add_up():
    """Every visit of a node is its first evaluation, or came from an edge; and every visit goes on to an edge."""
    game = spinney.game("connect_four")
    search = searched(game, "uct(iterations=3000, c=0.6, transpositions=true, solver=false")
    nodes, used = search.workers[0].nodes, search.workers[0].work.tree.used
    inner = [i for i in range(used) if nodes[i].expanded]
    links = [i for i in range(1, used) if nodes[i].link != NONE]
    assert len(links) > 100
    keys = [nodes[i].key for i in range(1, used) if nodes[i].visits and nodes[i].link == NONE]
    assert len(set(keys)) == len(keys)
    arrived = Counter()
    for i in inner:
        children = range(nodes[i].first, nodes[i].first + nodes[i].count)
        assert nodes[i].visits == sum(nodes[child].edge_visits for child in children) + (i != ROOT)
        for child in children:
            arrived[nodes[child].link or child] += nodes[child].edge_visits
        for player in range(2):
            given = sum(nodes[child].given[player] for child in children)
            assert -1e-9 <= nodes[i].value[player] - given <= 1 + 1e-9  # the rest is its first evaluation
    assert all(nodes[i].visits == n for i, n in arrived.items())


def test_a_graph_shows_its_choices():
    game = spinney.game("connect_four")
    decision = game.agent("uct(iterations=5000, transpositions=true)", seed=1).decide(game.start())
    assert sum(choice.visits for choice in decision.choices) == 5000
    assert decision.name == "4"
    assert len(decision.line) > 2
    assert decision.tree.children[0].visits == decision.choices[0].visits


# Gumbel noise and sequential halving.

ARMS = tuple((i * 7 % 16) / 20 for i in range(16))
"""Rewards of the actions of a bandit, the best of which is 0.75."""
PRIOR = tuple(weight / 136 for weight in range(1, 17))


@rule
def draw_arm(s, player, out, rng):
    """A player with a strategy."""
    left, arm = uniform(rng), 0
    while arm < 15 and left >= PRIOR[arm]:
        left -= PRIOR[arm]
        arm += 1
    return arm


def test_sequential_halving_divides_the_visits():
    """Sixteen actions in four phases of sixteen simulations: 1, 2, 4 and 8 visits in each for those that are left."""
    game = spinney.game(bandit("bandit", ARMS))
    decision = game.agent("uct(iterations=64, root=gumbel, solver=false)", seed=1).decide(game.start())
    assert Counter(choice.visits for choice in decision.choices) == {1: 8, 3: 4, 7: 2, 15: 2}
    assert decision.choices[0].visits == 15
    few = game.agent("uct(iterations=6, root=gumbel, root_actions=4, solver=false)", seed=1).decide(game.start())
    assert sum(choice.visits > 0 for choice in few.choices) == 4


@pytest.mark.parametrize("iterations", [2, 4, 8, 16])
def test_gumbel_improves_on_the_prior(iterations):
    """Whatever the number of simulations, the choice is better on average than a draw from the prior."""
    card = bandit("bandit", ARMS).extend(prior=Player(lambda: draw_arm))
    game = spinney.game(card)
    agent = game.agent(
        f"uct(iterations={iterations}, select=puct, prior=prior, prior_draws=16, root=gumbel, solver=false)", seed=1
    )
    drawn = sum((0.25 / 16 + 0.75 * p) * arm for arm, p in zip(ARMS, PRIOR, strict=True))
    chosen = [ARMS[agent.decide(game.start()).action] for _ in range(400)]
    assert mean(chosen) > drawn + 0.05
    improved = []
    for _ in range(100):
        decision = agent.decide(game.start())
        assert sum(choice.share for choice in decision.choices) == pytest.approx(1)
        improved.append(sum(choice.share * ARMS[choice.action] for choice in decision.choices))
    assert mean(improved) > drawn - 0.02


# Three players.


def trio(first, second, third):
    return TRIO_REWARDS[3 * (4 * first + 2 * second + third)]


@rule
def always_0(s, player, out, rng):
    return 0


def test_paranoid_expects_the_worst():
    worst = [min(trio(first, *others) for others in product((0, 1), repeat=2)) for first in (0, 1)]
    for options, near in (("iterations=1000", 1e-9), ("iterations=100000, solver=false, c=0.5", 0.03)):
        game = spinney.game(TRIO_GAME)
        decision = game.agent(f"uct({options}, multiplayer=paranoid)", seed=1).decide(game.start())
        assert decision.action == 1
        assert decision.values[0] == pytest.approx(worst[1], abs=near)
        assert decision.values[1] == pytest.approx(1 - worst[1], abs=near)


def test_best_reply_expects_one_reply():
    """The other two play 0, but one of them may reply as it likes: the first action is worth 0.1, not 0 as it would be
    if both could harm player 0."""
    replies = [min(trio(first, 0, 0), trio(first, 1, 0), trio(first, 0, 1)) for first in (0, 1)]
    assert replies == [0.1, 0.5]
    game = spinney.game(TRIO_GAME.extend(steady=always_0))
    agent = game.agent("uct(iterations=100000, c=0.5, multiplayer=best_reply, rollout=steady)", seed=1)
    decision = agent.decide(game.start())
    assert decision.action == 1
    assert decision.values[0] == pytest.approx(replies[1], abs=0.02)
    for first, reply in enumerate(replies):
        ends = [node.values[0] for _, node in decision.tree.child(first).walk() if node.mover == OVER and node.visits]
        assert min(ends) == pytest.approx(reply)
    assert not decision.tree.proven


# Groups of chance outcomes.


def test_groups_of_outcomes():
    """As many groups as faces are the closed loop, and find its value; one group is the open loop."""
    state, game = dare_after(DARE_GAME, []), spinney.game(DARE_GAME)
    value = {
        groups: game.agent(f"uct(iterations=400000, c=0.7, open_loop=true, chance_groups={groups})", seed=1)
        .decide(state)
        for groups in (0, 1, 2, 6)
    }  # fmt: skip
    assert value[6].values[0] == pytest.approx(dare_value(), abs=0.015)
    assert value[6].result.nodes > value[2].result.nodes > value[1].result.nodes > value[0].result.nodes
    thrown = value[2].tree.child(1)
    assert [node.action for node in sorted(thrown.children, key=lambda node: node.action)] == [0, 1]
    assert all(node.visits == pytest.approx(thrown.visits / 2, rel=0.05) for node in thrown.children)
    assert max(depth for depth, _ in value[1].tree.walk()) <= 2 * TURNS


# What does not go together.


@pytest.mark.parametrize(
    ("game", "spec", "message"),
    [
        ("connect_four", "history=2", "history=2.0 goes with select=progressive_history, not with select=ucb1"),
        ("connect_four", "select=rave, reference_visits=9", "reference_visits=9 goes with select=grave"),
        ("connect_four", "epsilon=0.1", "epsilon=0.1 goes with learn=mast or nst, not with learn=none"),
        ("connect_four", "prior=heuristic", "prior=heuristic goes with select=puct"),
        ("connect_four", "select=puct, bias=1", "select=puct keeps priors in the nodes; bias must be 0"),
        ("connect_four", "transpositions=true, reuse=true", "transpositions=true does not go with reuse=true"),
        ("connect_four", "transpositions=true, select=ucb1_tuned", "which needs all rewards"),
        ("connect_four", "root=gumbel, threads=2", "root=gumbel does not go with threads=2; threads must be 1"),
        ("connect_four", "chance_groups=2", "chance_groups=2 needs open_loop=true"),
        ("connect_four", "multiplayer=best_reply, solver=true", "solver=true proves nothing where"),
        ("connect_four", "select=puct, prior=nobody", "connect_four has no player 'nobody'"),
        ("deepsea", "transpositions=true", "option 'transpositions' is not for deepsea: it has chance"),
    ],
)
def test_options_that_do_not_fit_are_refused(game, spec, message):
    with pytest.raises((BadOption, spinney.SpinneyError), match=message) as refused:
        spinney.game(game).agent(f"uct({spec})")
    assert "\n" not in str(refused.value)


def test_priors_do_not_fit_hidden_information():
    with pytest.raises(BadOption, match="'select' = 'puct' must be 'ucb1', 'ucb1_tuned', 'rave', 'grave' or"):
        spinney.game("saboteur").agent("infoset(select=puct)")
