"""The first page, and the page that sets up a game."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Annotated, Any

import pydantic
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from spinney.app.catalogue import Catalogue, agents_of, options_of, seats_of
from spinney.app.library import Library
from spinney.app.pages import page
from spinney.games import Card, State
from spinney.play import why_not_followed
from spinney.play.example import example
from spinney.show.svg import svg, text_svg

router = APIRouter()
SMALL, LARGE = (320, 200), (480, 380)
"""The most pixels of a picture, if its cells have at least one; about as many as it is shown with."""


class Look(pydantic.BaseModel):
    """A game with its options, and the position in which it is to begin."""

    model_config = pydantic.ConfigDict(extra="forbid")
    game: Annotated[str, pydantic.StringConstraints(max_length=300)]
    position: Annotated[str, pydantic.StringConstraints(max_length=50_000)] = ""


@router.get("/")
async def home(request: Request) -> HTMLResponse:
    catalogue: Catalogue = request.app.state.catalogue
    cards = catalogue.cards.items()
    own = {name: card for name, card in cards if name in catalogue.own}
    main = {name: card for name, card in cards if card.study is not None and name not in own}
    small = {name: card for name, card in cards if name not in own and name not in main}
    library: Library = request.app.state.library
    stored = len(await library.work(library.files))
    return page(
        "home.html.j2", title="Spinney", own=own, main=main, small=small, stored=stored, seats_of=seats_of,
        links_of=_links,
    )  # fmt: skip


def _links(name: str, card: Card) -> list[tuple[str, str]]:
    """The pages that there are for a game: where, and what they are called."""
    links = [(f"/new/{name}", "Play"), (f"/new/{name}?watch=1", "Watch"), (f"/analyse/{name}", "Analyse")]
    if not why_not_followed(card):
        links.append((f"/at-table/{name}", "At the table"))
    return links


@router.get("/picture/{name}")
async def picture(name: str, request: Request) -> Response:
    """The typical position of a game."""
    card = request.app.state.catalogue.card(name)
    drawn = await asyncio.to_thread(_example, card)
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "max-age=300"})


@lru_cache(64)
def _example(card: Card) -> str:
    return draw(example(card), card.board.example.title or card.title, SMALL)


def draw(state: State, title: str, most: tuple[int, int]) -> str:
    """A position as SVG."""
    board = state.game.card.board
    if board.picture is None:
        return text_svg(str(state), title)
    shown = board.picture(state.record)
    return svg(shown, title, max(1, min(most[0] // shown.width, most[1] // shown.height)))


@router.get("/new/{name}")
async def new(name: str, request: Request) -> HTMLResponse:
    """Set up a game: its options, and who sits where."""
    card = request.app.state.catalogue.card(name)
    data = {"name": name, "options": options_of(card), "simultaneous": card.is_simultaneous}
    data["reachable"] = request.app.state.address is not None
    return page("new.html.j2", title=card.title, card=card, data=data)


@router.get("/api/games")
async def describe(game: str, request: Request) -> dict[str, Any]:
    """The seats of a game with its options, and the agents that play it."""
    loaded = request.app.state.catalogue.load(game)
    return {"players": loaded.players, "agents": agents_of(loaded)}


@router.post("/api/games/look")
async def look(given: Look, request: Request) -> dict[str, Any]:
    """The same, and a picture of the position in which the game begins."""

    def work() -> dict[str, Any]:
        game = request.app.state.catalogue.load(given.game)
        state = game.from_text(given.position, 1) if given.position else game.start(1)
        shown = state.observe(next(iter(state.movers), 0)) if game.card.has_cards else state
        return {"players": game.players, "agents": agents_of(game), "picture": draw(shown, "The first position", LARGE)}

    return await asyncio.to_thread(work)
