"""Stored games: by upload, and from folders that are named at the start."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import json
import sqlite3
import subprocess
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

import pytest
import zstandard
from playwright.sync_api import Page, expect
from starlette.exceptions import HTTPException

from spinney.app import watch
from spinney.app.library import UNPACKED
from spinney.files import LARGEST
from tests.app import files
from tests.app.browser import PHONE, Server, alone, is_narrow
from tests.show.pages import data_of


def upload(page: Page, file: Path) -> None:
    page.goto(page.url.partition("//")[0] + "//" + page.url.partition("//")[2].partition("/")[0] + "/watch")
    page.get_by_label("Open a file").set_input_files(file)


def send(server: Server, name: str, data: bytes) -> tuple[int, str]:
    """Upload as a program would: the status, and the words or the place."""
    status, answer = server.ask(f"/api/upload?name={quote(name)}", data, {"content-type": "application/octet-stream"})
    return status, answer.get("where") or answer["error"]


def test_an_uploaded_replay_file_is_played_and_saved_as_a_page(server, visit, tmp_path):
    state = files.replay_file(tmp_path / "my <b>game.hlt")
    page = visit(viewport=PHONE).open("/watch")
    upload(page, tmp_path / "my <b>game.hlt")
    expect(page.locator("h1")).to_have_text("Halite III")
    expect(page.locator("#count")).to_have_text("0 / 30")
    expect(page.locator(".heading .note")).to_contain_text("my _b_game.hlt")
    page.keyboard.press("End")
    expect(page.locator("#count")).to_have_text("30 / 30")
    expect(page.locator("#head")).to_have_text("turn 30 of 30")
    halite = [f"treasury {banked:,.0f}" for banked in state.scores()]
    expect(page.locator("#players")).to_contain_text(halite[0])
    expect(page.locator("#result")).to_contain_text("wins")
    assert is_narrow(page)
    with page.expect_download() as loading:
        page.get_by_role("link", name="Save as a page").click()
    saved = Path(loading.value.path()).read_text(encoding="utf-8")
    assert len(data_of(saved)["frames"]) == 31
    page.goto(f"{server.address}/watch")
    expect(page.get_by_role("link", name="my _b_game.hlt")).to_be_visible()


def test_recordings_logs_and_results_are_shown_from_a_folder(own_server, visit, tmp_path):
    for folder in ("games/logs", "served"):
        (tmp_path / folder).mkdir(parents=True)
    files.recording(tmp_path / "games" / "four.jsonl")
    files.server_log(tmp_path / "served").rename(tmp_path / "games" / "logs" / "snake.jsonl")
    files.results(tmp_path / "games" / "arena.sqlite")
    (tmp_path / "games" / "secret.txt").write_text("not a game")
    server = own_server("--stored", str(tmp_path / "games"))
    page = visit(server).open("/watch")
    names = page.locator(".files strong").all_inner_texts()
    assert sorted(names) == ["arena.sqlite", "four.jsonl", "logs/snake.jsonl"]
    page.get_by_role("link", name="four.jsonl").click()
    page.get_by_role("link", name="1", exact=True).click()
    expect(page.locator(".heading .note")).to_contain_text("game 1 of four.jsonl")
    expect(page.locator("#count")).to_contain_text("0 / ")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#searches")).to_contain_text("50 simulations")
    page.goto(f"{server.address}/watch")
    page.get_by_role("link", name="snake.jsonl").click()
    expect(page.locator("h1")).to_have_text("BattleSnake")
    page.goto(f"{server.address}/watch")
    page.get_by_role("link", name="arena.sqlite").click()
    page.get_by_role("link", name="Watch game 7").click()
    expect(page.locator(".heading .note")).to_contain_text("game 7 of arena.sqlite")
    expect(page.locator("#count")).to_contain_text("0 / ")
    page.keyboard.press("End")
    expect(page.locator("#result")).to_contain_text("shares player 1")


def test_damaged_files_give_one_line(server, visit, tmp_path):
    files.replay_file(tmp_path / "whole.hlt")
    data = (tmp_path / "whole.hlt").read_bytes()
    (tmp_path / "half.hlt").write_bytes(data[: len(data) // 2])
    visitor = visit()
    page = visitor.open("/watch")
    upload(page, tmp_path / "half.hlt")
    expect(page.locator("#problem")).to_contain_text("half.hlt")
    expect(page.locator("#problem")).to_contain_text("is not a replay file of Halite")
    visitor.forgive("422")
    turned = json.loads(zstandard.ZstdDecompressor().decompressobj().decompress(data))
    turned["full_frames"][3]["entities"] = {"0": {"0": {"x": "left"}}}
    lines = files.recording(tmp_path / "four.jsonl", 1).read_bytes()
    damaged = {
        "turned.hlt": json.dumps(turned).encode(),
        "empty.hlt": b"",
        "deep.jsonl": b'{"game":' * 100_000,
        "not.jsonl": b"\xff\xfe{}",
        "steps.jsonl": lines.replace(b'"steps"', b'"stops"'),
        "log.jsonl": b'{"event":"start"}\n{"event":"move"}\n',
        "zip.gz": b"\x1f\x8b no",
        "base.sqlite": b"SQLite format 3\0" + bytes(1000),
        "text.sqlite": b"hello",
        "photo.png": b"\x89PNG",
        "../../etc/passwd": b"root",
    }
    for name, content in damaged.items():
        status, words = send(server, name, content)
        assert status == 422, name
        assert "\n" not in words
        assert str(server.folder) not in words, "no path of the server is told"
        assert "Traceback" not in words
    kept = [file.name for file in (server.folder / "uploads").iterdir()]
    assert not any(Path(name).name in file for name in damaged for file in kept)


def test_an_upload_cannot_fill_the_memory_or_the_disk(server):
    """Small files that hold very much, and those that are too large, are refused before they are read whole."""
    for name, data, most in (
        ("bomb.jsonl.gz", gzip.compress(bytes(200_000_000), 9), UNPACKED),
        ("bomb.hlt", zstandard.ZstdCompressor().compress(bytes(300_000_000)), LARGEST),
    ):
        assert len(data) < 300_000
        status, words = send(server, name, data)
        assert status == 422
        assert f"more than {most:,} bytes" in words
    before = _memory(server)
    for headers, sent in (({"content-length": "100000000"}, 0), ({"transfer-encoding": "chunked"}, 100)):
        with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)) as connection:
            connection.putrequest("POST", "/api/upload?name=large.hlt")
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders()
            with suppress(OSError):  # the server ends the connection when it has had enough
                for _ in range(sent):
                    connection.send(b"f4240\r\n" + bytes(1_000_000) + b"\r\n")
            if not sent:
                answer = connection.getresponse()
                assert (answer.status, json.loads(answer.read())) == (
                    413, {"error": "the file has more than 50,331,648 bytes"},
                )  # fmt: skip
    assert _memory(server) - before < 200_000
    assert not list((server.folder / "uploads").glob("*large*"))


def test_slow_uploads_hold_up_no_others(server, tmp_path):
    files.replay_file(tmp_path / "quick.hlt")
    with ExitStack() as stack:
        for _ in range(4):
            connection = stack.enter_context(closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)))
            connection.putrequest("POST", "/api/upload?name=slow.hlt")
            connection.putheader("content-length", "1000")
            connection.endheaders()
            connection.send(b"x")
        assert send(server, "quick.hlt", (tmp_path / "quick.hlt").read_bytes())[0] == 200


def test_an_upload_that_does_not_come_is_ended(monkeypatch):
    monkeypatch.setattr(watch, "PATIENCE", 0.05)

    class Slow:
        headers: ClassVar = {}

        async def stream(self):
            yield b"x"
            await asyncio.sleep(60)

    with pytest.raises(HTTPException) as ended:
        alone(watch.upload(Slow(), None, "slow.hlt"))
    assert ended.value.status_code == 408


def _memory(server: Server) -> int:
    """The memory of the server in kB."""
    return int(subprocess.check_output(["ps", "-o", "rss=", "-p", str(server.process.pid)]))


@pytest.mark.parametrize(
    "sql", ["CREATE VIEW games AS SELECT 1", "CREATE TRIGGER t AFTER INSERT ON run BEGIN SELECT 1; END"]
)
def test_a_results_file_that_would_run_something_is_refused(sql, server, tmp_path):
    with sqlite3.connect(tmp_path / "own.sqlite") as connection:
        connection.execute("CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT)")
        connection.execute(sql)
    connection.close()
    status, words = send(server, "own.sqlite", (tmp_path / "own.sqlite").read_bytes())
    assert status == 422
    assert "is not a results file" in words


def test_a_path_in_a_file_is_never_run(server, tmp_path):
    """A recording may name a Python file as its game; only games of the app are looked up."""
    game = tmp_path / "evil.py"
    game.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    line = json.loads(files.recording(tmp_path / "four.jsonl", 1).read_text())
    status, where = send(server, "evil.jsonl", json.dumps({**line, "game": str(game)}).encode())
    assert status == 200
    status, words = server.ask(f"{where}/0")
    assert status == 422
    assert "start the app with its .py file" in words
    assert not (tmp_path / "ran").exists()


PATHS = [
    "/stored/../../etc/passwd", "/stored/%2e%2e%2fetc", "/stored/nothere", "/results/nothere/0", "/static/../home.py",
    "/static/%2e%2e/home.py", "/room/..%2f..%2fx",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_addresses_are_not_paths(path, server):
    status, words = server.ask(path)
    assert status in (404, 405)
    assert "import" not in str(words)
