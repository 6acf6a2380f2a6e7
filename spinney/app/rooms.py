"""All rooms of the app: made, found again by their journals, and put away when nobody looks at them."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from spinney.app.catalogue import Catalogue
from spinney.app.journal import Journal
from spinney.app.keys import Access, Keys
from spinney.app.opening import Opening
from spinney.app.room import Room
from spinney.app.setup import Setup
from spinney.errors import BadRecording, SpinneyError, UnknownName
from spinney.games import Game

MOST_ROOMS = 100
"""Rooms in memory at once."""
MOST_STORED = 2000
"""Journals in the folder; the oldest make room for new ones."""
IDLE, SHORT = 300.0, 2.0
"""Seconds after which a room that nobody looks at is put away; its journal stays. The shorter if there is no place."""
IDENT = re.compile(r"[A-Za-z0-9_-]{8,24}")


class Full(SpinneyError):
    """There are too many rooms."""


class Rooms:
    """Rooms by their names. A room that was put away is made again from its journal when somebody asks for it."""

    def __init__(self, folder: Path, catalogue: Catalogue) -> None:
        self.folder, self.catalogue = folder, catalogue
        self.threads = ThreadPoolExecutor(2 * MOST_ROOMS, thread_name_prefix="room")
        self._rooms: dict[str, Room] = {}
        self._opening, self._coming = Opening(), 0
        """What is being opened or closed, and how many rooms are being made."""

    async def create(self, setup: Setup) -> tuple[Room, str, dict[int, str]]:
        """A new room, the key of who began it, and those of the players who were invited."""
        game = await self._work(setup.check, self.catalogue)
        seed = secrets.randbits(62) if setup.seed is None else setup.seed
        persons = [player for player, seat in enumerate(setup.seats) if seat.agent is None]
        invited = {player: secrets.token_urlsafe(12) for player in persons if setup.seats[player].own_device}
        key, ident = secrets.token_urlsafe(12), secrets.token_urlsafe(9)
        keys = Keys(key, tuple(player for player in persons if player not in invited), invited)
        self._make_space()
        journal = Journal(self.folder / f"{ident}.jsonl")
        journal.add(
            setup=setup.model_dump(mode="json"), seed=seed, began=time.time(), host=key, here=keys.here,
            invited=[*invited.items()],
        )  # fmt: skip
        try:
            async with self._place():
                room = await self._open(ident, setup, game, seed, keys, journal)
        except BaseException:
            journal.file.unlink(missing_ok=True)
            raise
        return room, key, invited

    @asynccontextmanager
    async def _place(self) -> AsyncIterator[None]:
        """A place for one more room, while it is made."""
        if len(self._rooms) + self._coming >= MOST_ROOMS:
            await self.put_away(SHORT)
        if len(self._rooms) + self._coming >= MOST_ROOMS:
            raise Full(f"{MOST_ROOMS} games are being played; try again when some have ended")
        self._coming += 1
        try:
            yield
        finally:
            self._coming -= 1

    async def find(self, ident: str) -> Room:
        """A room by its name."""
        if room := self._rooms.get(ident):
            room.used = time.monotonic()
            return room
        file = self._file(ident)
        async with self._opening.of(ident):
            if room := self._rooms.get(ident):
                return room
            async with self._place():
                return await self._restore(ident, Journal(file))

    def _file(self, ident: str) -> Path:
        file = self.folder / f"{ident}.jsonl"
        if not IDENT.fullmatch(ident) or not file.is_file():
            raise UnknownName("there is no such game here; it may have been deleted")
        return file

    async def _restore(self, ident: str, journal: Journal) -> Room:
        entries = await self._work(list, journal.read())
        try:
            first = entries[0]
            setup, seed = Setup.model_validate(first["setup"]), int(first["seed"])
            keys = Keys(str(first["host"]), tuple(first["here"]), dict(first["invited"]))
            game = await self._work(setup.check, self.catalogue)
            return await self._open(ident, setup, game, seed, keys, journal, entries[1:])
        except (LookupError, TypeError, ValueError) as error:
            raise BadRecording(f"the game {ident} cannot be restored: {error}") from None

    async def _open(
        self, ident: str, setup: Setup, game: Game, seed: int, keys: Keys, journal: Journal,
        entries: Sequence[dict[str, Any]] = (),
    ) -> Room:  # fmt: skip
        room = Room(ident, setup, game, seed, keys, journal, self.threads)
        await self._work(room.prepare, iter(entries))
        room.start()
        self._rooms[ident] = room
        return room

    async def _work(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.threads, function, *arguments)

    async def put_away(self, idle: float = IDLE) -> None:
        """Close rooms that nobody has looked at for some time."""
        for ident, room in list(self._rooms.items()):
            async with self._opening.of(ident):
                unused = not room.audience.links and time.monotonic() - room.used > idle
                if unused and self._rooms.get(ident) is room:
                    del self._rooms[ident]  # first: nobody shall find it while it is closed
                    await room.close()

    def _make_space(self) -> None:
        files = sorted(self.folder.glob("*.jsonl"), key=lambda file: file.stat().st_mtime)
        for file in files[: max(0, len(files) - MOST_STORED)]:
            if file.stem not in self._rooms:
                file.unlink(missing_ok=True)

    async def rematch(self, room: Room) -> tuple[str, dict[str, str]]:
        """A room with the same players, each a seat further; the new key for each key of the old one."""
        async with room.succession:
            if room.successor is None:
                old = room.setup
                setup = old.model_copy(update={"seats": (old.seats[-1], *old.seats[:-1]), "seed": None})
                fresh, key, invited = await self.create(setup)
                keys = {room.keys.host: key}
                for player, it in room.keys.arrived.items():
                    keys[it] = invited[(player + 1) % len(old.seats)]
                await room.succeed(fresh.ident, keys)
        assert room.successor is not None
        return room.successor

    @staticmethod
    def access(room: Room, key: str) -> Access:
        """What the holder of a key may do in a room; others may look."""
        return room.keys.access(key)

    async def close(self) -> None:
        for room in list(self._rooms.values()):
            await room.close()
        self._rooms.clear()
        self.threads.shutdown(wait=False, cancel_futures=True)
