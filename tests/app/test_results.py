"""Results: standings, plots and games, while the tournament goes on."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import time
from contextlib import closing

from playwright.sync_api import expect

from spinney.arena import Store
from spinney.arena.summary import figures
from tests.app import files
from tests.app.browser import PHONE, is_narrow
from tests.commands import start_and_wait, stored


def test_standings_plots_and_games(own_server, visit, tmp_path):
    files.results(tmp_path / "four.sqlite", 60)
    with closing(Store(tmp_path / "four.sqlite")) as store:
        best = figures(store).standings[0]
    (tmp_path / "other.sqlite").write_bytes(b"SQLite format 3\0")
    server = own_server("--stored", str(tmp_path))
    page = visit(server, viewport=PHONE).open("/results")
    expect(page.locator(".files")).to_contain_text("other.sqlite cannot be used as a results file")
    assert is_narrow(page)
    page.get_by_role("link", name="60 of 60 games").click()
    expect(page.locator(".lead")).to_contain_text(best.agent)
    row = page.locator("table").first.locator("tbody tr").first
    expect(row).to_contain_text(f"{100 * best.share:.1f} %")
    assert page.locator("figure svg").count() == 4
    expect(page.locator(".pager")).to_contain_text("Games 11 to 60 of 60")
    page.get_by_role("link", name="Earlier").click()
    expect(page.locator(".pager")).to_contain_text("Games 1 to 50 of 60")
    assert is_narrow(page)
    page.get_by_role("link", name="Watch game 0").click()
    expect(page.locator(".heading .note")).to_contain_text("game 0 of four.sqlite")


def test_a_running_tournament_is_followed_and_not_disturbed(own_server, visit, tmp_path):
    file = tmp_path / "running.sqlite"
    server = own_server("--stored", str(tmp_path))
    agents = ["uct(iterations=1000)", "uct(iterations=500)"]
    command = [sys.executable, "-m", "spinney", "arena", "connect_four", *agents, "--file", str(file)]
    writer = start_and_wait(file, [*command, "--games", "100000", "--workers", "1", "--seed", "1"])
    try:
        page = visit(server).open("/results")
        page.get_by_role("link", name="connect_four").click()
        report = page.locator("#report")
        first = int(report.get_attribute("data-version") or 0)
        expect(report).not_to_have_attribute("data-version", str(first), timeout=30_000)
        expect(page.locator("#live")).to_contain_text("games, just now")
        assert int(report.get_attribute("data-version") or 0) > first
        ident = page.url.rpartition("/")[2]
        for _ in range(40):  # many more readers than a person has
            assert server.ask(f"/api/results/{ident}?known=0")[0] == 200
        before = stored(file)
        deadline = time.monotonic() + 30
        while stored(file) <= before and time.monotonic() < deadline:
            time.sleep(0.05)
        assert stored(file) > before, "the tournament goes on"
        assert writer.poll() is None
    finally:
        os.killpg(writer.pid, signal.SIGINT)
        output = writer.communicate(timeout=60)
    assert "locked" not in "".join(output)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert stored(file) > before
