"""The bot: reads a turn, lets an agent give its orders, and answers with a line, in time."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, TextIO

from spinney import games
from spinney.agents import Agent, PlannerAgent, SearchAgent, build
from spinney.bridges.halite import LIMIT, MARGIN
from spinney.bridges.halite.messages import Line, Match, read_match, read_turn
from spinney.clock import freeze_gc
from spinney.games import Game, State
from spinney.games.halite.commands import command_line
from spinney.games.halite.rules import can_spawn, construction_price
from spinney.games.halite.state import CONSTRUCT, SHIP_COST, SPAWN
from spinney.search.forest import Forest

FADES = 0.98
"""What is left of the longest overrun, a turn later."""
NAME = 30
"""Letters of a name that the engine keeps."""


class Bot:
    """An agent in one game."""

    def __init__(self, spec: str, match: Match, margin: float = MARGIN) -> None:
        self.match, self.margin = match, margin
        options = {
            "players": len(match.yards), "size": match.size, "turns": match.turns,
            "inspiration": bool(match.constants.get("INSPIRATION_ENABLED", True)),
        }  # fmt: skip
        self.game: Game = games.load("halite", **options)
        self.agent: Agent = build(self.game, spec)
        self.simulations = 0
        self.overrun = 0.0
        """Seconds that searches have lately taken after the end of their budget, to make orders fit together."""

    def answer(self, started: float) -> str:
        """The line of commands for the turn that the match is at; the clock has been running since `started`."""
        s: Any = self.match.record()
        player = self.match.me
        ships = [i for i in range(s.ships) if s.player[i] == player]
        orders = self._orders(s, player, ships, started)
        for i, order in zip(ships, orders, strict=False):
            s.order[i] = order
        s.spawn[player] = int(len(orders) > len(ships) and orders[-1] == SPAWN)
        return command_line(s, player)

    def _orders(self, s: Any, player: int, ships: list[int], started: float) -> list[int]:
        if isinstance(self.agent, PlannerAgent):
            return self.agent.orders(s, player)
        if isinstance(self.agent, SearchAgent) and isinstance(self.agent.search, Forest):
            state = State(self.game, s)
            state.decided = {player} if self.match.turn > 1 else set()
            seconds = max(0.05, LIMIT - self.margin - self.overrun)
            budget = self.agent.search.budget(state, player, seconds)
            budget.started = started
            orders, self.simulations = self.agent.search.plan_turn(s, player, budget)
            self.overrun = max(FADES * self.overrun, budget.elapsed - budget.seconds)
            return orders
        return self._one_by_one(s, player, ships)

    def _one_by_one(self, s: Any, player: int, ships: list[int]) -> list[int]:
        """The orders of an agent that gives one after the other."""
        orders = []
        for i in ships:
            s.piece = i
            order = self.agent.move(State(self.game, s), player).action
            if order == CONSTRUCT:
                s.spent[player] += construction_price(s, i)
            s.order[i] = order
            orders.append(order)
        s.piece = s.ships
        if can_spawn(s, player):
            orders.append(self.agent.move(State(self.game, s), player).action)
            s.spent[player] += SHIP_COST * (orders[-1] == SPAWN)
        return orders


def warm_up(spec: str) -> None:
    """Compile an agent, or load it from the cache."""
    build(games.load("halite"), spec)


class Log:
    """Where a line is written for every turn, if anywhere. Trouble with the disk ends the log, not the game."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = None if file is None else file.open("wb", buffering=0)

    def note(self, text: str) -> None:
        if self._file is not None:
            try:
                self._file.write(f"{text}\n".encode())
            except OSError:
                self.close()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def play(line: Line, out: TextIO, spec: str, name: str, log: Log, margin: float = MARGIN) -> float:
    """Play one game with the engine, until it falls silent; the longest turn in seconds."""
    note = log.note
    match = read_match(line)
    for problem in match.unusual():
        note(f"{problem}; the rules here are others")
    bot = Bot(spec, match, margin)
    freeze_gc()
    note(f"{spec} as player {match.me} of {len(match.yards)} on {match.size}x{match.size}, {match.turns} turns")
    _say(out, name[:NAME])
    longest = 0.0
    while True:
        started = 0.0

        def timed(read: Callable[[], str] = line) -> str:
            nonlocal started
            text = read()
            started = started or time.perf_counter()  # not while the others think
            return text

        if not read_turn(timed, match):
            return longest
        try:
            commands = bot.answer(started)
        except Exception:  # to say nothing would be the end of the game
            note(f"turn {match.turn}: no orders, for\n{traceback.format_exc()}")
            commands = ""
        _say(out, commands)
        seconds = time.perf_counter() - started
        longest = max(longest, seconds)
        ships = len(match.fleets[match.me].ships)
        note(f"turn {match.turn}: {ships} ships, {seconds:.3f} s, {bot.simulations} simulations: {commands}")


def _say(out: TextIO, text: str) -> None:
    out.write(f"{text}\n")
    out.flush()
