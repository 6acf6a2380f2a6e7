"""The page that analyses, in a real browser; and what the server tells and allows."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from urllib.parse import quote

import pytest
from playwright.sync_api import Response, expect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from spinney.app.access import COOKIE
from tests.app.browser import PHONE, Server, is_narrow

RANDOM = [{"agent": "random"}, {"agent": "random"}]
LONG = {"seconds": 60, "number": 1}


@contextmanager
def listening(server: Server, path: str) -> Iterator[ClientConnection]:
    with connect(server.address.replace("http", "ws") + path, max_size=None) as socket:
        yield socket


def finished(server: Server, game: str, seats: list[dict[str, str]] = RANDOM, **more: object) -> str:
    """The name of a room with a game that agents have played to its end."""
    begun = server.begin(game, seats, pause=0, **more)
    with listening(server, f"/api/rooms/{begun['room']}/live?key={begun['key']}") as socket:
        while not json.loads(socket.recv(60)).get("status", {}).get("over"):
            pass
    return str(begun["room"])


def opened(server: Server, **source: object) -> dict[str, object]:
    status, told = server.ask("/api/analysis/open", source)
    assert status == 200, told
    return dict(told["source"])


@contextmanager
def visiting(server: Server) -> Iterator[tuple[str, ClientConnection]]:
    """An open page as the server sees it."""
    with listening(server, "/api/analysis/live") as socket:
        yield json.loads(socket.recv(10))["visit"], socket


def last_words(socket: ClientConnection) -> dict[str, object]:
    """What a search has found out in the end."""
    while True:
        message = json.loads(socket.recv(60))
        if message["kind"] == "think" and message["done"]:
            return dict(message)


def soon(happens: Callable[[], bool], seconds: float = 5) -> bool:
    """Whether something happens within some seconds, much less than a search would take."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if happens():
            return True
    return False


def test_a_stored_game_is_analysed_live_with_two_agents(server, visit):
    room = finished(server, "connect_four", seed=3)
    page = visit().open(f"/analyse/connect_four?room={room}#3")
    first, second = page.locator(".column").nth(0), page.locator(".column").nth(1)
    expect(page.locator("#banner")).to_have_text("random (player 2) to move")
    expect(page.locator("#count")).to_contain_text("3 /")
    expect(first.locator(".choices button")).to_have_count(7)
    shown = first.locator(".choices").inner_text()
    expect(first.locator(".choices")).not_to_have_text(shown, use_inner_text=True)
    assert page.locator("#arrows circle").count() > 1
    page.get_by_role("button", name="Compare with another agent").click()
    second.get_by_label("Agent", exact=True).select_option("alphabeta")
    expect(second.locator(".choices button")).to_have_count(7)
    expect(first.get_by_role("button", name="Stop")).to_be_visible()
    first.get_by_role("button", name="Stop").click()
    expect(first.get_by_role("button", name="Think again")).to_be_visible()
    still = first.locator(".panel").inner_text()
    page.wait_for_timeout(700)
    assert first.locator(".panel").inner_text() == still
    with page.context.expect_page() as tree:
        first.get_by_role("button", name="Tree").click()
    expect(tree.value.get_by_role("treeitem").first).to_contain_text("root")


def test_what_if_and_back_by_clicks_and_keys(server, visit):
    room = finished(server, "connect_four", seed=3)
    page = visit().open(f"/analyse/connect_four?room={room}#2")
    count, tries = page.locator("#count"), page.locator("#moves .try")
    page.get_by_role("button", name="column 7").click()
    expect(count).to_contain_text("2 / ")
    expect(count).to_contain_text("+ 1")
    page.locator("#stage").press("6")
    expect(count).to_contain_text("+ 2")
    expect(tries).to_have_text(["17", "26"])  # the player, and the column
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("5")  # another try
    expect(tries).to_contain_text(["7", "25try 2 of 2"])
    page.keyboard.press("ArrowUp")
    expect(page.locator("#moves [data-now]")).to_have_text("26try 1 of 2")
    page.get_by_role("button", name="Back to the game").click()
    expect(count).not_to_contain_text("+")
    page.keyboard.press("ArrowRight")
    expect(count).to_contain_text("3 / ")
    page.locator(".pv button").nth(1).click()
    expect(page.locator("#banner")).to_contain_text("After 2 steps of the line")
    page.keyboard.press("Escape")
    expect(page.locator("#banner")).to_contain_text("to move")
    page.locator(".pv button").nth(1).click()
    page.get_by_role("button", name="Go on from here").click()
    expect(count).to_contain_text("+ 2")


