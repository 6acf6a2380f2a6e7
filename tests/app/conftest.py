"""What tests of the app share: a server, a browser, and visitors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.app.browser import Server, Visitor, chromium, in_ci
from tests.show.pages import BROWSER

Visit = Callable[..., Visitor]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that no test ends."""
    server = Server(tmp_path_factory.mktemp("app"))
    yield server
    server.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers of the test's own, with more arguments."""
    started: list[Server] = []

    def start(*more: str, **options: Any) -> Server:
        started.append(Server(tmp_path / f"app-{len(started)}", *more, **options))
        return started[-1]

    yield start
    for server in started:
        server.stop()


@pytest.fixture(scope="module")  # as long as it lives, no other loop of asyncio can run in this thread
def browser() -> Iterator[Browser]:
    """The system's Chromium; without it, tests are skipped, but not in CI."""
    if BROWSER is None:
        (pytest.fail if in_ci() else pytest.skip)("no Chromium is installed")
    with chromium(BROWSER) as browser:
        yield browser


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """Makes visitors of the server, or of another; at the end of the test, none may have a complaint."""
    visitors: list[Visitor] = []

    def make(to: Server | None = None, **options: Any) -> Visitor:
        visitors.append(Visitor(browser, to or server, **options))
        return visitors[-1]

    yield make
    for visitor in visitors:
        visitor.close()
