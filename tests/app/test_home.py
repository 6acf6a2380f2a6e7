"""The first page, and setting up games."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

from spinney.cli import web_app
from spinney.games import game_names
from spinney.search import SEARCHES
from tests.app.browser import PHONE, is_narrow
from tests.commands import run

HOSTILE = "<img src=x onerror=alert(1)>"


def setup_of(server, page: Page) -> dict:
    """What the game of a page was begun with."""
    expect(page).to_have_url(re.compile(r"/room/[\w-]+\?key="))
    ident = page.url.partition("/room/")[2].partition("?")[0]
    journal = (server.folder / "rooms" / f"{ident}.jsonl").read_text()
    return json.loads(journal.splitlines()[0])["setup"]


def test_every_link_and_picture_of_the_first_page_is_there(server, visit):
    page = visit().open("/")
    links = page.eval_on_selector_all("a[href]", "all => all.map(it => it.getAttribute('href'))")
    pictures = page.eval_on_selector_all("img", "all => all.map(it => it.getAttribute('src'))")
    assert {f"/new/{name}" for name in game_names()} <= set(links)
    assert {f"/new/{name}?watch=1" for name in game_names()} <= set(links)
    assert set(pictures) == {f"/picture/{name}" for name in game_names()}
    for link in {*links, *pictures}:
        status, text = server.ask(link)
        assert status == 200, link
        if link in pictures:
            assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"


def test_a_game_with_options_and_four_seats_is_set_up_by_clicks(server, visit):
    page = visit().open("/new/deepsea")
    page.get_by_label("Players").fill("4")
    page.get_by_label("Players").blur()
    expect(page.locator("#seats li")).to_have_count(4)
    page.get_by_text("Rules and board").click()
    page.get_by_label("ruleset").select_option(label="official")
    page.get_by_label("Name of player 1").fill(HOSTILE)
    page.get_by_label("Player 2", exact=True).select_option("here")
    page.get_by_label("Name of player 2").fill("Ada")
    page.get_by_label("Player 3", exact=True).select_option("uct")
    page.get_by_label("Strength of player 3").fill("0")
    page.get_by_label("Player 4", exact=True).select_option("heuristic")
    page.locator("#seats li").nth(2).get_by_text("Options").click()
    page.get_by_label("Options of the agent of player 3").fill("c=1.5")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Time for a move").select_option("30")
    page.get_by_role("button", name="Begin").click()
    setup = setup_of(server, page)
    assert setup["game"] == 'deepsea(players=4, ruleset="official")'
    assert [(seat["agent"], seat["name"]) for seat in setup["seats"]] == [
        (None, HOSTILE), (None, "Ada"), ("uct(seconds=0.05, c=1.5)", ""), ("heuristic", ""),
    ]  # fmt: skip
    assert setup["patience"] == 30
    expect(page.locator("#players")).to_contain_text(HOSTILE)
    page.goto(server.address)
    expect(page.locator("#begun")).to_contain_text(HOSTILE)
    page.get_by_role("link", name=HOSTILE).click()
    expect(page).to_have_url(re.compile("/room/"))


def test_one_click_begins_a_game_against_the_strongest_agent(server, visit):
    page = visit().open("/new/connect_four")
    page.get_by_role("button", name="Begin").click()
    setup = setup_of(server, page)
    assert [seat["agent"] for seat in setup["seats"]] == [None, "champion(seconds=1)"]
    page.goto(f"{server.address}/new/connect_four?watch=1")
    page.get_by_role("button", name="Watch").click()
    setup = setup_of(server, page)
    assert [seat["agent"] for seat in setup["seats"]] == ["champion(seconds=1)", "champion(seconds=1)"]


def test_a_player_may_have_another_colour(server, visit):
    page = visit(color_scheme="light").open("/new/tictactoe")
    badge = page.get_by_role("button", name="Another colour for player 1")
    badge.click()  # not that of player 2, but the next one
    expect(badge).to_have_class("badge a2")
    page.get_by_role("button", name="Begin").click()
    assert [seat["colour"] for seat in setup_of(server, page)["seats"]] == [2, None]
    expect(page.locator("#players b").first).to_have_css("background-color", "rgb(35, 128, 60)")


def test_the_keyboard_alone_sets_up_a_game(server, visit):
    page = visit().open("/new/tictactoe")
    expect(page.locator("#seat-1")).to_have_value("uct")
    focused = "document.activeElement.id || document.activeElement.textContent"

    def tab_to(what: str) -> None:
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate(focused) == what:
                return
        pytest.fail(f"no way to {what} by the keyboard")

    tab_to("seat-1")
    page.keyboard.type("heur")
    page.keyboard.press("Tab")
    expect(page.locator("#seat-1")).to_have_value("heuristic")
    tab_to("begin")
    page.keyboard.press("Enter")
    assert [seat["agent"] for seat in setup_of(server, page)["seats"]] == [None, "heuristic"]


def test_errors_are_shown_where_they_belong(server, visit):
    visitor = visit()
    page = visitor.open("/new/battlesnake")
    page.get_by_text("Rules and board").click()
    page.get_by_label("width").fill("99")
    page.get_by_label("width").blur()
    beside = page.locator("label", has_text="width").get_by_role("alert")
    expect(beside).to_contain_text("3 to 25 is allowed")
    page.get_by_label("width").fill("11")
    page.get_by_label("width").blur()
    expect(beside).to_be_hidden()
    page.locator("#seats li").nth(1).get_by_text("Options").click()
    page.get_by_label("Options of the agent of player 2").fill("c=much")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#seats-problem")).to_contain_text("option 'c'")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Begin in a position").fill("nonsense")
    page.get_by_label("Begin in a position").blur()
    expect(page.locator("#position-problem")).to_contain_text("not a position")
    visitor.forgive("422")


def test_own_games_come_first_and_without_a_picture_their_text_is_shown(own_server, visit):
    server = own_server("examples/pig.py")
    page = visit(server).open("/")
    headings = page.locator("h1, h2:visible, h3").all_inner_texts()
    assert headings[:3] == ["Games", "Your games", "Pig"]
    status, text = server.ask("/picture/pig")
    assert status == 200
    assert "to reach 50" in text
    page.get_by_role("link", name="Play: Pig").first.click()
    page.get_by_label("goal").wait_for(state="attached")
    page.get_by_role("button", name="Begin").click()
    assert setup_of(server, page)["game"] == "pig"


@pytest.mark.parametrize("path", ["/", "/new/battlesnake", "/new/saboteur?watch=1", "/watch", "/results"])
def test_pages_fit_a_phone(path, visit):
    page = visit(viewport=PHONE).open(path)
    page.wait_for_load_state("networkidle")
    page.eval_on_selector_all("details", "all => all.forEach(it => it.open = true)")
    assert is_narrow(page)


def test_nothing_is_compiled_before_it_is_needed():
    """Nor is any of the large packages loaded, so that the first page is there at once."""
    code = """
