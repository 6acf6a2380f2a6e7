"""Reading pages: by a parser, by their data, and in a browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from spinney.games.picture import SHAPES, Style

EMPTY = {"br", "meta"}
HOSTILE = "</script><script>hacked = 1</script><img src=x onerror='hacked = 1'> <!-- & \u2028 {{ 7 * 7 }}"
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_browser = pytest.mark.skipif(BROWSER is None and not os.environ.get("CI"), reason="no Chromium is installed")
"""In CI a missing browser is a failure."""


class Page(HTMLParser):
    """A parsed page; tags must be closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data


def decoded(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The frames of a replay, reconstructed."""
    names = ("cells", "text", "head", "facts", "events", "figures", "searches", "position")
    lists: dict[str, list[Any]] = {name: [] for name in names}
    marks: dict[int, list[Any]] = {}
    for frame in data["frames"]:
        for name, (length, *changes) in ((name, frame[name]) for name in lists if name in frame):
            lists[name] = (lists[name] + [None] * length)[:length]
            for i, value in zip(changes[::2], changes[1::2], strict=True):
                lists[name][i] = value
        for key in frame.get("gone", ()):
            del marks[key]
        flat = frame.get("marks", [])
        marks |= {flat[i]: flat[i + 1 : i + 4] for i in range(0, len(flat), 4)}
        yield {name: list(found) for name, found in lists.items()} | {"marks": dict(marks)}


def style(data: dict[str, Any], number: int) -> Style:
    shape, colour, size, edge, *rest = data["styles"][number]
    return Style(SHAPES[shape], data["colours"][colour], size, data["colours"][edge] if edge >= 0 else "", *rest)


def data_of(page: str) -> dict[str, Any]:
    """The data in a replay page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def opened(page: str, folder: Path, script: str, seconds: int = 1) -> str:
    """The page as a browser has it after a script has run in it, and some seconds."""
    assert BROWSER is not None
    file = folder / "page.html"
    clock = "requestAnimationFrame = draw => setTimeout(() => draw(performance.now()), 16);"  # no screen, no frames
    page = page.replace("<body>", f"<body><script>{clock}</script>")
    file.write_text(page.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    command = [BROWSER, *flags, f"--virtual-time-budget={1000 * seconds}", "--dump-dom", file.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def probed(dom: str) -> Any:
    """What a script has left in the element `probe`."""
    return json.loads(unescape(re.search(r'<i id="probe">(.*?)</i>', dom, re.DOTALL)[1]))
