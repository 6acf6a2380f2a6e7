"""Gating: games of networks without search, against each other or against hand-written players.

Many games are played at once, and each network evaluates the positions of all games in one batch. A game depends
only on its seats and its seed, not on the other games.
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

PARALLEL_GAMES = 64
"""Games played at once: enough for full batches."""


@dataclass(frozen=True)
class ContestGame:
    """A game to play, as plain data for other processes."""

    number: int
    game: str
    seats: tuple[str, ...]
    """Specs of networks, `net(...)`, or of hand-written players."""
    seed: int
    max_turns: int


@dataclass
class Result:
    """A finished game, with the win share of each seat: 1, or 1/k if k players win together."""

    number: int
    shares: list[float]
    turns: int


class CompiledSeat:
    """A compiled hand-written player in a seat of a session with a native state."""

    def __init__(self, game: Game, spec: str) -> None:
        self._player = compiled_player(game.card, spec)

    def decide(self, state: State, clock: Clock | None = None, *, player: int | None = None) -> Decision:  # noqa: ARG002
        assert isinstance(state, NativeState)
        assert player is not None
        return Decision(player, int(self._player(state.record, player, state.out, state.picks)), "")


class ContestSession(Session):
    """A game in progress. The seats of networks are None: their actions come from a batch."""

    def __init__(self, game: Game, contest: ContestGame) -> None:
        seats = [None if parse_spec(spec)[0] == "net" else CompiledSeat(game, spec) for spec in contest.seats]
        super().__init__(NativeState(game, contest.seed), seats, ask_forced=True)
        self.contest = contest

    state: NativeState


def play_contest_games(contests: Sequence[ContestGame]) -> Iterator[Result]:
    """Play games, many at once; yields each result when the game is over."""
    if not contests:
        return
    game = known_games.load(contests[0].game)
    waiting, playing = list(contests), list[ContestSession]()
    while waiting or playing:
        while waiting and len(playing) < PARALLEL_GAMES:
            playing.append(ContestSession(game, waiting.pop(0)))
        asked: dict[str, list[tuple[ContestSession, int]]] = {}
        for session in playing:
            for player in session.waiting_for:
                asked.setdefault(session.contest.seats[player], []).append((session, player))
            session.ask()
        for spec, seats in asked.items():
            _decide(game, spec, seats)
        for session in list(playing):
            if session.is_over or session.state.turns >= session.contest.max_turns:
                playing.remove(session)
                winners = session.state.plain().winners() if session.is_over else []  # nobody wins a game cut off
                yield Result(session.contest.number, win_shares(winners, game.players), session.state.turns)


def _decide(game: Game, spec: str, seats: Sequence[tuple[ContestSession, int]]) -> None:
    """Choose the actions of all seats of a network, in one batch."""
    evaluator, encoder, temperature = _net(game.card, spec)
    states = np.empty(len(seats), game.card.rules.State.dtype)
    for i, (session, _) in enumerate(seats):
        states[i] = session.state.record
    priors, _ = evaluator(encoder.look(states, np.array([player for _, player in seats])))
    for row, (session, player) in enumerate(seats):
        state = session.state
        actions = state.plausible(player)
        weights = policy_of(encoder.encoder, state.record, player, actions, priors[row])
        session.tell(sample(actions, weights, temperature, uniform(state.picks)), player)


@cache
def _net(card: Card, spec: str) -> tuple[Evaluator, PlaneEncoder, float]:
    _, given = parse_spec(spec)
    evaluator = load(card, given.get("weights"))
    return evaluator, PlaneEncoder(card, evaluator.encoder), float(given.get("temperature", 0.0))
