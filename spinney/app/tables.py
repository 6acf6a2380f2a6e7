"""Games at a real table: what happens is entered, and one of the people is advised."""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from collections import OrderedDict
from pathlib import Path
from typing import Annotated, Any

import pydantic
from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from spinney.agents import strong_agent
from spinney.app.catalogue import MOST_SECONDS, Catalogue, agents_of, check_agent, options_of
from spinney.app.film import choices_of, figures_of
from spinney.app.pages import page
from spinney.app.room import Stale
from spinney.app.rooms import IDENT
from spinney.clock import Clock
from spinney.errors import BadRecording, UnknownName
from spinney.files import make_folder, write_atomic
from spinney.games.frame import Frame
from spinney.play.table import Table
from spinney.show.frames import FrameEncoder

router = APIRouter()
MOST_OPEN = 64
"""Tables in memory; others are read from their files again."""
Text = Annotated[str, pydantic.StringConstraints(max_length=20_000)]
Name = Annotated[str, pydantic.StringConstraints(max_length=30)]


class Begin(pydantic.BaseModel):
    """A new table."""

    model_config = pydantic.ConfigDict(extra="forbid")
    game: Annotated[str, pydantic.StringConstraints(max_length=300)]
    names: list[Name] = pydantic.Field(max_length=16)
    seat: int | None = None
    agent: Annotated[str, pydantic.StringConstraints(max_length=300)] | None = None
    seconds: float = pydantic.Field(1.0, ge=0.05, le=MOST_SECONDS)
    position: Text | None = None


class Entered(pydantic.BaseModel):
    """What was entered, by the number of the action or in words, for the table as its version says."""

    model_config = pydantic.ConfigDict(extra="forbid")
    version: Annotated[str, pydantic.StringConstraints(max_length=40)]
    entry: int | Annotated[str, pydantic.StringConstraints(max_length=300)] = ""
    step: int = 0


class OpenTable:
    """A table in memory, and its file, which is written at every entry."""

    def __init__(self, ident: str, file: Path, table: Table, seconds: float) -> None:
        self.ident, self.file, self.table, self.seconds = ident, file, table, seconds
        self.lock = asyncio.Lock()
        self.note = ""

    @property
    def version(self) -> str:
        return f"{len(self.table.entries)}.{zlib.crc32(repr(self.table.entries).encode()):x}"

    def store(self) -> None:
        write_atomic(self.file, json.dumps({**self.table.to_json(), "seconds": self.seconds}))

    def check(self, version: str) -> None:
        if version != self.version:
            raise Stale("something else was entered meanwhile; look at the table again")

    def status(self) -> dict[str, Any]:
        """The table as a page shows it."""
        table, state = self.table, self.table.state
        expected = table.expects()
        encoder = FrameEncoder(table.game.card)
        frame, _ = encoder.encode(Frame(state.record))
        choices = None if state.is_over else choices_of(state, None if expected.chance else expected.player)
        return {
            "version": self.version, "over": state.is_over, "expects": expected.words, "player": expected.player,
            "chance": expected.chance, "choices": choices, "header": encoder.header(), "frame": frame,
            "log": [[table.words_of(number), entry.forced] for number, entry in enumerate(table.entries)],
            "scores": table.scores(), "warnings": table.warnings(), "advised": table.is_advised,
            "winners": table.winners() if state.is_over else [], "position": state.to_text(), "seat": table.seat,
            "note": self.note,
        }  # fmt: skip


class Tables:
    """All tables, by their names."""

    def __init__(self, folder: Path, catalogue: Catalogue) -> None:
        self.folder, self.catalogue = make_folder(folder), catalogue
        self._open: OrderedDict[str, OpenTable] = OrderedDict()

    def begin(self, given: Begin) -> OpenTable:
        game = self.catalogue.load(given.game)
        agent = check_agent(game, given.agent or strong_agent(game))
        table = Table(game, given.names, given.seat, agent, given.position or None)
        ident = secrets.token_urlsafe(9)
        found = OpenTable(ident, self.folder / f"{ident}.json", table, given.seconds)
        found.store()
        return self._keep(found)

    def find(self, ident: str) -> OpenTable:
        """A table by its name."""
        file = self.folder / f"{ident}.json"
        if ident not in self._open:
            if not IDENT.fullmatch(ident) or not file.is_file():
                raise UnknownName("there is no such table here; it may have been deleted")
            try:
                stored = json.loads(file.read_text(encoding="utf-8"))
                seconds = float(stored.pop("seconds"))
                table = Table.from_json(self.catalogue.load(stored["game"]), stored)
            except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
                raise BadRecording(f"the table {ident} cannot be read: {error}") from None
            self._keep(OpenTable(ident, file, table, seconds))
        self._open.move_to_end(ident)
        return self._open[ident]

    def _keep(self, table: OpenTable) -> OpenTable:
        self._open[table.ident] = table
        if len(self._open) > MOST_OPEN:
            self._open.popitem(last=False)
        return table


