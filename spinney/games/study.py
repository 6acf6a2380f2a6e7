"""What a paper found, as games to be played again: comparisons of agents, with the published figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Results:
    """Games of one agent, as shares: how many it won and lost. The rest were drawn."""

    games: int
    won: float
    lost: float

    @property
    def drawn(self) -> float:
        return abs(1 - self.won - self.lost)  # no -0.0


@dataclass(frozen=True)
class Comparison:
    """Agents that a paper let play each other. The share is of the agent that the name begins with."""

    name: str
    group: str
    """Comparisons of one group are points of one line in a plot."""
    x: float
    """Where in that line: iterations, sizes, ..."""
    game: str
    agents: tuple[str, ...]
    x_name: str = ""
    """What x is, if not what it is in the rest of the study."""
    published: float | None = None
    """The share that the paper or its authors give; none: they did not play this."""
    published_games: int = 0
    published_results: tuple[Results, ...] = ()
    """The same with draws apart, where the paper counts them, seat by seat of the first agent."""
    published_ratio: float | None = None
    """The first agent's score over that of the others, where the paper compares scores."""
    games: int = 100
    effort: float = 1
    """How long a game takes on a core, roughly, in seconds."""
    long: bool = False
    """Too long for an ordinary run; only with --full."""
    whose: int = 0
    """The place among the agents of the one whose share it is, if not the first's."""
    games_of: str = ""
    """Comparisons of the same agents that have the same name here are about the same games."""

    @property
    def games_name(self) -> str:
        return self.games_of or self.name


@dataclass(frozen=True)
class Timing:
    """A claim about speed: the first agent takes so many times the second one's time for the same work."""

    name: str
    game: str
    agents: tuple[str, str]
    published: float
    clock: Literal["cpu", "wall"] = "cpu"
    """Whose time: that of all threads together, or that of who waits for them."""


@dataclass(frozen=True)
class Study:
    """A paper's claims."""

    title: str
    paper: str
    x_name: str
    comparisons: tuple[Comparison, ...]
    timings: tuple[Timing, ...] = ()
    draws: bool = False
    """Whether draws are so frequent that wins and losses are to be shown beside the shares."""
    scores: str = ""
    """What scores are called, where they are to be compared, too."""
    notes: str = ""
    bench: tuple[str, ...] = ()
    """Specs of the game in the sizes that its speed depends on, for `spinney bench`."""
