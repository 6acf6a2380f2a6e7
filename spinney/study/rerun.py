"""The comparisons of a paper, played again: resumable, with the published figures beside the new ones."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from spinney import games
from spinney.agents import build
from spinney.arena import Arena, GameResult, standings
from spinney.files import file_name
from spinney.games.study import Comparison, Results, Study, Timing
from spinney.pool import Pool
from spinney.stats import Share, difference

CLOCKS = {"cpu": ("CPU time", time.process_time), "wall": ("time by the clock", time.perf_counter)}


def published(comparison: Comparison) -> Share | None:
    """The published share with the 95 % interval of as many games as the paper played."""
    share, games = comparison.published, comparison.published_games
    return None if share is None else Share.around(share, games)


@dataclass(frozen=True)
class Ratio:
    """A ratio of scores with its 95 % interval."""

    value: float
    low: float
    high: float


CLOSE = 0.1
"""Shares agree if their difference, with its interval, is within this."""


@dataclass(frozen=True)
class Finding:
    """The result of one comparison."""

    comparison: Comparison
    games: int
    share: float
    low: float
    high: float
    seed: int
    versions: tuple[str, ...]
    """The versions and machines that played the games."""
    results: tuple[Results, ...] = ()
    """Wins and losses of the first agent in each seat."""
    ratio: Ratio | None = None
    """Score of the first agent divided by that of the others."""
    won: float = 1.0
    """The part of the games that somebody won."""

    @property
    def even(self) -> float:
        """The share of equal agents."""
        return self.won / len(self.comparison.agents)

    @property
    def helps(self) -> bool | None:
        """Whether the share is more or less than an even one; none if the interval has both."""
        return None if self.low <= self.even <= self.high else self.share > self.even

    @property
    def verdict(self) -> str:
        """What the 95 % interval of the difference to the published share allows to say."""
        theirs = self.comparison.published
        if theirs is None:
            return "new"
        published = Share.around(theirs, self.comparison.published_games)
        by, low, high = difference(Share.around(self.share, self.games), published)
        if not low <= 0 <= high:
            return "higher here" if by > 0 else "lower here"
        return "agrees" if max(-low, high) <= CLOSE else "not told apart"


@dataclass(frozen=True)
class Measured:
    """The result of one claim about speed."""

    timing: Timing
    ratio: float

    @property
    def kind_of_time(self) -> str:
        return CLOCKS[self.timing.clock][0]


def results(finished: list[GameResult]) -> tuple[Results, ...]:
    """Wins and losses of the first agent in each seat."""
    seats = zip(*(game.seats for game in finished), strict=True)
    shares = [[row.share for row in seat if row.agent == 0] for seat in seats]
    return tuple(Results(len(won), won.count(1) / len(won), won.count(0) / len(won)) for won in shares if won)


def ratio(finished: list[GameResult]) -> Ratio | None:
    """Score of the first agent divided by the mean score of the others, over all games, with a bootstrap interval."""
    mine, theirs = [], []
    for game in finished:
        score = game.scores[game.agents.index(0)]
        mine.append(score)
        theirs.append((sum(game.scores) - score) / (len(game.scores) - 1))
    if not sum(theirs):
        return None
    drawn = np.random.default_rng(1).integers(0, len(mine), (2000, len(mine)))
    sums = np.array(mine)[drawn].sum(axis=1), np.array(theirs)[drawn].sum(axis=1)
    low, high = np.quantile(sums[0] / np.maximum(sums[1], 1e-9), [0.025, 0.975])
    return Ratio(sum(mine) / sum(theirs), float(low), float(high))


class Rerun:
    """A comparison that is played again. Its results file is in a folder; games that are stored there are kept."""

    def __init__(self, study: Study, comparison: Comparison, folder: Path, scale: float, seed: int) -> None:
        self.comparison, self.scores, self.seed = comparison, study.scores, seed
        self.count = max(2, round(comparison.games * scale / 2) * 2)
        self.file = folder / f"{file_name(comparison.games_name)}.sqlite"
        self.arena = Arena(
            comparison.game, comparison.agents, self.count, self.file, seed=seed, clock="cpu", resume=True
        )
        self.done = self.stored()

    def stored(self) -> int:
        """How many of the games are stored. The file may also have games of a run at a larger scale."""
        return sum(number < self.count for number in self.arena.store.numbers())

    def play(self, pool: Pool) -> Iterator[GameResult]:
        """Play the games that are not stored yet; yields each game after it is stored."""
        for game in self.arena.run(pool=pool):
            self.done += 1
            yield game

    def finding(self) -> Finding:
        finished = [game for game in self.arena.store.games() if game.number < self.count]
        agent = self.comparison.agents[self.comparison.whose]
        first = next(row for row in standings(self.arena.specs, finished) if row.agent == agent)
        won = sum(seat.share for game in finished for seat in game.seats) / len(finished)
        return Finding(
            self.comparison, first.games, first.share, first.low, first.high, self.seed, self.arena.store.versions,
            results(finished), ratio(finished) if self.scores else None, round(won, 9),
        )  # fmt: skip

    def close(self) -> None:
        self.arena.store.close()


def run_timing(timing: Timing, repeats: int = 5) -> Measured:
    """The shortest time of several searches from the first position with a choice, by both agents in turn."""
    game = games.load(timing.game)
    state = game.start(seed=1)
    while len(state.legal()) < 2 and not state.is_over:
        state.apply(state.legal()[0])
    agents = [build(game, spec, seed=1) for spec in timing.agents]
    _, clock = CLOCKS[timing.clock]
    best = [float("inf")] * 2
    for _ in range(repeats):
        for i, agent in enumerate(agents):
            before = clock()
            agent.decide(state)
            best[i] = min(best[i], clock() - before)
    return Measured(timing, best[0] / best[1])


@dataclass(frozen=True)
class Played:
    """The results of a study: of the comparisons that were played, and of the timings that were measured."""

    study: Study
    findings: list[Finding]
    measured: list[Measured]


@dataclass(frozen=True)
class Matrix:
    """Findings of a study that is a table."""

    columns: list[str]
    rows: dict[str, list[Finding | None]]


def matrix(findings: list[Finding]) -> Matrix | None:
    """The table of a study, if it is one: groups are rows."""
    columns = list(dict.fromkeys(finding.comparison.column for finding in findings))
    if not any(columns):
        return None
    cells = {(finding.comparison.group, finding.comparison.column): finding for finding in findings}
    groups = dict.fromkeys(group for group, _ in cells)
    return Matrix(columns, {group: [cells.get((group, column)) for column in columns] for group in groups})


def figures(played: Played) -> dict[str, Any]:
    """The results of a study as plain data for JSON."""
    return {
        "study": played.study.title,
        "comparisons": [
            {
                **asdict(finding),
                "verdict": finding.verdict,
                "published_interval": None if (theirs := published(finding.comparison)) is None else theirs[2:],
            }
            for finding in played.findings
        ],
        "timings": [asdict(one) for one in played.measured],
    }
