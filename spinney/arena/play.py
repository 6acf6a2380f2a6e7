"""One game of a tournament, played in a worker process, and its result."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from spinney import games
from spinney.agents import Agent, build
from spinney.arena.schedule import Pairing
from spinney.clock import Clock, counted_by, freeze_gc, now
from spinney.errors import SpinneyError
from spinney.games import State
from spinney.seeds import derive
from spinney.stats import win_shares


@dataclass(frozen=True)
class GameJob:
    """A scheduled game with everything needed to play it, as plain data that can be sent to another process."""

    pairing: Pairing
    game: str
    specs: tuple[str, ...]
    seed: int
    limit: float | None = None
    """Seconds per move; an agent that takes longer forfeits the game."""
    clock: Clock = "wall"
    """Which seconds are counted: wall-clock or CPU time."""


@dataclass
class SeatResult:
    """What one seat did in a game. The fields are columns of the results file; new ones need a default."""

    agent: int
    """Index of the agent among the distinct agents of the tournament."""
    share: float = 0.0
    """What the seat won: 1 for the only winner, divided among several."""
    score: float = 0.0
    """Points at the end; in games without points, the reward."""
    moves: int = 0
    seconds: float = 0.0
    """Thinking time of all moves."""
    longest: float = 0.0
    """Thinking time of the longest move."""

    def add_move(self, seconds: float) -> None:
        self.moves += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)


@dataclass
class GameResult:
    """A finished game. The fields but `seats` are columns of the results file; new ones need a default."""

    number: int
    """Position in the schedule."""
    seed: int
    """The seed of the game's chance events."""
    seats: list[SeatResult]
    steps: list[tuple[int, int]]
    """Every step as (player, action), where player -1 is chance."""
    forfeit_seat: int | None = None
    """The seat that forfeited the game, if any."""
    forfeit_reason: str | None = None

    @property
    def agents(self) -> list[int]:
        """The agent in each seat."""
        return [seat.agent for seat in self.seats]

    @property
    def shares(self) -> list[float]:
        return [seat.share for seat in self.seats]

    @property
    def scores(self) -> list[float]:
        return [seat.score for seat in self.seats]

    @property
    def forfeit(self) -> tuple[int, str] | None:
        """The seat that forfeited and the reason, if any."""
        return None if self.forfeit_seat is None else (self.forfeit_seat, self.forfeit_reason or "")


class Forfeit(Exception):
    """An agent raised an error, exceeded the time limit, or made an illegal move."""

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.seat, self.reason = seat, reason


def play_game(job: GameJob) -> GameResult:
    """Play a game to its end or to a forfeit. A seat that forfeits wins nothing; the others share the win."""
    pairing = job.pairing
    game = games.load(job.game)
    state = game.start(pairing.seed)
    result = GameResult(pairing.number, pairing.seed, [SeatResult(agent) for agent in pairing.seats], steps=[])
    agents = [
        build(game, job.specs[agent], derive(job.seed, "agent", pairing.number, seat))
        for seat, agent in enumerate(pairing.seats)
    ]
    _freeze_once(job.game, job.specs)
    try:
        with counted_by(job.clock):
            _play(state, agents, job.limit, result.seats)
        winners = state.winners()
    except Forfeit as forfeit:
        result.forfeit_seat, result.forfeit_reason = forfeit.seat, forfeit.reason
        winners = [seat for seat in range(game.players) if seat != forfeit.seat]
    shares = win_shares(winners, game.players)
    for seat, share, score in zip(result.seats, shares, state.scores(), strict=True):
        seat.share, seat.score = share, score
    result.steps = list(state.history)
    return result


def _play(state: State, agents: list[Agent], limit: float | None, seats: list[SeatResult]) -> None:
    """Ask the agents for their moves until the game is over."""
    while not state.is_over:
        actions = {seat: _ask(agents[seat], state, seat, limit, seats[seat]) for seat in state.movers}
        for seat, action in actions.items():
            try:
                state.apply(action, seat)
            except SpinneyError as error:
                raise Forfeit(seat, f"played an illegal action: {error}") from error


def _ask(agent: Agent, state: State, seat: int, limit: float | None, result: SeatResult) -> int:
    """The action that an agent chooses, timed."""
    before = now()
    try:
        decision = agent.move(state, seat)
    except Exception as error:
        raise Forfeit(seat, f"raised {type(error).__name__}: {error}") from error
    took = now() - before
    result.add_move(took)
    if limit is not None and took > limit:
        raise Forfeit(seat, f"took {took:.3f} s for a move; the limit is {limit:g} s")
    return decision.action


@lru_cache(maxsize=1)
def _freeze_once(game: str, specs: tuple[str, ...]) -> None:
    """Freeze the compiler's objects once per process and tournament, after its agents are built."""
    freeze_gc()
