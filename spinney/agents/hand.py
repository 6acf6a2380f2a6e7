"""Hand-written players in compiled form, for those who need many moves of them, or quick ones."""

from __future__ import annotations

from functools import cache
from typing import Any

from spinney.games import Game
from spinney.kernel import bind


def make_hand(policy):
    def choose(s, player, out, rng):
        return policy(s, player, out, rng)

    return choose


@cache
def hand(game: Game, spec: str) -> Any:
    """A hand-written player, compiled."""
    return bind(make_hand, f"{game.name}/{spec}", policy=game.card.player(spec))
