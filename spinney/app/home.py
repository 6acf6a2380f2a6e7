"""The first page, and the page that sets up a game."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from spinney.app.catalogue import Catalogue, agents_of, options_of
from spinney.app.pages import page

router = APIRouter()


@router.get("/")
async def home(request: Request) -> HTMLResponse:
    catalogue: Catalogue = request.app.state.catalogue
    return page("home.html.j2", title="Spinney", cards=catalogue.cards)


@router.get("/new/{name}")
async def new(name: str, request: Request) -> HTMLResponse:
    """Set up a game: its options, and who sits where."""
    card = request.app.state.catalogue.card(name)
    return page("new.html.j2", title=card.title, card=card, name=name, data={"name": name, "options": options_of(card)})


@router.get("/api/games")
async def describe(game: str, request: Request) -> dict[str, Any]:
    """The seats of a game with its options, and the agents that play it."""
    loaded = request.app.state.catalogue.load(game)
    return {"players": loaded.players, "agents": agents_of(loaded)}
