"""One game of a tournament, played in whatever process it is given to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from spinney import games
from spinney.agents import Agent, build
from spinney.arena.schedule import Pairing, derive
from spinney.clock import Clock, counted_by, freeze_gc, now
from spinney.errors import SpinneyError
from spinney.games import State


@dataclass(frozen=True)
class Job:
    """A pairing with all that is needed to play it: plain data, for it travels between processes."""

    pairing: Pairing
    game: str
    specs: tuple[str, ...]
    seed: int
    limit: float | None = None
    """Seconds for a move; more is a forfeit."""
    clock: Clock = "wall"
    """Whose seconds."""


@dataclass
class GameResult:
    """A finished game. Lists have an entry per seat."""

    number: int
    seed: int
    seats: list[int]
    steps: list[tuple[int, int]]
    shares: list[float]
    """What each seat won: one for the winner, divided among several."""
    scores: list[float]
    moves: list[int]
    seconds: list[float]
    longest: list[float]
    forfeit: tuple[int, str] | None = None
    """The seat that broke the rules of the tournament, and how."""


@dataclass
class Times:
    """Thinking times of one seat."""

    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def add(self, seconds: float) -> None:
        self.moves += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)


class Forfeit(Exception):
    """A seat that raised, was late, or made an illegal move."""

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.seat, self.reason = seat, reason


def play_game(job: Job) -> GameResult:
    """Play a game to its end, or to a forfeit: who forfeits gets nothing, and the others share."""
    pairing = job.pairing
    game = games.load(job.game)
    state = game.start(pairing.seed)
    clocks = [Times() for _ in pairing.seats]
    forfeit = None
    try:
        with counted_by(job.clock):
            _play(job, game, state, clocks)
        shares = share(state)
    except Forfeit as broken:
        forfeit = (broken.seat, broken.reason)
        others = len(pairing.seats) - 1
        shares = [0.0 if seat == broken.seat else 1 / others for seat in range(others + 1)]
    return GameResult(
        number=pairing.number,
        seed=pairing.seed,
        seats=list(pairing.seats),
        steps=list(state.history),
        shares=shares,
        scores=state.scores(),
        moves=[clock.moves for clock in clocks],
        seconds=[clock.seconds for clock in clocks],
        longest=[clock.longest for clock in clocks],
        forfeit=forfeit,
    )


def _play(job: Job, game: games.Game, state: State, clocks: list[Times]) -> None:
    agents = [
        build(game, job.specs[agent], derive(job.seed, "agent", job.pairing.number, seat))
        for seat, agent in enumerate(job.pairing.seats)
    ]
    _compiled(job.game, job.specs)
    while not state.is_over:
        actions = {seat: _ask(job, agents[seat], state, seat, clocks[seat]) for seat in state.movers}
        for seat, action in actions.items():
            try:
                state.apply(action, seat)
            except SpinneyError as error:
                raise Forfeit(seat, f"played an illegal action: {error}") from error


@lru_cache(maxsize=1)
def _compiled(game: str, specs: tuple[str, ...]) -> None:
    """Once in a process for all games of a tournament: its agents are made."""
    freeze_gc()


def _ask(job: Job, agent: Agent, state: State, seat: int, clock: Times) -> int:
    """An agent's action, against the clock."""
    before = now()
    try:
        decision = agent.move(state, seat)
    except Exception as error:
        raise Forfeit(seat, f"raised {type(error).__name__}: {error}") from error
    took = now() - before
    clock.add(took)
    if job.limit is not None and took > job.limit:
        raise Forfeit(seat, f"took {took:.3f} s for a move; the limit is {job.limit:g} s")
    return decision.action


def share(state: State) -> list[float]:
    """One for the winner of a finished game; several winners divide it; nobody may have won."""
    winners = state.winners()
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(state.game.players)]
