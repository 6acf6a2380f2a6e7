"""Hand-written players of Kuhn poker."""

from __future__ import annotations

from typing import Any

import pydantic

from spinney.games.kuhn_poker.rules import BET, NOBODY, PASS
from spinney.games.options import Options
from spinney.games.parts import Player
from spinney.kernel import rule, uniform


@rule
def honest(s, player, out, rng):
    """Bets and calls with the highest card alone."""
    return BET if s.card[player] == s.players else PASS


@rule
def caller(s, player, out, rng):
    """Never bets first, and calls every bet."""
    return PASS if s.first == NOBODY else BET


class EquilibriumOptions(Options):
    bluff: float = pydantic.Field(
        1 / 3, ge=0, le=1 / 3, description="probability of a bet with the lowest card as the first to move"
    )


def make_equilibrium(bluff: float) -> Any:
    """Kuhn's equilibria of two players, one for each frequency of the first player's bluff."""

    @rule
    def equilibrium(s, player, out, rng):
        """An equilibrium of two players (Kuhn 1950). With more, cards between the lowest and the highest are played
        alike."""
        low, high = s.card[player] == 0, s.card[player] == s.players
        often = 1.0 if high else 0.0  # after a bet
        if s.first == NOBODY and s.taken == 0:
            often = 3.0 * bluff if high else bluff if low else 0.0
        elif s.first == NOBODY:
            often = 1.0 if high else 1.0 / 3.0 if low else 0.0
        elif not low and not high:
            often = bluff + 1.0 / 3.0 if player == 0 else 1.0 / 3.0
        return BET if uniform(rng) < often else PASS

    return equilibrium


PLAYERS: dict[str, Any] = {
    "honest": honest, "caller": caller, "equilibrium": Player(make_equilibrium, EquilibriumOptions),
}  # fmt: skip
