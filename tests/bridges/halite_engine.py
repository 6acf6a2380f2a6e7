"""An engine for bots that speak Halite's protocol on their pipes, with Spinney's rules: the messages to a bot, and
games between programs. All of them are asked at the same time when a turn begins, as the official engine does."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from spinney.agents import Decision
from spinney.clock import Clock
from spinney.errors import SpinneyError
from spinney.games import State
from spinney.games.halite.commands import give_orders
from spinney.games.halite.recording import FIXED, xy
from spinney.games.halite.state import SPAWN, STAY, STRIDE
from spinney.play import Session

END_SECONDS = 5.0
"""Seconds in which a bot should end when its pipes are closed."""


def game_message(s: Any, me: int) -> str:
    """The engine's first message to a player."""
    constants = {**FIXED, "MAX_TURNS": int(s.turns), "INSPIRATION_ENABLED": bool(s.inspiration)}
    lines = [json.dumps(constants), f"{s.players} {me}"]
    lines += [f"{player} {x} {y}" for player in range(s.players) for x, y in [xy(s.yard[player])]]
    lines += [f"{s.size} {s.size}", *(" ".join(map(str, row)) + " " for row in rows(s))]
    return "\n".join(lines) + "\n"


def turn_message(s: Any, before: list[list[int]]) -> str:
    """The engine's message of a turn, from the position and the map of the turn before."""
    lines = [str(s.turn + 1)]
    for player in range(s.players):
        ships = [i for i in range(s.ships) if s.player[i] == player]
        dropoffs = [(k, *xy(s.dropoff[k])) for k in range(s.dropoffs) if s.owner[s.dropoff[k]] == player]
        lines.append(f"{player} {len(ships)} {len(dropoffs)} {s.treasury[player]}")
        lines += [f"{s.id[i]} {' '.join(map(str, xy(s.cell[i])))} {s.cargo[i]}" for i in reversed(ships)]
        lines += [" ".join(map(str, dropoff)) for dropoff in dropoffs]
    changed = [f"{x} {y} {cell}" for y, row in enumerate(rows(s)) for x, cell in enumerate(row) if cell != before[y][x]]
    return "\n".join([*lines, str(len(changed)), *changed]) + "\n"


def rows(s: Any) -> list[list[int]]:
    """The halite of the map, row by row."""
    return [list(s.halite[STRIDE * y : STRIDE * y + s.size]) for y in range(s.size)]


@dataclass
class Program:
    """A bot that runs as a process of its own, as a seat of a session, and the seconds it took for each turn."""

    command: Sequence[str]
    name: str = ""
    seconds: list[float] = field(default_factory=list)
    most_ships: int = 0
    _process: subprocess.Popen[str] | None = None
    _map: list[list[int]] = field(default_factory=list)
    """The map in the last message."""
    _ordered: Any = None
    """The position with its orders of this turn."""

    def start(self, s: Any, player: int) -> None:
        """Start the program, send it the first message, and wait for its name."""
        self._process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._map = rows(s)
        self.name = self._answer(game_message(s, player))

    def begin_turn(self, state: State, player: int) -> None:
        """Ask for its orders of a turn. An order that the engine would terminate a player for is an error."""
        s = state.record
        message = turn_message(s, self._map)
        started = time.perf_counter()
        line = self._answer(message)
        self.seconds.append(time.perf_counter() - started)
        self.most_ships = max(self.most_ships, int(s.fleet[player]))
        self._map, self._ordered = rows(s), s.copy()
        give_orders(self._ordered, player, line)

    def decide(self, state: State, clock: Clock | None = None, *, player: int | None = None) -> Decision:  # noqa: ARG002
        """Its order for the piece that is next. What it cannot pay for is like STAY."""
        assert player is not None
        piece, ordered = int(state.record.piece), self._ordered
        yard = SPAWN if ordered.spawn[player] else STAY
        wanted = yard if piece == ordered.ships else int(ordered.order[piece])
        action = wanted if wanted in state.legal(player) else STAY
        return Decision(player, action, state.name(action))

    def end(self) -> None:
        """Close its pipes; a bot ends then."""
        if self._process is None:
            return
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # it has ended already
                pipe.close()  # type: ignore[union-attr]
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _answer(self, message: str) -> str:
        assert self._process is not None
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(message)
            stdin.flush()
        except BrokenPipeError:
            raise SpinneyError(f"{self.name or 'a bot'} has ended") from None
        line = stdout.readline()
        if not line.endswith("\n"):
            raise SpinneyError(f"{self.name or 'a bot'} has ended")
        return line.rstrip("\n")


def play(state: State, programs: Sequence[Program]) -> None:
    """Play a game to its end. A program that ends, or sends orders that are not allowed, is an error."""
    session = Session(state, programs, at_once=True, events=False)
    try:
        with ThreadPoolExecutor(len(programs)) as threads:
            started = [threads.submit(one.start, state.record, player) for player, one in enumerate(programs)]
        for start in started:
            start.result()
        session.play()
    finally:
        session.close()
        for program in programs:
            program.end()
