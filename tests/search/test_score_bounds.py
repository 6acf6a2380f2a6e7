"""Proofs where moves are simultaneous, against backward induction, linear programs and known answers."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from scipy.optimize import linprog

import spinney
from spinney import CHANCE, OVER
from spinney.search.score_bounds import lower_bound, upper_bound
from spinney.search.tree import ROOT
from tests.tiny import PENNIES, matrix_game, zero_sum

SEARCHES = ["joint(c=0.5", "decoupled(select=regret, explore=0.5"]


def children(state):
    """The positions after each joint action, by the plausible moves of the active players."""
    rules, out = state.game.card.bound_rules, state.game.card.out()
    moves = [
        [out.action[i] for i in range(rules.plausible(state.record, player, out))] if player in state.movers else [0]
        for player in range(state.game.players)
    ]
    found = {}
    for joint in product(*moves):
        after = state.copy(manual_chance=True)
        for player in state.movers:
            after.apply(joint[player], player)
        found[joint] = after
    return moves, found


def induction(state, seen=None):
    """The bounds of every player by backward induction, and with two players of a zero sum, the value of the game."""
    seen = {} if seen is None else seen
    key = state.record.to_bytes() if hasattr(state.record, "to_bytes") else repr(state.record)
    if key not in seen:
        seen[key] = _induction(state, seen)
    return seen[key]


def _induction(state, seen):
    players = range(state.game.players)
    rules, out = state.game.card.bound_rules, state.game.card.out()
    if state.mover == OVER:
        rewards = state.rewards()
        return list(rewards), list(rewards), rewards[0]
    if state.mover == CHANCE:
        n = rules.outcomes(state.record, out)
        weights = [(out.action[i], out.weight[i]) for i in range(n)]
        if state.game.name == "battlesnake":
            weights = [(rules.default_outcome(state.record), 1.0)]
        results = []
        for outcome, weight in weights:
            after = state.copy(manual_chance=True)
            after.apply(outcome)
            results.append((weight, *induction(after, seen)))
        return (
            [sum(w * lower[p] for w, lower, _, _ in results) for p in players],
            [sum(w * upper[p] for w, _, upper, _ in results) for p in players],
            sum(w * value for w, _, _, value in results),
        )
    moves, after = children(state)
    results = {joint: induction(it, seen) for joint, it in after.items()}
    lower, upper = [], []
    for p in players:
        replies = list(product(*(moves[q] if q != p else [None] for q in players)))
        cell = {(m, r): (*r[:p], m, *r[p + 1 :]) for m in moves[p] for r in replies}
        lower.append(max(min(results[cell[m, r]][0][p] for r in replies) for m in moves[p]))
        upper.append(min(max(results[cell[m, r]][1][p] for m in moves[p]) for r in replies))
    value = None
    if len(players) == 2:
        value = mixed_value(np.array([[results[a, b][2] for b in moves[1]] for a in moves[0]]))
    return lower, upper, value


def mixed_value(matrix):
    """The value of a matrix game by linear programming."""
    rows, columns = matrix.shape
    solved = linprog(
        [*[0] * rows, -1], A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]), b_ub=np.zeros(columns),
        A_eq=[[*[1] * rows, 0]], b_eq=[1], bounds=[*[(0, 1)] * rows, (None, None)],
    )  # fmt: skip
    return -solved.fun


def bounds_of(game, state, spec, player=0):
    """The bounds at the root after a search, and its result."""
    search = game.agent(spec, seed=1).search
    result = search.run(state, player=player)
    root = search.workers[0].nodes[ROOT]
    players = range(game.players)
    return [lower_bound(root, p) for p in players], [upper_bound(root, p) for p in players], result


def random_game(rng, players, moves, stages, weights, values):
    cells = (moves**players * len(weights)) ** stages
    if players == 2:
        rewards = zero_sum(tuple(rng.choice(values) for _ in range(cells)))
    else:
        rewards = [tuple(rng.choice(values) for _ in range(players)) for _ in range(cells)]
    return matrix_game("random", moves, rewards, stages, weights)


GAMES = [(2, 2, 1, (1.0,)), (2, 3, 1, (1.0,)), (2, 2, 2, (1.0,)), (2, 2, 2, (0.25, 0.75)), (3, 2, 2, (1.0,))]


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(("players", "moves", "stages", "weights"), GAMES, ids=str)
def test_bounds_of_random_games(players, moves, stages, weights, search):
    """Never wrong; and with two players, after enough simulations, what backward induction finds."""
    rng, proven, unproven = Random(players + 10 * moves + 100 * stages), 0, 0
    for _ in range(10):
        game = spinney.game(random_game(rng, players, moves, stages, weights, (0, 0.5, 1)))
        lower, upper, value = induction(game.start())
        spec = f"{search}, iterations=3000, plain=true, chance=list)"
        found_lower, found_upper, result = bounds_of(game, game.start(), spec)
        for p in range(players):
            assert found_lower[p] <= lower[p] + 1e-9
            assert found_upper[p] >= upper[p] - 1e-9
        if players == 2:
            assert found_lower[0] - 1e-9 <= value <= found_upper[0] + 1e-9
            assert found_lower == pytest.approx(lower)
            assert found_upper == pytest.approx(upper)
            known = lower[0] == pytest.approx(upper[0])
            assert result.trees[0].proven == known
            proven, unproven = proven + known, unproven + (not known)
            if known:
                assert result.trees[0].values[0] == pytest.approx(value)
                if value > 0:
                    assert result.iterations < 3000
                    assert result.values[0] == pytest.approx(value)
    assert players > 2 or (proven > 0 and unproven > 0)


@pytest.mark.parametrize("search", SEARCHES)
def test_drawn_chance_proves_nothing(search):
    """One move wins against every reply after every outcome, but the outcomes that have been seen may not be all."""
    game = spinney.game(matrix_game("sure", 2, zero_sum((1, 1, 1, 1, 0, 0, 0, 0)), weights=(0.5, 0.5)))
    for chance, proven in (("list", True), ("sample", False), ("none", False)):
        lower, upper, result = bounds_of(game, game.start(), f"{search}, iterations=500, plain=true, chance={chance})")
        assert (lower, upper) == (([1, 0], [1, 0]) if proven else ([0, 0], [1, 1]))
        assert result.action == 0
        assert any(choice.proven for choice in result.choices) == proven


@pytest.mark.parametrize("search", SEARCHES)
def test_dominated_moves_are_searched_no_more(search):
    """The third row is dominated at once, and then the third column: what is left is matching pennies."""
    game = spinney.game(matrix_game("dominated", 3, zero_sum((1, 0, 1), (0, 1, 1), (0, 0, 0.5))))
    lower, upper, result = bounds_of(game, game.start(), f"{search}, iterations=4000, plain=true)")
    assert (lower, upper) == ([0, 0], [1, 1])
    shares = {choice.action: choice.share for choice in result.choices}
    assert shares.pop(2, 0) == 0
    assert sum(shares.values()) == pytest.approx(1)
    assert sum(choice.visits for choice in result.choices if choice.action == 2) < 400


@pytest.mark.parametrize("search", SEARCHES)
def test_no_proof_where_players_must_mix(search):
    lower, upper, result = bounds_of(spinney.game(PENNIES), spinney.game(PENNIES).start(), f"{search}, plain=true)")
    assert (lower, upper) == ([0, 0], [1, 1])
    assert not any(choice.proven for choice in result.choices)
    assert [choice.bounds for choice in result.choices] == [(0, 0), (0, 0)]  # each has a reply that loses


@pytest.mark.parametrize("search", SEARCHES)
def test_a_refuted_move_is_not_chosen(search):
    """The first move is best by its mean, but one reply to it loses; the second is worse on average, and safe."""
    rewards = zero_sum((1, 1, 1, 1, 0), (0.1,) * 5, *[(0, 0, 0, 0, 0.05)] * 3)
    game = spinney.game(matrix_game("trap", 5, rewards))
    _, _, result = bounds_of(game, game.start(), f"{search}, iterations=5000, plain=true, choice=value)")
    assert result.action == 1
    assert result.values == pytest.approx((0.1, 0.9))


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("size", [3, 4])
def test_bounds_of_battlesnake(size, search):
    """Positions of small duels in which bodies stay, so that they can be searched to the end."""
    game = spinney.game("battlesnake", players=2, width=size, height=size, mode="constrictor")
    agent = game.agent(f"{search}, iterations=6000, rollout_depth=0)", seed=1).search
    rng, decided = Random(size), 0
    for seed in range(12):
        state = game.start(seed=seed)
        for _ in range(rng.randrange(2) if size == 3 else rng.randrange(1, 4)):
            if not state.is_over:
                for player in state.movers:
                    _, after = children(state.copy(manual_chance=True))
                    state.apply(rng.choice(sorted(after))[player], player)
        if state.is_over:
            continue
        lower, upper, value = induction(state)
        result = agent.run(state, player=0)
        root = agent.workers[0].nodes[ROOT]
        assert [float(lower_bound(root, p)) for p in (0, 1)] == pytest.approx(lower)
        assert [float(upper_bound(root, p)) for p in (0, 1)] == pytest.approx(upper)
        assert lower[0] - 1e-9 <= value <= upper[0] + 1e-9
        assert result.trees[0].proven == (lower == upper)
        decided += lower == upper
    assert decided > 2
