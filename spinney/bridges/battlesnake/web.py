"""The webhook API over HTTP, and the web server that offers it."""

from __future__ import annotations

import asyncio
import selectors
import socket
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_address
from types import FrameType
from typing import Annotated

import fastapi
import pydantic
import uvicorn
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

import spinney
from spinney.bridges.battlesnake.messages import Message, problem
from spinney.bridges.battlesnake.server import Server
from spinney.bridges.battlesnake.sessions import Full
from spinney.connections import BoundedProtocol
from spinney.errors import SpinneyError, UnknownName

LARGEST = 256 * 1024
"""Bytes that a request may have."""


class ArrivalClock(selectors.DefaultSelector):
    """The selector of the event loop. It timestamps each poll, and so knows the earliest time at which a request can
    have arrived: a message is read two polls after the one that it missed, unless the loop was waiting for it."""

    def __init__(self) -> None:
        super().__init__()
        self._polls = deque([time.perf_counter()] * 3, maxlen=3)

    @property
    def since(self) -> float:
        """The earliest time at which a message that is read now can have arrived."""
        return self._polls[0]

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        self._polls.append(time.perf_counter())
        if not found and timeout != 0:
            found = super().select(timeout)
            self._polls.extend([time.perf_counter()] * 3)
        return found


async def read(request: fastapi.Request) -> tuple[Message, float]:
    """Read a message of bounded size; the earliest time at which it can have arrived."""
    arrived = request.app.state.arrivals.since
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST:
                raise HTTPException(413, f"the request has more than {LARGEST} bytes")
    except ClientDisconnect:
        raise HTTPException(400, "the request was cut off") from None
    try:
        return Message.model_validate_json(bytes(body)), arrived
    except pydantic.ValidationError as error:
        is_json = error.errors(include_url=False)[0]["type"] != "json_invalid"
        raise HTTPException(422 if is_json else 400, problem(error)) from None


Read = Annotated[tuple[Message, float], fastapi.Depends(read)]


def make_app(server: Server, arrivals: ArrivalClock) -> fastapi.FastAPI:
    """The API of a server."""

    @asynccontextmanager
    async def lifespan(_: fastapi.FastAPI) -> AsyncIterator[None]:
        watching = asyncio.create_task(watch(server))
        yield
        watching.cancel()
        server.close()

    app = fastapi.FastAPI(lifespan=lifespan, openapi_url=None)
    app.state.arrivals = arrivals
    for kind in (HTTPException, SpinneyError, Exception):
        app.add_exception_handler(kind, refuse)

    @app.get("/")
    async def about() -> JSONResponse:
        return JSONResponse({"apiversion": "1", **server.appearance.model_dump(), "version": spinney.__version__})

    @app.post("/start")
    async def start(request: Read) -> JSONResponse:
        server.start(request[0])
        return JSONResponse({})

    @app.post("/move")
    async def move(request: Read) -> JSONResponse:
        return JSONResponse({"move": await server.move(*request)})

    @app.post("/end")
    async def end(request: Read) -> JSONResponse:
        server.end(request[0])
        return JSONResponse({})

    return app


async def refuse(_: fastapi.Request, error: Exception) -> JSONResponse:
    """An error as the answer to a request: one line that says what was wrong."""
    if isinstance(error, HTTPException):
        status, reason = error.status_code, str(error.detail)
    elif isinstance(error, SpinneyError):
        status, reason = {UnknownName: 404, Full: 503}.get(type(error), 422), str(error)
    else:
        status, reason = 500, "a fault of the server; its log says more"
    return JSONResponse({"error": " ".join(reason.split())[:500]}, status)


async def watch(server: Server) -> None:
    """Drop idle games every few seconds."""
    while True:
        await asyncio.sleep(min(5.0, server.idle / 4))
        server.drop()


class WebServer(uvicorn.Server):
    """Uvicorn with the selector that timestamps requests, and a line when it listens. `run(sockets=[...])` serves
    until it is interrupted."""

    def __init__(self, server: Server) -> None:
        self.arrivals, self.server = ArrivalClock(), server
        config = uvicorn.Config(
            make_app(server, self.arrivals), http=BoundedProtocol, access_log=False, log_config=None, log_level="error",
            ws="none",
            timeout_keep_alive=60,  # engines use a connection again after a long turn
            timeout_graceful_shutdown=2,
        )  # fmt: skip
        super().__init__(config)

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(self.arrivals)) as runner:
            runner.run(self.serve(sockets))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in sockets or ():
            host, port, *_ = listening.getsockname()
            self.server.tell(f"listening on http://{f'[{host}]' if ':' in host else host}:{port}; Ctrl-C ends")
            if not ip_address(host).is_loopback:
                self.server.tell("whoever reaches this address can have moves computed here")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The system asks to end: the searches that are running end, and their best moves are answered."""
        self.server.scheduler.hurry()
        super().handle_exit(sig, frame)
