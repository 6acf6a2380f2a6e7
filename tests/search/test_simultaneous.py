"""Searches for simultaneous moves, on games whose equilibria are known."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod, sqrt
from random import Random

import pytest

import spinney
from spinney.kernel import seeded
from spinney.search import Choice
from spinney.search.result import final_choice
from spinney.search.simultaneous_selection import mas_mcts, move_node
from spinney.search.tree import ROOT
from tests.tiny import BIASED_PENNIES, PENNIES, ROCK_PAPER_SCISSORS, WITH_AN_ONLOOKER, matrix_game

THIRD = 1 / 3
EQUILIBRIA = [
    (PENNIES, [(0.5, 0.5)] * 2),
    (BIASED_PENNIES, [(THIRD, 2 * THIRD)] * 2),
    (ROCK_PAPER_SCISSORS, [(THIRD, THIRD, THIRD)] * 2),
    (WITH_AN_ONLOOKER, [(THIRD, 2 * THIRD), (THIRD, 2 * THIRD), (1, 0)]),
]


def strategies(card, spec):
    """What each player would play, by a search of its own."""
    game = spinney.game(card)
    search = game.agent(spec, seed=1).search
    found = [search.run(game.start(), player=player) for player in range(game.players)]
    return [[choice.share for choice in sorted(one.choices, key=lambda it: it.action)] for one in found]


@pytest.mark.parametrize("select", ["exp3", "regret"])
@pytest.mark.parametrize(("card", "equilibrium"), EQUILIBRIA, ids=lambda it: getattr(it, "name", ""))
def test_average_strategies_reach_the_equilibrium(card, equilibrium, select):
    for mine, known in zip(
        strategies(card, f"decoupled(select={select}, iterations=100000)"), equilibrium, strict=True
    ):
        assert mine == pytest.approx(known, abs=0.05)


def test_decoupled_uct_misses_a_mixed_equilibrium():
    """Its known failure: players who answer each other's last moves walk in circles around the right mixture."""
    for first, _ in strategies(BIASED_PENNIES, "decoupled(select=uct, c=1.0, iterations=100000)"):
        assert first < THIRD - 0.1


@pytest.mark.parametrize("spec", ["joint(c=0.05)", "decoupled", "decoupled(select=exp3)", "decoupled(select=regret)"])
def test_dominant_actions_are_found(spec):
    """The onlooker's best action, whatever the others do, by visits."""
    game = spinney.game(WITH_AN_ONLOOKER)
    decision = game.agent(spec, seed=3).decide(game.start(), player=2)
    assert decision.action == 0
    assert decision.choices[0].visits > 2 * decision.choices[1].visits
    assert decision.values[2] > 0.9


def test_a_joint_node_has_a_child_for_every_joint_action():
    game = spinney.game(ROCK_PAPER_SCISSORS)
    decision = game.agent("joint(iterations=900)", seed=1).decide(game.start(), player=0)
    children = decision.tree.children
    assert sorted(child.action for child in children) == list(range(9))
    assert [child.weight for child in children] == pytest.approx([1 / 9] * 9)
    for choice in decision.choices:
        assert choice.visits == sum(child.visits for child in children if child.action % 3 == choice.action)


def test_sealed_choices_take_effect_together():
    state = spinney.game(ROCK_PAPER_SCISSORS).start()
    assert state.mover == spinney.SIMULTANEOUS
    assert state.movers == (0, 1)
    state.apply(0, 1)
    assert state.movers == (0,)
    assert state.history == []
    assert state.observe(0).movers == (0, 1)  # nobody sees what another has chosen
    with pytest.raises(spinney.WrongPlayer, match="player 1 cannot act: player 0 to move"):
        state.apply(2, 1)
    other = state.copy()
    state.apply(1, 0)
    assert state.history == [(0, 1), (1, 0)]
    assert state.rewards() == (1, 0)
    other.apply(2)  # only one is left to choose: no need to say who
    assert other.rewards() == (0, 1)
    with pytest.raises(spinney.WrongPlayer, match="say whose actions"):
        spinney.game(ROCK_PAPER_SCISSORS).start().legal()
    with pytest.raises(spinney.WrongPlayer, match="say who acts: players 0 and 1 to move"):
        spinney.game(ROCK_PAPER_SCISSORS).start().apply(1)


def test_searches_say_which_games_they_cannot_play():
    with pytest.raises(spinney.BadGame, match="uct cannot play pennies: its players move simultaneously"):
        spinney.game(PENNIES).agent("uct")
    with pytest.raises(spinney.BadGame, match="joint cannot play connect_four: its players move in turn"):
        spinney.game("connect_four").agent("joint")
    with pytest.raises(spinney.BadOption, match="needs a rollout_depth or a max_depth"):
        spinney.game("battlesnake").agent("joint(evaluation=space)")
    with pytest.raises(spinney.UnknownName, match="no such evaluation"):
        spinney.game("battlesnake").agent("joint(rollout_depth=3, evaluation=spase)")


