"""Nothing is lost: by a reload, a lost connection, or a server that is killed and started again."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.app.playing import PATIENT, STILL, expect_turn, frames, log, play_out, sit, tap, wait_for_agents

LOST = "WebSocket|Failed to load resource|ERR_CONNECTION"


def test_a_reload_in_the_middle(server, visit):
    page = sit(visit(**STILL), server.begin("deepsea(players=2)", [{}, {"agent": "random"}], seed=2))
    tap(page)
    expect_turn(page)
    before, position = log(page), page.locator("#position").input_value()
    page.reload()
    expect_turn(page)
    assert (log(page), page.locator("#position").input_value()) == (before, position)
    play_out(page)


def test_a_server_that_is_killed_goes_on(own_server, visit):
    server, visitor = own_server(), None
    visitor = visit(server, **STILL)
    games = [
        (sit(visitor, server.begin("connect_four", [{}, {"agent": "random"}], seed=1)), "column 4"),
        (sit(visitor, server.begin("saboteur", [{}, {"agent": "random"}], seed=1)), "drop it"),
        (sit(visitor, server.begin("battlesnake(players=2)", [{}, {}], seed=1)), "up"),
    ]
    for page, name in games:
        if name == "drop it":
            tap(page)
        tap(page, page.get_by_role("button", name=name).first)
        expect_turn(page)
    told = [(log(page), page.locator("#position").input_value()) for page, _ in games]
    server.kill()
    for page, _ in games:
        expect(page.locator("#banner")).to_contain_text("Connection lost")
    server.restart()
    for (page, _), before in zip(games, told, strict=True):
        expect_turn(page)
        assert (log(page), page.locator("#position").input_value()) == before
    snakes = games[2][0]
    expect(snakes.locator("#banner")).to_have_text("Your turn: player 2")  # the choice of the first was not lost
    tap(snakes, snakes.get_by_role("button", name="up").first)
    expect(snakes.locator("#log")).to_contain_text("player 1: up")
    four = games[0][0]
    four.get_by_role("button", name="Take back").click()
    expect(four.locator("#log li")).to_have_count(0)
    play_out(four)
    visitor.forgive(LOST)


def test_an_agent_that_was_thinking_thinks_again(own_server, visit):
    server = own_server()
    visitor = visit(server, **STILL)
    page = sit(visitor, server.begin("connect_four", [{}, {"agent": "uct(seconds=2)"}], seed=1))
    wait_for_agents(page)
    page.get_by_role("button", name="column 4").click()
    expect(page.locator("#doing")).to_contain_text("simulations", timeout=PATIENT)
    server.kill()
    server.restart()
    expect_turn(page)
    assert [line.split(":")[0] for line in log(page)] == ["you", "player 2"]
    visitor.forgive(LOST)


def test_orders_resignation_pace_and_rematch_come_back(own_server, visit):
    server = own_server()
    visitor = visit(server, **STILL)
    fleet = sit(visitor, server.begin("halite(size=16)", [{}, {"agent": "collector"}], seed=1))
    for turn in range(3):
        fleet.locator("#end").click()
        expect(fleet.locator("#count")).to_have_text(f"{turn + 1} / {turn + 1}", timeout=PATIENT)
        expect_turn(fleet)
    watched = server.begin("connect_four", [{"agent": "random"}, {"agent": "random"}], pause=5)
    watch = sit(visitor, watched)
    watch.get_by_role("button", name="Pause").click()
    expect(watch.locator("#banner")).to_have_text("Paused")
    given_up = server.begin("connect_four", [{}, {}])
    asked = {"key": given_up["key"], "player": 1}
    assert server.ask(f"/api/rooms/{given_up['room']}/resign", asked)[0] == 200
    status, after = server.ask(f"/api/rooms/{given_up['room']}/rematch", asked)
    assert status == 200
    before, steps = fleet.locator("#position").input_value(), frames(watch)
    server.kill()
    server.restart()
    expect_turn(fleet)
    assert fleet.locator("#position").input_value() == before
    expect(watch.locator("#banner")).to_have_text("Paused", timeout=PATIENT)
    assert frames(watch) == steps
    assert server.ask(f"/api/rooms/{given_up['room']}/rematch", asked) == (200, after)
    page = sit(visitor, given_up)
    expect(page.locator("#banner")).to_contain_text("Player 2 resigned")
    visitor.forgive(LOST)


@pytest.mark.parametrize("damage", ["cut", "broken", "empty"])
def test_a_journal_that_is_damaged(own_server, visit, damage):
    server = own_server()
    room = server.begin("connect_four", [{}, {}])
    asked = {"key": room["key"], "version": "0.0", "player": 0, "action": 3}
    assert server.ask(f"/api/rooms/{room['room']}/choose", asked)[0] == 200
    server.kill()
    file = server.folder / "rooms" / f"{room['room']}.jsonl"
    text = file.read_text()
    assert len(text.splitlines()) == 2
    half = json.dumps({"did": "tell", "player": 1, "actions": [3]})[:-9]
    file.write_text({"cut": text + half, "broken": text + "nonsense\n", "empty": ""}[damage])
    server.restart()
    visitor = visit(server, **STILL)
    page = visitor.open(f"/room/{room['room']}?key={room['key']}")
    if damage == "cut":
        expect_turn(page)
        tap(page, page.get_by_role("button", name="column 1"))
        server.kill()
        server.restart()
        expect_turn(page)
        assert log(page) == ["player 1: 4", "player 2: 1"]
    else:
        expect(page.locator("main")).to_contain_text(re.compile("damaged|cannot be restored"))
    visitor.forgive(LOST)
