"""One game of a tournament, played in a worker process, and its result."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Literal, Protocol

from spinney import games
from spinney.agents import Agent, CommandAgent, Decision, build
from spinney.agents.briefs import briefs_of, pack
from spinney.arena.schedule import Pairing
from spinney.clock import Clock, freeze_gc
from spinney.games import State
from spinney.play import Session
from spinney.seeds import derive
from spinney.stats import win_shares

Seconds = Literal["wall", "cpu"]
"""Which seconds are counted: wall-clock or CPU time."""


@dataclass(frozen=True)
class GameJob:
    """A scheduled game with everything needed to play it, as plain data that can be sent to another process."""

    pairing: Pairing
    game: str
    specs: tuple[str, ...]
    seed: int
    limit: float | None = None
    """Seconds per move; an agent that takes longer forfeits the game."""
    clock: Seconds = "wall"
    keep_decisions: bool = False
    """Whether the figures of the decisions are stored."""
    memory: int | None = None
    """MiB that the process of the game may ask for."""


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


@dataclass
class GameResult:
    """A finished game. The fields but `seats` and `decisions` are columns of the results file; new ones need a
    default."""

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
    decisions: bytes = b""
    """The packed figures of the decisions, if they were to be kept; a game that is read from a file is without."""

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
    """An agent raised an error, exceeded the time limit, or chose an illegal action."""

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.seat, self.reason = seat, reason


class Watch(Protocol):
    """Who is told which seat is asked for a decision, and when it has answered."""

    def ask(self, seat: int, state: State | None = None) -> None: ...

    def answered(self) -> None: ...


class Unwatched:
    """Nobody watches."""

    def ask(self, seat: int, state: State | None = None) -> None:
        pass

    def answered(self) -> None:
        pass


class TournamentSeat:
    """An agent in a tournament: its moves are timed, and an error, an illegal action or a late move is a forfeit."""

    def __init__(self, agent: Agent, job: GameJob, result: SeatResult, watch: Watch) -> None:
        self.agent, self.limit, self.result, self._watch = agent, job.limit, result, watch
        told = job.limit if isinstance(agent, CommandAgent) and job.limit is not None else inf
        self._clock = Clock(told, cpu=job.clock == "cpu")  # a program is told the limit

    def decide(self, state: State, clock: Clock | None = None, *, player: int | None = None) -> Decision:
        """The agent's decision; a forced action is played without asking the agent, and counts as a move."""
        assert player is not None
        legal = state.legal(player)
        self._watch.ask(player, state)
        clock = self._clock.start()
        try:
            forced = len(legal) == 1
            decision = Decision(player, legal[0], "") if forced else self.agent.decide(state, clock, player=player)
        except Exception as error:
            raise Forfeit(player, f"raised {type(error).__name__}: {error}") from error
        finally:
            self._watch.answered()
        seconds, result = clock.elapsed, self.result
        result.moves, result.seconds = result.moves + 1, result.seconds + seconds
        result.longest = max(result.longest, seconds)
        if self.limit is not None and seconds > self.limit:
            raise Forfeit(player, f"took {seconds:.3f} s for a move; the limit is {self.limit:g} s")
        if (action := decision.action) not in legal:
            raise Forfeit(player, f"played an illegal action: action {action} is not legal for player {player}")
        return decision


def play_game(job: GameJob, watch: Watch | None = None) -> GameResult:
    """Play a game to its end or to a forfeit. A seat that forfeits wins nothing; the others share the win."""
    watch = watch or Unwatched()
    state = games.load(job.game).start(job.pairing.seed)
    result = empty_result(job)
    forfeit = None
    seats = [_make_seat(job, seat, row, state, watch) for seat, row in enumerate(result.seats)]
    _freeze_once(job.game, job.specs)
    session = Session(state, seats, ask_forced=True, events=job.keep_decisions)
    try:
        session.play()
    except Forfeit as error:
        forfeit = error
    if job.keep_decisions:
        result.decisions = pack(briefs_of(session.decisions))
    return settle(result, state, forfeit)


def _make_seat(job: GameJob, seat: int, row: SeatResult, state: State, watch: Watch) -> TournamentSeat:
    watch.ask(seat)
    agent = build(state.game, job.specs[row.agent], derive(job.seed, "agent", job.pairing.number, seat))
    watch.answered()
    return TournamentSeat(agent, job, row, watch)


def empty_result(job: GameJob) -> GameResult:
    """The result of a game in which nothing has happened."""
    return GameResult(
        job.pairing.number, job.pairing.seed, [SeatResult(agent) for agent in job.pairing.seats], steps=[]
    )


def settle(result: GameResult, state: State, forfeit: Forfeit | None = None) -> GameResult:
    """Enter how a game ended: who won what, and all steps."""
    players = state.game.players
    if forfeit is None:
        winners = state.winners()
    else:
        result.forfeit_seat, result.forfeit_reason = forfeit.seat, forfeit.reason
        winners = [seat for seat in range(players) if seat != forfeit.seat]
    for row, share, score in zip(result.seats, win_shares(winners, players), state.scores(), strict=True):
        row.share, row.score = share, score
    result.steps = list(state.history)
    return result


@lru_cache(maxsize=1)
def _freeze_once(game: str, specs: tuple[str, ...]) -> None:
    """Freeze the compiler's objects once per process and tournament, after its agents are built."""
    freeze_gc()
