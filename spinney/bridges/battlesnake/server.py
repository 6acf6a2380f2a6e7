"""What the server does with its messages: the games that are going on, and the agents that think about them."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pydantic

import spinney
from spinney.bridges.battlesnake.agents import QUICK, Agents
from spinney.bridges.battlesnake.game_log import GameLog
from spinney.bridges.battlesnake.messages import Message
from spinney.bridges.battlesnake.scheduler import Scheduler
from spinney.bridges.battlesnake.sessions import Seat, Seats
from spinney.errors import UnknownName
from spinney.games.battlesnake.recording import DIRECTIONS
from spinney.games.options import Options

USUAL = (4, 2)
"""Numbers of snakes whose agents are ready before the server listens."""
PATIENCE = 6.0
"""Seconds to wait for the agents of other numbers of snakes: enough to load them, not to compile them."""
WORDS = {number: word for word, number in DIRECTIONS.items()}


class Look(Options):
    """How the engine shows a snake."""

    author: str = pydantic.Field(default="", pattern=r"^[\w .-]{0,50}$")
    color: str = "#3d7d4a"
    head: str = pydantic.Field(default="default", pattern=r"^[a-z0-9-]{1,50}$")
    tail: str = pydantic.Field(default="default", pattern=r"^[a-z0-9-]{1,50}$")

    @pydantic.field_validator("color")
    @classmethod
    def _is_a_color(cls, color: str) -> str:
        if not re.fullmatch("#[0-9a-fA-F]{6}", color):
            raise ValueError("must be # and six hexadecimal digits, as #3d7d4a")
        return color


@dataclass
class Server:
    """Everything that the server does, whatever asks it."""

    spec: str
    workers: int = 1
    look: Look = field(default_factory=Look)
    margin: float = 80.0
    """Milliseconds of the engine's timeout that are left for the network."""
    most: int = 256
    idle: float = 600.0
    log: Path | None = None
    tell: Callable[[str], None] = print

    def __post_init__(self) -> None:
        self.agents = Agents(self.spec, self.workers)
        self.desk = Scheduler(self.agents, self.workers)
        self.seats = Seats(self.most, self.idle)

    def prepare(self) -> None:
        """Make the agents for the usual games; wait a little for the others, which may have to be compiled."""
        for players in USUAL:
            self.tell(f"preparing {self.spec} for {players} snakes")
            self.agents.prepare(players)
        others = threading.Thread(target=self._prepare_others, name="spinney prepares", daemon=True)
        others.start()
        others.join(PATIENCE)

    def _prepare_others(self) -> None:
        try:
            self.agents.prepare_others()
        except Exception as error:  # the games that are going on are more important
            self.tell(f"not prepared for all numbers of snakes, {QUICK} plays the others: {error}")
        if self.agents.ready:
            self.tell("prepared for all numbers of snakes")

    def start(self, message: Message) -> Seat:
        seat = Seat(message)
        if old := self.seats.leave(message):
            self._close(old, "begun again")
        self.drop()
        self.seats.take(message, seat)
        seat.journal = GameLog(self.log, message)
        seat.journal.write("start", message, agent=self.spec, version=spinney.__version__)
        options, later = seat.options, f", from turn {message.turn}" if message.turn else ""
        self.tell(f"{seat.name}: {options.mode}, {options.players} snakes, {options.width}x{options.height}{later}")
        return seat

    async def move(self, message: Message, arrived: float) -> str:
        """The move for a position, in time; the clock has been running since it arrived.

        A message tells all about its game, so that one that was begun with another server is played on from there.
        """
        seat = self.seats.find(message) or self.start(message)
        message.must_live()
        record = seat.record(message)
        deadline = arrived + seat.allowance(message, self.margin) / 1000
        answer = await self.desk.answer(record, seat.player, deadline)
        took = 1000 * (time.perf_counter() - arrived)
        seat.answered(took)
        word = WORDS[answer.move]
        seat.journal.write("move", message, move=word, iterations=answer.iterations, milliseconds=round(took, 1))
        return word

    def end(self, message: Message) -> None:
        seat = self.seats.find(message)
        if seat is None:
            raise UnknownName("there is no such game, or you are not in it")
        result = seat.result(message)
        self.seats.leave(message)
        self._close(seat, result, message)

    def drop(self, *, all: bool = False) -> None:
        """Give up the games that have been silent for too long, or all."""
        for seat in self.seats.dropped(all=all):
            self._close(seat, "stopped" if all else "dropped")

    def close(self) -> None:
        self.drop(all=True)
        self.agents.close()
        self.desk.close()

    def _close(self, seat: Seat, result: str, message: Message | None = None) -> None:
        seat.journal.write("end", message, result=result)
        seat.journal.close()
        slowest = f", the slowest in {seat.slowest:.0f} ms" if seat.moves else ""
        self.tell(f"{seat.name}: {result} after {seat.moves} moves{slowest}")
