"""Hand-written players in compiled form, for those who need many moves of them, or quick ones."""

from __future__ import annotations

from functools import cache
from typing import Any

from spinney.games import Card, Game
from spinney.kernel import bind


def make_hand(policy):
    def choose(s, player, out, rng):
        return policy(s, player, out, rng)

    return choose


def hand(game: Game, spec: str) -> Any:
    """A hand-written player, compiled. It is the same whatever the options of the game."""
    return _hand(game.card, spec)


@cache
def _hand(card: Card, spec: str) -> Any:
    return bind(make_hand, f"{card.name}/{spec}", policy=card.player(spec))
