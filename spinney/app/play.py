"""Rooms on the web: begin a game, look at it, and play."""

from __future__ import annotations

import asyncio
import json
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import pydantic
from fastapi import APIRouter, Depends, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import HTMLResponse

from spinney.app.pages import attachment, page
from spinney.app.room import Link, Room
from spinney.app.rooms import Rooms
from spinney.app.setup import Setup
from spinney.errors import GameOver, SpinneyError, UnknownName
from spinney.show.replay_page import replay_page

router = APIRouter()
MOST_LINKS = 50
"""Browsers that may look at a room at once."""


class Asked(pydantic.BaseModel):
    """What the holder of a key asks for."""

    model_config = pydantic.ConfigDict(extra="forbid")
    key: Annotated[str, pydantic.StringConstraints(max_length=64)] = ""
    player: int | None = None
    action: int = 0
    version: Annotated[str, pydantic.StringConstraints(max_length=40)] = ""
    paused: bool = False


async def room_of(ident: str, request: Request) -> Room:
    rooms: Rooms = request.app.state.rooms
    return await rooms.find(ident)


Found = Annotated[Room, Depends(room_of)]


@router.post("/api/rooms")
async def begin(setup: Setup, request: Request) -> dict[str, Any]:
    """Begin a game."""
    room, key, invited = await request.app.state.rooms.create(setup)
    return {"room": room.ident, "key": key, "invited": invited}


@router.get("/room/{ident}")
async def show(room: Found) -> HTMLResponse:
    return page("room.html.j2", title=room.game.card.title, room=room)


@router.websocket("/api/rooms/{ident}/live")
async def live(socket: WebSocket, ident: str, key: str = "") -> None:
    """Tell a browser what happens. It says nothing itself."""
    await socket.accept()
    try:
        rooms: Rooms = socket.app.state.rooms
        room = await rooms.find(ident)
        if len(room.links) >= MOST_LINKS:
            raise GameOver(f"{MOST_LINKS} browsers look at this game; no more are allowed")
        link = await room.join(rooms.access(room, key))
    except SpinneyError as error:
        await socket.close(4404, str(error)[:120])
        return
    telling = asyncio.create_task(_tell(socket, link))
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await socket.receive_text()
    room.leave(link)
    telling.cancel()


async def _tell(socket: WebSocket, link: Link) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while (message := await link.messages.get()) is not None:
            await socket.send_text(json.dumps(message, separators=(",", ":")))
        await socket.close(1012)


@router.post("/api/rooms/{ident}/choose")
async def choose(room: Found, asked: Asked) -> dict[str, Any]:
    await room.choose(Rooms.access(room, asked.key), asked.player, asked.action, asked.version)
    return {}


@router.post("/api/rooms/{ident}/undo")
async def undo(room: Found, asked: Asked) -> dict[str, Any]:
    await room.undo(Rooms.access(room, asked.key))
    return {}


@router.post("/api/rooms/{ident}/resign")
async def resign(room: Found, asked: Asked) -> dict[str, Any]:
    await room.resign(Rooms.access(room, asked.key), -1 if asked.player is None else asked.player)
    return {}


@router.post("/api/rooms/{ident}/pause")
async def pause(room: Found, asked: Asked) -> dict[str, Any]:
    await room.pause(Rooms.access(room, asked.key), asked.paused)
    return {}


@router.post("/api/rooms/{ident}/step")
async def step(room: Found, asked: Asked) -> dict[str, Any]:
    await room.step(Rooms.access(room, asked.key))
    return {}


@router.post("/api/rooms/{ident}/hint")
async def hint(room: Found, asked: Asked) -> dict[str, Any]:
    return await room.hint(Rooms.access(room, asked.key), -1 if asked.player is None else asked.player)


@router.post("/api/rooms/{ident}/rematch")
async def rematch(room: Found, asked: Asked, request: Request) -> dict[str, Any]:
    """The room of the rematch, in which everybody sits a seat further, and the key for it."""
    access = Rooms.access(room, asked.key)
    if not (room.is_over and (access.host or room.successor)):
        raise GameOver("who began the game can begin another, when this one is over")
    ident, keys = await request.app.state.rooms.rematch(room)
    return {"room": ident, "key": keys.get(asked.key, "")}


@router.get("/room/{ident}/page")
async def share(room: Found) -> Response:
    """The game as one page that needs no server."""
    replay = room.shared_replay()
    text = await asyncio.to_thread(replay_page, replay)
    return attachment(text.encode(), f"{room.game.name}.html", "text/html; charset=utf-8")


@router.get("/room/{ident}/file/{suffix}")
async def save(room: Found, suffix: str) -> Response:
    """The game as a file of its official engine."""
    form = room.game.card.formats.get(f".{suffix}")
    if form is None or form.write is None:
        raise UnknownName(f"{room.game.card.title} has no files of type '{suffix}'")
    if not room.session.is_over:
        raise GameOver("the game can be saved when it is over")
    room.shared_replay()
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, f"game.{suffix}")
        await asyncio.to_thread(form.write, target, room.session.state, room.names)
        return attachment(target.read_bytes(), f"{room.game.name}.{suffix}", "application/octet-stream")
