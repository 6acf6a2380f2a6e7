"""Moves that lose by force, found by alpha-beta without an evaluation.

As every position is won, lost or neither, one move of the searcher that is not lost settles a position, and the search
looks further ahead than one that has to find the best move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spinney.clock import Clock, Margin
from spinney.games import Game, State
from spinney.kernel import rule
from spinney.search.alphabeta import ALPHABETA, AlphaBeta, AlphaBetaOptions
from spinney.search.base import Evaluation
from spinney.search.paranoid import TwoPlayerRules, paranoid
from spinney.search.tree import CERTAIN


@rule
def even(s, out):
    """Nothing is known about an unfinished game."""
    for player in range(len(out.reward)):
        out.reward[player] = 0.5


def make_decisive(reward: Any) -> Any:
    """A reward of less than one half counts as a loss, of more as a win."""

    @rule
    def decisive(s, out):
        reward(s, out)
        for player in range(len(out.reward)):
            value = out.reward[player]
            out.reward[player] = 0.0 if value < 0.5 else 1.0 if value > 0.5 else 0.5

    return decisive


class ForcedLosses(AlphaBeta):
    """Alpha-beta that asks of every move whether it is lost."""

    def _two_player_rules(self, evaluation: Evaluation) -> TwoPlayerRules:
        rules = self.rules._replace(reward=make_decisive(evaluation.reward))
        return paranoid(rules, even, self.game.players, one_reply=False)


def find_lost(game: Game, options: Any) -> Callable[[State, int, Clock], tuple[int, ...]]:
    """A function that finds, in the part `refute` of the limits of a search of simultaneous moves, the moves of a
    player that are proven to lose; none if all are."""
    names = ("reward", "max_depth", "seed", "plain")
    own = AlphaBetaOptions.model_validate(
        {"killers": True, "transposition_table": True, "root_margin": 1.0}
        | {name: getattr(options, name) for name in names}
    )
    search = ForcedLosses(ALPHABETA, game, own)
    search.margin = Margin(0.0)  # the clock of the whole decision has one

    def lost(state: State, player: int, clock: Clock) -> tuple[int, ...]:
        part = clock.part(options.refute)
        part.iterations = clock.most_iterations * options.refute
        result = search.run(state, part, player)
        found = tuple(choice.action for choice in result.choices if choice.value <= 1.0 - CERTAIN)
        return found if len(found) < len(result.choices) else ()

    return lost
