"""Watching: stored games, and where agents play each other."""

from __future__ import annotations

import asyncio
import tempfile
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.exceptions import HTTPException

from spinney.app.library import LARGEST, Library, StoredFile
from spinney.app.pages import attachment, page
from spinney.arena.stored import ONE_GAME, RECORDING
from spinney.show.replay_page import replay_page, replay_values

router = APIRouter()
uploading = asyncio.Semaphore(2)
"""Uploads that are read at once, which are in memory."""
IN_MEMORY = 256 * 1024
"""Bytes of an upload that is under way; more are in a temporary file."""
PATIENCE = 30.0
"""Seconds in which an upload must come."""


def library_of(request: Request) -> Library:
    library: Library = request.app.state.library
    return library


Books = Annotated[Library, Depends(library_of)]


async def file_of(ident: str, library: Books) -> StoredFile:
    return await library.work(library.find, ident)


Found = Annotated[StoredFile, Depends(file_of)]


@router.get("/watch")
async def watch(request: Request, library: Books) -> HTMLResponse:
    files = await library.work(library.files)
    return page(
        "watch.html.j2", title="Watch", files=files, cards=request.app.state.catalogue.cards, largest=LARGEST,
        suffixes=library.suffixes, sources=[str(it) for it in library.sources],
    )  # fmt: skip


@router.post("/api/upload")
async def upload(request: Request, library: Books, name: str) -> dict[str, Any]:
    """Keep a file, which is the body of the request; where it can be seen."""
    too_large = HTTPException(413, f"the file has more than {LARGEST:,} bytes")
    if int(request.headers.get("content-length", 0)) > LARGEST:
        raise too_large
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as kept:  # a slow upload holds up no other, and fills no memory
        try:
            async with asyncio.timeout(PATIENCE):
                async for part in request.stream():
                    if kept.tell() + len(part) > LARGEST:
                        raise too_large
                    kept.write(part)
        except TimeoutError:
            raise HTTPException(408, f"the file has not come within {PATIENCE:g} seconds") from None
        kept.seek(0)
        async with uploading:
            found = await library.work(library.add, name[:200], kept.read())
    return {"where": found.where}


@router.get("/stored/{ident}")
async def show_file(found: Found, library: Books) -> Response:
    """The games of a file."""
    if found.kind != RECORDING:
        return RedirectResponse(f"{found.where}/0" if found.kind == ONE_GAME else found.where)
    games = await library.work(library.games, found)
    return page("recording.html.j2", title=found.name, file=found, games=games)


@router.get("/stored/{ident}/{number}")
async def show_game(found: Found, number: int, library: Books, request: Request) -> HTMLResponse:
    """A game, as pages of games show it."""

    def draw() -> HTMLResponse:
        replay = library.replay(found, number)
        analysed = f"/analyse/{replay.card.name}" if replay.game is not None and replay.card.name in cards else ""
        return page("stored.html.j2", file=found, number=number, analysed=analysed, **replay_values(replay))

    cards = request.app.state.catalogue.cards
    return await library.work(draw)


@router.get("/stored/{ident}/{number}/page")
async def download(found: Found, number: int, library: Books) -> Response:
    """The game as one page that needs no server."""
    text = await library.work(lambda: replay_page(library.replay(found, number)))
    return attachment(text.encode(), f"{found.name}-{number}.html", "text/html; charset=utf-8")
