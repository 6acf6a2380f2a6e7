"""Hand-written players in compiled form, for speed."""

from __future__ import annotations

from functools import cache
from typing import Any

from spinney.games import Card, Game
from spinney.kernel import bind


def make_player(policy: Any) -> Any:
    def choose(s: Any, player: Any, out: Any, rng: Any) -> Any:
        return policy(s, player, out, rng)

    return choose


def compiled_player(game: Game, spec: str) -> Any:
    """A hand-written player, compiled. It is the same whatever the options of the game."""
    return _compiled(game.card, spec)


@cache
def _compiled(card: Card, spec: str) -> Any:
    return bind(make_player, f"{card.name}/{spec}", policy=card.player(spec))
