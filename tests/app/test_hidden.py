"""What is hidden from a player is never sent to that player's browser: all that it hears is read."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

import spinney
from spinney.games.saboteur.picture import HEIGHT, WIDTH, hand_place
from spinney.games.saboteur.recording import cards
from tests.app.playing import PATIENT, STILL, expect_turn, sit, tap, wait_for_agents, wait_for_turn

HAND = 7
BACKS = {"quiet", "paper"}
"""The colours of cards that are face down, and of places without a card."""


class Ear:
    """Everything that a visitor's browser gets: pages, answers, and frames of WebSockets."""

    def __init__(self, visitor):
        self.visitor, self.answers, self.texts = visitor, [], []
        visitor.context.on("response", self._note)

    def _note(self, answer):
        self.answers.append(answer)

    def messages(self):
        return [json.loads(text) for text in self.visitor.heard]

    def read(self, page):
        """Note the page and the answers so far: they are gone after a reload."""
        self.texts.append(page.content().replace(page.locator("#rules").inner_html(), ""))
        for answer in self.answers:
            if answer.ok:
                self.texts += [answer.url, str(answer.headers), answer.text()]
        self.answers.clear()

    def text(self):
        """All of it, without the rules of the game, which name all cards."""
        texts = self.texts.copy()
        for message in self.messages():
            message.get("room", {}).pop("guide", None)
            texts.append(json.dumps(message))
        return "\n".join(texts)


def pictures(messages):
    """The colours of the squares and the position's text of every frame, decoded."""
    cells, parts = [], []
    for message in messages:
        if message["kind"] == "game":
            cells, parts = [], []
        for frame in message.get("frames", []):
            for name, known in (("cells", cells), ("position", parts)):
                length, *changes = frame.get(name, [len(known)])
                known.extend([None] * (length - len(known)))
                del known[length:]
                for place, value in zip(changes[::2], changes[1::2], strict=True):
                    known[place] = value
            yield [message["header"]["colours"][colour] for colour in cells], "".join(parts)


def hand_colours(squares, player):
    """The colours of the squares of a hand."""
    assert len(squares) == WIDTH * HEIGHT
    places = [hand_place(player, card) for card in range(HAND)]
    near = (-1, 0, 1)
    return {squares[(y + dy) * WIDTH + x + dx] for x, y in places for dy in near for dx in near}


def test_neither_of_two_browsers_hears_the_others_cards(server, visit):
    room = server.begin("saboteur", [{"name": "Ann"}, {"name": "Bob", "own_device": True}], seed=5)
    visitors = visit(**STILL), visit(**STILL)
    ears = [Ear(visitor) for visitor in visitors]
    pages = [sit(visitors[0], room), sit(visitors[1], room, room["invited"]["1"])]
    for turn in range(8):
        page, other = pages[turn % 2], pages[1 - turn % 2]
        expect_turn(page)
        before = page.locator("#log li").count()
        held = page.get_by_role("button", name=re.compile(r"^(tile|Map|Bonus|Malus|Destroy)"))
        tap(page, held.nth(turn % 3))
        if turn % 4 < 2 and page.get_by_role("button", name="drop it").count():
            tap(page, page.get_by_role("button", name="drop it"))
        else:
            while page.locator("#stage").get_attribute("aria-busy") != "true" and page.locator(".taken").count():
                tap(page)
        expect(page.locator("#log li")).not_to_have_count(before, timeout=PATIENT)
        expect_turn(other)
    for ear, page in zip(ears, pages, strict=True):
        ear.read(page)
        page.reload()
        expect(page.locator("#log li").first).to_be_visible()
        ear.read(page)
    game = spinney.game("saboteur")
    for me, ear in enumerate(ears):
        them, text = 1 - me, ear.text()
        seen = list(pictures(ear.messages()))
        assert len(seen) >= 9
        for squares, position in seen:
            assert hand_colours(squares, them) <= BACKS
            assert hand_colours(squares, me) - BACKS  # the test would see cards
            record = game.from_text(position).record
            assert (cards(record, them), bool(cards(record, me))) == ([], True)
        assert f"player {me + 1} draws" in text
        assert f"player {them + 1} draws" not in text
        told = [frame for message in ear.messages() for frame in message.get("frames", [])]
        marked = [y for frame in told for _, _, y, _, _ in frame.get("last", [])]
        assert marked
        assert max(marked) < WIDTH  # on the board, not in a hand
        words = [message["status"]["choices"] for message in ear.messages() if "status" in message]
        assert {it["player"] for it in words if it} == {me}
        assert not [message for message in ear.messages() if message["kind"] == "think" and message["figures"]]


