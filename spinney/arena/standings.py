"""The standings of a tournament: win shares with intervals, thinking times, and ratings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

import numpy as np

from spinney.arena.play import GameResult
from spinney.display import view
from spinney.stats import Share, Z, interval

ELO = 400 / log(10)
"""Elo points per unit of strength."""
PRIOR = 1000.0
"""Standard deviation of the prior of a rating, in Elo: keeps the rating of an agent that never lost finite."""


@dataclass(frozen=True)
class Standing:
    """The results of one agent."""

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


class Standings(list[Standing]):
    """The results of agents, the best first."""

    def table(self) -> tuple[list[str], list[list[str]]]:
        """The heads of columns and the cells of a table. Intervals are below their figures, to fit into 80 columns; the
        head of a column of numbers begins with `>`."""
        drawn, forfeits = any(row.drawn for row in self), any(row.forfeits for row in self)
        names = ["agent", ">games\ndrawn" if drawn else ">games", ">share\n95 %", ">score", ">rating\n95 %"]
        names += [">s/move\nlongest", *[">forfeits"] * forfeits]
        rows = [
            [
                row.agent,
                f"{row.games}\n{row.drawn}" if drawn else str(row.games),
                f"{row.share:.1%}\n{interval(row.low, row.high)}",
                f"{row.mean_score:.2f}",
                f"{round(row.rating):+d}\n±{row.rating_high - row.rating:.0f}",
                f"{row.seconds_per_move:.3f}\n{row.longest_move:.3f}",
                *[str(row.forfeits)] * forfeits,
            ]
            for row in self
        ]
        return names, rows

    def _repr_html_(self) -> str:
        return view("table_html")(*self.table())


def standings(specs: Sequence[str], finished: Iterable[GameResult]) -> Standings:
    """The standings of all agents that have played, sorted by share.

    Games are added up in the order of their numbers, so that a run on several cores, or a resumed one, gives the same
    floating-point results.
    """
    finished = sorted(finished, key=lambda game: game.number)
    rated = ratings(len(specs), finished)
    rows = []
    for agent, spec in enumerate(specs):
        seats = [(game, seat) for game in finished for seat in game.seats if seat.agent == agent]
        if not seats:
            continue
        games, (rating, deviation) = len(seats), rated[agent]
        rows.append(
            Standing(
                agent=spec,
                **Share.of(sum(seat.share for _, seat in seats), games)._asdict(),
                won=sum(seat.share == 1 for _, seat in seats),
                drawn=sum(0 < seat.share < 1 or not any(game.shares) for game, seat in seats),
                mean_score=sum(seat.score for _, seat in seats) / games,
                seconds_per_move=sum(seat.seconds for _, seat in seats) / max(1, sum(seat.moves for _, seat in seats)),
                longest_move=max(seat.longest for _, seat in seats),
                forfeits=sum(game.forfeit is not None and game.seats[game.forfeit[0]] is seat for game, seat in seats),
                rating=rating,
                rating_low=rating - Z * deviation,
                rating_high=rating + Z * deviation,
            )
        )
    return Standings(sorted(rows, key=lambda row: -row.share))


def ratings(agents: int, finished: Sequence[GameResult]) -> list[tuple[float, float]]:
    """Elo ratings with mean 0 and their standard deviations, for games of any number of players.

    The model is Luce's choice rule: an agent wins in proportion to its strength among the agents of the game. For two
    players this is the Bradley-Terry model. Ratings are the maximum a posteriori estimate under a weak normal prior,
    and do not depend on the order of the games.
    """
    from scipy.optimize import minimize

    wins: dict[tuple[int, ...], Any] = {}
    for game in finished:
        won = wins.setdefault(tuple(game.agents), np.zeros(len(game.seats)))
        won += game.shares

    def loss(strength: Any) -> tuple[float, Any]:
        total, slope = float(strength @ strength) / (2 * (PRIOR / ELO) ** 2), strength / (PRIOR / ELO) ** 2
        for seating, won in wins.items():
            chances = _win_probabilities(strength[list(seating)])
            total -= float(won @ np.log(chances))
            np.add.at(slope, list(seating), won.sum() * chances - won)
        return total, slope

    best = minimize(loss, np.zeros(agents), jac=True, method="BFGS").x
    information = np.eye(agents) / (PRIOR / ELO) ** 2
    for seating, won in wins.items():
        chances = _win_probabilities(best[list(seating)])
        for i, one in enumerate(seating):
            for j, two in enumerate(seating):
                information[one, two] += won.sum() * chances[i] * ((i == j) - chances[j])
    centre = np.eye(agents) - 1 / agents  # only differences of ratings are meaningful
    covariance = centre @ np.linalg.inv(information) @ centre
    best = best - best.mean()
    return [(float(best[i]) * ELO, sqrt(max(0.0, covariance[i, i])) * ELO) for i in range(agents)]


def _win_probabilities(strengths: Any) -> Any:
    """The softmax of the strengths."""
    weights = np.exp(strengths - strengths.max())
    return weights / weights.sum()
