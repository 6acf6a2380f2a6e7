"""Hand-written players in compiled form, for speed."""

from __future__ import annotations

from functools import cache
from typing import Any

from spinney.games import Card
from spinney.kernel import bind


def make_player(policy: Any) -> Any:
    def choose(s: Any, player: Any, out: Any, rng: Any) -> Any:
        return policy(s, player, out, rng)

    return choose


@cache
def compiled_player(card: Card, spec: str) -> Any:
    return bind(make_player, f"{card.name}/{spec}", policy=card.player(spec))
