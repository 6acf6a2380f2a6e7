"""The study of a paper: comparisons of agents and claims about speed, with the published figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Results:
    """The shares of games that an agent won and lost; the rest were drawn."""

    games: int
    won: float
    lost: float

    @property
    def drawn(self) -> float:
        return abs(1 - self.won - self.lost)  # no -0.0


@dataclass(frozen=True)
class Comparison:
    """Games between agents of a paper. The win share is that of the first agent, unless `whose` names another."""

    name: str
    group: str
    """Comparisons of one group are the points of one line in a plot."""
    x: float
    """The position on the x axis: iterations, board size, ..."""
    game: str
    agents: tuple[str, ...]
    x_name: str = ""
    """The name of the x axis, if it differs from that of the study."""
    published: float | None = None
    """The win share in the paper; None if the paper does not have this comparison."""
    published_games: int = 0
    published_results: tuple[Results, ...] = ()
    """Published wins and losses of the first agent in each seat, where the paper counts draws."""
    published_ratio: float | None = None
    """Published score of the first agent divided by that of the others, where the paper compares scores."""
    games: int = 100
    effort: float = 1
    """Approximate time of a game on one core, in seconds."""
    long: bool = False
    """Takes hours, and is only played with --full."""
    whose: int = 0
    """Index of the agent whose win share is reported."""
    column: str = ""
    """Where the study is a table, the column; the group is the row."""
    games_of: str = ""
    """Name of the games, if several comparisons of the same agents use the same games."""

    @property
    def games_name(self) -> str:
        return self.games_of or self.name


@dataclass(frozen=True)
class Timing:
    """A claim about speed: the time of the first agent divided by that of the second, for the same work."""

    name: str
    game: str
    agents: tuple[str, str]
    published: float
    clock: Literal["cpu", "wall"] = "cpu"
    """Which time is measured: CPU time of all threads, or wall-clock time."""


@dataclass(frozen=True)
class Study:
    """The claims of a paper."""

    title: str
    paper: str
    x_name: str
    comparisons: tuple[Comparison, ...]
    timings: tuple[Timing, ...] = ()
    draws: bool = False
    """Whether wins and losses are shown beside the shares, because draws are frequent."""
    scores: str = ""
    """The name of the scores, if they are compared as well."""
    notes: str = ""
    bench: tuple[str, ...] = ()
    """Specs of the game in several sizes, for `spinney bench`."""