def test_the_worst_decisions_are_found_kept_and_gone_to(server, visit):
    room = finished(server, "battlesnake(players=2)", [{"agent": "trivial"}, {"agent": "random"}], seed=5)
    person = visit()
    page = person.open(f"/analyse/battlesnake?room={room}")
    page.locator("#each").fill("0.05")
    page.get_by_role("button", name="Find the worst decisions").click()
    page.get_by_role("button", name="Stop").last.click()
    expect(page.locator("#judge")).to_have_text("Find the worst decisions")
    page.locator("#judge").click()
    expect(page.locator("#worst button").first).to_be_visible()
    expect(page.locator("#judge")).to_have_text("Find the worst decisions", timeout=60_000)
    done, of = page.locator("#how-far").inner_text().removesuffix(" decisions").split(" of ")
    assert done == of
    fault = page.locator("#worst button").first
    fault.click()
    expect(page.locator("#count")).to_contain_text(f"{fault.get_attribute('data-frame')} / ")
    kept = (server.folder / "reviews" / f"{room}.jsonl").read_text()
    page.locator("#judge").click()
    expect(page.locator("#judge")).to_have_text("Find the worst decisions")
    assert (server.folder / "reviews" / f"{room}.jsonl").read_text() == kept


def test_players_choose_one_after_the_other_and_chance_is_thrown(server, visit):
    page = visit().open(f"/analyse/battlesnake?position={quote(start_of(server, 'battlesnake(players=2)'))}")
    banner = page.locator("#banner")
    expect(banner).to_have_text("player 1 to move; 1 other at the same time")
    page.locator("#places button").first.click()
    expect(banner).to_have_text("player 2 to move")
    page.locator("#places button").first.click()
    expect(banner).to_contain_text("Chance")
    page.get_by_role("button", name="Throw", exact=True).click()
    expect(banner).to_contain_text("player 1 to move")
    page.keyboard.press("Home")
    expect(page.locator("#back")).to_be_disabled()


def start_of(server: Server, game: str) -> str:
    return str(opened(server, name=game.partition("(")[0], spec=game)["position"])


def test_what_a_player_may_not_know_is_not_told(server):
    """Two games that differ in the other's card alone look alike: the position, the search, and what others do."""

    def heard(card: str) -> list[object]:
        room = finished(server, "kuhn_poker", position=f"kuhn_poker K,{card} -", seed=1)
        source = opened(server, name="kuhn_poker", room=room, view=0) | {"seed": 1}
        place = source | {"frame": 0}
        with visiting(server) as (ident, socket):
            asked = {"place": place, "column": 0, "agent": "infoset(iterations=3000, seed=1)", **LONG}
            assert server.ask(f"/api/analysis/{ident}/think", asked)[0] == 200
            found = last_words(socket)["figures"]
        assert isinstance(found, dict)
        looks = [server.ask("/api/analysis/look", place | {"steps": steps}) for steps in ([], [[0, 1]])]
        assert looks[1][1]["choices"] is None  # what the other may do is not told
        assert server.ask("/api/analysis/look", place | {"steps": [[0, 1], [1, 0]]})[0] == 422
        return [looks, {key: it for key, it in found.items() if key not in ("seconds", "per_second")}]

    assert heard("Q") == heard("J")


def test_a_view_of_hidden_cards_on_the_page(server, visit):
    person, answers = visit(), list[Response]()
    person.context.on("response", lambda it: answers.append(it) if "/api/" in it.url else None)
    room = finished(server, "saboteur", seed=3)
    _, told = server.ask("/api/analysis/look", opened(server, name="saboteur", room=room, view=None) | {"frame": 0})
    hands = "".join(told["frame"]["position"][2::2]).split(" ")
    _, other = next(part for part in hands if re.fullmatch("[a-zA-Z]+,[a-zA-Z]+", part)).split(",")
    page = person.open(f"/analyse/saboteur?room={room}")
    expect(page.locator(".choices button").first).to_be_visible(timeout=60_000)
    assert len(answers) > 2
    assert other not in "".join([*(it.text() for it in answers), *person.heard])
    assert "???????" in page.locator("#position").input_value()
    page.locator("#elsewhere summary").click()
    page.get_by_label("Cards seen by").select_option(label="everybody: all cards")
    expect(page.locator("#position")).to_have_value(" ".join(hands))
    assert other in "".join(it.text() for it in answers)


