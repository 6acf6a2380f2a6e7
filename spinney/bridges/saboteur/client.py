"""The dialogue with the server: a connection for each game, and an answer to every PLAY in time."""

from __future__ import annotations

import logging
import re
import socket
import time
from collections import Counter
from collections.abc import Callable
from typing import Literal

from spinney.agents import Agent
from spinney.bridges.saboteur.view import BadSetup, PlayerView
from spinney.clock import Clock, freeze_gc
from spinney.errors import BadOption, SpinneyError

LIMIT, MARGIN = 2.0, 0.3
"""Seconds for a move, and those of them that are kept in reserve, for the network and a busy machine."""
PATIENCE = 10.0
"""Seconds for which a connection is tried again."""
SILENCE = 120.0
"""Seconds without a line from the server after which a game is given up."""
PAUSE = 0.2
"""Seconds between two tries to connect."""

Result = Literal["won", "lost", "drawn", "broken off"]
START = re.compile(r"START Player-([01])\b")
GAME_OVER = re.compile(r"GAMEOVER (?:(.*?) ?WINNER ([01])|DRAW)\s*$")

_log = logging.getLogger(__name__)


class Disconnected(SpinneyError):
    """The server has closed the connection, or sends nothing."""


def check_options(name: str, limit: float, margin: float) -> None:
    """Refuse a name or times that no game can be played with."""
    if not 0 <= margin < limit:
        raise BadOption(f"a margin of {margin:g} s; it must be less than the {limit:g} s of a move")
    if name.split() != [name] or not name.isprintable():
        raise BadOption(f"the name {name!r}; it must be one word of printable letters")


class Client:
    """An agent that plays games on a server, one after the other."""

    def __init__(
        self,
        agent: Agent,
        host: str,
        port: int,
        name: str = "spinney",
        limit: float = LIMIT,
        margin: float = MARGIN,
        patience: float = PATIENCE,
        silence: float = SILENCE,
        tell: Callable[[str], None] = lambda line: None,
    ) -> None:
        check_options(name, limit, margin)
        self.agent, self.address, self.name = agent, (host, port), name
        self.patience, self.silence, self.tell = patience, silence, tell
        self.results: Counter[Result] = Counter()
        """Of the games so far."""
        self._clock = Clock(seconds=limit, reserve=margin)
        agent.decide(agent.game.start(seed=1), self._clock.start())  # so that everything it needs is in memory
        freeze_gc()

    def play(self, games: int) -> Counter[Result]:
        """Play games in a row. An error if the server cannot be reached."""
        for number in range(1, games + 1):
            result, why = self._game(number)
            self.results[result] += 1
            self.tell(f"game {number}: {result}{f' ({why})' if why else ''}")
        return self.results

    def _game(self, number: int) -> tuple[Result, str]:
        with self._connect() as connection:
            self.tell(f"game {number}: connected to {self.address[0]}:{self.address[1]}, waiting for an opponent")
            lines = Lines(connection)
            try:
                lines.send(f"START {self.name}")
                return self._dialogue(lines)
            except (Disconnected, BadSetup) as gone:
                return "broken off", str(gone)

    def _connect(self) -> socket.socket:
        """A connection; tried again for a while if the server does not answer."""
        give_up = time.monotonic() + self.patience
        while True:
            try:
                return socket.create_connection(self.address, timeout=max(1.0, self.patience))
            except (OSError, UnicodeError) as error:  # a host's name that is too long is the latter
                if time.monotonic() + PAUSE > give_up:
                    where, why = f"{self.address[0]}:{self.address[1]}", getattr(error, "strerror", None) or error
                    raise SpinneyError(f"no server answers at {where}: {why}; tried for {self.patience:g} s") from None
            time.sleep(PAUSE)

    def _dialogue(self, lines: Lines) -> tuple[Result, str]:
        """One game, from the START line to its end."""
        number, setup, view = -1, "", None
        while True:
            line = lines.read(None if number < 0 else self.silence)  # an opponent may connect much later
            started = time.perf_counter()
            if match := GAME_OVER.match(line):
                why, winner = match[1] or "", match[2]
                return ("drawn" if winner is None else "won" if int(winner) == number else "lost"), why
            if match := START.match(line):
                number = int(match[1])
            elif line.startswith("BoardInit:") and view is None:
                setup = line
            elif line.startswith("PLAY "):
                if view is not None and line == f"PLAY Player-{number}":
                    lines.send(self._move(view, started))
            elif view is not None and line:
                self._follow(view, line)
            if view is None and setup and number >= 0:
                view = PlayerView(self.agent.game, number, setup)

    def _follow(self, view: PlayerView, line: str) -> None:
        try:
            view.follow(line)
        except SpinneyError as error:  # the server is right, even if its line cannot be understood
            how = "cards are dropped from now on" if view.out_of_step else "the game is played on without it"
            _log.error("%s; %s", error, how)

    def _move(self, view: PlayerView, started: float) -> str:
        """A move in any case: the agent's, a simple player's, or a drop, which is always legal."""
        drop = f"Drop 0 0 {view.number}"
        if view.out_of_step:
            return drop
        state, player = view.state, view.player
        legal = state.legal(player)
        try:
            clock = self._clock.start(at=started)
            action = legal[0] if len(legal) == 1 else self.agent.decide(state, clock, player=player).action
            if action in legal:
                return view.text(action)
            _log.error("%s made an illegal move; another is made instead", self.agent.spec)
        except Exception as error:
            _log.error("%s failed: %s; another move is made instead", self.agent.spec, error)
            _log.debug("where it failed", exc_info=True)
        card = self.agent.game.card
        try:
            return view.text(int(card.player("greedy")(state.record, player, card.out(), None)))
        except Exception:
            return drop


class Lines:
    """Lines over a socket."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket, self._held = connection, b""
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    def read(self, silence: float | None) -> str:
        """The next line; an error if none comes for this many seconds."""
        self._socket.settimeout(silence)
        while b"\n" not in self._held:
            try:
                more = self._socket.recv(65536)
            except TimeoutError:
                raise Disconnected(f"the server has sent nothing for {silence:g} s") from None
            except OSError as error:
                raise Disconnected(f"the connection was lost: {error.strerror or error}") from None
            if not more:
                raise Disconnected("the server closed the connection before the end of the game")
            self._held += more
        line, _, self._held = self._held.partition(b"\n")
        return line.decode("utf-8", "replace").strip()

    def send(self, line: str) -> None:
        try:
            self._socket.sendall(f"{line}\n".encode())
        except OSError as error:
            raise Disconnected(f"the connection was lost: {error.strerror or error}") from None