import sys
from pathlib import Path
from spinney.app import server
from spinney.app.catalogue import Catalogue
server.make_app(Catalogue(), Path(sys.argv[1]))
print(sorted({"numba", "scipy", "matplotlib", "optuna", "torch", "ray", "onnxruntime"} & set(sys.modules)))
"""
    with tempfile.TemporaryDirectory() as folder:
        assert subprocess.check_output([sys.executable, "-c", code, folder], text=True) == "[]\n"


@pytest.mark.parametrize("package", ["websockets", "segno"])
def test_a_missing_package_is_a_line_that_names_the_extra(package, monkeypatch, capsys):
    monkeypatch.setattr(web_app, "find_spec", lambda name: None if name == package else True)
    code, _, error = run(capsys, "app")
    assert code == 2
    assert error == f"spinney: the app needs {package}, which is not installed; try: pip install 'spinney-mcts[app]'\n"


def test_an_agent_is_described_where_it_is_chosen_and_its_progress_is_in_bounds(server, visit):
    page = visit().open("/new/deepsea")
    page.get_by_label("Player 2", exact=True).select_option("uct")
    expect(page.locator("#seats .about").last).to_contain_text(SEARCHES["uct"][0].summary)
    words = page.evaluate(
        """async () => (await import("/static/making.js"))
        .progress([["rules/uct", 2.6, 12.4], ["rules/flat", 882, 13]])"""
    )
    assert words == "rules/uct, 3 of about 13 s; rules/flat, a little longer than expected"
