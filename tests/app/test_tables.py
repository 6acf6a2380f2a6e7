"""Games at a real table, entered in a real browser with taps."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

import spinney
from spinney.play import Table
from tests.app.browser import PHONE, is_narrow
from tests.play.test_table import table_of
from tests.recorded_tables import left, recorded, sayings, steps_of

expect.set_options(timeout=30_000)
SAYS = {"down": "dive", "up": "(turn back|go on up)", "leave": "(leave|drop nothing|go on)", "take": "take"}


def label_of(said: str) -> re.Pattern[str]:
    """The button of what a person would say."""
    if "+" in said:
        return re.compile(f"^dice {sum(map(int, said.split('+')))}:")
    return re.compile(rf"^worth {said}\b" if said.isdecimal() else rf"^{SAYS.get(said, said)}\b")


def begin(server, game="deepsea", names=("Ann", "Ben"), **more):
    status, begun = server.ask("/api/tables", {"game": game, "names": names, "seat": 0, "agent": "heuristic", **more})
    assert status == 200, begun
    return begun["table"]


def test_a_recorded_game_on_a_phone_with_one_corrected_entry(server, visit):
    """Every entry is one tap; the page is reloaded in the middle."""
    game = recorded("deepsea.jsonl.gz", 1)[0]
    lines, table = list(sayings(game)), table_of(game, [], 0)
    page = visit(viewport=PHONE, has_touch=True).open(f"/table/{begin(server)}")
    buttons, log, entered = page.locator("#buttons button"), page.locator("#log li"), 0
    while left(table, lines):
        said = left(table, lines)[0]
        label = label_of(said)
        table.enter(said)
        if entered == 6:  # another throw or choice than it was, noticed at once
            wrong = buttons.filter(has_not_text=label).first
            wrong.tap()
            log.locator("button:enabled").first.tap()
            page.locator("#choices").get_by_role("button", name=table.entries[-1].words, exact=True).tap()
        else:
            buttons.filter(has_text=label).tap()
        expect(log).to_have_count(len(table.entries))
        entered += 1
        if entered in (7, 30):
            page.reload()
            expect(log).to_have_count(len(table.entries))
        assert is_narrow(page)
    winner = ("Ann", "Ben")[game["winners"][0]]
    expect(page.locator("#banner")).to_have_text(f"The game is over: {winner} wins")
    assert page.locator("#players output").all_inner_texts() == [str(points) for points in game["final_scores"]]
    assert page.locator("#sheet tr").count() == 4


def test_advice_warnings_and_figures(server, visit):
    divers = "diver 1: tile 12, dives, holds 2\ndiver 2: tile 18, returns, holds 3"
    position = f"air 15\npath 11111111 222.2222 3.333333 44444444\n{divers}"
    visitor = visit()
    page = visitor.open(f"/table/{begin(server, position=position)}")
    expect(page.locator("#advice .do")).to_have_text("turn back")
    expect(page.locator("#advice .more").first).to_contain_text("you get home")
    expect(page.locator("#warnings")).to_contain_text("turning back")
    expect(page.locator("#buttons [data-hinted]")).to_have_text(re.compile("turn back"))
    page.keyboard.press("ArrowUp")
    expect(page.locator("#banner")).to_have_text("Ann throws two dice to go up")
    expect(page.locator("#advice")).to_be_hidden()
    page.keyboard.press("4")
    expect(page.locator("#banner")).to_contain_text("Ann is on tile 9")
    page.keyboard.press("Backspace")
    expect(page.locator("#banner")).to_have_text("Ann throws two dice to go up")
    page.get_by_label("What happened, in words").fill("4 4")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_contain_text("'4 4' is no throw")
    visitor.forgive("422")
    page.get_by_label("What happened, in words").fill("2 2")
    page.keyboard.press("Enter")
    expect(page.locator("#banner")).to_contain_text("Ann is on tile 9")


def test_a_hand_written_player_advises_while_the_agent_is_compiled(own_server, visit, monkeypatch, tmp_path):
    monkeypatch.setenv("SPINNEY_CACHE", str(tmp_path / "cache"))
    server = own_server()
    names = [begin(server, agent="uct(iterations=50)") for _ in range(5)]  # more than think at once
    heard = server.ask(f"/api/tables/{names[0]}")[1]["making"]
    assert heard["agent"].startswith("uct(")
    page = visit(server).open(f"/table/{begin(server)}")  # another table, whose agent is ready
    page.locator("#buttons button").filter(has_text="dice 5").click()
    expect(page.locator("#advice .do")).to_have_text(re.compile("leave|take"), timeout=8_000)
    expect(page.locator("#preparing")).to_be_hidden()
    page = visit(server).open(f"/table/{names[0]}")
    page.locator("#buttons button").filter(has_text="dice 5").click()
    expect(page.locator("#preparing")).to_contain_text("Preparing uct(")
    expect(page.locator("#advice .do")).to_have_text(re.compile("leave|take"), timeout=8_000)
    expect(page.locator("#preparing")).to_be_hidden(timeout=200_000)
    expect(page.locator("#advice")).to_contain_text("simulations")


def test_who_sits_where_and_a_position_that_cannot_be(server, visit):
    visitor = visit(viewport=PHONE)
    page = visitor.open("/at-table/deepsea")
    page.get_by_label("players").fill("3")
    page.get_by_label("players").dispatch_event("change")
    expect(page.locator("#people li")).to_have_count(3)
    expect(page.get_by_label("ruleset")).to_have_value('"official"')  # the box
    for number, name in enumerate(("Ann", "Ben", "Cem"), 1):
        page.get_by_label(f"Name of player {number}").fill(name)
    page.get_by_label("begins").nth(1).check()
    page.get_by_text("Join a game").click()
    first = page.get_by_label("The position as text").input_value()
    page.get_by_label("The position as text").fill(first.replace("air 25", "air 99"))
    page.get_by_role("button", name="Look at it").click()
    expect(page.locator("#problem")).to_contain_text("a number from 0 to 25 is allowed")
    visitor.forgive("422")
    page.get_by_label("The position as text").fill(first)
    page.get_by_role("button", name="Look at it").click()
    expect(page.locator("#problem")).to_be_empty()
    assert is_narrow(page)
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#banner")).to_have_text("Ben throws two dice to go down")
    assert page.locator("#players .name").all_inner_texts() == ["Ben", "Cem", "Ann"]
    expect(page.locator("#players [data-you]")).to_have_text("Ann")
    kept = json.loads(page.evaluate("() => localStorage.tables"))
    assert kept[0]["names"] == ["Ben", "Cem", "Ann"]
    stored = json.loads((server.folder / "tables" / f"{kept[0]['table']}.json").read_text())
    assert stored["game"] == "deepsea(players=3, ruleset=official)"


def test_saboteur_by_taps(server, visit):
    """Own cards, a tile of the other player, and what a Map shows."""
    page = visit(viewport=PHONE).open(f"/table/{begin(server, 'saboteur', agent='greedy')}")
    buttons, banner = page.locator("#buttons button"), page.locator("#banner")
    page.get_by_label("What happened, in words").fill("8 8 5 6 0 Map")
    page.keyboard.press("Enter")
    expect(banner).to_contain_text("gets 1 cards")
    buttons.filter(has_text="Malus").click()
    expect(page.locator("#advice .do")).to_contain_text("look at the objective")
    page.get_by_label("Map", exact=True).click()
    page.get_by_label("look at the objective: row 12, column 3").click()
    expect(banner).to_have_text("Ann sees the left objective: is it the nugget?")
    buttons.filter(has_text="nothing").click()
    buttons.filter(has_text="Bonus").click()
    expect(banner).to_have_text("Ben plays a card")
    page.get_by_label("a tile was laid: row 6, column 5").click()
    buttons.filter(has_text="╋ 8").first.click()
    expect(banner).to_have_text("Ann plays a card")
    assert page.locator("#log li").first.inner_text().endswith("Ben: draws a card")
    assert is_narrow(page)


def test_a_table_outlives_its_server(own_server, visit):
    server = own_server()
    name = begin(server)
    page = visit(server).open(f"/table/{name}")
    page.locator("#buttons button").filter(has_text="dice 5").click()
    expect(page.locator("#banner")).to_have_text("Ann is on tile 5, with level 1")
    page.goto("about:blank")
    server.kill()
    server.restart()
    page.goto(f"{server.address}/table/{name}")
    page.locator("#buttons button").filter(has_text="leave").click()
    expect(page.locator("#banner")).to_have_text("Ben throws two dice to go down")


def test_wrong_and_late_requests_change_nothing(server):
    name = begin(server)
    path = f"/api/tables/{name}"
    _, told = server.ask(path)
    good = {"version": told["version"], "entry": "3 2"}
    for act, body, status in (
        ("enter", {**good, "version": "0.0"}, 409),
        ("enter", {**good, "entry": "9 9"}, 422),
        ("enter", {**good, "entry": 10**9}, 422),
        ("enter", {**good, "entry": "x" * 301}, 422),
        ("enter", {**good, "more": 1}, 422),
        ("correct", {**good, "step": 99}, 422),
        ("options", {**good, "step": -1}, 422),
        ("undo", good, 422),
        ("advice", good, 422),
    ):
        assert server.ask(f"{path}/{act}", body)[0] == status, (act, body)
        assert server.ask(path)[1] == told
    assert server.ask("/api/tables/nosuchtable")[0] == 404
    for wrong in ({"seat": 5}, {"seat": -1}, {"first": 9}, {"agent": "uct(seconds=1000)"}, {"game": "/etc/passwd"}):
        body = {"game": "deepsea", "names": ["A", "B"], "seat": 0, **wrong}
        assert server.ask("/api/tables", body)[0] in (404, 422), wrong
    stored = json.loads((server.folder / "tables" / f"{name}.json").read_text())
    assert steps_of(Table.from_json(spinney.game("deepsea"), stored)) == 1
