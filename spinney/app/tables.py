"""Games at a real table: what happens is entered, and one of the people is advised."""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import pydantic
from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from spinney.agents import timed, usual_agent
from spinney.agents.background import BackgroundAgent, is_busy
from spinney.app.catalogue import MOST_SECONDS, Catalogue, agents_of, check_agent, options_of
from spinney.app.film import choices_of, figures_of
from spinney.app.opening import Opening
from spinney.app.pages import page
from spinney.app.room import Stale
from spinney.app.rooms import IDENT
from spinney.app.seats import TURNSTILE
from spinney.clock import Clock
from spinney.errors import BadGame, BadRecording, UnknownName
from spinney.files import write_atomic
from spinney.games.frame import Frame
from spinney.games.spec import parse_spec
from spinney.play import Table, describe, seated, why_not_followed
from spinney.show.frames import FrameEncoder

router = APIRouter()
MOST_OPEN = 64
"""Tables in memory; others are read from their files again."""
MOST_STORED = 2000
"""Files in the folder; the oldest make room for new ones."""
THINKERS = 4
"""Agents that think at once."""
Text = Annotated[str, pydantic.StringConstraints(max_length=20_000)]
Name = Annotated[str, pydantic.StringConstraints(max_length=30)]


class Begin(pydantic.BaseModel):
    """A new table."""

    model_config = pydantic.ConfigDict(extra="forbid")
    game: Annotated[str, pydantic.StringConstraints(max_length=300)]
    names: list[Name] = pydantic.Field(max_length=16)
    """As people sit."""
    seat: int | None = None
    first: int = 0
    """Who begins."""
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

    def __init__(self, ident: str, file: Path, listed: str, table: Table) -> None:
        self.ident, self.file, self.listed, self.table = ident, file, listed, table
        self.lock, self.thinking = asyncio.Lock(), asyncio.Lock()
        self.agent = BackgroundAgent(table.game, table.agent, None, lambda _: None)
        self.users = 0
        """Requests that need it now."""
        self.clock = Clock(seconds=MOST_SECONDS, turnstile=TURNSTILE)
        """Of the advice that is being thought about."""
        self.note = ""

    @property
    def version(self) -> str:
        return f"{len(self.table.entries)}.{zlib.crc32(repr(self.table.entries).encode()):x}"

    def store(self) -> None:
        write_atomic(self.file, json.dumps({"listed": self.listed, **self.table.to_json()}))

    def check(self, version: str) -> None:
        if version != self.version:
            raise Stale("something else was entered meanwhile; look at the table again")

    def status(self) -> dict[str, Any]:
        """The table as a page shows it."""
        table, state = self.table, self.table.state
        expected = table.expects()
        encoder = FrameEncoder(state.game.card)
        frame, _ = encoder.encode(Frame(state.record))
        return {
            "version": self.version, "over": state.is_over, "expects": expected.words, "example": expected.example,
            "player": expected.player, "choices": _choices(table),
            "header": encoder.header(), "frame": frame,
            "log": [[table.words_of(step), entry.forced] for step, entry in enumerate(table.entries, 1)],
            "scores": table.scores(), "scored": table.has_points, "sheet": table.sheet(), "warnings": table.warnings(),
            "advised": table.is_advised, "result": table.result() if state.is_over else "",
            "position": table.known.to_text(), "note": self.note, "making": self.making,
        }  # fmt: skip

    @property
    def making(self) -> dict[str, Any] | None:
        """How far the agent is, while it is being made."""
        agent = self.agent
        return {"agent": agent.spec, "progress": agent.progress} if agent.is_being_made else None


def _choices(table: Table) -> dict[str, Any] | None:
    """What may be entered next."""
    mover = table.expects().mover
    return None if table.is_over else choices_of(table.state, None if mover < 0 else mover)


