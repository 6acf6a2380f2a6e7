"""Gating: games between networks and hand-written players, without search. They decide which network goes on, and keep
score.

Many games are played at once, and each network evaluates all positions of a turn in one batch. A game is a function of
its seats and its seed, whatever other games are played beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from spinney import games as known_games
from spinney.agents import Decision
from spinney.agents.compiled_players import compiled_player
from spinney.agents.net import policy_of, sample
from spinney.clock import Clock
from spinney.games import Card, Game, State
from spinney.games.spec import parse_spec
from spinney.kernel import uniform
from spinney.play import NativeState, Session
from spinney.search.encoding import PlaneEncoder
from spinney.search.evaluators import Evaluator, load
from spinney.stats import win_shares

AT_ONCE = 64
"""Games played at once: enough for full batches."""


@dataclass(frozen=True)
class ContestGame:
    """One game to be played, as plain data for other processes. Seats are `net(...)` or hand-written players."""

    number: int
    game: str
    seats: tuple[str, ...]
    seed: int
    longest: int


@dataclass
class Result:
    """A finished game: what each seat has won, one for the winner, shared among several."""

    number: int
    shares: list[float]
    turns: int


class CompiledSeat:
    """A hand-written player that chooses in a native state."""

    def __init__(self, game: Game, spec: str) -> None:
        self._player = compiled_player(game, spec)

    def decide(self, state: State, clock: Clock | None = None, *, player: int | None = None) -> Decision:  # noqa: ARG002
        assert isinstance(state, NativeState)
        assert player is not None
        return Decision(player, int(self._player(state.record, player, state.out, state.picks)), "")


class ContestSession(Session):
    """A contest game in progress. The seats of networks are told their actions, which come from a batch."""

    def __init__(self, game: Game, contest: ContestGame) -> None:
        seats = [None if is_network(spec) else CompiledSeat(game, spec) for spec in contest.seats]
        super().__init__(NativeState(game, contest.seed), seats, ask_forced=True)
        self.contest = contest

    state: NativeState


def is_network(spec: str) -> bool:
    return parse_spec(spec)[0] == "net"


def play_contest_games(contests: Sequence[ContestGame]) -> Iterator[Result]:
    """Games, many at once; each is yielded when it is over."""
    if not contests:
        return
    game = known_games.load(contests[0].game)
    waiting, playing = list(contests), list[ContestSession]()
    while waiting or playing:
        while waiting and len(playing) < AT_ONCE:
            playing.append(ContestSession(game, waiting.pop(0)))
        asked: dict[str, list[tuple[ContestSession, int]]] = {}
        for table in playing:
            for player in table.waiting_for:
                asked.setdefault(table.contest.seats[player], []).append((table, player))
            table.ask()
        for spec, places in asked.items():
            _ask(game, spec, places)
        for table in list(playing):
            if table.is_over or table.state.turns >= table.contest.longest:
                playing.remove(table)
                yield _result(table)


def _ask(game: Game, spec: str, places: Sequence[tuple[ContestSession, int]]) -> None:
    """Let a network choose in all its seats."""
    evaluator, encoder, temperature = _net(game.card, spec)
    states = np.empty(len(places), game.card.rules.State.dtype)
    for i, (table, _) in enumerate(places):
        states[i] = table.state.record
    priors, _ = evaluator(encoder.look(states, np.array([player for _, player in places])))
    for row, (table, player) in enumerate(places):
        state = table.state
        actions = state.plausible(player)
        weights = policy_of(encoder.encoder, state.record, player, actions, priors[row])
        table.tell(sample(actions, weights, temperature, uniform(state.picks)), player)


@cache
def _net(card: Card, spec: str) -> tuple[Evaluator, PlaneEncoder, float]:
    _, given = parse_spec(spec)
    evaluator = load(card, given.get("weights"))
    return evaluator, PlaneEncoder(card, evaluator.encoder), float(given.get("temperature", 0.0))


def _result(table: ContestSession) -> Result:
    state = table.state.plain()
    players = state.game.players
    won = win_shares(state.winners() if state.is_over else [], players)  # nobody wins a game that does not end
    return Result(table.contest.number, won, table.state.turns)
