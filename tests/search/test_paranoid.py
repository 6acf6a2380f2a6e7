"""Alpha-beta of simultaneous moves against trying everything: the searcher's best move against the worst replies."""

import random
from dataclasses import replace
from itertools import product

import pytest

import spinney
from spinney.errors import BadGame
from spinney.games.card import CHANCE, OVER
from spinney.games.parts import Searching
from spinney.games.state import Game
from spinney.kernel import rule
from tests.tiny import LOADED_PENNIES, PENNIES, matrix_game

OPTIONS = (
    "",
    "killers=true",
    "transposition_table=true",
    "killers=true, transposition_table=true, replies=all",
    "futility_margin=1",
)


def positions(spec, count, seed):
    """Positions of random games in which nobody is out, with a living player each."""
    game, rng = spinney.game(spec), random.Random(seed)
    while count:
        state = game.start(seed=rng.randrange(10**6))
        for _ in range(rng.randrange(30)):
            if not state.is_over:
                for player in state.movers:
                    state.apply(rng.choice(moves_of(state.game.card, state.record, player)), player)
        if not state.is_over:
            count -= 1
            yield state, rng.choice(state.movers)


def moves_of(card, s, player):
    out = card.out()
    return out.action[: card.bound_rules.plausible(s, player, out)]


def value_of(card, evaluate, s, player, turns):
    """What a player is sure of if it moves first, and all others reply together, by trying everything."""
    rules, out = card.bound_rules, card.out()
    if rules.mover(s) == OVER or rules.is_out(s, player):
        rules.reward(s, out)
        return out.reward[player]
    if turns == 0:
        evaluate(s, out)
        return min(max(out.reward[player], 1e-6), 1 - 1e-6)
    return max(value_after(card, evaluate, s, player, move, turns) for move in moves_of(card, s, player))


def value_after(card, evaluate, s, player, move, turns):
    return min(value_of(card, evaluate, then, player, turns - 1) for then in positions_after(card, s, player, move))


def positions_after(card, s, player, move):
    """Those after a move of a player, with all replies of the others."""
    rules, out, players = card.bound_rules, card.out(), range(s.players)
    for joint in product(*([move] if one == player else moves_of(card, s, one) or [0] for one in players)):
        then = s.copy()
        out.joint[: len(joint)] = joint
        rules.apply_joint(then, out)
        while rules.mover(then) == CHANCE:
            rules.apply(then, rules.default_outcome(then))
        yield then


@pytest.mark.parametrize(
    ("spec", "turns", "count"),
    [
        ("battlesnake(players=2, width=5, height=5)", 4, 6),
        ("battlesnake(players=2, width=7, height=7, mode=wrapped)", 3, 6),
        ("battlesnake(players=3, width=7, height=7)", 2, 6),
        ("battlesnake(players=2, width=5, height=5, mode=constrictor)", 3, 6),
        ("battlesnake(players=1, width=5, height=5)", 4, 3),
    ],
)
def test_the_value_is_that_of_trying_everything(spec, turns, count):
    game = spinney.game(spec)
    card, evaluate = game.card, game.card.searching.evaluations["space"]
    agents = [game.agent(f"alphabeta(iterations=10000000, max_depth={turns}, {it})", seed=1) for it in OPTIONS]
    for state, player in positions(spec, count, seed=turns):
        by_turns = [value_of(card, evaluate, state.record, player, depth + 1) for depth in range(turns)]
        right = by_turns[-1]
        for agent in agents:
            decision = agent.decide(state, player=player)
            if 0 < right < 1:  # a sure end is seen at a lower depth, and ends the search there
                assert decision.values[player] == pytest.approx(right)
            if right > 0:
                after = value_after(card, evaluate, state.record, player, decision.action, turns)
                assert after == pytest.approx(right)


def test_values_near_the_best_are_exact():
    """With a root margin, those of all moves that are not much worse; of the others, an upper bound."""
    game = spinney.game("battlesnake(players=2, width=7, height=7)")
    evaluate, checked = game.card.searching.evaluations["space"], 0
    agent = game.agent("alphabeta(iterations=10000000, max_depth=2, root_margin=0.2, transposition_table=true)", seed=1)
    for state, player in positions("battlesnake(players=2, width=7, height=7)", 8, seed=4):
        decision = agent.decide(state, player=player)
        best = decision.values[player]
        for choice in decision.choices:
            right = value_after(game.card, evaluate, state.record, player, choice.action, 2)
            if 0 < best < 1 and right > best - 0.2:
                assert choice.value == pytest.approx(right)
                checked += choice.action != decision.action
            elif 0 < best < 1:
                assert right - 1e-9 <= choice.value <= best - 0.2 + 1e-6
    assert checked > 5


