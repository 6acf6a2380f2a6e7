"""Who may ask the app for something: the browsers of this machine, or those that know its token."""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from spinney.errors import BadOption
from spinney.files import os_errors

COOKIE = "spinney_token"
OPEN_PATHS = re.compile(r"/(room|api/rooms|static)/[^/].*")
"""Whoever is invited to a room needs the room's key only: what is there is told by name, and nothing is made there."""
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'self'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
Asgi = Callable[[Any, Any, Any], Awaitable[None]]


def is_loopback(host: str) -> bool:
    """Whether a name or address is this machine's own."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def kept_token(folder: Path) -> str:
    """The token of a folder's app: the same after a restart, so that browsers stay let in. Only its owner can read its
    file."""
    file = folder / "token"
    with os_errors(file):
        with suppress(FileExistsError), open(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as stream:
            stream.write(secrets.token_urlsafe(16))
        file.chmod(0o600)
        token = file.read_text(errors="replace").strip()
    if not re.fullmatch(r"[\w-]{16,64}", token, re.ASCII):
        raise BadOption(f"{file}: this is no token, which has 16 to 64 letters, digits, '-' and '_'; delete the file")
    return token


class Guard:
    """Refuses requests from other sites, and on other addresses than loopback those without the token. A browser gets
    the token with the first address that it opens, and keeps it as a cookie."""

    def __init__(self, app: Asgi, token: str | None) -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        query = parse_qsl(scope["query_string"].decode("latin-1"))
        given = [value for name, value in query if name == "token"]
        refused = self._refused(scope, headers, given)
        if refused:
            await _refuse(scope, send, refused)
            return
        if scope["type"] == "http" and any(map(self._is_token, given)):
            cookie = f"{COOKIE}={self.token}; Path=/; HttpOnly; SameSite=Strict"
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            where = "/" + quote(scope["path"].lstrip("/\\")) + (f"?{rest}" if rest else "")  # always on this server
            await _answer(send, 303, b"", {"location": where, "set-cookie": cookie})
            return

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = {name.decode("latin-1").lower() for name, _ in message["headers"]}
                more = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name not in given]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def _refused(self, scope: Any, headers: dict[str, str], given: list[str]) -> str:
        """Why a request is refused; empty if it is not."""
        if self.token is None and not is_loopback(_host_of(f"//{headers.get('host', '')}")):
            return "this app answers only on its own machine; start it with --host to let others in"
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != headers.get("host"):
            return "a page of another site asked for this"
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and scope.get("method") not in ("GET", "HEAD"):
            return "a page of another site asked for this"
        if self.token is None or OPEN_PATHS.fullmatch(scope["path"]):
            return ""
        cookies = [part.strip().partition("=") for part in headers.get("cookie", "").split(";")]
        given = given + [value for name, _, value in cookies if name == COOKIE]
        return "" if any(map(self._is_token, given)) else "open the address with the token that the terminal shows"

    def _is_token(self, text: str) -> bool:
        return self.token is not None and secrets.compare_digest(text.encode(), self.token.encode())


def _host_of(url: str) -> str:
    """The host in a URL; empty if it is not one."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


async def _refuse(scope: Any, send: Any, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4403, "reason": why[:120]})
    else:
        await _answer(send, 403, why.encode(), {"content-type": "text/plain; charset=utf-8"})


async def _answer(send: Any, status: int, body: bytes, headers: dict[str, str]) -> None:
    listed = [(name.encode(), value.encode()) for name, value in {**HEADERS, **headers}.items()]
    await send({"type": "http.response.start", "status": status, "headers": listed})
    await send({"type": "http.response.body", "body": body})
