"""Games in a room, played in a real browser."""

from __future__ import annotations

from playwright.sync_api import expect


def test_a_game_of_tictactoe_by_clicks(server, visit):
    room = server.begin("tictactoe", [{}, {}])
    page = visit().open(f"/room/{room['room']}?key={room['key']}")
    for place in ("1", "4", "2", "5", "3"):
        page.get_by_role("button", name=f"cell {place}").click()
    expect(page.locator("#banner")).to_contain_text("wins")
    assert page.locator("#log li").count() == 5
