"""HTTP connections with bounds: for the servers of Spinney, which strangers may reach."""

from __future__ import annotations

import asyncio
from asyncio.events import TimerHandle

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_HEAD = 64 * 1024
"""Bytes of the first line and the headers of a request."""
SECONDS = 10.0
"""Seconds for a whole request to arrive, and for the first one to begin."""


def most_connections() -> int:
    """Connections at once: as many as half of the open files that the system allows, at most 1,000."""
    try:
        import resource
    except ImportError:  # Windows
        return 500
    return max(8, min(1000, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2))


class BoundedProtocol(HttpToolsProtocol):
    """Closes connections whose requests are too large or too slow. Where there is no room for another connection, the
    one that has been idle the longest is closed."""

    most = most_connections()
    _head = 0
    """Bytes of the request so far."""
    _timer: TimerHandle | None = None
    _arriving = False
    """Whether a request has begun and is not complete."""
    _in_head = True
    """Whether its headers are not complete."""
    since = 0.0
    """When the last request began, or the connection."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect()
        if len(self.connections) > self.most:
            self._make_room()

    def _make_room(self) -> None:
        idle = [
            it for it in self.connections if isinstance(it, BoundedProtocol) and not it.is_answering and it is not self
        ]
        closed = min(idle, key=lambda it: it.since, default=self)
        closed.transport.abort()

    @property
    def is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _expect(self) -> None:
        """A request must arrive from now on."""
        self._forget()
        self.since = self.loop.time()
        self._timer = self.loop.call_later(SECONDS, self._too_slow)

    def _forget(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if not self._arriving:
            self._arriving, self._head = True, 0
            self._expect()
        self._head += len(data)
        super().data_received(data)
        if self._arriving and self._in_head and self._head > LARGEST_HEAD and not self.transport.is_closing():
            self.send_400_response(f"the headers have more than {LARGEST_HEAD} bytes")

    def on_message_begin(self) -> None:
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._forget()
        self._arriving, self._in_head = False, True
        super().on_message_complete()
