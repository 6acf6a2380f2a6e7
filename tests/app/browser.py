"""The app as its users have it: a server in a process of its own, and pages in a real browser."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, WebSocket

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PHONE = {"width": 360, "height": 740}


class Server:
    """`spinney app` in a process of its own."""

    def __init__(self, folder: Path, *more: str, port: int = 0, host: str = "127.0.0.1") -> None:
        self.folder, self.more, self.host = folder, more, host
        self.start(port)

    def start(self, port: int) -> None:
        command = [sys.executable, "-m", "spinney", "app", "--port", str(port), "--folder", str(self.folder)]
        self.process = subprocess.Popen(
            [*command, "--host", self.host, *self.more], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()
        found = re.search(r"http://\S+", self.said)
        assert found, self.said + self.process.stdout.read()
        self.address = found[0].partition("?")[0].rstrip("/")
        self.token = found[0].partition("token=")[2]
        self.port = urlsplit(self.address).port

    def kill(self) -> None:
        """End it as a loss of power would."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """Start it again on the same port."""
        assert self.port is not None
        self.start(self.port)

    def stop(self) -> None:
        if self.process.poll() is None:
            self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        self.process.send_signal(how)
        try:
            self.process.wait(20)
        finally:
            self.process.kill()
            self.process.communicate()

    def ask(self, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        """The status and the answer of a GET, or of a POST if there is a body: JSON where it is."""
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        asked = urllib.request.Request(
            self.address + path, data, {"content-type": "application/json", **(headers or {})}
        )
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:
                status, text = answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                status, text = error.code, error.read().decode()
        try:
            return status, json.loads(text)
        except ValueError:
            return status, text

    def begin(self, game: str, seats: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        """A new room: its name `room`, the key of who began it, and the keys of those who were invited."""
        status, begun = self.ask("/api/rooms", {"game": game, "seats": seats, **more})
        assert status == 200, begun
        assert isinstance(begun, dict)
        return begun


class Visitor:
    """A browser of a person: nothing is shared with other visitors. All that its pages complain about, ask for and hear
    is noted; `close` fails if there was a complaint, or a request to another host."""

    def __init__(self, browser: Browser, server: Server, **options: Any) -> None:
        self.server, self.complaints, self.heard = server, list[str](), list[str]()
        self.context: BrowserContext = browser.new_context(**options)
        self.context.set_default_timeout(20_000)
        self.expected = 0
        """Complaints that a test expects, such as those about a lost connection."""

    def open(self, path: str = "/") -> Page:
        """A page of the app in a new tab."""
        page = self.context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("request", lambda request: self._asked(request.url))
        page.on("response", lambda answer: self._answered(answer.url, answer.status))
        page.on("websocket", self._socket)
        page.goto(self.server.address + path)
        return page

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text} {message.location}")

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != urlsplit(self.server.address).netloc:
            self.complaints.append(f"asks another host: {url}")

    def _answered(self, url: str, status: int) -> None:
        if status >= 500:
            self.complaints.append(f"{status}: {url}")

    def _socket(self, socket: WebSocket) -> None:
        self._asked(socket.url)
        socket.on("framereceived", lambda data: self.heard.append(str(data)))

    def forgive(self, pattern: str) -> None:
        """Take back complaints that a test has caused itself."""
        self.complaints = [it for it in self.complaints if not re.search(pattern, it)]

    def close(self) -> None:
        self.context.close()
        assert self.complaints == []


def is_narrow(page: Page) -> bool:
    """Whether a page fits its window, without a horizontal bar."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@contextmanager
def chromium(executable: str) -> Iterator[Browser]:
    """The system's Chromium, without a window."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=30_000)  # what is waited for comes sooner, unless the machine is busy
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def alone(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine in a thread of its own: Playwright's loop may be that of this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def in_ci() -> bool:
    return bool(os.environ.get("CI"))
