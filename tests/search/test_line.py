"""What a result says of its search: the line, its depth, standard errors, memory; and the tree as JSON."""

from __future__ import annotations

import json
from math import sqrt

import pytest

import spinney
from spinney import CHANCE
from tests.tiny import to_a_choice


def follow(state: spinney.State, line: tuple[str, ...]) -> int:
    """Make the steps of a line, which must be legal; chance outcomes must be the likeliest. How many there are."""
    outcomes = 0
    for words in line:
        if state.mover == CHANCE:
            listed = {state.name(outcome): weight for outcome, weight in state.outcomes()}
            assert listed[words.removeprefix("chance: ")] == max(listed.values())
            outcomes += 1
        state.apply(words.removeprefix("chance: "))
    return outcomes


@pytest.mark.parametrize("options", ["", ", open_loop=true", ", threads=2"])
@pytest.mark.parametrize("name", ["deepsea", "examples/pig.py(players=3, goal=20)"])
def test_a_line_goes_on_through_chance(name, options):
    game = spinney.game(name)
    state = to_a_choice(game.start(seed=1, manual_chance=True))
    while state.mover == CHANCE:
        state.apply(state.outcomes()[0][0])
    decision = game.agent(f"uct(iterations=20000{options})", seed=3).decide(state)
    assert decision.line[0] == decision.name
    assert len(decision.line) > 3
    assert follow(state.copy(manual_chance=True), decision.line) > 0
    words = []
    for mover, action in decision.result.line_moves:
        words.append(f"{'chance: ' if mover == CHANCE else ''}{state.name(action)}")
        state.apply(action, None if mover == CHANCE else mover)
    assert tuple(words) == decision.line


def test_simultaneous_moves_are_named_together_and_go_on():
    game = spinney.game("battlesnake(players=2, width=5, height=5)")
    state = game.start(seed=1, manual_chance=True)
    decision = game.agent("decoupled(iterations=20000)", seed=1).decide(state, player=1)
    assert len(decision.line) > 2
    for words in decision.line:
        if state.mover == CHANCE:
            outcome = game.card.bound_rules.default_outcome(state.record)  # which a search may assume at any time
            game.card.rules.apply(state.record, outcome)
            if words.startswith("chance: "):
                continue
        for player, action in zip(state.movers, words.split(", "), strict=True):
            state.apply(action, player)


@pytest.mark.parametrize("spec", ["uct(iterations=3000)", "uct(iterations=3000, threads=2, solver=false)"])
def test_depth_is_that_of_the_expected_way_in_the_trees(spec):
    decision = spinney.game("connect_four").agent(spec, seed=2).decide(spinney.game("connect_four").start())
    depths, followed, total = [], 0, 0
    for tree in decision.trees:
        node, depth = tree.child(decision.action), 0
        total += tree.visits
        while node is not None and node.visits:
            depth, followed = depth + 1, followed + node.visits
            node = max(node.children, key=lambda child: (child.visits, -child.action), default=None)
        depths.append(depth)
    assert decision.result.depth == max(depths) == len(decision.line)
    assert decision.result.mean_depth == pytest.approx(followed / total)


def test_standard_errors_are_those_of_the_rewards():
    """They are never less than those from the squares of the rewards, and equal the formula for rewards of 0 and 1."""
    game = spinney.game("connect_four")
    decision = game.agent("uct(iterations=5000, select=ucb1_tuned, solver=false)", seed=1).decide(game.start())
    rows = {row.action: row.at for row in decision.tree.rows()}
    for choice in decision.choices:
        mean, visits = choice.values[0], choice.visits
        squares = decision.tree._nodes[rows[choice.action]]["squares"][0] / visits
        assert choice.errors[0] >= sqrt(squares - mean**2) / sqrt(visits) * (1 - 1e-9)
        assert choice.errors[0] == pytest.approx(sqrt(mean * (1 - mean) / visits))
    assert decision.errors == next(it.errors for it in decision.choices if it.action == decision.action)


def test_what_is_proven_has_no_error_and_alphabeta_has_none_at_all():
    game = spinney.game("tictactoe")
    state = game.start()
    for cell in "124":
        state.apply(cell)
    proven = [choice for choice in game.agent("uct", seed=1).decide(state).choices if choice.proven]
    assert proven
    assert {choice.errors for choice in proven} == {(0.0, 0.0)}


def test_a_won_game_is_proven_by_alphabeta():
    game = spinney.game("connect_four")
    state = game.start()
    for column in "455566":
        state.apply(column)
    for column in "37":
        state.apply(column)
    decision = game.agent("alphabeta(iterations=200000)", seed=1).decide(state)
    assert decision.errors == ()
    assert decision.result.depth > 1
    exact = {choice.name: choice.value for choice in decision.choices if choice.proven}
    assert all(value in (0.0, 1.0) for value in exact.values())


def test_memory_is_that_of_the_nodes():
    game = spinney.game("connect_four")
    decision = game.agent("uct(iterations=3000, nodes=900, threads=2)", seed=1).decide(game.start())
    result = decision.result
    assert result.full
    assert result.nodes <= result.most_nodes == 900
    size = decision.tree._nodes.dtype.itemsize
    assert result.memory == size * result.nodes


def test_a_tree_is_json_and_text_with_the_names_of_actions():
    game = spinney.game("deepsea")
    state = to_a_choice(game.start(seed=1))
    tree = game.agent("uct(iterations=3000)", seed=1).decide(state).tree
    data = json.loads(tree.to_json(depth=3, width=2))
    assert (data["name"], data["visits"], data["action"]) == ("root", 3000, None)
    level, depth = [data], 0
    while level := [child for node in level for child in node["children"]]:
        depth += 1
        assert all(node["visits"] for node in level)
    assert depth == 3
    assert {child["name"] for child in data["children"]} <= {*state.names()}
    assert len(json.loads(tree.to_json(depth=1, width=1))["children"]) == 1


def test_with_hidden_cards_the_searchers_own_actions_have_names():
    game = spinney.game("kuhn_poker")
    state = to_a_choice(game.start(seed=1))
    tree = game.agent("infoset(iterations=500)", seed=1).decide(state).tree
    assert {child.name for child in tree.children} == {*state.names()}
    assert all(child.children == [] or child.state is None for child in tree.children)
