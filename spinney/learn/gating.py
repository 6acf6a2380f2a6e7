"""Games between networks and hand-written players, without search: they decide which network goes on, and keep score.

Many games are played at once, and each network looks at all positions of a turn in one batch. A game is a function of
its seats and its seed, whoever plays it and beside which others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from spinney import games as known_games
from spinney.agents.compiled_players import compiled_player
from spinney.agents.net import luck, pick, weigh
from spinney.arena.play import share
from spinney.games import Card, Game
from spinney.games.spec import parse_spec
from spinney.learn.table import Table
from spinney.search.encoding import PlaneEncoder
from spinney.search.evaluators import Evaluator, load

AT_ONCE = 64
"""Games played at once: enough for full batches."""


@dataclass(frozen=True)
class ContestGame:
    """One game to be played: plain data, for it may travel. Seats are `net(...)` or hand-written players."""

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


@dataclass
class _Sitting:
    fixture: ContestGame
    table: Table
    actions: dict[int, int] = field(default_factory=dict)


def play_contest_games(fixtures: Sequence[ContestGame]) -> Iterator[Result]:
    """Games, many at once; each comes when it is over."""
    if not fixtures:
        return
    game = known_games.load(fixtures[0].game)
    waiting, sitting = list(fixtures), list[_Sitting]()
    while waiting or sitting:
        while waiting and len(sitting) < AT_ONCE:
            fixture = waiting.pop(0)
            sitting.append(_Sitting(fixture, Table(game, fixture.seed)))
        asked: dict[str, list[tuple[_Sitting, int]]] = {}
        for one in sitting:
            one.actions = {}
            for player in one.table.movers:
                spec = one.fixture.seats[player]
                if parse_spec(spec)[0] == "net":
                    asked.setdefault(spec, []).append((one, player))
                else:
                    table = one.table
                    one.actions[player] = int(compiled_player(game, spec)(table.s, player, table.out, table.picks))
        for spec, places in asked.items():
            _ask(game, spec, places)
        for one in list(sitting):
            one.table.step(one.actions)
            if not one.table.movers or one.table.turns >= one.fixture.longest:
                sitting.remove(one)
                yield _result(one)


def _ask(game: Game, spec: str, places: Sequence[tuple[_Sitting, int]]) -> None:
    """What a network does in all its seats."""
    evaluator, eyes, temperature = _net(game.card, spec)
    states = np.empty(len(places), game.card.rules.State.dtype)
    for i, (one, _) in enumerate(places):
        states[i] = one.table.s
    priors, _ = evaluator(eyes.look(states, np.array([player for _, player in places])))
    for row, (one, player) in enumerate(places):
        actions = one.table.plausible(player)
        weights = weigh(eyes.encoder, one.table.s, player, actions, priors[row])
        one.actions[player] = pick(actions, weights, temperature, luck(one.table.picks))


@cache
def _net(card: Card, spec: str) -> tuple[Evaluator, PlaneEncoder, float]:
    _, given = parse_spec(spec)
    evaluator = load(card, given.get("weights"))
    return evaluator, PlaneEncoder(card, evaluator.encoder), float(given.get("temperature", 0.0))


def _result(one: _Sitting) -> Result:
    players, state = one.table.game.players, one.table.plain()
    shares = share(state) if state.is_over else [0.0] * players  # a game that does not end is won by nobody
    return Result(one.fixture.number, shares, one.table.turns)
