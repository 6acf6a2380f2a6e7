"""The page that analyses: positions and lines of moves, agents that think about them, their trees, and reviews."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import pydantic
from fastapi import APIRouter, Depends, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import HTMLResponse

from spinney.app import searches
from spinney.app.catalogue import MOST_SECONDS, Catalogue, check_agent, options_of
from spinney.app.pages import page
from spinney.app.places import Place, Places, Source, look
from spinney.app.searches import COLUMNS, Searches, Visit
from spinney.errors import BadOption, GameOver, SpinneyError, WrongPlayer
from spinney.files import make_folder
from spinney.show.tree_page import tree_page

router = APIRouter()
SECONDS = 10
"""How long an agent thinks unless another time is chosen."""
MOST_REVIEWS = 300
"""Files of reviews in the folder; the oldest make room for new ones."""
TREE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; sandbox allow-scripts"
Spec = Annotated[str, pydantic.StringConstraints(max_length=400)]
Number = Annotated[int, pydantic.Field(ge=0, lt=2**53)]
ColumnNumber = Annotated[int, pydantic.Field(ge=0, lt=COLUMNS)]


class Think(pydantic.BaseModel):
    """An agent shall think about a position."""

    model_config = pydantic.ConfigDict(extra="forbid")
    place: Place
    column: ColumnNumber
    agent: Spec
    seconds: float = pydantic.Field(SECONDS, ge=0.1, le=MOST_SECONDS)
    player: int | None = None
    """For whom, where several choose."""
    number: Number = 0


class Stop(pydantic.BaseModel):
    """An agent shall stop thinking, or the review shall end."""

    model_config = pydantic.ConfigDict(extra="forbid")
    column: ColumnNumber | None = None


class Review(pydantic.BaseModel):
    """All decisions of a stored game shall be judged."""

    model_config = pydantic.ConfigDict(extra="forbid")
    source: Source
    agent: Spec | None = None
    seconds: float = pydantic.Field(0.3, ge=0.02, le=5)
    number: Number = 0


async def parts_of(request: Request) -> tuple[Places, Searches]:
    """What all pages share."""
    return request.app.state.places, request.app.state.searches


async def visit_of(ident: str, request: Request) -> Visit:
    searches: Searches = request.app.state.searches
    return searches.find(ident)


Parts = Annotated[tuple[Places, Searches], Depends(parts_of)]
Visiting = Annotated[Visit, Depends(visit_of)]


@router.get("/analyse/{name}")
async def show(name: str, request: Request) -> HTMLResponse:
    catalogue: Catalogue = request.app.state.catalogue
    card = catalogue.card(name)
    data = {"name": name, "title": card.title, "options": options_of(card), "cards": card.has_cards,
            "seconds": SECONDS, "most": MOST_SECONDS}  # fmt: skip
    return page("analyse.html.j2", title=f"{card.title}: analysis", card=card, data=data)


@router.post("/api/analysis/open")
async def open_source(source: Source, parts: Parts) -> dict[str, Any]:
    """All that a page needs to begin, and the agents that play the game."""
    places, _ = parts
    return await places.open(source)


@router.post("/api/analysis/look")
async def look_at(place: Place, parts: Parts) -> dict[str, Any]:
    """A position, and what may be done there."""
    state, words = await parts[0].state(place)
    return await asyncio.to_thread(look, state, words, place.view)


@router.websocket("/api/analysis/live")
async def live(socket: WebSocket) -> None:
    """Tell a page what its searches find out. When it is closed, they end."""
    await socket.accept()
    everyone: Searches = socket.app.state.searches
    try:
        visit = everyone.begin()
    except SpinneyError as error:
        await socket.close(4404, str(error)[:120])
        return
    telling = asyncio.create_task(_tell(socket, visit))
    try:
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass  # a page says nothing here
    finally:
        telling.cancel()
        everyone.end(visit)


async def _tell(socket: WebSocket, visit: Visit) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        message: dict[str, Any] = {"kind": "hello", "visit": visit.ident}
        while True:
            await socket.send_text(json.dumps(message, separators=(",", ":")))
            message = await visit.next_message()


@router.post("/api/analysis/{ident}/think")
async def think(visit: Visiting, asked: Think, parts: Parts) -> dict[str, Any]:
    """An agent begins to think about a position; what it did before ends."""
    places, everyone = parts
    state, _ = await places.state(asked.place)
    if state.is_over:
        raise GameOver("the game is over in this position; there is nothing to think about")
    movers, view = state.movers, asked.place.view
    if not movers:
        raise WrongPlayer("chance is to move; choose what happens, or throw")
    player = movers[0] if asked.player is None else asked.player
    if player not in movers or view not in (None, player):
        raise WrongPlayer("an agent thinks for a player who is to move, and whose cards are shown")
    spec = await asyncio.to_thread(searches.bounded, state.game, asked.agent, asked.seconds)
    everyone.think(visit, asked.column, searches.Request(state.game, spec, state, player, asked.number))
    return {"agent": spec}


@router.post("/api/analysis/{ident}/stop")
async def stop(visit: Visiting, asked: Stop) -> dict[str, Any]:
    (visit.judge if asked.column is None else visit.columns[asked.column]).stop()
    return {}


@router.get("/analysis/{ident}/tree/{column}")
async def tree(visit: Visiting, column: ColumnNumber) -> HTMLResponse:
    """The tree of the search so far, which ends; as a page to explore."""
    decision, about = await asyncio.to_thread(visit.columns[column].finish)
    if decision is None or decision.tree is None:
        raise BadOption("there is no tree: this agent grows none, or its tree is not kept any more; let it think again")
    text = await asyncio.to_thread(tree_page, decision, about)
    return HTMLResponse(text, headers={"content-security-policy": TREE_POLICY})


@router.post("/api/analysis/{ident}/review")
async def review(visit: Visiting, asked: Review, parts: Parts, request: Request) -> dict[str, Any]:
    """Judge all decisions of a stored game, or of the player whose cards are shown. What is known is kept in a file."""
    stored = await parts[0].stored(asked.source)
    if stored is None:
        raise BadOption("only a stored game can be judged as a whole")
    if asked.agent is not None:
        await asyncio.to_thread(check_agent, stored.game, asked.agent)
    folder = make_folder(request.app.state.folder / "reviews")
    _make_space(folder)
    view = asked.source.view if stored.game.card.has_cards else None
    visit.judge.ask(
        searches.Order(stored.whole(), view, asked.agent, asked.seconds, folder / f"{stored.name}.jsonl", asked.number)
    )
    return {}


def _make_space(folder: Path) -> None:
    files = sorted(folder.glob("*.jsonl"), key=lambda file: file.stat().st_mtime)
    for file in files[: max(0, len(files) - MOST_REVIEWS)]:
        file.unlink(missing_ok=True)
