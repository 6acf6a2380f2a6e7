"""What tests of play share: sitting down at a game, and clicking through it."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.app.browser import Visitor

STILL = {"reduced_motion": "reduce"}
"""Options of visitors who do not wait for moves to be animated."""
TURN = re.compile("Your turn")
OVER = re.compile(r"\bwins?$|resigned|A draw")
PATIENT = 20_000
"""Milliseconds; a busy machine may need many of them."""


def sit(visitor: Visitor, room: dict[str, Any], key: str | None = None) -> Page:
    """The page of a game, once the board is there."""
    page = visitor.open(f"/room/{room['room']}?key={room['key'] if key is None else key}")
    page.set_default_timeout(PATIENT)
    expect(page.locator("#banner")).not_to_contain_text("Connecting", timeout=PATIENT)
    return page


def expect_turn(page: Page) -> None:
    expect(page.locator("#banner")).to_contain_text(TURN, timeout=PATIENT)


def expect_over(page: Page) -> None:
    expect(page.locator("#banner")).to_contain_text(OVER, timeout=PATIENT)


def wait_for_agents(page: Page) -> None:
    """Wait until all agents are made, which takes long the first time on a machine."""
    page.wait_for_selector("#room:not([data-making])", timeout=10 * PATIENT)


def frames(page: Page) -> int:
    """The number of steps of the game that the page has."""
    return int(page.locator("#slider").get_attribute("max") or 0)


def choices(page: Page) -> Locator:
    return page.locator("#places [data-tap], #buttons [data-tap]")


def wait_for_turn(page: Page) -> bool:
    """Wait until something can be tapped; False if the game is over."""
    ready = "() => document.querySelector('#rematch:not([hidden])') || document.querySelector('[data-tap]')"
    page.wait_for_function(ready, timeout=PATIENT)
    return not page.locator("#rematch").is_visible()


def tap(page: Page, which: Locator | None = None) -> None:
    """Tap a place or button, and wait until the page, and the server if it was the last tap, have noticed."""
    chosen = choices(page).first if which is None else which
    page.evaluate("() => document.querySelectorAll('[data-tap]').forEach(it => { it.dataset.old = 1; })")
    chosen.click()
    noticed = "() => !document.querySelector('[data-old]') && !document.querySelector('#stage[aria-busy=true]')"
    page.wait_for_function(noticed, timeout=PATIENT)


def play_out(page: Page, most: int = 400) -> int:
    """Tap whatever comes first until the game is over; the number of taps."""
    for taps in range(most):
        if not wait_for_turn(page):
            expect_over(page)
            return taps
        tap(page)
    raise AssertionError(f"the game is not over after {most} taps")


def log(page: Page) -> list[str]:
    """What has happened, the first first."""
    return page.locator("#log li button").all_inner_texts()[::-1]
