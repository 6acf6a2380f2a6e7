"""Games that are played in a real browser: by clicks and keys, alone and together."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from spinney.games.halite import hlt
from tests.app.browser import PHONE, is_narrow
from tests.app.playing import (
    PATIENT,
    STILL,
    choices,
    expect_over,
    expect_turn,
    frames,
    log,
    play_out,
    sit,
    tap,
    wait_for_agents,
    wait_for_turn,
)

RANDOM = {"agent": "random"}


def test_a_game_of_tictactoe_by_clicks(server, visit):
    page = sit(visit(), server.begin("tictactoe", [{}, {}]))
    for place in ("1", "4", "2", "5", "3"):
        page.get_by_role("button", name=f"cell {place}").click()
    expect(page.locator("#banner")).to_have_text("Player 1 wins")
    assert log(page) == ["player 1: 1", "player 2: 4", "player 1: 2", "player 2: 5", "player 1: 3"]
    assert choices(page).count() == 0


def test_a_game_of_connect_four_shows_where_stones_land(server, visit):
    page = sit(visit(**STILL), server.begin("connect_four", [{}, {}]))
    lands = "element => getComputedStyle(element).getPropertyValue('--dot-y')"
    heights = []
    for column in "4343434":
        place = page.get_by_role("button", name=f"column {column}")
        if column == "4":
            heights.append(float(place.evaluate(lands).removesuffix("px")))
        tap(page, place)
    assert heights == sorted(heights, reverse=True)
    assert len(set(heights)) == 4
    expect(page.locator("#banner")).to_have_text("Player 1 wins")
    expect(page.locator("#last i")).to_have_count(1)


def test_a_game_of_colosseum_is_a_walk_and_a_wall(server, visit):
    page = sit(visit(**STILL), server.begin("colosseum(size=5)", [{}, RANDOM], seed=1))
    expect_turn(page)
    page.get_by_role("button", name=re.compile("walk to")).first.click()
    expect(page.get_by_role("button", name=re.compile("^wall"))).not_to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=re.compile("^wall"))).to_have_count(0)
    assert play_out(page) >= 2
    assert log(page)[0].startswith("you: ")


def test_a_game_of_deep_sea_of_three_by_its_buttons(server, visit):
    page = sit(visit(**STILL), server.begin("deepsea(players=3)", [{}, RANDOM, {"agent": "heuristic"}], seed=1))
    assert play_out(page) >= 6
    assert "round 3 of 3" in page.locator("#head").inner_text()
    assert {line.split(":")[0] for line in log(page)} == {"you", "player 2", "player 3", "chance"}


def test_a_game_of_battlesnake_by_arrow_keys_and_swipes(server, visit):
    page = sit(visit(**STILL), server.begin("battlesnake(players=2)", [{}, {"agent": "flood"}], seed=2))
    expect_turn(page)
    page.keyboard.press("ArrowUp")
    expect(page.locator("#count")).to_have_text("1 / 1")
    stage = page.locator("#stage").bounding_box()
    assert stage is not None
    expect_turn(page)
    page.mouse.move(stage["x"] + 100, stage["y"] + 200)
    page.mouse.down()
    page.mouse.move(stage["x"] + 100, stage["y"] + 100, steps=4)
    page.mouse.up()
    expect(page.locator("#count")).to_have_text("2 / 2")
    assert log(page)[0] == "you: up"
    while wait_for_turn(page):
        before = frames(page)
        page.keyboard.press("ArrowUp")
        page.wait_for_function(f"() => document.querySelector('#slider').max > {before}", timeout=PATIENT)
    expect(page.locator("#banner")).to_contain_text("You lose")


def test_a_clock_chooses_for_who_is_too_late(server, visit):
    page = sit(visit(**STILL), server.begin("battlesnake(players=2)", [{}, {"agent": "flood"}], seed=2, patience=0.3))
    expect(page.locator("#count")).to_have_text(re.compile(r"[3-9] / "), timeout=PATIENT)


def test_a_game_of_halite_in_which_an_agent_orders_the_rest(server, visit):
    page = sit(visit(**STILL), server.begin("halite(size=16, turns=12)", [{}, {"agent": "collector"}], seed=1))
    expect_turn(page)
    end, ships = page.locator("#end"), page.locator("#places [data-tap]")
    while frames(page) < 4:
        before = frames(page)
        page.get_by_role("button", name="spawn a ship").click()
        end.click()
        page.wait_for_function(f"() => document.querySelector('#slider').max > {before}", timeout=PATIENT)
        expect_turn(page)
    assert ships.count() >= 3
    name = str(ships.last.get_attribute("aria-label"))  # not the one that the game asks for first
    ships.last.click()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("button", name=f"{name}, ordered: north")).to_be_visible()
    page.reload()
    expect_turn(page)
    expect(page.get_by_role("button", name=f"{name}, ordered: north")).to_be_visible()
    end.click()
    expect(page.locator("#count")).to_have_text("5 / 5")
    assert any("north" in line for line in log(page)[-2:])
    expect_turn(page)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#count")).to_have_text("4 / 4")
    while wait_for_turn(page) or not page.locator("#rematch").is_visible():
        before = frames(page)
        end.click()
        page.wait_for_function(f"() => document.querySelector('#slider').max > {before}", timeout=PATIENT)
    expect_over(page)
    page.get_by_role("tab", name="More").click()
    with page.expect_download() as download:
        page.get_by_role("link", name=".hlt file").click()
    assert len(list(hlt.read(download.value.path()).frames)) == 13


def test_all_buttons_are_in_the_window(server, visit):
    visitor = visit(viewport={"width": 1280, "height": 800}, **STILL)
    for game in ("deepsea(players=3)", "halite(size=16)"):
        seats = [{}, RANDOM, RANDOM] if "players" in game else [{}, RANDOM]
        page = sit(visitor, server.begin(game, seats, seed=1))
        expect_turn(page)
        for name in ("Resign", "Agent orders the rest") if "halite" in game else ("Resign", "Hint"):
            box = page.get_by_role("button", name=name).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 790, (game, name)
        assert page.locator("#hint").is_visible() != ("halite" in game)
        assert page.locator("#no-hint").count() == ("halite" in game)


def test_an_order_that_is_not_possible_changes_nothing(server, visit):
    room = server.begin("halite(size=16, turns=20)", [{}, RANDOM], seed=1)
    page = sit(visit(), room)
    expect_turn(page)
    asked = {"key": room["key"], "player": 0, "orders": {"0": 5}, "version": "0.0"}
    status, answer = server.ask(f"/api/rooms/{room['room']}/order", asked)
    assert (status, "not legal" in answer["error"]) == (422, True)
    page.get_by_role("button", name="spawn a ship").click()
    page.locator("#end").click()
    expect(page.locator("#count")).to_have_text("1 / 1", timeout=PATIENT)
    assert "you: spawn" in log(page)


def test_a_game_of_saboteur_by_its_cards(server, visit):
    page = sit(visit(**STILL), server.begin("saboteur", [{}, RANDOM], seed=1))
    expect_turn(page)
    tap(page, page.get_by_role("button", name=re.compile("^tile")).first)
    tap(page, page.get_by_role("button", name=re.compile("^lay the tile")).first)
    if page.get_by_role("button", name=re.compile("turned: ")).count():
        page.keyboard.press("t")
    expect(page.locator("#log")).to_contain_text("you: Tile")
    while wait_for_turn(page):
        tap(page)
        dropping = page.get_by_role("button", name="drop it")
        if dropping.count():
            tap(page, dropping)
    expect_over(page)


def test_agents_are_watched_paused_and_stepped(server, visit):
    room = server.begin("connect_four", [{"agent": "uct(iterations=3000)"}, RANDOM], seed=4, pause=3)
    page = sit(visit(), room)
    page.get_by_role("button", name="Pause").click()
    wait_for_agents(page)
    expect(page.locator("#banner")).to_have_text("Paused", timeout=PATIENT)
    before = frames(page)
    for steps in (1, 2):
        page.get_by_role("button", name="One step").click()
        expect(page.locator("#count")).to_have_text(f"{before + steps} / {before + steps}")
    expect(page.locator("#thinking")).to_contain_text("simulations")
    expect(page.locator("#thinking")).to_contain_text("visits")
    page.locator("#speed").fill("6")
    page.get_by_role("button", name="Go on").click()
    expect_over(page)


def test_a_choice_is_taken_back(server, visit):
    page = sit(visit(**STILL), server.begin("connect_four", [{}, RANDOM], seed=1))
    tap(page, page.get_by_role("button", name="column 4"))
    expect(page.locator("#count")).to_have_text("2 / 2")
    expect_turn(page)
    page.keyboard.press("u")
    expect(page.locator("#log li")).to_have_count(0)
    expect(page.get_by_role("button", name="Take back")).to_be_hidden()
    tap(page, page.get_by_role("button", name="column 1"))
    expect(page.locator("#count")).to_have_text("2 / 2")
    assert log(page)[0] == "you: 1"


def test_thinking_ends_when_a_choice_is_taken_back(server, visit):
    page = sit(visit(**STILL), server.begin("connect_four", [{}, {"agent": "uct(seconds=30)"}]))
    wait_for_agents(page)
    page.get_by_role("button", name="column 4").click()
    expect(page.locator("#doing")).to_contain_text("simulations", timeout=PATIENT)
    page.keyboard.press("u")
    expect_turn(page)
    expect(page.locator("#log li")).to_have_count(0)


def test_a_hint_has_a_reason_and_marks_the_board(server, visit):
    page = sit(visit(), server.begin("tictactoe", [{}, {}]))
    for place in ("1", "4", "2", "5"):
        tap(page, page.get_by_role("button", name=f"cell {place}"))
    page.keyboard.press("h")  # a hand-written player answers if the agent is not made soon
    expect(page.locator("#reason")).to_contain_text(re.compile("(Hint|ready): "), timeout=PATIENT)
    wait_for_agents(page)
    page.keyboard.press("h")
    expect(page.locator("#reason")).to_contain_text("3 wins whatever follows", timeout=PATIENT)
    expect(page.locator("#places [data-hinted]")).to_have_attribute("aria-label", "cell 3")
    tap(page, page.locator("#places [data-hinted]"))
    expect(page.locator("#reason")).to_be_hidden()
    expect_over(page)


def test_resigning_and_a_rematch_with_other_seats(server, visit):
    room = server.begin("connect_four", [{"name": "Ann"}, {"name": "Bob", "own_device": True}], seed=1)
    ann = sit(visit(), room)
    expect(ann.get_by_role("img", name="QR code of the invitation")).to_be_visible()
    assert ann.evaluate("() => document.querySelector('#invitations img').naturalWidth") > 0
    address = ann.get_by_label("Invitation for Bob").input_value()
    assert address.endswith(f"/room/{room['room']}?key={room['invited']['1']}")
    bob = sit(visit(), room, room["invited"]["1"])
    expect(ann.locator("#invitations")).to_have_text("Bob has arrived.")
    assert bob.locator("#invitations").inner_text() == ""
    tap(ann, ann.get_by_role("button", name="column 4"))
    expect_turn(bob)
    bob.on("dialog", lambda dialog: dialog.accept())
    bob.get_by_role("button", name="Resign").click()
    expect(ann.locator("#banner")).to_have_text("Bob (player 2) resigned. You win")
    expect(bob.locator("#banner")).to_contain_text("You lose")
    expect(bob.get_by_role("button", name="Play again")).to_be_hidden()
    ann.get_by_role("button", name="Play again").click()
    expect(ann.locator("#players li").first).to_contain_text("Bob")
    bob.get_by_role("button", name="Play again").click()
    expect(bob.locator("#players li").first).to_contain_text("Bob (you)")
    assert ann.url.split("?")[0] == bob.url.split("?")[0]
    expect_turn(bob)
    tap(bob, bob.get_by_role("button", name="column 1"))
    expect_turn(ann)


def test_two_tabs_go_together_and_a_stale_one_is_told(server, visit):
    room, visitor = server.begin("connect_four", [{}, {}]), visit()
    first, second = sit(visitor, room), sit(visitor, room)
    tap(first, first.get_by_role("button", name="column 4"))
    expect(second.locator("#log")).to_contain_text("player 1: 4")

    third = visitor.context.new_page()
    frozen = []

    def hold(socket):
        there = socket.connect_to_server()
        there.on_message(lambda message: frozen.append(message) if frozen else socket.send(message))

    third.route_web_socket(re.compile("/live"), hold)
    third.goto(first.url)
    expect_turn(third)
    frozen.append("")
    tap(first, first.get_by_role("button", name="column 4"))
    third.get_by_role("button", name="column 1").click()
    expect(third.locator("#notice")).to_contain_text("the game has moved on")
    expect(second.locator("#log li")).to_have_count(2)
    visitor.forgive("409")


def test_hostile_messages_change_nothing(server, visit):
    room = server.begin("connect_four", [{}, {"own_device": True}])
    page, ident = sit(visit(), room), room["room"]
    theirs = "k" * 32
    coming = {"key": room["invited"]["1"], "own": theirs}
    assert server.ask(f"/api/rooms/{ident}/arrive", coming) == (200, {"key": theirs})
    right = {"key": room["key"], "player": 0, "action": 3, "version": "0.0"}

    def tell(act="choose", **changes):
        return server.ask(f"/api/rooms/{ident}/{act}", {**right, **changes})

    for changes in (
        {"key": ""}, {"key": theirs}, {"key": theirs, "player": 1}, {"player": 1}, {"player": -1}, {"player": None},
        {"action": 7}, {"action": -1}, {"action": 10**30}, {"action": "four"}, {"more": 1}, {"orders": {"a": 1}},
    ):  # fmt: skip
        status, answer = tell(**changes)
        assert (status, "\n" in answer["error"]) == (422, False), changes
    assert tell(version="0.1")[0] == 409
    for act in ("undo", "pace", "step"):
        assert tell(act, key=theirs)[0] == 422
    assert tell("resign", key=theirs, player=0)[0] == 422
    assert tell("rematch")[0] == 422
    assert tell("pace", pace=1e9)[0] == 422
    assert server.ask(f"/api/rooms/{ident}/choose", b"[" * 5000)[0] == 400
    assert server.ask(f"/api/rooms/{ident}/choose", b"x" * 600_000)[0] == 413
    assert server.ask("/api/rooms/../../etc/choose", right)[0] in (404, 405)
    assert server.ask(f"/room/{ident}/qr/1?key={theirs}")[0] == 404
    other = {"origin": "http://evil.example"}
    assert server.ask(f"/api/rooms/{ident}/choose", right, other)[0] == 403
    talk = """async path => { for (const said of ["x".repeat(40000), "{}", new Uint8Array(9), "[".repeat(9999)]) {
      const socket = new WebSocket(`ws://${location.host}${path}`);
      await new Promise(done => { socket.onopen = done; });
      socket.send(said);
      socket.close(); } }"""
    page.evaluate(talk, f"/api/rooms/{ident}/live")
    tap(page, page.get_by_role("button", name="column 4"))
    expect(page.locator("#log li")).to_have_count(1)


def test_agents_that_would_take_too_much_are_refused(server):
    for agent in ("uct(seconds=1e9)", "uct(nodes=1000000000)", "net_search(network=/etc/passwd)", "nobody", "uct("):
        status, answer = server.ask("/api/rooms", {"game": "connect_four", "seats": [{}, {"agent": agent}]})
        assert (status // 100, "\n" in answer["error"]) == (4, False), agent


def test_a_game_is_shared_without_the_seed_of_dice_to_come(server, visit):
    room = server.begin("pig(winscore=20)", [{}, RANDOM], seed=987654321)
    page = sit(visit(**STILL), room)
    with page.expect_download() as download:
        page.get_by_role("tab", name="More").click()
        page.get_by_role("link", name="one HTML page").click()
    assert "987654321" not in download.value.path().read_text()
    play_out(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="one HTML page").click()
    assert "987654321" in download.value.path().read_text()


def test_a_game_on_a_phone(server, visit):
    visitor = visit(viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark")
    for game in ("connect_four", "saboteur", "halite(size=16)", "deepsea(players=2)", "goofspiel"):
        page = sit(visitor, server.begin(game, [{}, RANDOM], seed=1))
        expect_turn(page)
        assert is_narrow(page), game
        choices(page).first.tap()
        assert is_narrow(page), game
        page.close()


def test_a_game_by_the_keyboard_alone(server, visit):
    page = sit(visit(**STILL), server.begin("hex(board_size=3)", [{}, {}]))
    for ways in ((), ("ArrowRight",), ("ArrowDown",), ("ArrowRight",), ("ArrowDown",)):
        page.keyboard.press("ArrowRight")  # to the board
        for way in ways:
            page.keyboard.press(way)
        focused = page.evaluate("() => document.activeElement.getAttribute('aria-label')")
        assert focused in [it.get_attribute("aria-label") for it in choices(page).all()]
        before = frames(page)
        page.keyboard.press("Enter")
        page.wait_for_function(f"() => document.querySelector('#slider').max > {before}")
    assert len(log(page)) == 5


def test_the_person_can_begin_while_an_agent_is_compiled(own_server, visit, monkeypatch, tmp_path):
    monkeypatch.setenv("SPINNEY_CACHE", str(tmp_path / "cache"))
    server = own_server()
    page = sit(visit(server, **STILL), server.begin("breakthrough", [{}, {"agent": "uct(iterations=100)"}]))
    expect(page.locator("#doing")).to_contain_text("Compiling", timeout=PATIENT)
    expect(page.locator("#making")).to_be_visible()
    tap(page)
    tap(page)
    expect(page.locator("#log li")).to_have_count(2, timeout=PATIENT)
    assert log(page)[1].startswith("player 2: ")
    visit_closed = page.locator("#doing").inner_text()
    assert "hand-written player plays" in visit_closed or not visit_closed
