"""A server with the protocol of the course's program, and Spinney's rules as the referee."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

from spinney.games.saboteur import official, rules
from spinney.games.saboteur.official import seat_of
from spinney.games.saboteur.recording import dealt
from spinney.games.saboteur.tiles import CARD_NAMES, COPIES, KINDS, TILES

CUSHION = 1.0
"""Seconds after the limit until a player who says nothing has lost."""


class Connection:
    """A connected client."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection, self.held = connection, b""
        self.gone = False

    def discard(self) -> None:
        """Skip the lines that the client has sent so far."""
        while self.read(0.0) is not None:
            pass

    def read(self, seconds: float) -> str | None:
        """A line, or None if none comes in time or the client has disconnected."""
        until = time.monotonic() + seconds
        while b"\n" not in self.held:
            try:
                self.connection.settimeout(max(0.001, until - time.monotonic()))
                more = self.connection.recv(4096)
            except TimeoutError:
                return None
            except OSError:
                more = b""
            if not more:
                self.gone = True
                return None
            self.held += more
        line, _, self.held = self.held.partition(b"\n")
        return line.decode().strip()

    def send(self, line: str) -> None:
        with contextlib.suppress(OSError):
            self.connection.sendall(f"{line}\n".encode())


class Server:
    """Plays a game whenever two clients have connected. `games` has the lines of each, as the program logs them."""

    def __init__(
        self, limit: float = 2.0, seed: int = 1, leave_after: int | None = None, most: int | None = None
    ) -> None:
        self.limit, self.random = limit, random.Random(seed)
        self.most = most
        """The number of games after which no client can connect."""
        self.leave_after = leave_after
        """Moves after which the server closes all connections, in the first game."""
        self.games: list[list[str]] = []
        self.hands: list[list[list[int]]] = []
        """The first hands of each game, by seat."""
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.faults: list[BaseException] = []
        self.stalled: list[Connection] = []
        """Clients whose opponent has stopped the thread of the game: nothing is sent to them any more."""
        self.first_is_seated = threading.Event()
        """The next client to connect is number 1 of the first game."""
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.listening.close()
        for seat in self.stalled:
            seat.connection.close()

    def _serve(self) -> None:
        while True:
            seats, names = [], []
            try:
                while len(seats) < 2:
                    seat = Connection(self.listening.accept()[0])
                    line = seat.read(5.0)
                    if line is not None and line.startswith("START "):
                        seats.append(seat)
                        names.append(line.removeprefix("START "))
                        self.first_is_seated.set()
            except OSError:
                return
            if len(self.games) + 1 == self.most:  # before the game: a client may connect again at once
                self.listening.close()
            try:
                self._play(seats, names)
            except BaseException as error:  # for the test
                self.faults.append(error)
            for seat in seats:
                if seat not in self.stalled:
                    seat.connection.close()

    def _play(self, seats: list[Connection], names: list[str]) -> None:
        """Seats and names are by the program's numbers: the first who connected is 0."""
        log: list[str] = []
        self.games.append(log)

        def send_all(line: str) -> None:
            log.append(line)
            for seat in seats:
                seat.send(line)

        for number in range(2):
            log.append(f"START Player-{number} {names[number]}")
            seats[number].send(log[-1])
        deck = [kind for kind in range(KINDS) for _ in range(int(COPIES[kind]))]
        self.random.shuffle(deck)
        hands = [deck[0:14:2], deck[1:14:2]]
        del deck[:14]
        self.hands.append([hand.copy() for hand in hands])
        hidden = ["nugget", "hidden1", "hidden2"]
        self.random.shuffle(hidden)
        s = dealt(hidden.index("nugget"), [hand.copy() for hand in hands])
        parts = [[_word(kind) for kind in cards] for cards in (deck, *hands)] + [[f"Tile:{name}" for name in hidden]]
        send_all("BoardInit:" + "-".join(",".join(part) for part in parts))
        while rules.mover(s) >= 0:
            if len(self.games) == 1 and len(log) - 3 == self.leave_after:
                return
            player = rules.mover(s)
            number, hand = seat_of(player), hands[player]
            if s.turn > 1:  # what is sent before the game begins is read as the first move
                seats[number].discard()
            seats[number].send(f"PLAY Player-{number}")
            legal = official.moves(s, player, hand)
            line = self._answer(seats[number], legal)
            if line is None:
                send_all(f"GAMEOVER TIMEOUT WINNER {1 - number}")
                return
            if line.startswith(f"Drop {len(hand)} "):
                self.stalled.append(seats[1 - number])
                return
            announced, line = line, meant(line)
            if line not in legal:
                send_all(f"GAMEOVER ILLEGAL MOVE: Player {number}, {line} WINNER {1 - number}")
                return
            action = official.read_move(line, hand)
            hand.pop(official.used(line, hand))
            rules.apply(s, action)
            if deck:
                hand.append(deck.pop(0))
                if rules.mover(s) != rules.OVER:
                    rules.apply(s, hand[-1])
            send_all(announced)
        send_all("GAMEOVER DRAW" if s.winner < 0 else f"GAMEOVER WINNER {seat_of(s.winner)}")

    def _answer(self, seat: Connection, legal: list[str]) -> str | None:
        """The client's move; a random one if it is late or has disconnected; None if nothing comes. Other lines are
        skipped."""
        asked = time.monotonic()
        while True:
            line = seat.read(asked + self.limit + CUSHION - time.monotonic())
            if line is None or len(line.split()) == 4:
                break
        if seat.gone:
            time.sleep(max(0.0, asked + self.limit - time.monotonic()))
            return self.random.choice(legal)
        if line is not None and time.monotonic() - asked > self.limit:
            return self.random.choice(legal)
        return line


