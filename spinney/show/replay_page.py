"""A game as one HTML page that plays it.

A frame in the page holds what has changed since the frame before: cells and marks of the game's picture, or lines of
its text if the game has no picture; facts about the players; the position in the game's notation; and the events.
`replay.js` reconstructs the frames.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from spinney.agents import Decision
from spinney.errors import BadGame
from spinney.games import CHANCE, Card, Game, State
from spinney.games.frame import Event, Frame, Replay
from spinney.games.picture import COLOURS, SHAPES, Picture, Style, counted
from spinney.show.html import render

SPEEDS = (0.5, 1, 2, 5, 10, 20, 40)
"""Frames per second."""
PARTS = re.compile(r"[^ /;]*[ /;]?")
"""Parts of the text of a position that change apart from each other."""
USUAL_SECONDS = 40
"""How long a replay should take at the initial speed."""


def replay_page(replay: Replay, graph: dict[str, Any] | None = None) -> str:
    """The page of a game; with the graph of a review, as `review_page` makes it."""
    data = replay_data(replay)
    if graph is not None:
        data["curve"] = graph["curve"]
    wanted = min(10, max(1, len(data["frames"]) / USUAL_SECONDS))
    return render(
        "replay.html.j2",
        title=f"{replay.card.title}: {' v '.join(replay.names)}",
        replay=replay,
        graph=graph,
        data=data,
        speeds=SPEEDS,
        usual_speed=min(speed for speed in SPEEDS if speed >= wanted),
    )


def replay_data(replay: Replay) -> dict[str, Any]:
    """The frames and the result of a game as data for JSON."""
    encoder = _Encoder(replay.card, replay.game)
    frames = [encoder.encode(frame) for frame in replay.frames]
    return {**encoder.header(), "frames": frames, "result": replay.result}


class _Encoder:
    """Turns frames into their differences from the frames before."""

    def __init__(self, card: Card, game: Game | None) -> None:
        self._card, self._game = card, game
        self._size: tuple[int, int, int] | None = None
        """Width, height and grid of the pictures."""
        self._styles: dict[Style, int] = {}
        self._colours = {colour: number for number, colour in enumerate(COLOURS)}
        self._keys: dict[Hashable, int] = {}
        self._lists: dict[str, list[Any]] = {}
        self._marks: dict[int, tuple[int, float, float]] = {}

    def encode(self, frame: Frame) -> dict[str, list[Any]]:
        card, record, marks = self._card, frame.record, dict[str, list[Any]]()
        if card.board.picture is None:
            points = card.rules.scores(record) if hasattr(card.rules, "scores") else ()
            shown = {"text": card.board.draw(record).splitlines(), "facts": [f"points {it:g}" for it in points]}
        else:
            picture = card.board.picture(record)
            shown = self._lists_of(picture)
            marks = self._changed_marks(picture)
        if self._game is not None:  # in parts, most of which are those of the frame before
            shown["position"] = PARTS.findall(State(self._game, record).to_text())
        lines = list(event_lines(frame.events))
        shown["events"] = [words for words, _ in lines]
        shown["figures"] = [figures for _, figures in lines] if any(figures for _, figures in lines) else []
        before, self._lists = self._lists, shown
        return {name: new for name in shown if (new := _changed(before.get(name, []), shown[name]))} | marks

    def _lists_of(self, picture: Picture) -> dict[str, list[Any]]:
        size = (picture.width, picture.height, picture.grid)
        if self._size not in (None, size):
            raise BadGame(f"the pictures of {self._card.name} have different sizes; all of a game must have the same")
        self._size = size
        cells = [self._colours[colour] for colour in picture.cells]
        return {"cells": cells, "head": [picture.head], "facts": list(picture.facts)}

    def _changed_marks(self, picture: Picture) -> dict[str, list[Any]]:
        """New and changed marks as a flat list of number, style, x and y; and the numbers of removed marks."""
        marks = {}
        for key, (x, y, style) in picture.marks.items():
            number = self._keys.setdefault(key, len(self._keys))
            marks[number] = (self._styles.setdefault(style, len(self._styles)), _short(x), _short(y))
        changed = [part for key, mark in marks.items() if self._marks.get(key) != mark for part in (key, *mark)]
        gone = [key for key in self._marks if key not in marks]
        self._marks = marks
        return {name: found for name, found in (("marks", changed), ("gone", gone)) if found}

    def header(self) -> dict[str, Any]:
        """What all frames share."""
        width, height, grid = self._size or (0, 0, 0)
        styles = []
        for shape, colour, size, edge, *line_and_text in self._styles:
            numbers = (SHAPES.index(shape), self._colours[colour], size, self._colours.get(edge, -1))
            styles.append([*numbers, *line_and_text])
        return {"width": width, "height": height, "grid": grid, "colours": COLOURS, "styles": styles}


def event_lines(events: Iterable[Event]) -> Iterator[tuple[str, str]]:
    """For each mover, what it did in a frame, and the figures of the search behind it if they are known. Where a player
    has several decisions in one frame, the first search gives the figures: the others follow from it."""
    movers: dict[int, list[Event]] = {}
    for event in events:
        movers.setdefault(event.mover, []).append(event)
    for mover, group in movers.items():
        who = "chance" if mover == CHANCE else f"player {mover + 1}"
        figures = (search_figures(event.decision) for event in group if event.decision is not None)
        yield f"{who}: {counted(event.words for event in group)}", next(filter(None, figures), "")


def search_figures(decision: Decision) -> str:
    """The value of the chosen action and its visits; empty if there was no search."""
    if not decision.iterations:
        return ""
    assert decision.result is not None
    total = sum(choice.visits for choice in decision.choices) + decision.result.left_out
    visits = next((choice.visits for choice in decision.choices if choice.action == decision.action), 0)
    value = f"value {decision.values[decision.player]:.3f}"
    return f"{value}, {visits:,} of {total:,} visits" if visits else value


def _changed(before: Sequence[Any], after: Sequence[Any]) -> list[Any]:
    """The new length of a list, then the index and value of each changed element; empty if nothing has changed."""
    known = dict(enumerate(before))
    new = [part for i, value in enumerate(after) if known.get(i) != value for part in (i, value)]
    return [len(after), *new] if new or len(before) != len(after) else []


def _short(number: float) -> float:
    """Without decimals if the number is whole."""
    return int(number) if number == int(number) else number
