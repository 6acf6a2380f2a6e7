"""An engine that plays games between snakes on the network, as the official command line does, with Spinney's rules.

It also has the official habits: a snake that is silent, late or wrong repeats its last move, at first up; the survivor
is asked once more on the final board; and /end, which eliminated snakes get as well, has a turn that is one too high.
"""

from __future__ import annotations

import http.client
import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from spinney.agents import Decision
from spinney.clock import Clock
from spinney.errors import BadOption, SpinneyError
from spinney.games import Game, State
from spinney.games.battlesnake.options import BattlesnakeOptions
from spinney.games.battlesnake.position import to_position
from spinney.games.battlesnake.recording import DIRECTIONS
from spinney.play import Session


@dataclass
class Snake:
    """A snake as a seat of a session: the server that answers for it, and its record of late and wrong answers."""

    id: str
    url: str
    last: str = "up"
    seen: dict[str, Any] = field(default_factory=dict)
    """Its description when it was last alive."""
    request: bytes = b""
    """The body of the next /move."""
    latencies: list[float] = field(default_factory=list)
    """The seconds that each answer to /move took."""
    late: int = 0
    wrong: int = 0

    def __post_init__(self) -> None:
        try:
            where = urlsplit(self.url)
            self._host, self._port, self._path = where.hostname or "", where.port, where.path
        except ValueError as error:
            raise BadOption(f"'{self.url}' is no address of a snake: {error}") from None
        if where.scheme != "http" or not self._host:
            raise BadOption(f"'{self.url}' is no address of a snake; allowed: http://HOST:PORT, also with a path")
        self._connection: http.client.HTTPConnection | None = None

    def decide(self, state: State, clock: Clock | None = None, *, player: int | None = None) -> Decision:
        """Ask the server for a move."""
        clock = Clock() if clock is None else clock
        assert player is not None
        move = self.move(self.request, clock.seconds)
        return Decision(player, move, state.name(move), clock.elapsed)

    def ask(self, path: str, body: bytes | None, timeout: float) -> bytes | None:
        """The server's answer; None if there is none, if its status is not 200, or if it is late."""
        started = time.perf_counter()
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection(self._host, self._port, timeout=timeout)
            method = "GET" if body is None else "POST"
            self._connection.request(method, self._path + path, body, {"Content-Type": "application/json"})
            response = self._connection.getresponse()
            text = response.read()
        except (OSError, UnicodeError, http.client.HTTPException):  # UnicodeError: an invalid host name
            self.close()
            return None
        in_time = time.perf_counter() - started <= timeout
        return text if response.status == 200 and in_time else None

    def move(self, body: bytes, timeout: float) -> int:
        """The snake's move; its last one if there is no valid answer."""
        started = time.perf_counter()
        text = self.ask("/move", body, timeout)
        took = time.perf_counter() - started
        self.latencies.append(took)
        self.late += took > timeout
        word = None
        with suppress(ValueError, TypeError, KeyError):
            word = json.loads(text or b"")["move"]
        if word in DIRECTIONS:
            self.last = word
        elif took <= timeout:
            self.wrong += 1
        return DIRECTIONS[self.last]

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class Match:
    """A game between snakes that servers answer for."""

    def __init__(self, game: Game, urls: list[str], name: str, timeout: float = 0.5, seed: int | None = None) -> None:
        if len(urls) != game.players:
            raise SpinneyError(f"{game!r} is for {game.players} snakes, and there are {len(urls)} addresses")
        self.name, self.timeout = name, timeout
        self.snakes = [Snake(f"{name}-{player}", url) for player, url in enumerate(urls)]
        self.session = Session(
            game.start(seed), self.snakes, clock=Clock(seconds=timeout), at_once=True, ask_forced=True, events=False
        )

    @property
    def state(self) -> State:
        return self.session.state

    def play(self, turns: int = 1_000_000) -> None:
        """Play to the end, or for a number of turns."""
        try:
            with ThreadPoolExecutor(len(self.snakes)) as threads:
                self._greet(threads)
                self._send(threads, "/start")
                while not self.state.is_over and self.state.record.turn < turns:
                    self.describe()
                    self.session.ask()
                living = self.describe()
                list(threads.map(lambda snake: snake.move(snake.request, self.timeout), living))
                self._send(threads, "/end", later=1)
        finally:
            self.session.close()
            for snake in self.snakes:
                snake.close()

    def describe(self, later: int = 0) -> list[Snake]:
        """Write the requests to all snakes; return those that are alive."""
        position = to_position(self.state.record)
        options: BattlesnakeOptions = position.options
        living = [(snake, body) for snake, body in zip(self.snakes, position.snakes, strict=True) if not body.cause]
        for snake, found in living:
            body = _squares(found.body)
            snake.seen = {
                "id": snake.id, "name": snake.id, "latency": "0", "health": found.health, "body": body,
                "head": body[0], "length": len(body), "shout": "", "squad": "",
                "customizations": {"color": "#888888", "head": "default", "tail": "default"},
            }  # fmt: skip
        board = json.dumps({
            "width": options.width, "height": options.height,
            "food": _squares(position.food), "hazards": _squares(position.hazards),
            "snakes": [snake.seen for snake, _ in living],
        })  # fmt: skip
        start = f'{{"game":{self._game()},"turn":{position.turn + later},"board":{board},"you":'
        for snake in self.snakes:
            snake.request = f"{start}{json.dumps(snake.seen)}}}".encode()
        return [snake for snake, _ in living]

    def _greet(self, threads: ThreadPoolExecutor) -> None:
        answers = threads.map(lambda snake: snake.ask("", None, self.timeout), self.snakes)
        for snake, answer in zip(self.snakes, answers, strict=True):
            if answer is None:
                raise SpinneyError(f"no snake answers at {snake.url}")

    def _send(self, threads: ThreadPoolExecutor, path: str, later: int = 0) -> None:
        """Send all snakes a message whose answer is not used."""
        self.describe(later)
        list(threads.map(lambda snake: snake.ask(path, snake.request, self.timeout), self.snakes))

    def _game(self) -> str:
        options: Any = self.state.game.options
        return json.dumps({
            "id": self.name, "timeout": round(1000 * self.timeout), "map": "standard", "source": "spinney",
            "ruleset": {
                "name": "solo" if options.players == 1 and options.mode == "standard" else options.mode,
                "version": "cli",
                "settings": {
                    "foodSpawnChance": options.food_chance, "minimumFood": options.minimum_food,
                    "hazardDamagePerTurn": options.hazard_damage, "hazardMap": "", "hazardMapAuthor": "",
                    "royale": {"shrinkEveryNTurns": options.shrink_every},
                    "squad": {
                        "allowBodyCollisions": False, "sharedElimination": False, "sharedHealth": False,
                        "sharedLength": False,
                    },
                },
            },
        })  # fmt: skip


def _squares(pairs: Any) -> list[dict[str, int]]:
    return [{"x": x, "y": y} for x, y in pairs]
