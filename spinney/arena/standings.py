"""What the games say: shares with intervals, times, and ratings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

import numpy as np

from spinney.arena.play import GameResult

Z = 1.959963984540054
"""95 % of a normal distribution lie within so many standard deviations."""
ELO = 400 / log(10)
PRIOR = 1000.0
"""Standard deviation of ratings before any game, in Elo: keeps the rating of a player who never lost finite."""


@dataclass(frozen=True)
class Standing:
    """One agent's figures."""

    agent: str
    games: int
    won: int
    drawn: int
    """Games that it won with others, or that nobody won."""
    share: float
    low: float
    high: float
    mean_score: float
    seconds_per_move: float
    longest_move: float
    forfeits: int
    rating: float
    rating_low: float
    rating_high: float


def wilson(share: float, n: float, z: float = Z) -> tuple[float, float]:
    """The 95 % interval of a share of n games, after Wilson: it stays within 0..1 and holds for few games."""
    if n == 0:
        return 0.0, 1.0
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    spread = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, centre - spread), min(1.0, centre + spread)


def standings(specs: Sequence[str], finished: Iterable[GameResult]) -> list[Standing]:
    """The figures of all agents that have played, best share first.

    Games are taken in the order of their numbers, not as they came in: a run on several cores, or one that was stopped
    and went on, gives the same figures to the last bit.
    """
    finished = sorted(finished, key=lambda game: game.number)
    rated = ratings(len(specs), finished)
    rows = []
    for agent, spec in enumerate(specs):
        seats = [(game, seat) for game in finished for seat, other in enumerate(game.seats) if other == agent]
        if not seats:
            continue
        games = len(seats)
        share = sum(game.shares[seat] for game, seat in seats) / games
        drawn = sum(0 < game.shares[seat] < 1 or not any(game.shares) for game, seat in seats)
        moves = sum(game.moves[seat] for game, seat in seats)
        rating, deviation = rated[agent]
        rows.append(
            Standing(
                agent=spec,
                games=games,
                won=sum(game.shares[seat] == 1 for game, seat in seats),
                drawn=drawn,
                share=share,
                low=wilson(share, games)[0],
                high=wilson(share, games)[1],
                mean_score=sum(game.scores[seat] for game, seat in seats) / games,
                seconds_per_move=sum(game.seconds[seat] for game, seat in seats) / max(1, moves),
                longest_move=max(game.longest[seat] for game, seat in seats),
                forfeits=sum(game.forfeit is not None and game.forfeit[0] == seat for game, seat in seats),
                rating=rating,
                rating_low=rating - Z * deviation,
                rating_high=rating + Z * deviation,
            )
        )
    return sorted(rows, key=lambda row: -row.share)


def ratings(agents: int, finished: Sequence[GameResult]) -> list[tuple[float, float]]:
    """Elo ratings and their standard deviations, for games of any number of players.

    The model is Luce's choice rule, of which Bradley and Terry's is the case of two players: an agent wins in
    proportion to its strength among those at the table. Ratings are the most likely ones under a weak prior, with
    mean 0, and do not depend on the order of the games, so that a resumed run gives the same.
    """
    from scipy.optimize import minimize

    tables: dict[tuple[int, ...], Any] = {}
    for game in finished:
        won = tables.setdefault(tuple(game.seats), np.zeros(len(game.seats)))
        won += game.shares
    seats, wins = list(tables), list(tables.values())

    def loss(strength: Any) -> tuple[float, Any]:
        total, slope = float(strength @ strength) / (2 * (PRIOR / ELO) ** 2), strength / (PRIOR / ELO) ** 2
        for table, won in zip(seats, wins, strict=True):
            chances = _chances(strength[list(table)])
            total -= float(won @ np.log(chances))
            np.add.at(slope, list(table), won.sum() * chances - won)
        return total, slope

    found = minimize(loss, np.zeros(agents), jac=True, method="BFGS").x
    information = np.eye(agents) / (PRIOR / ELO) ** 2
    for table, won in zip(seats, wins, strict=True):
        chances = _chances(found[list(table)])
        for i, one in enumerate(table):
            for j, two in enumerate(table):
                information[one, two] += won.sum() * chances[i] * ((i == j) - chances[j])
    centre = np.eye(agents) - 1 / agents  # ratings mean something only relative to each other
    covariance = centre @ np.linalg.inv(information) @ centre
    found = found - found.mean()
    return [(float(found[i]) * ELO, sqrt(max(0.0, covariance[i, i])) * ELO) for i in range(agents)]


def _chances(strengths: Any) -> Any:
    """How likely each of those at a table is to win."""
    weights = np.exp(strengths - strengths.max())
    return weights / weights.sum()
