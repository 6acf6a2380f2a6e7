"""What is opened or closed under a name: by one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Opening:
    """A lock for each name that somebody needs now."""

    def __init__(self) -> None:
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}
        """The locks, and how many need each."""

    @asynccontextmanager
    async def of(self, ident: str) -> AsyncIterator[None]:
        """While something is opened or closed, nobody else does."""
        lock, users = self._locks.get(ident, (asyncio.Lock(), 0))
        self._locks[ident] = (lock, users + 1)
        try:
            async with lock:
                yield
        finally:
            lock, users = self._locks.pop(ident)
            if users > 1:
                self._locks[ident] = (lock, users - 1)