async def found_table(ident: str, request: Request) -> OpenTable:
    return await asyncio.to_thread(request.app.state.tables.find, ident)


Found = Annotated[OpenTable, Depends(found_table)]


@router.get("/at-table/{name}")
async def set_up(name: str, request: Request) -> HTMLResponse:
    """Who sits at the table."""
    catalogue: Catalogue = request.app.state.catalogue
    card = catalogue.card(name)
    data = {"name": name, "options": options_of(card)}
    return page("at_table.html.j2", title=f"{card.title} at the table", card=card, data=data)


@router.post("/api/tables")
async def begin(given: Begin, request: Request) -> dict[str, Any]:
    table = await asyncio.to_thread(request.app.state.tables.begin, given)
    return {"table": table.ident}


@router.post("/api/tables/first")
async def first_position(given: Begin, request: Request) -> dict[str, Any]:
    """A position as a picture and as text, before the game is begun: that of the text, or the first of the game."""

    def look() -> dict[str, Any]:
        game = request.app.state.catalogue.load(given.game)
        table = Table(game, (), given.seat, "random", given.position or None)
        encoder = FrameEncoder(game.card)
        frame, _ = encoder.encode(Frame(table.state.record))
        return {
            "players": game.players, "agents": agents_of(game), "position": table.state.to_text(),
            "header": encoder.header(), "frame": frame,
        }  # fmt: skip

    return await asyncio.to_thread(look)


@router.get("/table/{ident}")
async def show(found: Found) -> HTMLResponse:
    card = found.table.game.card
    return page("table.html.j2", title=f"{card.title} at the table", card=card, names=found.table.names)


@router.get("/api/tables/{ident}")
async def status(found: Found) -> dict[str, Any]:
    async with found.lock:
        return await asyncio.to_thread(found.status)


@router.post("/api/tables/{ident}/enter")
async def enter(found: Found, given: Entered) -> dict[str, Any]:
    return await _change(found, given, lambda: found.table.enter(given.entry))


@router.post("/api/tables/{ident}/undo")
async def undo(found: Found, given: Entered) -> dict[str, Any]:
    return await _change(found, given, found.table.undo)


@router.post("/api/tables/{ident}/correct")
async def correct(found: Found, given: Entered) -> dict[str, Any]:
    """Replace an earlier entry; the later ones stay as far as they fit."""

    def work() -> None:
        done = found.table.correct(given.step, given.entry)
        if done.again is not None:
            number = len(done.dropped)
            found.note = f"{number} later entries do not fit any more; enter them again, from: {done.again.text}"

    return await _change(found, given, work)


@router.post("/api/tables/{ident}/options")
async def options(found: Found, given: Entered) -> dict[str, Any]:
    """What could have been entered at an earlier step."""
    async with found.lock:
        before = await asyncio.to_thread(found.table.before, given.step)
        expected = before.expects()
        return {"words": expected.words, "options": list(expected.options)}


@router.post("/api/tables/{ident}/advice")
async def advice(found: Found, given: Entered) -> dict[str, Any]:
    """What the agent would do for the player who is advised, and why."""
    async with found.lock:
        found.check(given.version)
        told = await asyncio.to_thread(found.table.advice, Clock(seconds=found.seconds))
    return {"version": found.version, "words": list(told.words), "figures": figures_of(told.decision)}


async def _change(found: OpenTable, given: Entered, work: Any) -> dict[str, Any]:
    async with found.lock:
        found.check(given.version)
        found.note = ""
        await asyncio.to_thread(work)
        await asyncio.to_thread(found.store)
        return await asyncio.to_thread(found.status)
