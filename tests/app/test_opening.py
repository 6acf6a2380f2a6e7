"""Rooms and tables that several browsers open, change and leave at once."""

from __future__ import annotations

import asyncio

import pytest

from spinney.app import rooms, tables
from spinney.app.catalogue import Catalogue
from spinney.app.keys import SPECTATOR
from spinney.app.rooms import Full, Rooms
from spinney.app.setup import Seat, Setup
from spinney.app.tables import Begin, Tables
from tests.app.browser import alone

CATALOGUE = Catalogue()
TWO = Setup(game="tictactoe", seats=(Seat(), Seat()))


async def begin(kept):
    found = await kept.begin(Begin(game="deepsea", names=["Ann", "Ben"], seat=0, agent="heuristic"))
    return found.ident


def test_a_stored_table_is_opened_once(tmp_path):
    async def run():
        kept = Tables(tmp_path, CATALOGUE)
        ident = await begin(kept)
        kept.close()
        kept = Tables(tmp_path, CATALOGUE)

        opened = []

        async def look():
            async with kept.using(ident) as found:
                opened.append(found)

        await asyncio.gather(*[look() for _ in range(4)])
        kept.close()
        return opened

    assert len(set(map(id, alone(run())))) == 1


def test_a_table_that_is_being_changed_stays_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "MOST_OPEN", 1)

    async def run():
        kept = Tables(tmp_path, CATALOGUE)
        idents = [await begin(kept) for _ in range(3)]
        async with kept.using(idents[0]) as first:
            for ident in idents[1:]:
                async with kept.using(ident):
                    pass
            async with kept.using(idents[0]) as again:
                assert again is first
        async with kept.using(idents[1]):
            pass
        assert list(kept._open) == [idents[1]]
        kept.close()

    alone(run())


def test_a_room_that_is_being_put_away_is_not_joined(tmp_path):
    async def run():
        kept = Rooms(tmp_path, CATALOGUE)
        room, key, _ = await kept.create(TWO)
        access, closing = Rooms.access(room, key), asyncio.Event()
        close = room.close

        async def slow_close():
            closing.set()
            await asyncio.sleep(0.05)
            await close()

        room.close = slow_close
        room.used -= 10
        away = asyncio.create_task(kept.put_away(5))
        await closing.wait()
        found = await kept.find(room.ident)
        await away
        assert found is not room
        link = await found.join(access)
        await found.choose(access, 0, 4, found.version)
        assert [(await link.messages.get())["kind"] for _ in range(2)] == ["game", "step"]
        late = await room.join(access)  # it had found the room before
        assert await late.messages.get() is None
        with pytest.raises(Exception, match="put away"):
            await room.choose(access, 0, 4, room.version)
        await kept.close()

    alone(run())


def test_rooms_that_are_found_again_are_bounded_too(tmp_path, monkeypatch):
    async def run():
        kept = Rooms(tmp_path, CATALOGUE)
        idents = [(await kept.create(TWO))[0].ident for _ in range(4)]
        await kept.close()
        monkeypatch.setattr(rooms, "MOST_ROOMS", 2)
        kept = Rooms(tmp_path, CATALOGUE)
        found = await asyncio.gather(*[kept.find(ident) for ident in idents], return_exceptions=True)
        assert sum(isinstance(it, Full) for it in found) == 2
        with pytest.raises(Full):
            await kept.create(TWO)
        for room in kept._rooms.values():
            await room.join(SPECTATOR)
            room.used -= 10
        with pytest.raises(Full):
            await kept.find(next(ident for ident in idents if ident not in kept._rooms))
        await kept.close()

    alone(run())
