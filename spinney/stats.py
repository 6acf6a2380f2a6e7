"""Win shares and their confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

Z = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution, for two-sided intervals of 95 %."""


def wilson(share: float, n: float, z: float = Z) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of n games: it stays within 0..1 and is valid for few games."""
    if n == 0:
        return 0.0, 1.0
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    spread = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, centre - spread), min(1.0, centre + spread)


def interval(low: float, high: float) -> str:
    """A confidence interval of a share, in per cent."""
    return f"{100 * low:.1f}-{100 * high:.1f}"


class Share(NamedTuple):
    """A win share with its 95 % interval."""

    games: float
    share: float
    low: float
    high: float

    @classmethod
    def of(cls, won: float, games: float) -> Share:
        """The share of `games` games of which `won` were won; ties count as fractions."""
        return cls.around(won / games if games else 0.0, games)

    @classmethod
    def around(cls, share: float, games: float) -> Share:
        return cls(games, share, *wilson(share, games))


def difference(one: Share, other: Share) -> tuple[float, float, float]:
    """The difference of two independent shares with its 95 % interval (Newcombe 1998, method 10)."""
    by = one.share - other.share
    low = by - sqrt((one.share - one.low) ** 2 + (other.high - other.share) ** 2)
    high = by + sqrt((one.high - one.share) ** 2 + (other.share - other.low) ** 2)
    return by, low, high


def win_shares(winners: Sequence[int], players: int) -> list[float]:
    """What each seat wins of a finished game: 1 is divided among the winners; there may be none."""
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(players)]
