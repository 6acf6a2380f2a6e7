"""What a report says, in numbers: everything is worked out from the results file alone."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from spinney.arena.play import GameResult
from spinney.arena.standings import Standing, standings, wilson
from spinney.arena.store import Store
from spinney.games import game_names
from spinney.games.spec import parse_spec

POINTS = 200
"""A curve has at most so many points."""
COLOURS = 8
"""How many colours the style sheet has for agents; where agents share one plot, only the best so many are drawn."""


class Share(NamedTuple):
    """A share of games with its 95 % interval."""

    games: float
    share: float
    low: float
    high: float

    @classmethod
    def of(cls, won: float, games: float) -> Share:
        """What was won of so many games."""
        share = won / games if games else 0.0
        return cls(games, share, *wilson(share, games))


class Thinking(NamedTuple):
    """The thinking times of an agent, in seconds."""

    moves: int
    total: float
    longest: float
    game: int
    """Where the longest was."""


@dataclass(frozen=True)
class Figures:
    """The figures of a results file. Lists have an entry per agent, in the order in which agents were named."""

    file: str
    settings: dict[str, Any]
    specs: tuple[str, ...]
    finished: list[GameResult]
    players: int
    has_points: bool
    standings: list[Standing]
    seats: list[Share]
    """What each seat won, whoever sat there."""
    by_seat: list[list[Share]]
    """What each agent won in each seat."""
    head_to_head: list[list[Share | None]]
    curves: list[list[Share]]
    """How the share of each agent developed."""
    scores: list[list[float]]
    times: list[Thinking]

    @property
    def even(self) -> float:
        """The share of everybody if all were equal: less than one by the number of players where nobody may win."""
        won = sum(sum(game.shares) for game in self.finished)
        return won / (self.players * len(self.finished))

    @property
    def planned(self) -> int:
        return max(int(self.settings["games"]), len(self.finished))

    @property
    def command(self) -> str:
        """What plays the same games again."""
        if "ranges" in self.settings:
            return f"{tune_command(self.settings)} --file {shlex.quote(self.file)}"
        words = ["spinney", "arena", self.settings["game"], *self.settings["agents"], "--games", str(self.planned)]
        words += ["--seed", str(self.settings["seed"])]
        words += [] if self.settings["limit"] is None else ["--limit", str(self.settings["limit"])]
        words += ["--cpu-time"] if self.settings["clock"] == "cpu" else []
        return shlex.join([*words, "--file", self.file])

    def replay(self, number: int | str) -> str:
        """What shows one of the games."""
        name, _ = parse_spec(self.settings["game"])
        own = [] if name in game_names() else ["--game", name]
        return shlex.join(["spinney", "replay", *own, self.file]) + f" {number}"

    def forfeits(self) -> list[tuple[GameResult, int, str]]:
        """The games that ended by a forfeit, the seat that forfeited, and why."""
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
            "by_seat": {
                spec: [seat._asdict() for seat in seats]
                for spec, seats in zip(self.specs, self.by_seat, strict=True)
            },
            "head_to_head": {
                one: {
                    two: met._asdict() for two, met in zip(self.specs, row, strict=True) if met is not None
                }
                for one, row in zip(self.specs, self.head_to_head, strict=True)
            },
            "times": {spec: times._asdict() for spec, times in zip(self.specs, self.times, strict=True)},
            "forfeits": [
                {"game": game.number, "agent": self.specs[game.seats[seat]], "seat": seat, "reason": reason}
                for game, seat, reason in self.forfeits()
            ],
        }  # fmt: skip


def tune_command(settings: dict[str, Any]) -> str:
    """What tunes the same again."""
    words = ["spinney", "tune", settings["game"], settings["agent"], *settings["ranges"]]
    words += [word for spec in settings["against"] for word in ("--against", spec)]
    words += ["--games", str(settings["budget"]), "--seed", str(settings["seed"])]
    return shlex.join(words if settings["block"] is None else [*words, "--block", str(settings["block"])])


def figures(store: Store) -> Figures:
    """Everything that a results file says."""
    specs, finished = store.specs, store.games()
    players = len(finished[0].seats) if finished else 0
    agents = range(len(specs))
    places = [[(game, seat) for game in finished for seat, who in enumerate(game.seats) if who == a] for a in agents]
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
            [_share([game.shares[seat] for game, seat in mine if seat == place]) for place in range(players)]
            for mine in places
        ],
        head_to_head=[[None if a == b else _met(a, b, finished) for b in agents] for a in agents],
        curves=[_curve([game.shares[seat] for game, seat in mine]) for mine in places],
        scores=[[game.scores[seat] for game, seat in mine] for mine in places],
        times=[_times(mine) for mine in places],
    )


def _share(shares: Sequence[float]) -> Share:
    return Share.of(sum(shares), len(shares))


def _met(one: int, two: int, finished: Sequence[GameResult]) -> Share | None:
    """What one agent won of all that the two won in games where both sat; who sits twice counts by the mean seat.

    With two players that is the share. With more it is what Luce's rule is about: the games that others won say
    nothing about these two. The interval is that of as many games as the two won.
    """
    won, lost = 0.0, 0.0
    for game in finished:
        if one in game.seats and two in game.seats:
            won += _mean([share for share, agent in zip(game.shares, game.seats, strict=True) if agent == one])
            lost += _mean([share for share, agent in zip(game.shares, game.seats, strict=True) if agent == two])
    return Share.of(won, won + lost) if won + lost > 0 else None


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _curve(shares: Sequence[float]) -> list[Share]:
    """The share after some of the games, more densely where it moves more."""
    n = len(shares)
    stops = {max(1, round(n * (i / POINTS) ** 2)) for i in range(1, POINTS + 1)} if n else set()
    curve, won = [], 0.0
    for games, share in enumerate(shares, 1):
        won += share
        if games in stops:
            curve.append(Share.of(won, games))
    return curve


def _times(places: Sequence[tuple[GameResult, int]]) -> Thinking:
    longest, game = max(((game.longest[seat], game.number) for game, seat in places), default=(0.0, 0))
    moves = sum(game.moves[seat] for game, seat in places)
    return Thinking(moves, sum(game.seconds[seat] for game, seat in places), longest, game)
