"""The games in progress: a session for each served snake."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator

from spinney.bridges.battlesnake.game_log import GameLog
from spinney.bridges.battlesnake.messages import Message, options_of, position_of, printable, with_options
from spinney.bridges.battlesnake.steps import same_board, steps_between
from spinney.errors import SpinneyError
from spinney.games import Game, State
from spinney.games.battlesnake.position import to_state
from spinney.games.battlesnake.state import ALIVE
from spinney.play import Session

LONGEST = 10_000
"""Milliseconds for a move at most, even if the engine allows more."""
QUIET = 10.0
"""Seconds without a message after which a game makes room for a new one."""


class Full(SpinneyError):
    """There is no room for another game."""


class SnakeSession(Session):
    """A snake in a game of the engine, which tells a position each turn."""

    def __init__(self, game: Game, message: Message, *, events: bool = False) -> None:
        self.options = options_of(message, game)
        message.must_live()
        self.ids = list(message.living)
        """The snakes in the order of the first message, which is their order as players."""
        self.names = [printable(snake.name or snake.id) for snake in message.living.values()]
        self.player = self.ids.index(message.you.id)
        self.name = f"game {printable(message.game.id)}, snake {printable(message.you.name or message.you.id)}"
        self.log = GameLog()
        self.heard = time.monotonic()
        self.moves = 0
        self.slowest = 0.0
        """Milliseconds of the slowest answer, measured here."""
        self._took = 0.0
        self._delays: deque[float] = deque(maxlen=10)
        record = to_state(position_of(message, self.options, self.ids, {}))
        super().__init__(State(with_options(game, players=len(self.ids)), record), events=events)

    def hear(self, message: Message) -> None:
        """Go on to the position of a message. Eliminated snakes are not on the board and keep their numbers."""
        known = self.state.record
        fell = {
            name: message.turn if known.cause[player] == ALIVE else min(message.turn, known.fell[player])
            for player, name in enumerate(self.ids)
            if name not in message.living
        }
        record = to_state(position_of(message, self.options, self.ids, fell))
        self.follow(record, steps_between(known, record), same_board)

    def allowance(self, message: Message, margin: float) -> float:
        """Milliseconds for an answer: the engine's timeout, less a margin, less the longest recent delay of the
        network, as far as the engine has measured it."""
        seen = message.you.milliseconds
        if seen and self._took:
            self._delays.append(max(0.0, seen - self._took))
        timeout = min(message.game.timeout, LONGEST) if message.game.timeout > 0 else 500
        return max(timeout / 4, timeout - margin - max(self._delays, default=0.0))

    def answered(self, milliseconds: float) -> None:
        self._took = milliseconds
        self.slowest = max(self.slowest, milliseconds)
        self.moves += 1

    def result(self, message: Message) -> str:
        """How the game ended for the snake."""
        if len(self.ids) == 1:
            return "over"
        if not message.living:
            return "nobody won"
        return "won" if list(message.living) == [message.you.id] else "lost"


class Sessions:
    """The sessions in progress: a limited number, and none that has been idle for too long."""

    def __init__(self, most: int, idle: float) -> None:
        self.most, self.idle = most, idle
        self._sessions: dict[tuple[str, str], SnakeSession] = {}
        """The one heard from longest ago comes first."""

    def __len__(self) -> int:
        return len(self._sessions)

    def find(self, message: Message) -> SnakeSession | None:
        """The session that a message is for."""
        session = self._sessions.pop(message.key, None)
        if session is not None:
            session.heard = time.monotonic()
            self._sessions[message.key] = session
        return session

    def add(self, message: Message, session: SnakeSession) -> None:
        if len(self) >= self.most:
            raise Full(f"{self.most} games are going on; try again later")
        self._sessions[message.key] = session

    def remove(self, message: Message) -> SnakeSession | None:
        return self._sessions.pop(message.key, None)

    def dropped(self, *, all: bool = False) -> Iterator[SnakeSession]:
        """Remove sessions and yield them: the idle ones; where there is no room, the first quiet one; or all."""
        now = time.monotonic()
        for key, session in list(self._sessions.items()):
            silent = now - session.heard
            if all or silent > self.idle or (len(self) >= self.most and silent > QUIET):
                yield self._sessions.pop(key)
