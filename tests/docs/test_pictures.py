"""The pictures are those that the script draws, need no other files, and are all used."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from docs.pictures import FOLDER, PICTURES, TIMED
from docs.pictures.boards import BOARDS
from docs.pictures.screens import SCREENS
from spinney.search import SEARCHES

ROOT = Path(__file__).parents[2]
MOST_BYTES = 60_000


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_the_script_draws(name):
    assert PICTURES[name]() == (FOLDER / name).read_text(encoding="utf-8"), "draw it anew: make pictures"


@pytest.mark.parametrize("name", [*PICTURES, *TIMED])
def test_a_picture_is_small_and_needs_nothing_from_elsewhere(name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(text.encode()) <= MOST_BYTES
    assert set(re.findall(r"https?://[^\"' )]+", text)) <= {"http://www.w3.org/2000/svg", "https://www.textualize.io"}
    assert "@font-face" not in text


def test_every_picture_is_shown_and_every_picture_shown_is_drawn():
    pages = "".join(
        page.read_text(encoding="utf-8") for page in (ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"))
    )
    drawn = {*PICTURES, *TIMED, *(f"app/{name}" for name in SCREENS)}
    assert set(re.findall(r"_static/([\w/-]+\.\w+)", pages)) == drawn
    assert {str(file.relative_to(FOLDER)) for file in FOLDER.rglob("*.*")} == drawn


def test_games_and_searches_have_their_pictures():
    for search in SEARCHES:
        page = (ROOT / "docs" / "searches" / f"{search}.md").read_text(encoding="utf-8")
        assert f"_static/searches/{search}.svg" in page
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for game in BOARDS:
        assert f"docs/_static/games/{game}.svg" in readme
        assert f"_static/games/{game}.svg" in (ROOT / "docs" / f"{game}.md").read_text(encoding="utf-8")
