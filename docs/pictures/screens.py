"""Pictures of the app in a real browser: `python -m docs.pictures.screens`, on an idle machine, with Chromium.

What agents think differs from run to run, so these are drawn only on request.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Browser, Page, expect

import spinney
from tests.app.browser import PHONE, Server, chromium
from tests.show.pages import BROWSER

FOLDER = Path(__file__).parents[1] / "_static" / "app"
WIDE = {"width": 1200, "height": 800}
PATIENT = 120_000


def home(page: Page, server: Server) -> None:
    page.goto(server.address)
    page.wait_for_load_state("networkidle")


def game(spec: str, seats: list[dict[str, Any]], clicks: int = 0, **more: Any) -> Callable[[Page, Server], None]:
    """A game in which somebody has chosen a few times."""

    def draw(page: Page, server: Server) -> None:
        room = server.begin(spec, seats, **more)
        page.goto(f"{server.address}/room/{room['room']}?key={room['key']}")
        for _ in range(clicks):
            expect(page.locator("#banner")).to_contain_text("Your turn", timeout=PATIENT)
            page.locator("#places button:visible, #buttons button:visible").first.click()
            page.wait_for_timeout(600)
        page.wait_for_timeout(4000)

    return draw


def watched(spec: str, agent: str, players: int, seconds: int) -> Callable[[Page, Server], None]:
    """A game between agents, after some seconds."""

    def draw(page: Page, server: Server) -> None:
        room = server.begin(spec, [{"agent": agent}] * players, seed=2, pause=0)
        page.goto(f"{server.address}/room/{room['room']}?key={room['key']}")
        page.wait_for_timeout(1000 * seconds)

    return draw


def analysis(page: Page, server: Server) -> None:
    game = spinney.game("colosseum(size=7)")
    state, agent = game.start(4), game.agent("walk", seed=1)
    for _ in range(5):
        state.apply(agent.decide(state).action)
    page.goto(f"{server.address}/analyse/colosseum?position={quote(state.to_text())}")
    expect(page.locator("#columns")).to_contain_text("simulations", timeout=PATIENT)
    page.wait_for_timeout(6000)


def at_table(page: Page, server: Server) -> None:
    names = ["Ada", "Ben", "Cleo"]
    status, begun = server.ask("/api/tables", {"game": "deepsea(players=3)", "names": names, "seat": 0, "seconds": 1})
    assert status == 200, begun
    page.goto(f"{server.address}/table/{begun['table']}")
    for _ in range(7):
        page.locator("#buttons button:visible").first.click()
        page.wait_for_timeout(700)
    page.wait_for_timeout(5000)


PERSON: dict[str, Any] = {}
SCREENS: dict[str, tuple[Callable[[Page, Server], None], dict[str, int]]] = {
    "home.png": (home, WIDE),
    "deepsea.png": (watched("deepsea(players=4)", "heuristic", 4, 8), WIDE),
    "saboteur.png": (game("saboteur", [PERSON, {"agent": "means_ends"}], seed=3), WIDE),
    "colosseum.png": (game("colosseum(size=8)", [PERSON, {"agent": "greedy"}], 3, seed=3), WIDE),
    "battlesnake.png": (watched("battlesnake(players=4)", "flood", 4, 10), WIDE),
    "halite.png": (watched("halite(size=32, players=4)", "planner", 4, 20), WIDE),
    "analysis.png": (analysis, WIDE),
    "table.png": (at_table, PHONE),
    "phone.png": (game("connect_four", [PERSON, {"agent": "heuristic"}], 4, seed=1), PHONE),
}
"""What is shown, and in a window of which size."""


def main() -> None:
    assert BROWSER is not None, "Chromium is needed"
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium(BROWSER) as browser:
        server = Server(Path(folder))
        try:
            for name in SCREENS:
                draw(browser, server, name)
        finally:
            server.stop()


def draw(browser: Browser, server: Server, name: str) -> None:
    show, size = SCREENS[name]
    context = browser.new_context(viewport=size, color_scheme="light")  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(PATIENT)
    show(page, server)
    page.screenshot(path=FOLDER / name)
    context.close()
    print(f"app/{name}: {(FOLDER / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
