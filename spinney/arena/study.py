"""Playing a paper's comparisons again: resumable, with the published figures beside ours."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from spinney import games
from spinney.agents import build
from spinney.agents.agent import SearchAgent
from spinney.arena.run import Arena
from spinney.arena.standings import Z, standings, wilson
from spinney.games.study import Comparison, Study, Timing


@dataclass(frozen=True)
class Finding:
    """One comparison played again."""

    comparison: Comparison
    games: int
    share: float
    low: float
    high: float
    seed: int

    @property
    def published_interval(self) -> tuple[float, float]:
        return wilson(self.comparison.published, self.comparison.published_games)

    @property
    def verdict(self) -> str:
        """Whether the two figures can both be right: a test of equal shares at 5 %."""
        ours, theirs, n, m = self.share, self.comparison.published, self.games, self.comparison.published_games
        pooled = (ours * n + theirs * m) / (n + m)
        if abs(ours - theirs) <= Z * (pooled * (1 - pooled) * (1 / n + 1 / m)) ** 0.5:
            return "agrees"
        return "higher here" if ours > theirs else "lower here"


@dataclass(frozen=True)
class Measured:
    """One claim about speed measured again."""

    timing: Timing
    ratio: float


def run_comparison(
    comparison: Comparison,
    folder: Path,
    scale: float,
    seed: int,
    workers: int | None,
    progress: Callable[[int, int], None],
) -> Finding:
    """Play a comparison, or what is left of it; its results file is in the folder."""
    count = max(2, round(comparison.games * scale / 2) * 2)
    file = folder / (comparison.name.replace(" ", "-").replace(",", "") + ".sqlite")
    arena = Arena(comparison.game, comparison.agents, count, file, seed=seed, resume=True)
    try:
        done = len(arena.store.numbers())
        progress(done, count)
        for _ in arena.run(workers):
            done += 1
            progress(done, count)
        outcomes = [outcome for outcome in arena.store.outcomes() if outcome.number < count]
    finally:
        arena.store.close()
    first = next(row for row in standings(arena.specs, outcomes) if row.agent == comparison.agents[0])
    return Finding(comparison, first.games, first.share, first.low, first.high, seed)


def run_timing(timing: Timing, repeats: int = 5) -> Measured:
    """CPU time of one search by each agent from the first position, by turns; the best of each counts."""
    game = games.load(timing.game)
    state = game.start(seed=1)
    while len(state.legal()) < 2 and not state.is_over:
        state.apply(state.legal()[0])
    searches = []
    for spec in timing.agents:
        agent = build(game, spec, seed=1)
        assert isinstance(agent, SearchAgent)
        searches.append(agent)
    best = [float("inf")] * 2
    for _ in range(repeats):
        for i, agent in enumerate(searches):
            before = time.process_time()
            agent.decide(state)
            best[i] = min(best[i], time.process_time() - before)
    return Measured(timing, best[0] / best[1])


def figures(study: Study, findings: list[Finding], measured: list[Measured]) -> dict[str, Any]:
    """Everything as plain data for JSON."""
    return {
        "study": study.title,
        "comparisons": [
            {**asdict(finding), "verdict": finding.verdict, "published_interval": finding.published_interval}
            for finding in findings
        ],
        "timings": [asdict(one) for one in measured],
    }