@pytest.mark.parametrize("text", ["nonsense", "connect_four 7/7/7/7/7/3X3 X", "tictactoe 3/3/3 X"])
def test_a_bad_position_is_one_line(server, visit, text):
    person = visit()
    page = person.open(f"/analyse/connect_four?position={text}")
    expect(page.locator("#banner")).to_contain_text("this is not a position of connect_four")
    page.get_by_label("A position to go to").fill("connect_four 7/7/7/7/3OO2/3XX2 X")
    page.get_by_role("button", name="Show it").click()
    expect(page.locator("#banner")).to_have_text("player 1 to move")
    person.forgive("422")


def test_limits_hold_and_a_closed_page_makes_room(own_server):
    server = own_server()
    place = opened(server, name="connect_four")
    asked = {"place": place, "column": 0, "agent": "uct", **LONG}

    def think(ident: str, **more: object) -> tuple[int, str]:
        status, told = server.ask(f"/api/analysis/{ident}/think", asked | more)
        return status, str(told)

    with ExitStack() as pages:
        idents = [pages.enter_context(visiting(server))[0] for _ in range(4)]
        for wrong in ({"seconds": 61}, {"column": 2}, {"agent": "uct(nodes=50000000)"}, {"agent": "uct(threads=500)"},
                      {"agent": "nobody"}, {"place": place | {"steps": [[0, 77]]}}):  # fmt: skip
            status, told = think(idents[0], **wrong)
            assert status in (404, 422)
            assert "\\n" not in told
        assert think("nobody-is-here")[0] == 404
        busy = [think(ident, column=column)[0] for ident in idents for column in (0, 1)]
        assert busy == [200] * 8
        with visiting(server) as (late, socket):
            status, told = think(late)
            assert status == 503
            assert "8 analyses are under way" in told
            socket.send(b"\xff\x00")
            socket.send("x" * 5000)
            assert server.ask(f"/api/analysis/{idents[0]}/stop", {"column": 0})[0] == 200
            assert soon(lambda: think(late)[0] == 200)
    with visiting(server) as (ident, socket):  # all others are closed
        for column in (0, 1):
            assert soon(lambda column=column: think(ident, column=column)[0] == 200)
        server.ask(f"/api/analysis/{ident}/stop", {"column": 0})
        assert last_words(socket)["column"] == 0


def test_the_page_fits_a_phone_in_the_dark(server, visit):
    person = visit(viewport=PHONE, color_scheme="dark", has_touch=True)
    page = person.open("/analyse/colosseum")
    page.locator(".choices button").nth(11).wait_for(timeout=60_000)
    page.get_by_role("button", name="more").click()
    assert page.locator(".choices button").count() > 12
    page.get_by_role("button", name="Compare with another agent").click()
    page.locator("#elsewhere summary").click()
    assert is_narrow(page)


def test_on_other_addresses_than_loopback_the_token_is_needed(own_server):
    server = own_server(host="0.0.0.0")
    cookie = {"cookie": f"{COOKIE}={server.token}"}
    for path, body in (("/analyse/hex", None), ("/api/analysis/open", {"name": "hex"}), ("/analysis/x/tree/0", None)):
        assert server.ask(path, body)[0] == 403
        assert server.ask(path, body, cookie)[0] in (200, 404)
    with pytest.raises(InvalidStatus), visiting(server):
        pass


def test_wrong_options_are_told_and_a_restarted_server_thinks_on(own_server, visit):
    server = own_server()
    person = visit(server)
    page = person.open("/analyse/connect_four")
    options = page.get_by_label("Options of the agent")
    options.fill("nonsense=3")
    options.press("Tab")
    expect(page.locator(".column [role=status]")).to_contain_text("champion has no option 'nonsense'")
    options.fill("c=0.7")
    options.press("Tab")
    expect(page.locator(".choices button")).to_have_count(7)
    server.kill()
    expect(page.locator("#banner")).to_contain_text("Connection lost")
    server.restart()
    expect(page.locator("#banner")).to_have_text("player 1 to move")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.get_by_role("button", name="column 4").click()
    expect(page.locator(".chosen b")).to_have_text("2")
    person.forgive("422|WebSocket|ERR_CONNECTION|Failed to load")
