"""An engine for bots that speak Halite's protocol on their pipes, with Spinney's rules: what it says to a bot, and
games between programs, who are all asked at the same time, as the official engine does."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from spinney.errors import SpinneyError
from spinney.games.card import OVER
from spinney.games.halite import rules
from spinney.games.halite.commands import give_orders
from spinney.games.halite.recording import FIXED, xy
from spinney.games.halite.state import STRIDE

PATIENCE = 5.0
"""Seconds in which a bot should end when its pipes are closed."""


def before_game(s: Any, me: int) -> str:
    """The engine's first message to a player."""
    constants = {**FIXED, "MAX_TURNS": int(s.turns), "INSPIRATION_ENABLED": bool(s.inspiration)}
    lines = [json.dumps(constants), f"{s.players} {me}"]
    lines += [f"{player} {x} {y}" for player in range(s.players) for x, y in [xy(s.yard[player])]]
    lines += [f"{s.size} {s.size}", *(" ".join(map(str, row)) + " " for row in rows(s))]
    return "\n".join(lines) + "\n"


def of_turn(s: Any, before: list[list[int]]) -> str:
    """The engine's message of a turn; the map was another one a turn ago."""
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
    """A bot that runs as a process of its own, and how long it took for each turn."""

    command: Sequence[str]
    name: str = ""
    seconds: list[float] = field(default_factory=list)
    most_ships: int = 0
    _process: subprocess.Popen[str] | None = None

    def start(self, message: str) -> None:
        """Start the program, tell it of the game, and wait for its name."""
        self._process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.name = self._answer(message)

    def ask(self, message: str) -> str:
        """Its commands for a turn."""
        started = time.perf_counter()
        line = self._answer(message)
        self.seconds.append(time.perf_counter() - started)
        return line

    def end(self) -> None:
        """Close its pipes; a bot ends then."""
        if self._process is None:
            return
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # it has ended already
                pipe.close()  # type: ignore[union-attr]
        try:
            self._process.wait(PATIENCE)
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


def play(s: Any, programs: Sequence[Program]) -> None:
    """Play a position to its end. A program that ends, or gives orders that are none, is an error."""
    with ThreadPoolExecutor(len(programs)) as threads:
        try:
            _all([threads.submit(one.start, before_game(s, player)) for player, one in enumerate(programs)])
            before = rows(s)
            while s.mover != OVER:
                message = of_turn(s, before)
                lines = _all([threads.submit(program.ask, message) for program in programs])
                before = rows(s)
                for player, (program, line) in enumerate(zip(programs, lines, strict=True)):
                    program.most_ships = max(program.most_ships, int(s.fleet[player]))
                    give_orders(s, player, line)
                rules.carry_out(s)
        finally:
            for program in programs:
                program.end()


def _all(asked: list[Future[Any]]) -> list[Any]:
    """What all of them answer; nobody is still at it when one has failed."""
    wait(asked)
    return [answer.result() for answer in asked]
