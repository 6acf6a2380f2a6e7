"""The web server: what all parts of the app share."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from spinney.app import analysis, home, play, results, tables, watch
from spinney.app.access import Guard
from spinney.app.catalogue import Catalogue
from spinney.app.library import Library
from spinney.app.pages import HERE, page
from spinney.app.places import Places
from spinney.app.room import Busy, Stale
from spinney.app.rooms import Full, Rooms
from spinney.app.searches import Searches
from spinney.connections import BoundedProtocol
from spinney.errors import SpinneyError, UnknownName
from spinney.files import make_folder
from spinney.show.html import TEMPLATES
from spinney.sockets import reserve

PARTS = (home, play, analysis, watch, results, tables)
"""Modules with a `router`."""
LARGEST = 512 * 1024
"""Bytes that a request may have, unless a part allows more."""


SHOWN = {"board.js": "text/javascript", "replay.js": "text/javascript", "replay.css": "text/css"}
"""Files that all pages with games use."""


def make_app(
    catalogue: Catalogue, folder: Path, token: str | None = None, stored: Iterable[Path] = (),
) -> FastAPI:  # fmt: skip
    """The app with its games, the folder that it keeps games in, the token that browsers need, and files and folders
    with stored games."""
    for kept in ("rooms", "tables"):
        make_folder(folder / kept)
    library = Library(folder / "uploads", stored, catalogue)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.rooms = rooms = Rooms(folder / "rooms", catalogue)
        app.state.places, app.state.searches = Places(catalogue, rooms, library), Searches()
        app.state.tables = tables.Tables(folder / "tables", catalogue)
        cleaning = asyncio.create_task(_clean(rooms))
        yield
        cleaning.cancel()
        library.close()
        app.state.tables.close()
        await rooms.close()

    app = FastAPI(lifespan=lifespan, openapi_url=None)
    app.state.catalogue, app.state.folder, app.state.library = catalogue, folder, library
    app.state.address = None  # the one for other devices, when it is known
    for part in PARTS:
        app.include_router(part.router)
    for kind in (HTTPException, RequestValidationError, SpinneyError, Exception):
        app.add_exception_handler(kind, _refuse)

    for name in SHOWN:
        app.add_api_route(f"/static/{name}", _file(name))

    app.mount("/static", StaticFiles(directory=HERE / "static"))
    app.add_middleware(_Sized)
    app.add_middleware(Guard, token=token)
    return app


def _file(name: str) -> Callable[[], Awaitable[FileResponse]]:
    async def send() -> FileResponse:
        return FileResponse(TEMPLATES / name, media_type=SHOWN[name])

    return send


class _Sized:
    """Refuses requests that are too large."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/api/upload"):
            await self.app(scope, receive, send)
            return
        size = 0

        async def measured() -> Any:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > LARGEST:
                raise HTTPException(413, f"the request has more than {LARGEST:,} bytes")
            return message

        await self.app(scope, measured, send)


async def _clean(rooms: Rooms) -> None:
    """Put away rooms that nobody looks at."""
    while True:
        await asyncio.sleep(20)
        with suppress(Exception):
            await rooms.put_away()


async def _refuse(request: Request, error: Exception) -> Response:
    """An error in one line: as data for scripts, as a page for people."""
    if isinstance(error, HTTPException):
        status, reason = error.status_code, str(error.detail)
    elif isinstance(error, RequestValidationError):
        first = error.errors()[0]
        status, reason = 422, f"{'.'.join(map(str, first['loc'][1:]))}: {first['msg']}"
    elif isinstance(error, SpinneyError):
        status, reason = {UnknownName: 404, Full: 503, Stale: 409, Busy: 409}.get(type(error), 422), str(error)
    else:
        status, reason = 500, "a fault of the app; the terminal says more"
    reason = " ".join(reason.split())[:1000]
    if request.method == "GET" and not request.url.path.startswith(("/api", "/static")):
        return page("error.html.j2", status, title="Spinney", reason=reason)
    return JSONResponse({"error": reason}, status)


def serve(app: FastAPI, host: str, port: int, ready: Callable[[int], None]) -> None:
    """Serve until Ctrl-C. `ready` is called with the port when the app listens."""
    sys.setswitchinterval(0.001)  # requests are answered soon, while search threads run
    with closing(reserve(host, port)) as listening:
        config = uvicorn.Config(
            app, http=BoundedProtocol, access_log=False, log_level="error", ws="websockets-sansio", ws_max_size=65536,
            timeout_graceful_shutdown=1,
        )  # fmt: skip
        _Server(config, lambda: ready(listening.getsockname()[1])).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Uvicorn, which says when it listens."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()
