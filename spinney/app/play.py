"""Rooms on the web: begin a game, look at it, and play."""

from __future__ import annotations

import asyncio
import io
import json
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import pydantic
from fastapi import APIRouter, Depends, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import HTMLResponse

from spinney.app.audience import Link
from spinney.app.pages import attachment, page
from spinney.app.room import Room
from spinney.app.rooms import Rooms
from spinney.app.setup import Setup
from spinney.errors import GameOver, SpinneyError, UnknownName
from spinney.show.replay_page import replay_page

router = APIRouter()
MOST_ORDERS = 1000
"""Orders of a turn in one request."""
MOST_LINKS = 50
"""Browsers that may look at a room at once."""


Key = Annotated[str, pydantic.StringConstraints(max_length=64)]


class Asked(pydantic.BaseModel):
    """What the holder of a key asks for."""

    model_config = pydantic.ConfigDict(extra="forbid")
    key: Key = ""
    player: int | None = None
    action: int = 0
    version: Annotated[str, pydantic.StringConstraints(max_length=40)] = ""
    orders: Annotated[dict[int, int], pydantic.Field(max_length=MOST_ORDERS)] = {}
    """Actions by their places in the turn."""
    paused: bool = False
    pace: float = pydantic.Field(0.4, ge=0, le=10)

    @property
    def seat(self) -> int:
        return -1 if self.player is None else self.player


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


class Arriving(pydantic.BaseModel):
    """A device that comes with a key or an invitation, and the key that it takes in place of an invitation."""

    model_config = pydantic.ConfigDict(extra="forbid")
    key: Key
    own: Annotated[str, pydantic.StringConstraints(pattern=r"^[A-Za-z0-9_-]{32,64}$")]


@router.post("/api/rooms/{ident}/arrive")
async def arrive(room: Found, given: Arriving) -> dict[str, Any]:
    """The key with which the device goes on."""
    return {"key": await room.arrive(given.key, given.own)}


@router.websocket("/api/rooms/{ident}/live")
async def live(socket: WebSocket, ident: str, key: str = "") -> None:
    """Tell a browser what happens. It says nothing itself."""
    await socket.accept()
    try:
        rooms: Rooms = socket.app.state.rooms
        room = await rooms.find(ident)
        if len(room.audience.links) >= MOST_LINKS:
            raise GameOver(f"{MOST_LINKS} browsers look at this game; no more are allowed")
        link = await room.join(rooms.access(room, key))
    except SpinneyError as error:
        await socket.close(4404, str(error)[:120])
        return
    telling = asyncio.create_task(_tell(socket, link))
    try:
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass  # whatever it says
    finally:
        room.leave(link)
        telling.cancel()


async def _tell(socket: WebSocket, link: Link) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while (message := await link.messages.get()) is not None:
            await socket.send_text(json.dumps(message, separators=(",", ":")))
        await socket.close(1012)


@router.post("/api/rooms/{ident}/choose")
async def choose(room: Found, asked: Asked) -> dict[str, Any]:
    await room.choose(Rooms.access(room, asked.key), asked.seat, asked.action, asked.version)
    return {}


@router.post("/api/rooms/{ident}/order")
async def order(room: Found, asked: Asked) -> dict[str, Any]:
    await room.order(Rooms.access(room, asked.key), asked.seat, asked.orders, asked.version)
    return {}


@router.post("/api/rooms/{ident}/undo")
async def undo(room: Found, asked: Asked) -> dict[str, Any]:
    await room.undo(Rooms.access(room, asked.key))
    return {}


@router.post("/api/rooms/{ident}/resign")
async def resign(room: Found, asked: Asked) -> dict[str, Any]:
    await room.resign(Rooms.access(room, asked.key), asked.seat)
    return {}


@router.post("/api/rooms/{ident}/pace")
async def set_pace(room: Found, asked: Asked) -> dict[str, Any]:
    await room.set_pace(Rooms.access(room, asked.key), asked.paused, asked.pace)
    return {}


@router.post("/api/rooms/{ident}/step")
async def step(room: Found, asked: Asked) -> dict[str, Any]:
    await room.step(Rooms.access(room, asked.key))
    return {}


@router.post("/api/rooms/{ident}/hint")
async def hint(room: Found, asked: Asked) -> dict[str, Any]:
    return await room.hint(Rooms.access(room, asked.key), asked.seat, asked.version)


@router.post("/api/rooms/{ident}/rematch")
async def rematch(room: Found, asked: Asked, request: Request) -> dict[str, Any]:
    """The room of the rematch, in which everybody sits a seat further, and the key for it."""
    access = Rooms.access(room, asked.key)
    if not (room.is_over and (access.host or room.successor)):
        raise GameOver("who began the game can begin another, when this one is over")
    ident, keys = await request.app.state.rooms.rematch(room)
    return {"room": ident, "key": keys.get(asked.key, "")}


@router.get("/room/{ident}/qr/{player}")
async def invite(room: Found, player: int, request: Request, key: str = "") -> Response:
    """The address with which a player joins on a device of their own, as a picture for its camera."""
    invitation = room.keys.open.get(player) if _hosts(room, key) else None
    if invitation is None:
        raise UnknownName("there is no such invitation")
    import segno

    picture = io.BytesIO()
    base = request.app.state.address or str(request.base_url).rstrip("/")  # the host's browser may be on this machine
    address = f"{base}/room/{room.ident}?key={invitation}"
    segno.make(address, error="m").save(picture, kind="svg", border=3, dark="#000", light="#fff")
    return Response(picture.getvalue(), media_type="image/svg+xml")


def _hosts(room: Room, key: str) -> bool:
    return Rooms.access(room, key).host


@router.get("/room/{ident}/page")
async def share(room: Found) -> Response:
    """The game as one page that needs no server."""
    replay = await room.shared_replay()
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
    await room.shared_replay()
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, f"game.{suffix}")
        await asyncio.to_thread(form.write, target, room.session.state, room.names)
        return attachment(target.read_bytes(), f"{room.game.name}.{suffix}", "application/octet-stream")