def test_the_host_cannot_look_with_the_invitation_of_another(own_server, visit):
    """The host's page is told the invitation. When the guest has come, it is worthless, also after a restart."""
    server = own_server()
    room = server.begin("saboteur", [{"name": "Ann"}, {"name": "Bob", "own_device": True}], seed=5)
    invitation, visitors = room["invited"]["1"], [visit(server, **STILL) for _ in range(3)]
    early = sit(visitors[2], room, key="")
    host, guest = sit(visitors[0], room), sit(visitors[1], room, invitation)
    expect(host.locator("#invitations")).to_have_text("Bob has arrived.")
    tap(host)
    tap(host, host.get_by_role("button", name="drop it"))
    expect_turn(guest)
    ident = room["room"]
    version = [told["status"]["version"] for told in map(json.loads, visitors[1].heard) if "status" in told][-1]
    asked = {"key": invitation, "player": 1, "action": 0, "version": version}
    for restarted in (False, True):
        if restarted:
            server.kill()
            server.restart()
            expect_turn(guest)
        assert server.ask(f"/api/rooms/{ident}/arrive", {"key": invitation, "own": "x" * 32})[0] == 422
        for act in ("choose", "hint", "resign"):
            assert server.ask(f"/api/rooms/{ident}/{act}", asked)[0] == 422
        early.goto(f"{server.address}/room/{ident}?key={invitation}")
        expect(early.locator("#banner")).to_contain_text("Cards are hidden")
        expect(early.locator("#notice")).to_contain_text("used on another device")
        guest.goto(f"{server.address}/room/{ident}?key={invitation}")  # the same device opens the invitation again
        expect_turn(guest)
    heard = [json.loads(text) for text in visitors[2].heard]
    assert heard
    assert not [it for it in heard if it.get("frames") or it.get("status", {}).get("choices")]
    told = "".join(visitors[0].heard)
    own = json.loads((server.folder / "rooms" / f"{ident}.jsonl").read_text().splitlines()[1])["key"]
    assert invitation in told
    assert own not in told
    for visitor in visitors:
        visitor.forgive("422|WebSocket|ERR_CONNECTION|Failed to load")


def test_one_who_looks_on_hears_nothing_of_a_game_with_cards(server, visit):
    room = server.begin("saboteur", [{}, {"agent": "random"}], seed=5)
    page = sit(visit(**STILL), room)
    visitor = visit()
    spectator = sit(visitor, room, key="")
    expect(spectator.locator("#banner")).to_contain_text("Cards are hidden")
    tap(page)
    tap(page, page.get_by_role("button", name="drop it"))
    expect_turn(page)
    heard = [json.loads(text) for text in visitor.heard]
    assert heard
    assert not [message for message in heard if message.get("frames") or message.get("status", {}).get("choices")]
    for path in ("page", "file/jsonl"):
        status, _ = server.ask(f"/room/{room['room']}/{path}")
        assert status in (404, 422)


def test_people_at_one_screen_pass_it(server, visit):
    page = sit(visit(**STILL), server.begin("kuhn_poker", [{"name": "Ann"}, {"name": "Bob"}], seed=3))
    for name in ("Ann", "Bob"):
        expect(page.locator("#cover")).to_contain_text(f"Pass the screen to {name}", timeout=PATIENT)
        expect(page.locator("#buttons [data-tap]")).to_have_count(0)
        page.keyboard.press("b")  # a key chooses nothing while the cards are covered
        expect(page.locator("#players li small").first).to_be_hidden()
        page.get_by_role("button", name="Show my cards").click()
        expect_turn(page)
        page.keyboard.press("b")
    expect(page.locator("#banner")).to_contain_text("wins", timeout=PATIENT)
    expect(page.locator("#cover")).to_be_hidden()


@pytest.mark.parametrize("game", ["goofspiel", "battlesnake(players=2)"])
def test_what_an_agent_will_do_is_not_told_before_the_choice_of_a_person(server, visit, game):
    visitor = visit(**STILL)
    room = server.begin(game, [{}, {"agent": "decoupled(seconds=1.2)"}], seed=1)
    page = sit(visitor, room)
    wait_for_agents(page)
    tap(page)  # the first choice may be against a hand-written player, until the agent is made
    expect(page.locator("#doing")).to_contain_text("simulations", timeout=PATIENT)
    assert wait_for_turn(page)
    told = [json.loads(text) for text in visitor.heard if '"think"' in text]
    assert told
    assert {message["figures"] for message in told} == {None}
    tap(page)
    expect(page.locator("#log li small").first).to_contain_text("value", timeout=PATIENT)  # it is told afterwards
