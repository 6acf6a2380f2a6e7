"""Searches on positions whose answers are known."""

from __future__ import annotations

from functools import cache
from math import sqrt

import pytest

import spinney
from tests.games.test_perft import SlowTicTacToe, after
from tests.tiny import DARE_GAME, TRIO_GAME, TURNS, UNLISTED_DARE, dare_value


@cache
def negamax(cells: str) -> float:
    """The value of a tic-tac-toe position for whoever is to move, by plain search."""
    position = SlowTicTacToe(cells)
    if position.won():
        return 0.0
    if "." not in cells:
        return 0.5
    return max(1 - negamax(following.cells) for following in position.moves())


@pytest.mark.parametrize("moves", ["", "1", "5", "51", "15", "19", "1952", "159", "37", "372", "2586"])
def test_the_solver_proves_every_move_of_tictactoe(moves):
    game = spinney.game("tictactoe")
    cells = ["."] * 9
    for i, move in enumerate(moves):
        cells[int(move) - 1] = "XO"[i % 2]
    decision = game.agent("uct(iterations=300000)", seed=1).decide(after(game, moves))
    exact = {str(i + 1): 1 - negamax(p.cells) for i, p in _by_cell("".join(cells))}
    assert decision.iterations < 300_000  # it stopped because the root is proven
    assert decision.tree.proven
    assert decision.values[decision.player] == max(exact.values()) == exact[decision.name]
    for choice in decision.choices:
        if choice.proven:
            assert choice.value == pytest.approx(exact[choice.name], abs=1e-12)


def _by_cell(cells):
    empty = [i for i, cell in enumerate(cells) if cell == "."]
    return zip(empty, SlowTicTacToe(cells).moves(), strict=True)


@cache
def against_others(cells: str, mine: bool, prior: float) -> float:
    """What the best play is worth against somebody who plays at random, or with a lower prior perhaps perfectly
    and has one choice left to make, by plain search."""
    position = SlowTicTacToe(cells)
    if position.won():
        return 0.0 if mine else 1.0
    if "." not in cells:
        return 0.5
    values = [against_others(following.cells, not mine, prior) for following in position.moves()]
    return max(values) if mine else prior * sum(values) / len(values) + (1 - prior) * min(values)


@pytest.mark.parametrize(
    ("moves", "prior", "off"),
    [("", 1, 0.03), ("1", 1, 0.03), ("52", 1, 0.03), ("89642", 0.5, 0.01), ("26178", 0.5, 0.01), ("14572", 0.9, 0.01)],
)
def test_best_response_to_a_player_who_is_known(moves, prior, off):
    game = spinney.game("tictactoe")
    cells = ["."] * 9
    for i, move in enumerate(moves):
        cells[int(move) - 1] = "XO"[i % 2]
    decision = game.agent(f"uct(iterations=200000, opponents=random, opponent_prior={prior}, c=1)", seed=2).decide(
        spinney.State(game, after(game, moves).record)  # nothing is known of what happened before
    )
    exact = {str(i + 1): against_others(p.cells, False, prior) for i, p in _by_cell("".join(cells))}
    assert exact[decision.name] == pytest.approx(max(exact.values()), abs=0.01)
    assert decision.values[decision.player] == pytest.approx(max(exact.values()), abs=off)
    assert not decision.tree.proven  # nothing is sure about what they do


def test_a_tree_that_takes_the_others_for_somebody_is_not_used_for_them():
    game = spinney.game("connect_four")
    for actions, reused in ([3], False), ([3, 3], True):
        agent = game.agent("uct(iterations=2000, opponents=random, reuse=true)", seed=1)
        state = game.start()
        agent.decide(state)
        for action in actions:
            state.apply(action)
        assert (agent.decide(state).tree.visits > 2000) == reused


@pytest.mark.parametrize(
    ("moves", "answers", "plies"),
    [
        ("121212", ["1"], 1),  # three in a column
        ("415161", ["3", "7"], 1),  # an open three in the bottom row: either end
        ("4151", ["3", "6"], 3),  # two in a row with room on both sides: three open, then four
        ("314", ["2", "5", "6"], None),  # O must stop the open two; everything else loses
    ],
)
def test_forced_wins_in_connect_four(moves, answers, plies):
    game = spinney.game("connect_four")
    decision = game.agent("uct(iterations=300000)", seed=2).decide(after(game, moves))
    assert decision.name in answers
    if plies is None:
        lost = {choice.name for choice in decision.choices if choice.proven and choice.value == 0}
        assert lost == {"1", "3", "4", "7"}
    else:
        assert decision.values[decision.player] == 1
        assert decision.tree.proven
        assert len(decision.line) >= plies


def dare_after(card, actions):
    state = spinney.game(card).start(manual_chance=True)
    for action in actions:
        state.apply(action)
    return state


