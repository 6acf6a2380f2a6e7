"""The server behind the HTTP API: the games in progress, and the agents that decide in them."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pydantic

import spinney
from spinney.agents import Decision
from spinney.bridges.battlesnake.agents import QUICK, AgentPool
from spinney.bridges.battlesnake.game_log import GameLog
from spinney.bridges.battlesnake.messages import Message
from spinney.bridges.battlesnake.scheduler import Scheduler
from spinney.bridges.battlesnake.sessions import Full, Sessions, SnakeSession
from spinney.clock import Clock
from spinney.errors import SpinneyError, UnknownName
from spinney.games import Game
from spinney.games.battlesnake.board import DIRECTIONS
from spinney.games.options import Options

USUAL = (4, 2)
"""Numbers of snakes whose agents are ready before the server listens."""
PATIENCE = 6.0
"""Seconds to wait for the agents of other numbers of snakes: enough to load them, not to compile them."""


class Contradiction(SpinneyError):
    """A message that does not go with what is known of its game."""


class Appearance(Options):
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
    """What the server does, independent of the protocol."""

    game: Game
    spec: str
    """The agent."""
    source: str = ""
    """The spec of the game, to load it in another process; its name unless given."""
    workers: int = 1
    appearance: Appearance = field(default_factory=Appearance)
    margin: float = 80.0
    """Milliseconds of the engine's timeout that are left for the network."""
    most: int = 256
    idle: float = 600.0
    log: Path | None = None
    tell: Callable[[str], None] = print

    def __post_init__(self) -> None:
        self.agents = AgentPool(self.game, self.spec, self.workers, self.source)
        self.scheduler = Scheduler(self.workers)
        self.sessions = Sessions(self.most, self.idle)

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
        except Exception as error:  # the games in progress go on
            self.tell(f"not prepared for all numbers of snakes, {QUICK} plays the others: {error}")
        if self.agents.ready:
            self.tell("prepared for all numbers of snakes")

    def start(self, message: Message) -> SnakeSession:
        session = SnakeSession(self.game, message)
        if old := self.sessions.remove(message):
            self._close(old, "begun again")
        self.drop()
        self.sessions.add(message, session)
        session.log = GameLog(self.log, message)
        session.log.write("start", message, agent=self.spec, version=spinney.__version__)
        options, later = session.options, f", from turn {message.turn}" if message.turn else ""
        self.tell(f"{session.name}: {options.mode}, {options.players} snakes, {options.width}x{options.height}{later}")
        return session

    async def move(self, message: Message, arrived: float) -> str:
        """The move for a position, in time; the clock has been running since the message arrived.

        A message holds all about its game, so a game that another server began is played on from there.
        """
        message.must_live()
        try:
            session = self.sessions.find(message) or self.start(message)
        except Full:  # a snake needs a move all the same
            session, make = SnakeSession(self.game, message), self._decide_quickly
        else:
            make = self._decide
        try:
            decision = await self._schedule(make, session, message, arrived)
        except Contradiction:  # what was known of the game was wrong
            session = self.start(message)
            decision = await self._schedule(make, session, message, arrived)
        took = 1000 * (time.perf_counter() - arrived)
        session.answered(took)
        session.log.write_move(decision, took, message)
        return DIRECTIONS[decision.action]

    async def _schedule(
        self, make: Callable[..., Decision], session: SnakeSession, message: Message, arrived: float
    ) -> Decision:
        """Decide on a thread, because the event loop has other messages to read."""
        deadline = arrived + session.allowance(message, self.margin) / 1000
        decide = partial(make, session, message)
        return await self.scheduler.decide(decide, deadline, self.agents.margins[len(session.ids)])

    def _decide_quickly(self, session: SnakeSession, message: Message, clock: Clock) -> Decision:  # noqa: ARG002
        return self.agents.quick_decision(session.state, session.player, clock)

    def _decide(self, session: SnakeSession, message: Message, clock: Clock) -> Decision:
        try:
            session.hear(message)
        except SpinneyError as error:
            raise Contradiction(str(error)) from error
        return self.agents.decide(session.state, session.player, message.key, clock)

    def end(self, message: Message) -> None:
        session = self.sessions.find(message)
        if session is None:
            raise UnknownName("there is no such game, or you are not in it")
        result = session.result(message)
        self.sessions.remove(message)
        self._close(session, result, message)

    def drop(self, *, all: bool = False) -> None:
        """Drop the games that have been silent for too long, or all."""
        for session in self.sessions.dropped(all=all):
            self._close(session, "stopped" if all else "dropped")

    def close(self) -> None:
        self.drop(all=True)
        self.agents.close()
        self.scheduler.close()

    def _close(self, session: SnakeSession, result: str, message: Message | None = None) -> None:
        session.log.write("end", message, result=result)
        session.log.close()
        slowest = f", the slowest in {session.slowest:.0f} ms" if session.moves else ""
        self.tell(f"{session.name}: {result} after {session.moves} moves{slowest}")
