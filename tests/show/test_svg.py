"""Pictures as SVG: every cell and mark, the palette's colours, and the same drawing as the canvas of a replay page."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import spinney
from spinney.games.frame import Frame, Replay
from spinney.games.picture import COLOURS, Picture, disc, letter, line, square
from spinney.show.colours import PALETTE
from spinney.show.html import render
from spinney.show.replay_page import replay_page
from spinney.show.svg import svg
from tests.games.test_game_pictures import GAMES, positions
from tests.show.pages import HOSTILE, needs_browser, opened, probed

TAGS = {"disc": "circle", "square": "rect", "letter": "text"}


def middle(name: str) -> Picture:
    """The picture of a position in the middle of a random game."""
    *records, _ = (s.copy() for s in positions(GAMES[name], 5))
    return spinney.game(GAMES[name]).card.board.picture(records[len(records) // 2])


def test_every_colour_has_a_value_for_light_and_dark_backgrounds():
    assert {*PALETTE} == {*COLOURS, "faint"}
    for colour in PALETTE.values():
        assert re.fullmatch("#[0-9a-f]{6}", colour.light)
        assert re.fullmatch("#[0-9a-f]{6}", colour.dark)
    page = render("base.html.j2", title="")
    for name, colour in PALETTE.items():
        assert f"--{name}: {colour.light};" in page
        assert f"--{name}: {colour.dark};" in page


@pytest.mark.parametrize("name", GAMES)
def test_it_has_every_cell_and_every_mark(name):
    picture = middle(name)
    root = ElementTree.fromstring(svg(picture, "a title", 20))
    assert (root.get("width"), root.get("height")) == (str(20 * picture.width), str(20 * picture.height))
    space = "{http://www.w3.org/2000/svg}"
    assert root.find(f"{space}title").text == "a title"
    cells = [""] * len(picture.cells)
    for path in root.iter(f"{space}path"):
        for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v20h", path.get("d")):
            for column in range(int(x) // 20, (int(x) + int(width)) // 20):
                cells[int(y) // 20 * picture.width + column] = path.get("class").removeprefix("f-")
    assert cells == list(picture.cells)
    board = root.findall(f"{space}g")[0]
    found = Counter(element.tag.removeprefix(space) for element in board.iter())
    found["rect"] -= 1  # the outline
    shapes = Counter(mark.style.shape for mark in picture.marks.values())
    assert {shape: found[tag] for shape, tag in TAGS.items()} == {shape: shapes[shape] for shape in TAGS}
    lines = sum(path.get("d").count("l") for path in board.iter(f"{space}path"))
    assert lines == shapes["line"]
    texts = Counter(element.text for element in board.iter(f"{space}text"))
    assert texts == Counter(mark.style.text for mark in picture.marks.values() if mark.style.shape == "letter")


def test_the_background_is_fixed_or_the_viewers():
    picture = Picture(1, 1, ["gold"], {1: disc(0, 0, "food", edge="ink")})
    light, dark, auto = svg(picture, dark=False), svg(picture, dark=True), svg(picture)
    for name in ("gold", "food", "ink"):
        assert PALETTE[name].light in light
        assert PALETTE[name].light not in dark
        assert PALETTE[name].dark in dark
        assert PALETTE[name].dark not in light
        assert PALETTE[name].dark in auto.partition("prefers-color-scheme:dark")[2]
        assert PALETTE[name].light in auto.partition("prefers-color-scheme:dark")[0]


def test_texts_stay_text():
    root = ElementTree.fromstring(svg(Picture(1, 1, ["ink"], {1: letter(0, 0, HOSTILE)}), HOSTILE))
    assert [element.text for element in root.iter() if element.text == HOSTILE] == [HOSTILE] * 2
    assert not any("script" in element.tag for element in root.iter())


@needs_browser
@pytest.mark.parametrize("name", ["battlesnake", "deepsea", "colosseum", "saboteur"])
def test_a_browser_draws_the_same_from_it_as_on_the_canvas(name, tmp_path):
    """All pixels but those on edges of shapes; letters may be shifted a little."""
    marks = {"square": square(1, 1, "gold", 0.5, "ink"), "line": line(0, 0, 2, 1, "wall", 0.3)}
    picture = middle(name)
    picture = Picture(picture.width, picture.height, picture.cells, {**picture.marks, **marks}, grid=picture.grid)
    card = spinney.game(GAMES[name]).card
    card = replace(card, board=replace(card.board, picture=lambda s: picture))
    page = replay_page(Replay(card, "abcdef", "", [Frame(None)]))
    page = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)  # it forbids images
    script = f"""
      const image = new Image(), size = [24 * data.width, 24 * data.height];
      image.onload = () => {{
        board.cell = 24;
        for (const canvas of [the.picture, board.ground]) [canvas.width, canvas.height] = size;
        board.paintGround();
        board.draw(1);
        const other = document.createElement("canvas"), out = document.createElement("i");
        [other.width, other.height] = size;
        other.getContext("2d").drawImage(image, 0, 0);
        const [a, b] = [the.picture, other].map(it => it.getContext("2d").getImageData(0, 0, ...size).data);
        let different = 0;
        for (let i = 0; i < a.length; i += 4) {{
          if ([0, 1, 2].some(j => Math.abs(a[i + j] - b[i + j]) > 60)) different += 1;
        }}
        out.id = "probe";
        out.textContent = JSON.stringify(different / (a.length / 4));
        document.body.append(out);
      }};
      image.src = "data:image/svg+xml," + encodeURIComponent({json.dumps(svg(picture, dark=False))});"""
    assert probed(opened(page, tmp_path, script.replace("</", "<\\/"), seconds=3)) < 0.01
