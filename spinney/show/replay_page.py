"""A game as a film: one page of HTML that plays it, and needs nothing from elsewhere.

A frame holds what has changed since the one before: cells and marks of the game's picture, or lines of its text where
it has none; facts about the players; and what was done. `film.js` puts the frames together again.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from spinney.errors import BadGame
from spinney.games import CHANCE, Card, Game
from spinney.games.picture import COLOURS, SHAPES, Look, Picture, counted
from spinney.games.recording import make_step
from spinney.show.html import page

BUTTONS = {
    "first": ("First frame", "M5 5v14M20 5 9 12l11 7z"),
    "back": ("Back", "M15 5l-7 7 7 7"),
    "play": ("Play", "M7 5l12 7-12 7z"),
    "forward": ("Forward", "M9 5l7 7-7 7"),
    "last": ("Last frame", "M4 5l11 7-11 7zM19 5v14"),
}
SPEEDS = (0.5, 1, 2, 5, 10, 20, 40)
"""Frames a second."""
USUAL_SECONDS = 40
"""How long a film takes at the speed that it begins with, if there is one for that."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


class ReplayPage:
    """A game with its frames so far, and in the end its result."""

    def __init__(self, card: Card, names: Sequence[str], about: str = "") -> None:
        self.card, self.names, self.about, self.result = card, names, about, ""
        self.frames: list[dict[str, list[Any]]] = []
        self.size: tuple[int, int, int] | None = None
        """Width, height and grid of the pictures."""
        self.looks: dict[Look, int] = {}
        self._colours = {colour: number for number, colour in enumerate(COLOURS)}
        self._keys: dict[Hashable, int] = {}
        self._lists: dict[str, list[Any]] = {}
        self._marks: dict[int, tuple[int, float, float]] = {}

    def add(self, record: Any, said: Iterable[str]) -> None:
        """Add a position, and what led to it."""
        frame: dict[str, list[Any]] = {}
        if self.card.board.picture is None:
            points = self.card.rules.scores(record) if hasattr(self.card.rules, "scores") else ()
            shown = {"text": self.card.board.draw(record).splitlines(), "facts": [f"points {it:g}" for it in points]}
        else:
            picture = self.card.board.picture(record)
            shown = self._shown(picture)
            frame = self._changed_marks(picture)
        shown["said"] = list(said)
        self.frames.append({name: new for name in shown if (new := _changed(self._lists.get(name, []), shown[name]))})
        self.frames[-1] |= frame
        self._lists = shown

    def _shown(self, picture: Picture) -> dict[str, list[Any]]:
        size = (picture.width, picture.height, picture.grid)
        if self.size not in (None, size):
            raise BadGame(f"the pictures of {self.card.name} have different sizes; all of a game must have the same")
        self.size = size
        cells = [self._colours[colour] for colour in picture.cells]
        return {"cells": cells, "head": [picture.head], "facts": list(picture.facts)}

    def _changed_marks(self, picture: Picture) -> dict[str, list[Any]]:
        """Marks as their number, look and place, one after the other; and the numbers of those that are gone."""
        marks = {}
        for key, (x, y, look) in picture.marks.items():
            number = self._keys.setdefault(key, len(self._keys))
            marks[number] = (self.looks.setdefault(look, len(self.looks)), _short(x), _short(y))
        changed = [part for key, mark in marks.items() if self._marks.get(key) != mark for part in (key, *mark)]
        gone = [key for key in self._marks if key not in marks]
        self._marks = marks
        return {name: found for name, found in (("marks", changed), ("gone", gone)) if found}

    def data(self) -> dict[str, Any]:
        """All that is played, as JSON has it."""
        looks = [
            [
                SHAPES.index(look.shape),
                self._colours[look.colour],
                look.size,
                self._colours.get(look.edge, -1),
                *look[4:],
            ]
            for look in self.looks
        ]
        width, height, grid = self.size or (0, 0, 0)
        return {
            "width": width, "height": height, "grid": grid, "colours": COLOURS, "looks": looks, "result": self.result,
            "frames": self.frames,
        }  # fmt: skip

    def page(self) -> str:
        """The page. Whatever names and words contain stays text."""
        folder = Path(__file__).parent
        style, script = ((folder / name).read_text() for name in ("film.css", "film.js"))
        head = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n<style>\n{style}</style>\n'
        data = json.dumps(self.data(), separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
        stage = '<canvas id="picture" role="img"></canvas>' if self.size else '<pre id="text" tabindex="0"></pre>'
        seats = "\n".join(
            f"<li><b class=a{player % 8}>{player + 1}</b><span>{escape(name)}<small></small></span></li>"
            for player, name in enumerate(self.names)
        )
        return page(
            f"{self.card.title}: {' v '.join(self.names)}",
            [
                f"<h1>{escape(self.card.title)}</h1>\n<p class=note>{escape(self.about)}</p>",
                f'<div class=film>\n<div id="stage">{stage}</div>\n<div class=told>\n<p id="head"></p>',
                f'<ol id="players">\n{seats}\n</ol>\n<ul id="said"></ul>\n<p id="result"></p>\n</div>\n</div>',
                self._controls(),
                f'<script type="application/json" id="film">{data}</script>\n<script>\n{script}</script>',
                "<noscript><p>The game is played by a script in this page; this browser runs none.</p></noscript>",
            ],
            head,
        )

    def _controls(self) -> str:
        buttons = "".join(
            f'<button type=button id="{name}" aria-label="{label}" title="{label}">'
            f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{icon}"/></svg></button>'
            for name, (label, icon) in BUTTONS.items()
        )
        wanted = len(self.frames) / USUAL_SECONDS
        usual = min((speed for speed in SPEEDS if speed >= min(10, max(1, wanted))), default=10)
        speeds = "".join(
            f"<option value={speed}{' selected' if speed == usual else ''}>{speed} / s</option>" for speed in SPEEDS
        )
        return (
            f"<div class=controls>\n<div class=buttons>{buttons}</div>\n"
            f'<select id="speed" aria-label="Frames a second">{speeds}</select>\n'
            f'<input type=range id="slider" min=0 max={len(self.frames) - 1} value=0 aria-label="Frame"/>\n'
            '<output id="count"></output>\n</div>\n'
            "<p class=note>Space plays and pauses, arrows step, Home and End go to the first and last frame.</p>"
        )


def page_of_game(
    game: Game, seed: int | None, steps: Sequence[tuple[int, int]], names: Sequence[str], about: str
) -> ReplayPage:
    """A game that was played here. A frame is a decision, or all that take effect together, and the chance after it."""
    film, state = ReplayPage(game.card, names, about), game.start(seed, manual_chance=True)
    said: dict[int, list[str]] = {}
    for mover, action in steps:
        if mover != CHANCE and not state.waits_for_others:
            film.add(state.record, _told(said))
            said = {}
        said.setdefault(mover, []).append(make_step(state, mover, action))
    film.add(state.record, _told(said))
    return film


def _told(said: dict[int, list[str]]) -> list[str]:
    return [
        f"{'chance' if mover == CHANCE else f'player {mover + 1}'}: {counted(words)}" for mover, words in said.items()
    ]


def _changed(before: Sequence[Any], after: Sequence[Any]) -> list[Any]:
    """How long a list is now, and the places with new values, each before its value; nothing if nothing is new."""
    known = dict(enumerate(before))
    new = [part for i, value in enumerate(after) if known.get(i) != value for part in (i, value)]
    return [len(after), *new] if new or len(before) != len(after) else []


def _short(number: float) -> float:
    """Whole numbers have no decimals in JSON."""
    return int(number) if number == int(number) else number