def meant(line: str) -> str:
    """The move that the program reads in a line: a Map with another place looks at the first objective."""
    word, *place, number = line.split()
    return f"Map 12 3 {number}" if word == "Map" and place[0] != "12" else line


def _word(kind: int) -> str:
    return f"Tile:{CARD_NAMES[kind]}" if kind < TILES else CARD_NAMES[kind]


class Opponent(threading.Thread):
    """Another client: `answer(lines)` is what it sends when it has to play, having read these lines. It connects after
    `wait`."""

    def __init__(self, port: int, answer: Any, games: int = 1, wait: Callable[[], object] = lambda: None) -> None:
        super().__init__(daemon=True)
        self.port, self.answer, self.games, self.wait = port, answer, games, wait
        self.start()

    def run(self) -> None:
        self.wait()
        for _ in range(self.games):
            with socket.create_connection(("127.0.0.1", self.port)) as connection:
                seat = Connection(connection)
                seat.send("START opponent")
                lines: list[str] = []
                while (line := seat.read(60.0)) is not None and not line.startswith("GAMEOVER"):
                    lines.append(line)
                    if line.startswith("PLAY"):
                        answer = self.answer(lines)
                        if answer is None:
                            break
                        seat.send(answer)


def replayed(lines: list[str]) -> tuple[Any, int, list[int]]:
    """The position after the lines that an opponent has read, its player, and its hand. It uses hidden information,
    which a test may do."""
    number = int(lines[0].split("-")[1][0])
    setup = next(line for line in lines if line.startswith("BoardInit:"))
    parts = [part.split(",") for part in setup.removeprefix("BoardInit:").split("-")]
    deck, *hands = [[CARD_NAMES.index(word.removeprefix("Tile:")) for word in part] for part in parts[:3]]
    s = dealt(parts[3].index("Tile:nugget"), [hand.copy() for hand in hands])
    for line in lines:
        if line.split()[0].rstrip(":") in ("START", "PLAY") or line.startswith("BoardInit:"):
            continue
        player = rules.mover(s)
        action = official.read_move(meant(line), hands[player])
        hands[player].pop(official.used(line, hands[player]))
        rules.apply(s, action)
        if deck:
            hands[player].append(deck.pop(0))
            rules.apply(s, hands[player][-1])
    return s, seat_of(number), hands[seat_of(number)]


def random_move(lines: list[str]) -> str:
    s, player, hand = replayed(lines)
    return random.Random(len(lines)).choice(official.moves(s, player, hand))