@pytest.mark.parametrize(("food_chance", "keeps"), [(0, True), (100, False)])
@pytest.mark.parametrize("search", ["joint", "decoupled"])
def test_a_tree_without_chance_is_kept_only_if_chance_kept_quiet(search, food_chance, keeps):
    """What grew without the food that has appeared since is of no use: a snake that could eat was starving there."""
    game = spinney.game("battlesnake", players=2, width=7, height=7, food_chance=food_chance, minimum_food=0)
    agent = game.agent(f"{search}(iterations=400, rollout_depth=0, reuse=true)", seed=1)
    state = game.start(seed=1)
    for player, decision in enumerate([agent.decide(state, player=0), agent.decide(state, player=1)]):
        state.apply(decision.action, player)
    assert (agent.decide(state, player=0).tree.visits > 400) == keeps


def test_strategies_are_drawn_by_their_shares():
    choices = [Choice(action, 5, (0.5, 0.5), share=share) for action, share in enumerate((0.2, 0.0, 0.8))]
    rng = seeded(1)
    drawn = Counter(final_choice(choices, 0, "strategy", rng) for _ in range(4000))
    assert drawn[0] / 4000 == pytest.approx(0.2, abs=0.03)
    assert drawn[0] + drawn[2] == 4000


def test_a_full_tree_goes_on_learning():
    game = spinney.game("battlesnake", players=3, width=5, height=5)
    agent = game.agent("decoupled(iterations=3000, rollout_depth=0, nodes=650)", seed=1)
    assert agent.decide(game.start(seed=1), player=0).result.full
    nodes = agent.search.workers[0].nodes
    first = nodes[ROOT].first
    assert [sum(nodes[first + 4 * player + move].visits for move in range(4)) for player in range(3)] == [3000] * 3


@pytest.mark.parametrize("priors", ["uniform", "any"])
def test_mas_mcts_selects_by_its_formula(priors):
    """Against the formula for every joint action: only those that have been tried are looked at one by one."""
    game, rng = spinney.game("battlesnake", players=3), Random(1)
    search = game.agent("joint(iterations=400, rollout_depth=0, c=0.3, plain=true)", seed=1).search
    search.run(game.start(seed=1))
    worker, checked, untried = search.workers[0], 0, 0
    nodes, work, c = worker.nodes, worker.work, worker.settings.c
    for at in [i for i in range(work.tree.used) if nodes[i].count == 3 * 4 and nodes[i].mover == spinney.SIMULTANEOUS]:
        first = [move_node(nodes, at, player, 4) for player in range(3)]
        moves = [[move for move in range(4) if nodes[start + move].expanded] for start in first]
        tried = {child.action: child.visits for child in (nodes[i] for i in children(nodes, nodes[at].first))}
        for player, start in enumerate(first):
            work.path.open[player] = len(moves[player])
            for move in moves[player] if priors == "any" else ():
                nodes[start + move].weight = rng.random()
        for i in children(nodes, nodes[at].first):
            action = nodes[i].action
            nodes[i].weight = prod(
                nodes[first[player] + action // 4**player % 4].weight for player in range(3) if moves[player]
            )

        def value(player, move, at=at, first=first):
            node = nodes[first[player] + move] if nodes[first[player] + move].visits else nodes[at]
            return node.value[player] / node.visits

        acting = [player for player in range(3) if moves[player]]
        joint = {
            sum(move * 4**player for player, move in zip(acting, chosen, strict=True)): chosen
            for chosen in product(*(moves[player] for player in acting))
        }
        q = {a: sum(value(p, move) for p, move in zip(acting, it, strict=True)) for a, it in joint.items()}
        bounds = {
            a: q[a] / (sum(q.values()) or 1)
            + c * prod(nodes[first[p] + move].weight for p, move in zip(acting, it, strict=True))
            * sqrt(sum(tried.values()) / (1 + tried.get(a, 0)))
            for a, it in joint.items()
        }  # fmt: skip
        chosen = nodes[mas_mcts(nodes, work, at, worker.settings)].action
        assert bounds[chosen] == pytest.approx(max(bounds.values()), rel=1e-6)
        checked += 1
        untried += chosen not in tried
    assert checked > 30
    assert untried > 5


def children(nodes, parent):
    return range(nodes[parent].first, nodes[parent].first + nodes[parent].count)


def test_more_actions_than_a_node_can_name_are_refused():
    with pytest.raises(spinney.BadGame, match="40 MOVES for 2 players; at most 31"):
        matrix_game("wide", 40, [(0.0, 1.0)] * 1600)
