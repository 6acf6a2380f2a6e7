"""The server: the webhook API over the games that are going on and the agents that think about them."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import fastapi
import pydantic
import uvicorn
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

import spinney
from spinney.bridges.battlesnake.agents import DEFAULT, Agents
from spinney.bridges.battlesnake.desk import Desk
from spinney.bridges.battlesnake.journal import Journal
from spinney.bridges.battlesnake.messages import Message, problem
from spinney.bridges.battlesnake.seats import Full, Seat, Seats
from spinney.errors import SpinneyError
from spinney.games.battlesnake.recording import DIRECTIONS
from spinney.games.options import Options

LARGEST = 256 * 1024
"""Bytes that a request may have."""
USUAL = (4, 2)
"""Numbers of snakes whose agents are ready before the server listens."""
PATIENCE = 6.0
"""Seconds to wait for the agents of other numbers of snakes: enough to load them, not to compile them."""
WORDS = {number: word for word, number in DIRECTIONS.items()}


class Look(Options):
    """How the engine shows a snake."""

    author: str = pydantic.Field(default="", pattern=r"^[\w .-]{0,50}$")
    color: str = pydantic.Field(default="#3d7d4a", pattern=r"^#[0-9a-fA-F]{6}$")
    head: str = pydantic.Field(default="default", pattern=r"^[a-z0-9-]{1,50}$")
    tail: str = pydantic.Field(default="default", pattern=r"^[a-z0-9-]{1,50}$")


@dataclass
class Server:
    """Everything that the server does, whatever asks it."""

    spec: str = DEFAULT
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
        self.desk = Desk(self.agents, self.workers)
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
        self.agents.prepare_others()
        if self.agents.ready:
            self.tell("prepared for all numbers of snakes")

    def start(self, message: Message) -> None:
        seat = Seat(message)
        self.leave(message, "begun again")
        self.drop()
        self.seats.take(message, seat)
        seat.journal = Journal(self.log, message)
        seat.journal.write("start", message, agent=self.spec, version=spinney.__version__)
        options = seat.options
        self.tell(f"{seat.name}: {options.mode}, {options.players} snakes, {options.width}x{options.height}")

    async def move(self, message: Message, arrived: float) -> str:
        """The move for a position, in time; the clock has been running since it arrived."""
        seat = self.find(message)
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
        seat = self.find(message)
        self.leave(message, seat.result(message))

    def find(self, message: Message) -> Seat:
        seat = self.seats.find(message)
        if seat is None:
            raise HTTPException(404, "there is no such game, or you are not in it: a game begins with /start")
        return seat

    def leave(self, message: Message, result: str) -> None:
        seat = self.seats.find(message)
        if seat is not None:
            self.seats.leave(message)
            self._leave(seat, result, message)

    def drop(self, *, all: bool = False) -> None:
        """Give up the games that have been silent for too long, or all."""
        for seat in self.seats.dropped(all=all):
            self._leave(seat, "stopped" if all else "dropped")

    def close(self) -> None:
        self.drop(all=True)
        self.agents.close()
        self.desk.close()

    def _leave(self, seat: Seat, result: str, message: Message | None = None) -> None:
        seat.journal.write("end", message, result=result)
        seat.journal.close()
        slowest = f", the slowest in {seat.slowest:.0f} ms" if seat.moves else ""
        self.tell(f"{seat.name}: {result} after {seat.moves} moves{slowest}")


# ---- the web


@dataclass(frozen=True)
class Request:
    """A message, and when it arrived."""

    message: Message
    arrived: float


async def read(request: fastapi.Request) -> Request:
    """Read a message of bounded size."""
    arrived = time.perf_counter()
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST:
                raise HTTPException(413, f"the request has more than {LARGEST} bytes")
    except ClientDisconnect:
        raise HTTPException(400, "the request was cut off") from None
    try:
        return Request(Message.model_validate_json(bytes(body)), arrived)
    except pydantic.ValidationError as error:
        is_json = error.errors(include_url=False)[0]["type"] != "json_invalid"
        raise HTTPException(422 if is_json else 400, problem(error)) from None


Read = Annotated[Request, fastapi.Depends(read)]


def make_app(server: Server) -> fastapi.FastAPI:
    """The API of a server."""

    @asynccontextmanager
    async def lifespan(_: fastapi.FastAPI) -> AsyncIterator[None]:
        watching = asyncio.create_task(watch(server))
        yield
        watching.cancel()
        server.close()

    app = fastapi.FastAPI(lifespan=lifespan, openapi_url=None)
    app.add_exception_handler(HTTPException, refuse)
    app.add_exception_handler(SpinneyError, refuse)
    app.add_exception_handler(Exception, refuse)

    @app.get("/")
    async def about() -> JSONResponse:
        return JSONResponse({"apiversion": "1", **server.look.model_dump(), "version": spinney.__version__})

    @app.post("/start")
    async def start(request: Read) -> JSONResponse:
        server.start(request.message)
        return JSONResponse({})

    @app.post("/move")
    async def move(request: Read) -> JSONResponse:
        return JSONResponse({"move": await server.move(request.message, request.arrived)})

    @app.post("/end")
    async def end(request: Read) -> JSONResponse:
        server.end(request.message)
        return JSONResponse({})

    return app


async def refuse(_: fastapi.Request, error: Exception) -> JSONResponse:
    """An error as the client sees it: a line that says what was wrong."""
    if isinstance(error, HTTPException):
        status, reason = error.status_code, str(error.detail)
    elif isinstance(error, SpinneyError):
        status, reason = 503 if isinstance(error, Full) else 422, str(error)
    else:
        status, reason = 500, "a fault of the server; its log says more"
    return JSONResponse({"error": " ".join(reason.split())[:500]}, status)


async def watch(server: Server) -> None:
    """Drop idle games now and then."""
    while True:
        await asyncio.sleep(min(5.0, server.idle / 4))
        server.drop()


def reserve(host: str, port: int) -> socket.socket:
    """A socket with the address, which nobody can connect to yet."""
    made = None
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
    except (OSError, UnicodeError) as error:
        if made is not None:
            made.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise SpinneyError(f"cannot listen on {host}, port {port}: {reason.lower()}") from None
    return made


class WebServer(uvicorn.Server):
    """The web server of an app. It says when it listens."""

    def __init__(self, config: uvicorn.Config, tell: Callable[[str], None]) -> None:
        super().__init__(config)
        self.tell = tell

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in sockets or ():
            host, port, *_ = listening.getsockname()
            self.tell(f"listening on http://{f'[{host}]' if ':' in host else host}:{port}; Ctrl-C ends")


def web_server(server: Server) -> WebServer:
    """What serves a server, with `run(sockets=[...])`."""
    return WebServer(
        uvicorn.Config(
            make_app(server),
            access_log=False,
            log_config=None,
            log_level="error",
            ws="none",
            timeout_keep_alive=60,  # an engine may use a connection again after a long turn
            timeout_graceful_shutdown=2,
        ),
        server.tell,
    )
