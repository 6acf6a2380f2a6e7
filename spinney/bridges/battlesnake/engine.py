"""An engine that plays games between snakes on the network, as the official command line does, with Spinney's rules.

It has the official habits, too: a snake that is silent, late or wrong repeats its last move, at first up; the survivor
is asked once more on the final board; and /end, which dead snakes get as well, has a turn that is one too high.
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

from spinney.errors import BadOption, SpinneyError
from spinney.games import Game, State
from spinney.games.battlesnake.options import BattlesnakeOptions
from spinney.games.battlesnake.position import Position, to_position
from spinney.games.battlesnake.recording import DIRECTIONS


@dataclass
class Snake:
    """A snake, the server that answers for it, and how that went."""

    id: str
    url: str
    last: str = "up"
    seen: dict[str, Any] = field(default_factory=dict)
    """How it was when it last lived."""
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

    def ask(self, path: str, body: bytes | None, timeout: float) -> bytes | None:
        """What the server answers; None if it does not, or not with status 200, or not in time."""
        started = time.perf_counter()
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection(self._host, self._port, timeout=timeout)
            method = "GET" if body is None else "POST"
            self._connection.request(method, self._path + path, body, {"Content-Type": "application/json"})
            response = self._connection.getresponse()
            text = response.read()
        except (OSError, UnicodeError, http.client.HTTPException):  # UnicodeError: a name that can be none
            self.close()
            return None
        in_time = time.perf_counter() - started <= timeout
        return text if response.status == 200 and in_time else None

    def move(self, body: bytes, timeout: float) -> int:
        """The snake's move; its last one if there is no good answer."""
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
        self.state: State = game.start(seed)
        self.snakes = [Snake(f"{name}-{player}", url) for player, url in enumerate(urls)]

    def play(self, turns: int = 1_000_000) -> None:
        """Play to the end, or so many turns."""
        try:
            with ThreadPoolExecutor(len(self.snakes)) as threads:
                self._greet(threads)
                self._tell(threads, "/start")
                while not self.state.is_over and self.state.record.turn < turns:
                    players = self._living()
                    for player, move in zip(players, self._moves(threads, players), strict=True):
                        self.state.apply(move, player)
                self._moves(threads, self._living())
                self._tell(threads, "/end", later=1)
        finally:
            for snake in self.snakes:
                snake.close()

    def message(self, snake: Snake, board: str, later: int = 0) -> bytes:
        """The body of a request to a snake; the board is the same for all."""
        turn = self.state.record.turn + later
        return f'{{"game":{self._game()},"turn":{turn},"board":{board},"you":{json.dumps(snake.seen)}}}'.encode()

    def board(self) -> str:
        """The board as JSON. It is also how snakes look from now on, as long as they live."""
        position = to_position(self.state.record)
        self._look(position)
        options: BattlesnakeOptions = position.options
        return json.dumps({
            "width": options.width, "height": options.height,
            "food": _squares(position.food), "hazards": _squares(position.hazards),
            "snakes": [self.snakes[player].seen for player in self._living()],
        })  # fmt: skip

    def _greet(self, threads: ThreadPoolExecutor) -> None:
        answers = threads.map(lambda snake: snake.ask("", None, self.timeout), self.snakes)
        for snake, answer in zip(self.snakes, answers, strict=True):
            if answer is None:
                raise SpinneyError(f"no snake answers at {snake.url}")

    def _tell(self, threads: ThreadPoolExecutor, path: str, later: int = 0) -> None:
        """Send everybody a message whose answer does not matter."""
        board = self.board()
        list(threads.map(lambda snake: snake.ask(path, self.message(snake, board, later), self.timeout), self.snakes))

    def _moves(self, threads: ThreadPoolExecutor, players: list[int]) -> list[int]:
        """The moves of some snakes, who are asked all at once."""
        board = self.board()
        asked = [self.snakes[player] for player in players]
        return list(threads.map(lambda snake: snake.move(self.message(snake, board), self.timeout), asked))

    def _living(self) -> list[int]:
        return [player for player, snake in enumerate(to_position(self.state.record).snakes) if not snake.cause]

    def _look(self, position: Position) -> None:
        for snake, found in zip(self.snakes, position.snakes, strict=True):
            if not found.cause:
                body = _squares(found.body)
                snake.seen = {
                    "id": snake.id, "name": snake.id, "latency": "0", "health": found.health, "body": body,
                    "head": body[0], "length": len(body), "shout": "", "squad": "",
                    "customizations": {"color": "#888888", "head": "default", "tail": "default"},
                }  # fmt: skip

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
