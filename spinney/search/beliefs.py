"""Opponent modelling: which of several models each opponent is, inferred from its actions.

Each opponent plays by one of the models, or is self-interested and maximises its own reward. The probability of each
follows from its choices in the game so far, by Bayes' rule. The likelihood of a choice is estimated: a model is asked
a few times what it would do in the same position. A self-interested player mostly does what one of the models would
do, because many choices are obvious, and at times anything that is legal. Every simulation begins with models drawn
from these beliefs, so that the search finds a best response to all of them: the models are the hidden types of a
Bayesian game (Harsanyi 1967).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf, log
from typing import Any

from spinney.clock import Clock
from spinney.errors import BadOption, SpinneyError
from spinney.games import Game, State
from spinney.games.card import ROLES, SELF_INTERESTED
from spinney.games.parts import OpponentModels
from spinney.games.spec import parse_spec
from spinney.kernel import BELIEFS, rule, seeded, uniform
from spinney.search.reuse import replay_steps

SEATS = 16
"""The most players of a game with beliefs."""
DRAWS = 8
"""How often a model is asked what it would do."""
SMOOTHING = 0.25
"""Additive smoothing of the likelihoods: the count that every legal action has in advance."""
OWN_CHOICE = 0.2
"""The probability that a self-interested player does anything legal; else it does what one of the models would do."""


@rule
def draw_roles(work, o):
    """The model of each player in one simulation, drawn from the beliefs."""
    out, rng = work.out, work.rng
    for player in range(len(work.path.reward)):
        role = 0
        if not o.certain:
            role, left = SELF_INTERESTED, uniform(rng)
            while role + 1 < ROLES and left >= 0.0:
                role += 1
                left -= o.belief[player, role]
            if left >= 0.0:
                role = SELF_INTERESTED
        out.role[player] = role


def priors(models: OpponentModels) -> list[float]:
    """The probability of each model before the game: the same for every player's name, and for every variant of it."""
    names = [parse_spec(spec)[0] for spec in models.specs]
    return [1 / len(set(names)) / names.count(name) for name in names]


class Beliefs:
    """The probability of each model for each player, after its choices in a game."""

    def __init__(self, game: Game, models: OpponentModels, prior: float, seed: int | None) -> None:
        self.models = models
        self.certain = prior == 1 and len(models.specs) == 1
        """Whether there is nothing to infer."""
        if game.players > SEATS and not self.certain:
            raise BadOption(f"inferring the opponents' models is for at most {SEATS} players; {game!r} has more")
        self._priors = priors(models)
        self._first = [log(one) if one else -inf for one in (*(prior * one for one in self._priors), 1 - prior)]
        self._rng: Any = seeded(seed, BELIEFS)
        self._out: Any = game.card.out()
        self._seen: State | None = None
        """The game as far as its choices have been counted."""
        self._logs = [self._first.copy() for _ in range(game.players)]

    def watch(self, state: State, clock: Clock | None = None) -> None:
        """Count the choices of a game since the last call; of another game, or one that was taken back, all of them, or
        if its beginning is not known those from now on. It takes at most a quarter of a time limit, and goes on with
        the next call."""
        if self.certain or state.game.card.has_hidden:
            return
        seen = self._seen
        if seen is None or not self._goes_on(state, seen):
            known = state.first is not None and _lead(state.first, state.history, state)
            seen = self._seen = State(state.game, (state.first if known else state.record).copy())
            seen.history = [] if known else state.history.copy()
            self._logs = [self._first.copy() for _ in self._logs]
        for mover, action in state.history[len(seen.history) :]:
            if clock is not None and clock.elapsed > clock.limit / 4:
                return
            if mover >= 0:
                self._update(seen, mover, action)
            seen.apply(action, mover)

    def probabilities(self, player: int) -> list[float]:
        """The probability of each model, and last that the player is self-interested."""
        most = max(self._logs[player])
        weights = [exp(one - most) for one in self._logs[player]]
        total = sum(weights)
        return [weight / total for weight in weights]

    def write(self, settings: Any) -> None:
        """Write the beliefs to the settings of compiled code."""
        for player in range(0 if self.certain else len(self._logs)):
            for role, probability in enumerate(self.probabilities(player)[:-1]):
                settings.belief[player, role] = probability

    def _goes_on(self, state: State, seen: State) -> bool:
        """Whether a state is a later one of the game that was seen."""
        known = len(seen.history)
        return state.history[:known] == seen.history and _lead(seen.record, state.history[known:], state)

    def _update(self, state: State, player: int, action: int) -> None:
        """Bayes' rule for a player's choice in a state."""
        choices, logs = len(state.legal(player)), self._logs[player]
        if choices == 1:
            return
        self._out.searcher = player
        any_model = 0.0
        for role, prior in enumerate(self._priors):
            self._out.role[player] = role
            hits = sum(
                int(self.models.policy(state.record, player, self._out, self._rng)) == action for _ in range(DRAWS)
            )
            likelihood = (hits + SMOOTHING) / (DRAWS + SMOOTHING * choices)
            logs[role] += log(likelihood)
            any_model += prior * likelihood
        logs[-1] += log((1 - OWN_CHOICE) * any_model + OWN_CHOICE / choices)


def _lead(record: Any, steps: Sequence[tuple[int, int]], state: State) -> bool:
    """Whether steps lead from a record to a state: the same steps from elsewhere are another game."""
    try:
        return bool(replay_steps(state.game, record, steps) == state.record)
    except SpinneyError:
        return False
