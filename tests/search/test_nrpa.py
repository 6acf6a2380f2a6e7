"""Nested rollout policy adaptation against its recursive definition, known optima, and its plan over decisions."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from math import exp

import pytest

import spinney
from spinney.clock import Clock
from spinney.errors import BadGame
from spinney.games.card import OVER
from spinney.kernel import SEARCHES, seeded, uniform
from spinney.play import Session
from spinney.search.nrpa import LONGEST
from tests.tiny import LEFT_GAME, LEFT_STEPS, SCHUR_GAME, WEAK_SCHUR, schur


class Enough(Exception):
    """The reference has made all playouts that are compared."""


class Reference:
    """The algorithm as Rosin (2011) writes it: recursive, and the game is played again for each adaptation."""

    def __init__(self, card, seed, width, alpha, playouts):
        self.card, self.width, self.alpha, self.playouts = card, width, alpha, playouts
        self.rng, self.out, self.made = seeded(seed, SEARCHES), card.out(), []

    def options(self, s):
        """Legal actions and their codes."""
        n = self.card.rules.legal(s, 0, self.out)
        return [(action, self.card.bound_rules.action_code(s, action)) for action in self.out.action[:n]]

    def start(self):
        s = self.card.rules.State()
        self.card.rules.start(s, None, None)
        return s

    def playout(self, policy):
        if len(self.made) == self.playouts:
            raise Enough
        s, sequence = self.start(), []
        while self.card.rules.mover(s) != OVER:
            options = self.options(s)
            weights = [exp(policy[code]) for _, code in options]
            left = uniform(self.rng) * sum(weights)
            drawn = 0
            while drawn < len(options) - 1 and left >= weights[drawn]:
                left -= weights[drawn]
                drawn += 1
            sequence.append(options[drawn][0])
            self.card.rules.apply(s, sequence[-1])
        self.card.rules.reward(s, self.out)
        self.made.append((sequence, self.out.reward[0]))
        return self.made[-1]

    def adapted(self, policy, sequence):
        s, new = self.start(), policy.copy()
        for action in sequence:
            options = self.options(s)
            total = sum(exp(policy[code]) for _, code in options)
            for other, code in options:
                new[code] += self.alpha * ((other == action) - exp(policy[code]) / total)
            self.card.rules.apply(s, action)
        return new

    def search(self, level, policy):
        if level == 0:
            return self.playout(policy)
        best, most = [], -1.0
        for _ in range(self.width):
            sequence, reward = self.search(level - 1, policy)
            if reward >= most:
                best, most = sequence, reward
            policy = self.adapted(policy, best)
        return best, most

    def all(self, levels):
        """Runs one after the other."""
        try:
            while True:
                self.search(levels, defaultdict(float))
        except Enough:
            return self.made


@pytest.mark.parametrize(("levels", "width", "playouts"), [(0, 3, 5), (1, 4, 10), (2, 5, 60), (3, 3, 70)])
@pytest.mark.parametrize("alpha", [1.0, 0.3])
def test_playouts_are_those_of_the_recursive_definition(levels, width, playouts, alpha):
    """Each of them, over more than one run, so that all adaptations are the same, too."""
    card = schur(4)
    right = Reference(card, 7, width, alpha, playouts).all(levels)
    spec = f"nrpa(levels={levels}, level_iterations={width}, alpha={alpha}, plain=true)"
    search = spinney.game(card).agent(spec, seed=7).search
    (worker,), root = search.workers, card.rules.State()
    for number, (sequence, reward) in enumerate(right):
        assert search.entry(worker.levels, worker.work, root, search.settings, 1) == 1
        last = worker.levels[0]
        assert (last.action[: last.length], last.score) == (sequence, reward), number
        assert worker.plan.score == max(reward for _, reward in right[: number + 1])


def play(game, agent, first, later):
    """Play a game with playouts for the first decision and the later ones; the decisions."""
    state, made = game.start(), []
    while not state.is_over:
        if len(state.legal()) > 1:
            made.append(agent.decide(state, Clock(iterations=later if made else first)))
            state.apply(made[-1].action)
        else:
            state.apply(state.legal()[0])
    return state, made


def test_it_finds_the_weak_schur_number_of_four_boxes():
    """66, which flat Monte Carlo and UCT do not reach with as many playouts in all."""
    game, playouts = spinney.game(schur(4)), 200_000
    state, made = play(game, game.agent("nrpa", seed=0), playouts, 1)
    assert state.record.n == WEAK_SCHUR[4] == 66
    assert state.rewards() == (1.0,)
    assert made[0].iterations < playouts  # no reward is higher than 1
    for other in ("flat", "uct(c=0.1)", "uct(c=0.02, reuse=true)"):
        each = playouts // 66
        state, _ = play(game, game.agent(other, seed=0), each, each)
        assert state.record.n < 66, other


@pytest.mark.parametrize("spec", ["nrpa(levels=2)", "nrpa(levels=3, threads=2)", "nrpa(levels=0)"])
def test_a_plan_never_gets_worse(spec):
    game = spinney.game("examples/morpion.py")
    state, made = play(game, game.agent(spec, seed=2), 500, 100)
    values = [decision.values[0] for decision in made]
    assert values == sorted(values)
    assert values[0] < values[-1] == state.rewards()[0]
    assert all(decision.iterations == 100 for decision in made[1:])
    for one, two in pairwise(made):
        if one.values == two.values and "threads" not in spec:  # the same plan, one step further
            assert one.line[-len(two.line) :] == two.line


def test_it_goes_on_in_the_same_position_and_begins_anew_off_the_plan():
    game = spinney.game("examples/morpion.py")
    agent, state = game.agent("nrpa(iterations=2000)", seed=3), game.start()
    first, again = agent.decide(state), agent.decide(state)
    assert again.values >= first.values
    other = next(action for action in state.legal() if action != again.action)
    state.apply(other)
    assert agent.decide(state, Clock(iterations=1)).values[0] < again.values[0]
    assert agent.decide(game.start(), Clock(iterations=1)).values[0] < again.values[0]


def test_what_is_listed_at_the_root():
    """Visits count playouts, and a value is the best reward of these."""
    game = spinney.game("examples/morpion.py")
    decision = game.agent("nrpa(iterations=3000)", seed=3).decide(game.start())
    assert sum(choice.visits for choice in decision.choices) == decision.iterations == 3000
    assert sum(choice.share for choice in decision.choices) == pytest.approx(1)
    assert max(choice.value for choice in decision.choices) == decision.values[0] == len(decision.line) / 121
    assert decision.line[0] == decision.name


@pytest.mark.parametrize("iterations", [1, 7, 5000])
@pytest.mark.parametrize("threads", [1, 3])
def test_iterations_are_exact(iterations, threads):
    game = spinney.game("examples/morpion.py")
    decision = game.agent(f"nrpa(iterations={iterations}, threads={threads})", seed=1).decide(game.start())
    assert decision.iterations == iterations
    assert decision.line


def test_slices_change_nothing():
    game = spinney.game(SCHUR_GAME)
    whole, sliced = (game.agent("nrpa(level_iterations=5, levels=2)", seed=4).search for _ in range(2))
    root = type(game.start().record).native(game.start().record)
    plans = []
    for search, parts in ((whole, (200,)), (sliced, (1, 24, 25, 50, 3, 97))):
        (worker,) = search.workers
        assert sum(search.entry(worker.levels, worker.work, root, search.settings, n) for n in parts) == 200
        plans.append((worker.actions(), worker.plan.score))
    assert plans[0] == plans[1]
    assert whole.workers[0].levels[2]["policy"].tolist() == sliced.workers[0].levels[2]["policy"].tolist()


def test_a_search_that_is_stopped_has_its_best_so_far():
    game = spinney.game("examples/morpion.py")
    agent, clock = game.agent("nrpa", seed=1), Clock(seconds=1e6)
    clock.stop.set()
    stopped = agent.decide(game.start(), clock)
    same = game.agent(f"nrpa(iterations={stopped.iterations})", seed=1).decide(game.start())
    assert stopped.iterations == 1  # the first slice
    assert (stopped.line, stopped.values) == (same.line, same.values)


def test_long_games_are_planned_as_far_as_they_are_recorded():
    """More steps than a sequence has room for: a new plan begins where the old one ends."""
    game = spinney.game(LEFT_GAME)
    state, made = play(game, game.agent("nrpa(levels=1, level_iterations=1000)", seed=1), 300, 2)
    assert LEFT_STEPS > LONGEST == len(made[0].line)
    assert len(made) == LEFT_STEPS
    values = [decision.values[0] for decision in made[:LONGEST]]
    assert values == sorted(values)
    assert state.rewards()[0] > 0.9


@pytest.mark.parametrize(
    ("name", "why"),
    [("connect_four", "it is not for one player alone"), ("examples/pig.py", "it is not for one player alone")],
)
def test_what_it_cannot_play(name, why):
    with pytest.raises(BadGame, match=f"nrpa cannot play .*: {why}"):
        spinney.game(name).agent("nrpa")


@pytest.mark.parametrize("spec", ["nrpa(iterations=50)", "flat(iterations=100)", "uct(iterations=100)", "random"])
def test_one_player_is_a_session_too(spec):
    game = spinney.game(SCHUR_GAME)
    state = Session(game.start(), [game.agent(spec, seed=1)]).play()
    assert 8 < state.record.n <= 23
    assert state.winners() == [0]