def test_fewer_replies_do_less_harm():
    """With one reply at a time, the others can do less, and nothing is proven to be won."""
    game = spinney.game("battlesnake(players=4, width=7, height=7)")
    agents = [
        game.agent(f"alphabeta(iterations=10000000, max_depth=2, replies={replies})", seed=1)
        for replies in ("all", "one")
    ]
    fewer = 0
    for state, player in positions("battlesnake(players=4, width=7, height=7)", 8, seed=2):
        every, one = (agent.decide(state, player=player) for agent in agents)
        assert one.values[player] >= every.values[player] - 1e-5
        fewer += one.iterations < every.iterations
    assert fewer > 3


@rule
def unknown(s, out):
    out.reward[0], out.reward[1] = 0.5, 0.5


THREAT = matrix_game(
    "threat", 3, [(0.4, 0.6), (1, 0), (0, 1), (0.6, 0.4), (0.5, 0.5), (0.7, 0.3), (1, 0), (0, 1), (1, 0)]
)
"""The first player's second move is sure of 0.5; its others may bring 1, or 0, as do all of the second player's."""


@pytest.mark.parametrize(("card", "values"), [(THREAT, (0.5, 0.0)), (PENNIES, (0.0, 0.0))])
def test_a_matrix_game_has_the_value_that_a_player_is_sure_of(card, values):
    game = Game(replace(card, searching=Searching(evaluations={"unknown": unknown})))
    for player, value in enumerate(values):
        result = spinney.agents.build(game, "alphabeta", 1).decide(game.start(), player=player)
        assert result.values[player] == pytest.approx(value)
        if card is THREAT and player == 0:
            assert result.action == 1


def test_it_needs_an_evaluation_and_a_default_outcome():
    for card, why in ((PENNIES, "no evaluation"), (LOADED_PENNIES, "chance without a default outcome")):
        with pytest.raises(BadGame, match=why):
            spinney.agents.build(Game(card), "alphabeta", 1)


def is_lost(card, s, player, turns, move=None):
    """Whether the others can make a player lose, or end together with it, within some turns, by trying everything."""
    rules, out = card.bound_rules, card.out()
    if rules.mover(s) == OVER or rules.is_out(s, player):
        rules.reward(s, out)
        return out.reward[player] < 1
    return turns > 0 and all(
        any(is_lost(card, then, player, turns - 1) for then in positions_after(card, s, player, it))
        for it in (moves_of(card, s, player) if move is None else [move])
    )


@pytest.mark.parametrize(
    ("spec", "turns"),
    [("battlesnake(players=2, width=7, height=7)", 4), ("battlesnake(players=3, width=7, height=7)", 3)],
)
def test_moves_that_lose_by_force_are_left_out(spec, turns):
    """All that lose within a few turns, and no others; none if all lose."""
    game, cases = spinney.game(spec), 0
    agent = game.agent(f"joint(rollout_depth=0, reward=alone, refute=0.9, iterations=3000, max_depth={turns})", seed=1)
    for state, player in positions(spec, 25, seed=5):
        moves = moves_of(game.card, state.record, player)
        lost = {move for move in moves if is_lost(game.card, state.record, player, turns, move)}
        if len(moves) > 1:
            decision = agent.decide(state, player=player)
            found = set(agent.search.refuted)
            assert found == (lost if lost < set(moves) else set())
            assert decision.action not in found
            cases += len(found)
    assert cases > 3


def test_half_a_victory_is_little_to_the_searcher():
    """Two that meet head to head have half a victory each, unless the reward is `alone`."""
    game = spinney.game("battlesnake(players=2)")
    s, out = game.start(seed=1).record, game.card.out()
    s.living, s.turn = 0, 9
    for player in range(2):
        s.cause[player], s.fell[player] = 7, 9
    for searcher in range(2):
        out.searcher = searcher
        game.card.searching.rewards["alone"](s, out)
        assert [out.reward[player] for player in (searcher, 1 - searcher)] == [0.25, 0.5]


def test_a_win_that_needs_chance_to_stay_away_is_not_proven():
    """Food may appear where it saves the other snake."""
    game = spinney.game("battlesnake(players=2, width=5, height=5)")
    state = game.from_text(f"{game!r} 3 move 3,2:rdd:99/3,4:dl:97 1,2;4,3 -", 1, manual_chance=True)
    decision = game.agent("alphabeta(iterations=20000)").decide(state, player=0)
    assert decision.values[0] > 0.999
    assert decision.result.chosen is not None
    assert not decision.result.chosen.proven