def test_chance_nodes_are_proven_to_the_exact_expectimax():
    """The solver's proof is the expectation over the die: in the last two turns, and from the very start."""
    whole = spinney.game(DARE_GAME).agent("uct(iterations=2000000)", seed=1).decide(dare_after(DARE_GAME, []))
    assert whole.tree.proven
    assert whole.values == pytest.approx((dare_value(), 1 - dare_value()), abs=1e-6)
    for faces in ((3, 3), (6, 3), (2, 5), (4, 4)):
        state = dare_after(DARE_GAME, [0, 0, 1, faces[0], 1, faces[1]])
        points = tuple(3 + (face if face >= 3 else 0) for face in faces)
        decision = spinney.game(DARE_GAME).agent("uct(iterations=1000000)", seed=1).decide(state)
        assert decision.tree.proven
        assert decision.values[0] == pytest.approx(dare_value(TURNS - 2, points), abs=1e-6)


@pytest.mark.parametrize("card", [DARE_GAME, UNLISTED_DARE], ids=str)
def test_the_root_value_of_a_dice_game_is_its_expectimax(card):
    """With chance nodes the mean of the best action converges on the exact value, from both sides of the game."""
    n = 2_000_000
    for actions, turn, points in (([], 0, (0, 0)), ([0], 1, (3, 0)), ([0, 0], 2, (3, 3)), ([0] * 3, 3, (6, 3))):
        state = dare_after(card, actions)
        decision = spinney.game(card).agent(f"uct(iterations={n}, solver=false)", seed=4).decide(state)
        error = decision.choices[0].value - (
            dare_value(turn, points) if turn % 2 == 0 else 1 - dare_value(turn, points)
        )
        # 3 standard errors of the sampling, and what exploring the other actions still costs after n simulations
        assert abs(error) < 3 * 0.5 / sqrt(n) + 0.01, (turn, error)


def test_chance_outcomes_are_met_as_often_as_they_are_likely():
    state = dare_after(UNLISTED_DARE, [0] * 5)  # the last turn
    decision = spinney.game(UNLISTED_DARE).agent("uct(iterations=60000, solver=false)", seed=1).decide(state)
    throw = decision.tree.child(1)
    expected = throw.visits / 6
    assert len(throw.children) == 6
    assert sum((node.visits - expected) ** 2 / expected for node in throw.children) < 20.5


def test_open_loop_has_no_nodes_for_chance():
    state = dare_after(DARE_GAME, [])
    decision = spinney.game(DARE_GAME).agent("uct(iterations=20000, open_loop=true)", seed=1).decide(state)
    assert {node.mover for _, node in decision.tree.walk() if node.visits} <= {0, 1, -2}
    assert max(depth for depth, _ in decision.tree.walk()) == TURNS
    assert decision.result.nodes == 2 ** (TURNS + 1) - 1


def test_open_loop_looks_past_the_dice():
    """At the last turn the action is chosen before the die falls, so open loop has nothing to lose there."""
    for points in ((3, 3), (3, 6), (6, 3)):
        path = {3: [0], 6: [1, 6]}
        state = dare_after(DARE_GAME, [0, 0, 0, 0, *path[points[0]]])
        wanted = dare_value(5, (6 + points[0], 6))
        decision = spinney.game(DARE_GAME).agent("uct(iterations=50000, open_loop=true)", seed=1).decide(state)
        assert 1 - decision.choices[0].value == pytest.approx(wanted, abs=0.02)


def test_three_players_each_want_their_own():
    """Max^n takes 0 for a reward of 0.9. A paranoid search, for which the others only harm player 0, takes 1."""
    state = spinney.game(TRIO_GAME).start()
    game = spinney.game(TRIO_GAME)
    proven = game.agent("uct(iterations=1000)", seed=1).decide(state)
    assert (proven.action, proven.values) == (0, pytest.approx((0.9, 0.6, 0.3)))
    assert proven.tree.proven
    estimated = game.agent("uct(iterations=200000, solver=false, c=0.5)", seed=1).decide(state)
    assert estimated.action == 0
    assert estimated.values == pytest.approx((0.9, 0.6, 0.3), abs=0.02)
    assert estimated.tree.child(1).values[0] < 0.8


def test_flat_is_even_handed_and_finds_the_win():
    game = spinney.game("connect_four")
    decision = game.agent("flat(iterations=7000)", seed=1).decide(after(game, "121212"))
    assert decision.name == "1"
    assert decision.values[0] == 1
    assert {choice.visits for choice in decision.choices} == {1000}
    assert decision.choices[0].value == 1 or any(choice.value == 1 for choice in decision.choices)


def test_stronger_means_stronger():
    """More simulations win more often; a broken selection or back-up would not."""
    game = spinney.game("connect_four")
    wins = 0.0
    for seed in range(12):
        strong = game.agent("uct(iterations=4000)", seed=seed)
        weak = game.agent("uct(iterations=60)", seed=seed + 100)
        seats = [strong, weak] if seed % 2 == 0 else [weak, strong]
        state = game.start()
        while not state.is_over:
            state.apply(seats[state.mover].decide(state).action)
        wins += state.rewards()[seed % 2]
    assert wins >= 10
