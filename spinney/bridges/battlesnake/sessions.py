"""The games that are going on: what has to be remembered of each snake from one message to the next."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from typing import Any

from spinney.bridges.battlesnake.game_log import GameLog
from spinney.bridges.battlesnake.messages import Message, options_of, position_of, printable
from spinney.errors import SpinneyError
from spinney.games.battlesnake.position import to_state

LONGEST = 10_000
"""Milliseconds that are spent on a move at most, whatever the engine would wait."""
QUIET = 10.0
"""Seconds without a message after which a game makes room for a new one."""


class Full(SpinneyError):
    """There is no room for another game."""


class Seat:
    """A snake in a game."""

    def __init__(self, message: Message) -> None:
        self.options = options_of(message)
        message.must_live()
        self.ids = list(message.snakes())
        """The snakes in the order of the first message: their places are their numbers as players."""
        self.names = [printable(snake.name or snake.id) for snake in message.snakes().values()]
        self.player = self.ids.index(message.you.id)
        self.name = f"game {printable(message.game.id)}, snake {printable(message.you.name or message.you.id)}"
        self.journal = GameLog()
        self.heard = time.monotonic()
        self.moves = 0
        self.slowest = 0.0
        """The longest that an answer took here, in milliseconds."""
        self._fell: dict[str, int] = {}
        self._took = 0.0
        self._lags: deque[float] = deque(maxlen=10)
        self.record(message)

    def record(self, message: Message) -> Any:
        """The state that a message shows. Who has fallen is no longer on the board, and keeps its number."""
        living = message.snakes()
        fell = {name: min(message.turn, self._fell.get(name, message.turn)) for name in self.ids if name not in living}
        found = to_state(position_of(message, self.options, self.ids, fell))
        self._fell = fell
        return found

    def allowance(self, message: Message, margin: float) -> float:
        """Milliseconds for an answer: the timeout, less the margin, less how much longer than us the engine has lately
        seen answers take."""
        self._note_lag(message.you.milliseconds)
        timeout = min(message.game.timeout, LONGEST) if message.game.timeout > 0 else 500
        return max(timeout / 4, timeout - margin - max(self._lags, default=0.0))

    def answered(self, milliseconds: float) -> None:
        self._took = milliseconds
        self.slowest = max(self.slowest, milliseconds)
        self.moves += 1

    def result(self, message: Message) -> str:
        """How the game ended for the snake."""
        living = message.snakes()
        if len(self.ids) == 1:
            return "over"
        if not living:
            return "nobody won"
        return "won" if list(living) == [message.you.id] else "lost"

    def _note_lag(self, seen: float) -> None:
        if seen and self._took:
            self._lags.append(max(0.0, seen - self._took))


class Seats:
    """The seats that are taken; at most so many, and none that has been silent for too long."""

    def __init__(self, most: int, idle: float) -> None:
        self.most, self.idle = most, idle
        self._seats: dict[tuple[str, str], Seat] = {}
        """Those heard from longest ago come first."""

    def __len__(self) -> int:
        return len(self._seats)

    def find(self, message: Message) -> Seat | None:
        """The seat that a message is for, which has now been heard from."""
        seat = self._seats.pop(message.key, None)
        if seat is not None:
            seat.heard = time.monotonic()
            self._seats[message.key] = seat
        return seat

    def take(self, message: Message, seat: Seat) -> None:
        if len(self) >= self.most:
            raise Full(f"{self.most} games are going on; try again later")
        self._seats[message.key] = seat

    def leave(self, message: Message) -> Seat | None:
        return self._seats.pop(message.key, None)

    def dropped(self, *, all: bool = False) -> Iterator[Seat]:
        """Give up seats, and yield them: the idle ones; where there is no room, the first quiet one; or all."""
        now = time.monotonic()
        for key, seat in list(self._seats.items()):
            silent = now - seat.heard
            if all or silent > self.idle or (len(self) >= self.most and silent > QUIET):
                yield self._seats.pop(key)
