"""A game as one HTML page that plays it.

A frame in the page holds what has changed since the frame before: cells and marks of the game's picture, or lines of its
text if the game has no picture; facts about the players; and the events. `replay.js` reconstructs the frames.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from spinney.errors import BadGame
from spinney.games import CHANCE, Card, Game
from spinney.games.picture import COLOURS, SHAPES, Picture, Style, counted
from spinney.games.recording import make_step
from spinney.show.html import render

SPEEDS = (0.5, 1, 2, 5, 10, 20, 40)
"""Frames per second."""
USUAL_SECONDS = 40
"""How long a replay should take at the initial speed."""


def replay_page(replay: Any) -> str:
    """The page of a `spinney.play.Replay`."""
    page = ReplayPage(replay.card, replay.names, replay.about)
    for frame in replay.frames:
        page.add(frame.record, frame.events)
    page.result = replay.result
    return page.page()


class ReplayPage:
    """The frames of a game as data for its page, in the end with the result."""

    def __init__(self, card: Card, names: Sequence[str], about: str = "") -> None:
        self.card, self.names, self.about, self.result = card, names, about, ""
        self.frames: list[dict[str, list[Any]]] = []
        self.size: tuple[int, int, int] | None = None
        """Width, height and grid of the pictures."""
        self.styles: dict[Style, int] = {}
        self._colours = {colour: number for number, colour in enumerate(COLOURS)}
        self._keys: dict[Hashable, int] = {}
        self._lists: dict[str, list[Any]] = {}
        self._marks: dict[int, tuple[int, float, float]] = {}

    def add(self, record: Any, events: Iterable[Any]) -> None:
        """Add a position and the events that led to it."""
        changes: dict[str, list[Any]] = {}
        if self.card.board.picture is None:
            points = self.card.rules.scores(record) if hasattr(self.card.rules, "scores") else ()
            shown = {"text": self.card.board.draw(record).splitlines(), "facts": [f"points {it:g}" for it in points]}
        else:
            picture = self.card.board.picture(record)
            shown = self._shown(picture)
            changes = self._changed_marks(picture)
        lines = list(event_lines(events))
        shown["events"] = [line.words for line in lines]
        shown["figures"] = [line.figures for line in lines]
        self.frames.append({name: new for name in shown if (new := _changed(self._lists.get(name, []), shown[name]))})
        self.frames[-1] |= changes
        self._lists = shown

    def _shown(self, picture: Picture) -> dict[str, list[Any]]:
        size = (picture.width, picture.height, picture.grid)
        if self.size not in (None, size):
            raise BadGame(f"the pictures of {self.card.name} have different sizes; all of a game must have the same")
        self.size = size
        cells = [self._colours[colour] for colour in picture.cells]
        return {"cells": cells, "head": [picture.head], "facts": list(picture.facts)}

    def _changed_marks(self, picture: Picture) -> dict[str, list[Any]]:
        """New and changed marks as a flat list of number, style, x and y; and the numbers of removed marks."""
        marks = {}
        for key, (x, y, style) in picture.marks.items():
            number = self._keys.setdefault(key, len(self._keys))
            marks[number] = (self.styles.setdefault(style, len(self.styles)), _short(x), _short(y))
        changed = [part for key, mark in marks.items() if self._marks.get(key) != mark for part in (key, *mark)]
        gone = [key for key in self._marks if key not in marks]
        self._marks = marks
        return {name: found for name, found in (("marks", changed), ("gone", gone)) if found}

    def data(self) -> dict[str, Any]:
        """The replay as data for JSON."""
        styles = [
            [
                SHAPES.index(style.shape), self._colours[style.colour], style.size,
                self._colours.get(style.edge, -1), *style[4:],
            ]
            for style in self.styles
        ]  # fmt: skip
        width, height, grid = self.size or (0, 0, 0)
        return {
            "width": width, "height": height, "grid": grid, "colours": COLOURS, "styles": styles,
            "result": self.result, "frames": self.frames,
        }  # fmt: skip

    def page(self) -> str:
        wanted = min(10, max(1, len(self.frames) / USUAL_SECONDS))
        return render(
            "replay.html.j2",
            title=f"{self.card.title}: {' v '.join(self.names)}",
            card=self.card,
            names=self.names,
            about=self.about,
            data=self.data(),
            speeds=SPEEDS,
            usual_speed=min(speed for speed in SPEEDS if speed >= wanted),
        )


class EventLine(NamedTuple):
    """What one mover did in a frame, and what its search thought of it, if that is known."""

    words: str
    figures: str


def event_lines(events: Iterable[Any]) -> Iterable[EventLine]:
    """A line for each mover. Of several decisions of a player in one frame, the first has the figures: the others follow
    the same search."""
    movers: dict[int, list[Any]] = {}
    for event in events:
        movers.setdefault(event.mover, []).append(event)
    for mover, group in movers.items():
        who = "chance" if mover == CHANCE else f"player {mover + 1}"
        decisions = (event.decision for event in group if event.decision is not None)
        figures = next(filter(None, map(search_figures, decisions)), "")
        yield EventLine(f"{who}: {counted(event.words for event in group)}", figures)


def search_figures(decision: Any) -> str:
    """The value and the visits of the chosen action; empty if no search was made."""
    if not decision.iterations:
        return ""
    total = sum(choice.visits for choice in decision.choices)
    visits = next((choice.visits for choice in decision.choices if choice.action == decision.action), 0)
    figures = f"value {decision.values[decision.player]:.3f}"
    return f"{figures}, {visits:,} of {total:,} visits" if visits else figures


class _Event(NamedTuple):
    mover: int
    words: str
    decision: None = None


def page_of_game(
    game: Game, seed: int | None, steps: Sequence[tuple[int, int]], names: Sequence[str], about: str
) -> ReplayPage:
    """The page of a game given by its steps. A frame is a decision, or all decisions that take effect together, with the
    chance events that follow."""
    page, state = ReplayPage(game.card, names, about), game.start(seed, manual_chance=True)
    events: list[_Event] = []
    for mover, action in steps:
        if mover != CHANCE and not state.waits_for_others:
            page.add(state.record, events)
            events = []
        events.append(_Event(mover, make_step(state, mover, action)))
    page.add(state.record, events)
    return page


def _changed(before: Sequence[Any], after: Sequence[Any]) -> list[Any]:
    """The new length of a list, then the index and value of each changed element; empty if nothing has changed."""
    known = dict(enumerate(before))
    new = [part for i, value in enumerate(after) if known.get(i) != value for part in (i, value)]
    return [len(after), *new] if new or len(before) != len(after) else []


def _short(number: float) -> float:
    """Without decimals if the number is whole."""
    return int(number) if number == int(number) else number
