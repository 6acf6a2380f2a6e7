"""The numbers of a report, computed from a results file alone."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from spinney.arena.play import GameResult, SeatResult
from spinney.arena.standings import Standings, standings
from spinney.arena.store import Store
from spinney.games import game_names
from spinney.games.spec import parse_spec
from spinney.stats import Share

POINTS = 200
"""The most points of a curve."""
COLOURS = 8
"""How many colours the style sheet has for agents; a plot of several agents shows at most this many, the best."""


class Thinking(NamedTuple):
    """Thinking times of an agent, in seconds."""

    moves: int
    total: float
    longest: float
    game: int
    """The game with the longest move."""


@dataclass(frozen=True)
class Figures:
    """The figures of a results file. Lists have an entry per agent, in the order in which the agents were named."""

    file: str
    settings: dict[str, Any]
    specs: tuple[str, ...]
    finished: list[GameResult]
    players: int
    has_points: bool
    standings: Standings
    seats: list[Share]
    """Win share of each seat, over all agents."""
    by_seat: list[list[Share]]
    """Win share of each agent in each seat."""
    head_to_head: list[list[Share | None]]
    curves: list[list[Share]]
    """Win share of each agent after some of its games."""
    scores: list[list[float]]
    times: list[Thinking]
    command: str
    """The command that plays the same games again."""

    @property
    def even(self) -> float:
        """The share of equally strong agents: 1 / players, or less if some games have no winner."""
        won = sum(sum(game.shares) for game in self.finished)
        return won / (self.players * len(self.finished))

    @property
    def planned(self) -> int:
        return max(int(self.settings["games"]), len(self.finished))

    def replay(self, number: int | str) -> str:
        """The command that shows one of the games."""
        name, _ = parse_spec(self.settings["game"])
        own = [] if name in game_names() else ["--game", name]
        return shlex.join(["spinney", "replay", *own, self.file]) + f" {number}"

    def forfeits(self) -> list[tuple[GameResult, int, str]]:
        """The games that ended by a forfeit, each with the seat that forfeited and the reason."""
        return [(game, *game.forfeit) for game in self.finished if game.forfeit is not None]

    def plain(self) -> dict[str, Any]:
        """The figures as plain data for JSON."""
        return {
            "file": self.file,
            "settings": self.settings,
            "command": self.command,
            "players": self.players,
            "games": len(self.finished),
            "planned": self.planned,
            "standings": [asdict(row) for row in self.standings],
            "seats": [seat._asdict() for seat in self.seats],
            "by_seat": self._by_agent([[seat._asdict() for seat in seats] for seats in self.by_seat]),
            "head_to_head": self._by_agent([
                self._by_agent([None if met is None else met._asdict() for met in row]) for row in self.head_to_head
            ]),
            "times": self._by_agent([times._asdict() for times in self.times]),
            "forfeits": [
                {"game": game.number, "agent": self.specs[game.agents[seat]], "seat": seat, "reason": reason}
                for game, seat, reason in self.forfeits()
            ],
        }  # fmt: skip

    def _by_agent(self, rows: Sequence[Any]) -> dict[str, Any]:
        return {spec: row for spec, row in zip(self.specs, rows, strict=True) if row is not None}


def figures(store: Store, command: str | None = None) -> Figures:
    """All figures of a results file. The command is the one that plays the same games again, if it is not an arena."""
    specs, finished = store.specs, store.games()
    players = len(finished[0].seats) if finished else 0
    agents = range(len(specs))
    seats = [[(game, seat) for game in finished for seat in game.seats if seat.agent == agent] for agent in agents]
    return Figures(
        file=store.file.name,
        settings=store.settings,
        specs=specs,
        finished=finished,
        players=players,
        has_points=any(not 0 <= score <= 1 for game in finished for score in game.scores),
        standings=standings(specs, finished),
        seats=[_share([game.shares[seat] for game in finished]) for seat in range(players)],
        by_seat=[
            [_share([seat.share for game, seat in mine if game.seats[place] is seat]) for place in range(players)]
            for mine in seats
        ],
        head_to_head=[[None if a == b else _head_to_head(a, b, finished) for b in agents] for a in agents],
        curves=[_curve([seat.share for _, seat in mine]) for mine in seats],
        scores=[[seat.score for _, seat in mine] for mine in seats],
        times=[_times(mine) for mine in seats],
        command=_arena_command(store, len(finished)) if command is None else command,
    )


def _arena_command(store: Store, played: int) -> str:
    settings = store.settings
    words = ["spinney", "arena", settings["game"], *settings["agents"], "--games", str(max(settings["games"], played))]
    words += ["--seed", str(settings["seed"])]
    words += [] if settings["limit"] is None else ["--limit", str(settings["limit"])]
    words += ["--cpu-time"] if settings["clock"] == "cpu" else []
    return shlex.join([*words, "--file", store.file.name])


def _share(shares: Sequence[float]) -> Share:
    return Share.of(sum(shares), len(shares))


def _head_to_head(one: int, two: int, finished: Sequence[GameResult]) -> Share | None:
    """What one agent won of all that the two won in games in which both played. An agent with several seats in a game
    counts with their mean.

    With two players this is the win share. With more it is the quantity of Luce's rule: games that others won do not
    count. The interval is that of as many games as the two won.
    """
    won, lost = 0.0, 0.0
    for game in finished:
        ones, twos = ([seat.share for seat in game.seats if seat.agent == agent] for agent in (one, two))
        if ones and twos:
            won += sum(ones) / len(ones)
            lost += sum(twos) / len(twos)
    return Share.of(won, won + lost) if won + lost > 0 else None


def _curve(shares: Sequence[float]) -> list[Share]:
    """The share after some of the games, with more points at the beginning, where it changes most."""
    n = len(shares)
    stops = {max(1, round(n * (i / POINTS) ** 2)) for i in range(1, POINTS + 1)} if n else set()
    curve, won = [], 0.0
    for games, share in enumerate(shares, 1):
        won += share
        if games in stops:
            curve.append(Share.of(won, games))
    return curve


def _times(seats: Sequence[tuple[GameResult, SeatResult]]) -> Thinking:
    longest, game = max(((seat.longest, game.number) for game, seat in seats), default=(0.0, 0))
    return Thinking(sum(seat.moves for _, seat in seats), sum(seat.seconds for _, seat in seats), longest, game)
