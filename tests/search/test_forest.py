"""Forest search: a tree for every piece. The paper's point is that pieces need rewards of their own."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import spinney
from spinney.agents import build
from spinney.clock import Clock
from spinney.errors import BadGame, BadOption
from spinney.games.halite.state import STRIDE, WEST, add_dropoff, step
from spinney.play import Session
from spinney.search.forest import FOREST, ForestOptions

PASTURE = "examples/pasture.py"
SHEEP = 3
LEFT, STAY, RIGHT = range(3)


def decisions(state, agents):
    """The decisions of a game, one after the other."""
    session = Session(state, agents)
    while not session.is_over:
        yield from session.ask()


def planned(spec: str, iterations: int = 600) -> tuple[list[int], np.ndarray]:
    """The orders of Pasture's first turn, and how often each was tried."""
    game = spinney.game(PASTURE)
    agent = build(game, spec)
    actions, made = agent.search.plan_turn(game.start(1), 0, Clock(iterations=iterations))
    assert made == iterations
    return actions, agent.search.stats.visits


def test_pieces_with_rewards_of_their_own_and_shared_simulations_do_best():
    """The first and the last sheep are next to the same good meadow, and go hungry if both are there."""
    game, eaten = spinney.game(PASTURE), {}
    for variant in ("separate_simulations=false", "separate_simulations=true", "reward_mode=total"):
        search = build(game, f"forest({variant}, seed=1)").search
        eaten[variant] = 0.0
        for _ in range(20):
            state = game.start(1)
            while not state.is_over:
                for order in search.plan_turn(state, 0, Clock(iterations=600))[0]:
                    state.apply(order)
            eaten[variant] += sum(state.record.eaten) / 20
    assert eaten["separate_simulations=false"] > 64  # of 80; 69 on average, 60 alone, 58 with a common reward
    assert max(eaten["separate_simulations=true"], eaten["reward_mode=total"]) < 64


@pytest.mark.parametrize("seed", range(3))
def test_with_one_common_reward_all_trees_are_the_same(seed):
    """As the paper says: every tree is a permutation of every other, so there are as many choices as with one tree."""
    actions, visits = planned(f"forest(reward_mode=total, seed={seed})")
    assert len(set(actions)) == 1
    assert (visits == visits[0]).all()
    _, visits = planned(f"forest(seed={seed})")
    assert not (visits == visits[0]).all()


@pytest.mark.parametrize(
    "variant", ["", "separate_simulations=true", "reward_mode=total", "depth=2, c=0.5", "nodes=1000"]
)
def test_plain_and_compiled_grow_the_same_forest(variant):
    for game in (spinney.game(PASTURE), spinney.game("halite(size=10, turns=40, players=2)")):
        found = []
        for plain in ("true", "false"):
            agents = [build(game, f"forest(iterations=40, seed={n}, plain={plain}, {variant})") for n in range(2)]
            state = game.start(seed=5)
            some = itertools.islice(decisions(state, agents[: game.players]), 14)
            found.append([(decision.action, decision.values, decision.choices) for decision in some])
            found[-1].append(agents[0].search.means)
        assert found[0] == found[1]


def test_every_new_child_is_tried_once_before_any_twice():
    game = spinney.game(PASTURE)
    search = build(game, "forest(seed=1)").search
    for iterations in (3, 6, 9, 30):
        search.plan_turn(game.start(1), 0, Clock(iterations=iterations))
        visits = search.stats.visits
        assert visits.sum(axis=1).tolist() == [iterations] * SHEEP
        assert visits.min() >= 1
        assert search.work.trees.used == 1 + SHEEP + iterations * SHEEP


def test_a_plan_is_kept_as_long_as_the_game_goes_by_it():
    game = spinney.game("halite(size=16, turns=100)")
    agent, other = build(game, "forest(iterations=20, seed=1)"), build(game, "collector", 1)
    state = game.start(2)
    searched = {0: 0, 1: 0}
    for decision in itertools.islice(decisions(state, [agent, other]), 120):
        if decision.player == 0:
            searched[0] += 1
            searched[1] += decision.iterations > 0
    assert 5 < searched[1] <= state.record.turn < searched[0]  # one search a turn, and several orders
    view = state.observe(state.mover)
    first = agent.search.run(view, Clock(iterations=20))
    again = agent.search.run(view, Clock(iterations=20))
    assert first.player == again.player


def test_what_it_cannot_play_and_has_no_use_for():
    with pytest.raises(BadGame, match="orders to many pieces"):
        FOREST(spinney.game("tictactoe"), ForestOptions())
    with pytest.raises(BadOption, match="has no option 'max_depth'"):
        spinney.game(PASTURE).agent("forest(max_depth=3)")


def test_halite_pulls_are_right_after_changes():
    """Grids that were kept up to date from turn to turn are those of a new search, and of the formula."""
    game = spinney.game("halite(size=12, turns=60)")
    search = build(game, "forest(iterations=5, seed=1, plain=true)").search
    state = game.start(3)
    agents = [build(game, "collector", 1) for _ in range(2)]
    for turn, _ in enumerate(decisions(state, agents)):
        if turn % 17 == 0 and not state.is_over:
            search.plan_turn(state, 0, Clock(iterations=5))
    s = state.record
    search.plan_turn(state, 0, Clock(iterations=1))
    cells = [STRIDE * y + x for y in range(12) for x in range(12)]
    for here in (cells[0], cells[77]):
        for order in range(1, WEST + 1):
            assert step(s, here, order) in cells
            pull = sum(s.halite[to] ** 2 / (4 * _way(here, to, order)) for to in cells)
            assert search.work.guide.pull[4 * here + order - 1] == pytest.approx(pull, rel=1e-9)
            home = sum(10_000**2 / (4 * _way(here, to, order)) for to in cells if s.owner[to] == 1)
            assert search.work.guide.home[4 * (64 * 64 + here) + order - 1] == pytest.approx(home, rel=1e-9)


def test_a_guide_is_forgotten_in_another_game():
    """One that is further on, and where others have built, or nobody has."""
    game = spinney.game("halite(size=12, turns=60)")
    one, other = game.start(3), game.start(4)
    built = STRIDE * 2 + 5
    add_dropoff(one.record, 1, built)
    other.record.turn = 20
    used, new = (build(game, "forest(iterations=5, seed=1, plain=true)").search for _ in range(2))
    used.plan_turn(one, 0, Clock(iterations=1))
    used.plan_turn(other, 0, Clock(iterations=1))
    new.plan_turn(other, 0, Clock(iterations=1))
    assert used.work.guide.owner[built] != 1
    assert used.work.guide.home == pytest.approx(new.work.guide.home)
    assert used.work.guide.pull == pytest.approx(new.work.guide.pull)


def test_without_a_seed_random_numbers_are_new_every_time():
    game = spinney.game(PASTURE)
    for spec, same in (("forest", False), ("forest(seed=0)", True), ("forest(seed=5)", True)):
        one, two = (build(game, spec).search.work.rng for _ in range(2))
        assert (one == two) == same


def _way(here: int, to: int, order: int) -> int:
    """Steps from one cell to another, the first of which is in a direction, and none back."""
    dx, dy = (to % STRIDE - here % STRIDE) % 12, (to // STRIDE - here // STRIDE) % 12
    along = {1: -dy % 12, 2: dy, 3: dx, 4: -dx % 12}[order] or 12
    across = dx if order < 3 else dy
    return along + min(across, 12 - across)
