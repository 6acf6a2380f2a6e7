"""A BattleSnake server in a thread of this process, and requests to it."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import spinney
from spinney.bridges.battlesnake.engine import Match
from spinney.bridges.battlesnake.server import Server
from spinney.bridges.battlesnake.web import WebServer
from spinney.sockets import reserve

GAME = spinney.game("battlesnake")


@contextmanager
def served(spec: str = "hungry", *players: int, **options: Any) -> Iterator[tuple[str, Server, list[str]]]:
    """A server in a thread, with agents for some numbers of players: its address, itself, and what it tells."""
    told: list[str] = []
    server = Server(GAME, spec, workers=2, tell=told.append, **options)
    for number in players:
        server.agents.prepare(number)
    listening = reserve("127.0.0.1", 0)
    web = WebServer(server)
    thread = threading.Thread(target=web.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not web.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", server, told
    finally:
        web.should_exit = True
        thread.join()
        listening.close()


def post(url: str, path: str, body: Any) -> tuple[int, Any]:
    """The status and the JSON of an answer; a body that is not bytes is sent as JSON."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=5)
    try:
        connection.request("POST", path, body if isinstance(body, bytes) else json.dumps(body))
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def message(name: str, players: int = 2, **options: Any) -> dict[str, Any]:
    """A request of the official kind, on the first turn."""
    game = spinney.game("battlesnake", players=players, **options)
    match = Match(game, ["http://127.0.0.1:1"] * players, name, seed=1)
    match.describe()
    found: dict[str, Any] = json.loads(match.snakes[0].request)
    return found
