"""The bot: reads a turn, lets an agent decide its orders, and answers with a line of commands in time."""

from __future__ import annotations

import time
import traceback
from functools import partial
from itertools import chain
from math import inf
from typing import TextIO

from spinney import games
from spinney.agents import build
from spinney.bridges.halite import LIMIT, MARGIN
from spinney.bridges.halite.messages import Line, Match, read_match, read_turn
from spinney.bridges.log import Log
from spinney.clock import Clock, Margin, freeze_gc
from spinney.games import Card, State
from spinney.games.halite.commands import turn_line
from spinney.games.halite.rules import find_piece
from spinney.play import Session

FIRST_MARGIN = 0.1
"""Seconds that the first answer is expected to take after its search, beside the reserve."""
FADE = 0.98
"""The part of the learnt margin that is left after each turn."""
NAME = 30
"""Letters of a name that the engine keeps."""


class Bot:
    """An agent in one game. The options of the game are those of the engine's first message."""

    def __init__(self, card: Card, spec: str, match: Match, margin: float = MARGIN) -> None:
        self.match = match
        game = games.load(
            card, players=len(match.yards), size=match.size, turns=match.turns, inspiration=match.inspiration
        )
        self.agent = build(game, spec)
        self.clock = Clock(seconds=LIMIT, reserve=margin, margin=Margin(FIRST_MARGIN, FADE))
        self.iterations = 0
        """Simulations of the last turn."""
        self._session = Session(State(game, match.record()), events=False)
        self._planned_end = inf

    def answer(self, started: float) -> str:
        """The line of commands for the turn of the last message, which began to arrive at `started`."""
        me, record = self.match.me, self.match.record()
        if not find_piece(record) or record.mover != me:  # it has no ship, and cannot build one
            return ""
        self._session.follow(record)
        state = self._session.state
        clock = self.clock.start(at=started)
        self._planned_end = clock.restrict().deadline
        turn = self.agent.decide_turn(state, clock, player=me)
        self.iterations = turn.iterations
        line = turn_line(state.record, me, turn.actions)
        for action in turn.actions:
            self._session.tell(action, me)  # an error if it is illegal
        return line

    def answered(self) -> None:
        """The answer is on its way: learn how long that took beyond the planned end of the search. One late answer ends
        the game, so what is learnt fades slowly."""
        assert self.clock.margin is not None
        self.clock.margin.learn(time.perf_counter() - self._planned_end)
        self._planned_end = inf


def play(card: Card, line: Line, out: TextIO, spec: str, name: str, log: Log, margin: float = MARGIN) -> float:
    """Play one game with the engine, until it closes the pipe; the longest turn in seconds."""
    note = log.note
    match = read_match(line)
    for problem in match.unusual():
        note(f"{problem}; the rules here differ")
    bot = Bot(card, spec, match, margin)
    freeze_gc()
    note(f"{spec} as player {match.me} of {len(match.yards)} on {match.size}x{match.size}, {match.turns} turns")
    print(name[:NAME], file=out, flush=True)
    longest = 0.0
    while first := line():
        started = time.perf_counter()  # after the first line: before, others are thinking
        read_turn(partial(next, chain([first], iter(line, None))), match)
        try:
            commands = bot.answer(started)
        except Exception:  # no answer would end the game
            note(f"turn {match.turn}: no orders, because of an error\n{traceback.format_exc()}")
            commands = ""
        print(commands, file=out, flush=True)
        bot.answered()
        seconds = time.perf_counter() - started
        longest = max(longest, seconds)
        ships = len(match.fleets[match.me].ships)
        note(f"turn {match.turn}: {ships} ships, {seconds:.3f} s, {bot.iterations} simulations: {commands}")
    return longest
