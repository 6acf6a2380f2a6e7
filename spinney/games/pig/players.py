"""Hand-written players of Pig."""

from __future__ import annotations

from typing import Any

import pydantic

from spinney.games.options import Options
from spinney.games.parts import Player
from spinney.games.pig.rules import ROLL, STOP
from spinney.kernel import below, rule


@rule(inline=True)
def random(s, player, out, rng):
    """Rolls or stops, both equally likely; stops when it wins."""
    return STOP if s.total >= s.need else below(rng, 2)


class HoldOptions(Options):
    at: int = pydantic.Field(20, ge=1, le=1_000_000, description="points of a turn with which it stops")


def make_hold(at: int) -> Any:
    """A player that stops as soon as it has some points."""

    @rule
    def hold(s, player, out, rng):
        """Stops with enough points, or when it wins."""
        return STOP if s.total >= at or s.total >= s.need else ROLL

    return hold


@rule
def race(s, player, out, rng):
    """Ends the race or keeps pace (Neller and Presser 2010): near the end it rolls until it has won; else it stops with
    21 points, more if it is behind and less if it is ahead."""
    own, best = s.score[player], 0
    for other in range(s.players):
        if other != player:
            best = max(best, s.score[other])
    if s.total >= s.need:
        return STOP
    if max(own, best) >= s.goal - 29:
        return ROLL
    return STOP if 8 * s.total >= 168 + best - own else ROLL


PLAYERS: dict[str, Any] = {
    "random": random, "race": race, "hold": Player(make_hold, HoldOptions),
}  # fmt: skip
