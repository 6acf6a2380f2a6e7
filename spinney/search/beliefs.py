"""Who the others are: a search may take them for players of a cast, and find out which from what they do.

Each of the others has one of the roles of the cast, or is an equal, who does what is best for itself. How likely that
is follows from the choices it has made in the game so far, by Bayes' rule. A role is asked some times what it would do
in the same position. An equal mostly does what one of the cast would do, for many choices are those that anybody would
make, and at times anything that is legal. Every simulation begins with roles drawn from these beliefs, so that a
search looks for an answer to all the players that the others may be: they are what is hidden, in a game that hides
nothing else (Harsanyi 1967).
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
from spinney.kernel import rule, seeded, uniform
from spinney.search.base import replay_steps

SEATS = 16
"""The most players for whom a search has room."""
DRAWS = 8
"""How often a role is asked what it would do."""
DOUBT = 0.25
"""How often everything else is taken to have been seen besides."""
OWN_MIND = 0.2
"""How often an equal does what it likes; else it does what one of the cast would do."""
STREAM = 1 << 21
"""The random numbers of the roles that are asked: none that a thread has."""


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


def shares(models: OpponentModels) -> list[float]:
    """How likely each role is before the game, among the cast: every player as much, and every form of one player."""
    names = [parse_spec(role)[0] for role in models.specs]
    return [1 / len(set(names)) / names.count(name) for name in names]


class Beliefs:
    """How likely each player has each role of a cast, after what was seen of it in a game."""

    def __init__(self, game: Game, models: OpponentModels, prior: float, seed: int | None) -> None:
        self.models = models
        self.certain = prior == 1 and len(models.specs) == 1
        """Whether there is nothing to find out."""
        if game.players > SEATS and not self.certain:
            raise BadOption(f"finding out who the others are is for at most {SEATS} players; {game!r} has more")
        self._shares = shares(models)
        self._prior = [log(one) if one else -inf for one in (*(prior * share for share in self._shares), 1 - prior)]
        self._rng: Any = seeded(seed, STREAM)
        self._out: Any = game.card.out()
        self._seen: State | None = None
        """The game as far as it has been looked at."""
        self._logs = [self._prior.copy() for _ in range(game.players)]

    def watch(self, state: State, clock: Clock | None = None) -> None:
        """Look at what has happened in a game since the last look at it; in another game, or one that was taken back,
        from its beginning on, or if that is not known from now on. Of a time limit it takes a quarter at most, and
        goes on with the next look."""
        if self.certain or state.game.card.has_hidden:
            return
        seen = self._seen
        if seen is None or not self._goes_on(state, seen):
            known = state.first is not None and _lead(state.first, state.history, state)
            seen = self._seen = State(state.game, (state.first if known else state.record).copy())
            seen.history = [] if known else state.history.copy()
            self._logs = [self._prior.copy() for _ in self._logs]
        for mover, action in state.history[len(seen.history) :]:
            if clock is not None and clock.elapsed > clock.limit / 4:
                return
            if mover >= 0:
                self._weigh(seen, mover, action)
            seen.apply(action, mover)

    def likely(self, player: int) -> list[float]:
        """How likely each role is, and last that of an equal."""
        most = max(self._logs[player])
        weights = [exp(one - most) for one in self._logs[player]]
        total = sum(weights)
        return [weight / total for weight in weights]

    def write(self, settings: Any) -> None:
        """Put the beliefs where compiled code reads them."""
        for player in range(0 if self.certain else len(self._logs)):
            for role, likely in enumerate(self.likely(player)[:-1]):
                settings.belief[player, role] = likely

    def _goes_on(self, state: State, seen: State) -> bool:
        """Whether a state is a later one of the game that has been looked at."""
        known = len(seen.history)
        return state.history[:known] == seen.history and _lead(seen.record, state.history[known:], state)

    def _weigh(self, state: State, player: int, action: int) -> None:
        """A player is about to make a choice: how well does that fit each role?"""
        choices, logs = len(state.legal(player)), self._logs[player]
        if choices == 1:
            return
        self._out.searcher = player
        anyone = 0.0
        for role, share in enumerate(self._shares):
            self._out.role[player] = role
            hits = sum(
                int(self.models.policy(state.record, player, self._out, self._rng)) == action for _ in range(DRAWS)
            )
            fit = (hits + DOUBT) / (DRAWS + DOUBT * choices)
            logs[role] += log(fit)
            anyone += share * fit
        logs[-1] += log((1 - OWN_MIND) * anyone + OWN_MIND / choices)


def _lead(record: Any, steps: Sequence[tuple[int, int]], state: State) -> bool:
    """Whether steps lead from a record to a state: the same ones from elsewhere are another game."""
    try:
        return bool(replay_steps(state.game, record, steps) == state.record)
    except SpinneyError:
        return False