class Tables:
    """All tables, by their names."""

    def __init__(self, folder: Path, catalogue: Catalogue) -> None:
        self.folder, self.catalogue = folder, catalogue
        self.thinkers = ThreadPoolExecutor(THINKERS, thread_name_prefix="table")
        self._open: OrderedDict[str, OpenTable] = OrderedDict()
        self._opening = Opening()

    async def begin(self, given: Begin) -> OpenTable:
        return self._keep(await asyncio.to_thread(self._begin, given))

    def _begin(self, given: Begin) -> OpenTable:
        game = self.catalogue.load(given.game)
        agent = check_agent(game, timed(game, given.agent or usual_agent(game), given.seconds))
        names, seat = seated(given.names, given.seat, given.first)
        table = Table(game, names, seat, agent, given.position or None)
        ident = secrets.token_urlsafe(9)
        found = OpenTable(ident, self.folder / f"{ident}.json", given.game, table)
        found.store()
        self._make_space()
        return found

    @asynccontextmanager
    async def using(self, ident: str) -> AsyncIterator[OpenTable]:
        """A table by its name, which stays in memory meanwhile."""
        async with self._opening.of(ident):
            known = self._open.get(ident)
            found = await asyncio.to_thread(self._read, ident) if known is None else known
            found.users += 1
            self._keep(found)
        try:
            yield found
        finally:
            found.users -= 1

    def _read(self, ident: str) -> OpenTable:
        file = self.folder / f"{ident}.json"
        if not IDENT.fullmatch(ident) or not file.is_file():
            raise UnknownName("there is no such table here; it may have been deleted")
        try:
            stored = json.loads(file.read_text(encoding="utf-8"))
            listed = str(stored["listed"])
            table = Table.from_json(self.catalogue.load(listed), stored)
        except (OSError, LookupError, TypeError, ValueError) as error:
            raise BadRecording(f"the table {ident} cannot be read: {error}") from None
        return OpenTable(ident, file, listed, table)

    def _keep(self, table: OpenTable) -> OpenTable:
        """Keep a table; of too many, those that nobody needs now are dropped, the one that was used long ago first."""
        self._open[table.ident] = table
        self._open.move_to_end(table.ident)
        unused = [it.ident for it in self._open.values() if not it.users and it is not table]
        for ident in unused[: max(0, len(self._open) - MOST_OPEN)]:
            del self._open[ident]
        return table

    def _make_space(self) -> None:
        files = sorted(self.folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
        for file in files[: max(0, len(files) - MOST_STORED)]:
            file.unlink(missing_ok=True)

    def close(self) -> None:
        for table in self._open.values():
            table.clock.stop.set()
        self.thinkers.shutdown(wait=False, cancel_futures=True)


async def found_table(ident: str, request: Request) -> AsyncIterator[OpenTable]:
    tables: Tables = request.app.state.tables
    async with tables.using(ident) as found:
        yield found


Found = Annotated[OpenTable, Depends(found_table)]


@router.get("/at-table/{name}")
async def set_up(name: str, request: Request) -> HTMLResponse:
    """Who sits at the table."""
    catalogue: Catalogue = request.app.state.catalogue
    card = catalogue.card(name)
    if reason := why_not_followed(card):
        raise BadGame(f"{card.title} cannot be followed at a table: {reason}")
    usual = card.board.at_table.options
    data = {"name": name, "options": [{**it, "first": usual.get(it["name"], it["default"])} for it in options_of(card)]}
    return page("at_table.html.j2", title=f"{card.title} at the table", card=card, data=data)


@router.post("/api/tables")
async def begin(given: Begin, request: Request) -> dict[str, Any]:
    table = await request.app.state.tables.begin(given)
    return {"table": table.ident}


@router.post("/api/tables/first")
async def first_position(given: Begin, request: Request) -> dict[str, Any]:
    """A position as a picture and as text, before the game is begun: that of the text, or the first of the game."""

    def look() -> dict[str, Any]:
        game = request.app.state.catalogue.load(given.game)
        seat = given.seat or 0
        if given.position:
            state = Table(game, (), seat, "random", given.position).state
        else:
            state = game.start(1)
            state = state.observe(seat) if game.card.has_hidden else state
        encoder = FrameEncoder(state.game.card)
        frame, _ = encoder.encode(Frame(state.record))
        return {
            "players": game.players, "agents": agents_of(game), "hidden": game.card.has_hidden,
            "position": given.position or describe(state), "header": encoder.header(), "frame": frame,
        }  # fmt: skip

    return await asyncio.to_thread(look)


@router.get("/table/{ident}")
async def show(found: Found) -> HTMLResponse:
    table = found.table
    card, another = table.game.card, f"/at-table/{parse_spec(found.listed)[0]}"
    return page("table.html.j2", title=f"{card.title} at the table", card=card, table=table, another=another)


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
        dropped = found.table.correct(given.step, given.entry).dropped
        if dropped:
            number = "1 later entry does" if len(dropped) == 1 else f"{len(dropped)} later entries do"
            found.note = f"{number} not fit any more; enter from here on again, first: {dropped[0].words}"

    return await _change(found, given, work)


@router.post("/api/tables/{ident}/options")
async def options(found: Found, given: Entered) -> dict[str, Any]:
    """What could have been entered at an earlier step."""

    def look() -> dict[str, Any]:
        before = found.table.before(given.step)
        expected = before.expects()
        return {"words": expected.words, "example": expected.example, "choices": _choices(before)}

    async with found.lock:
        found.check(given.version)
        return await asyncio.to_thread(look)


@router.post("/api/tables/{ident}/advice")
async def advice(found: Found, given: Entered, request: Request) -> dict[str, Any]:
    """What the agent would do for the player who is advised, and why; nothing if something was entered meanwhile, which
    ends the thinking. Until the agent is made, a hand-written player advises."""
    late = {"version": given.version, "figures": None}
    async with found.lock:
        if given.version != found.version:
            return late
        ask = found.table.adviser(found.agent, explains=not is_busy())  # only one thing is compiled at once
    async with found.thinking:
        if given.version != found.version:
            return late
        found.clock = Clock(seconds=MOST_SECONDS, turnstile=TURNSTILE)
        loop = asyncio.get_running_loop()
        told = await loop.run_in_executor(request.app.state.tables.thinkers, ask, found.clock)
        replaced = found.agent.name != found.agent.spec
    figures = figures_of(told.decision)
    return {
        "version": given.version, "reasons": told.reasons, "values": told.values, "figures": figures,
        "replaced": replaced,
    }  # fmt: skip


async def _change(found: OpenTable, given: Entered, work: Callable[[], object]) -> dict[str, Any]:
    async with found.lock:
        found.check(given.version)
        found.clock.stop.set()
        found.note = ""
        await asyncio.to_thread(work)
        await asyncio.to_thread(found.store)
        return await asyncio.to_thread(found.status)
