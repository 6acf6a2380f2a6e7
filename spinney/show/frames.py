"""Frames encoded for pages: `board.js` decodes and draws them.

A frame holds what has changed since the frame before: cells and marks of the game's picture, or lines of its text if
the game has no picture; facts about the players; the position in the game's notation; and the events.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from spinney.agents import Decision
from spinney.agents.briefs import to_brief
from spinney.errors import BadGame
from spinney.games import CHANCE, Card, Game, State
from spinney.games.frame import Event, Frame
from spinney.games.picture import COLOURS, SHAPES, Picture, Style, counted

PARTS = re.compile(r"[^ /;]*[ /;]?")
"""Parts of the text of a position that change apart from each other."""


class Shown(NamedTuple):
    """What a page shows of a frame."""

    lists: Mapping[str, list[Any]] = {}
    marks: Mapping[int, tuple[int, float, float]] = {}
    """Style, x and y by the number of the mark."""


NOTHING = Shown()


class FrameEncoder:
    """Turns frames of a game into their differences from others."""

    def __init__(self, card: Card, game: Game | None = None) -> None:
        self._card, self._game = card, game
        self._size: tuple[int, int, int] | None = None
        """Width, height and grid of the pictures."""
        self._styles: dict[Style, int] = {}
        self._colours = {colour: number for number, colour in enumerate(COLOURS)}
        self._keys: dict[Hashable, int] = {}

    def encode(self, frame: Frame, before: Shown = NOTHING) -> tuple[dict[str, list[Any]], Shown]:
        """What changes from another frame to this one, and what is shown then."""
        card, record, marks = self._card, frame.record, dict[int, tuple[int, float, float]]()
        if card.board.picture is None:
            points = card.rules.scores(record) if hasattr(card.rules, "scores") else ()
            lists: dict[str, list[Any]] = {
                "text": card.board.draw(record).splitlines(),
                "facts": [f"points {it:g}" for it in points],
            }
        else:
            picture = card.board.picture(record)
            lists, marks = self._lists_of(picture), self._marks_of(picture)
        if self._game is not None:  # in parts, most of which are those of the frame before
            lists["position"] = PARTS.findall(State(self._game, record).to_text())
        lines = list(event_lines(frame.events))
        searches = [decision for _, decision in lines if decision is not None]
        lists["events"] = [words for words, _ in lines]
        lists["figures"] = ["" if it is None else search_figures(it) for _, it in lines] if searches else []
        lists["searches"] = [search_rows(decision) for decision in searches]
        new = {name: found for name in lists if (found := _changed(before.lists.get(name, []), lists[name]))}
        return new | _changed_marks(before.marks, marks), Shown(lists, marks)

    def _lists_of(self, picture: Picture) -> dict[str, list[Any]]:
        size = (picture.width, picture.height, picture.grid)
        if self._size not in (None, size):
            raise BadGame(f"the pictures of {self._card.name} have different sizes; all of a game must have the same")
        self._size = size
        cells = [self._colours[colour] for colour in picture.cells]
        return {"cells": cells, "head": [picture.head], "facts": list(picture.facts)}

    def _marks_of(self, picture: Picture) -> dict[int, tuple[int, float, float]]:
        marks = {}
        for key, (x, y, style) in picture.marks.items():
            number = self._keys.setdefault(key, len(self._keys))
            marks[number] = (self._styles.setdefault(style, len(self._styles)), _short(x), _short(y))
        return marks

    def header(self) -> dict[str, Any]:
        """What all frames share."""
        width, height, grid = self._size or (0, 0, 0)
        styles = []
        for shape, colour, size, edge, *line_and_text in self._styles:
            numbers = (SHAPES.index(shape), self._colours[colour], size, self._colours.get(edge, -1))
            styles.append([*numbers, *line_and_text])
        return {"width": width, "height": height, "grid": grid, "colours": COLOURS, "styles": styles}


def event_lines(events: Iterable[Event]) -> Iterator[tuple[str, Decision | None]]:
    """For each mover, what it did in a frame, and the search behind it if it is known. Of a player who has several
    decisions in one frame it is the first search: the others follow from it."""
    movers: dict[int, list[Event]] = {}
    for event in events:
        movers.setdefault(event.mover, []).append(event)
    for mover, group in movers.items():
        who = "chance" if mover == CHANCE else f"player {mover + 1}"
        decisions = (event.decision for event in group if event.decision is not None)
        yield f"{who}: {counted(event.words for event in group)}", next((it for it in decisions if it.iterations), None)


def search_figures(decision: Decision) -> str:
    """The value of the chosen action and its visits."""
    assert decision.result is not None
    total = sum(choice.visits for choice in decision.choices) + decision.result.left_out
    visits = next((choice.visits for choice in decision.choices if choice.action == decision.action), 0)
    value = f"value {decision.values[decision.player]:.3f}"
    return f"{value}, {visits:,} of {total:,} visits" if visits else value


def search_rows(decision: Decision) -> dict[str, Any]:
    """What a search thought of its best actions, as far as it is stored: the name, the visits, the value of each player
    and whether it is exact; the visits of all others; the principal variation, and the effort."""
    brief, names = to_brief(decision), {choice.action: choice.name for choice in decision.choices}
    return {
        "player": decision.player,
        "chosen": decision.name,
        "rows": [[names[action], visits, values, proven] for action, visits, values, proven in brief["choices"]],
        "others": brief["left_out"],
        "line": brief["line"],
        "iterations": brief["iterations"],
        "seconds": brief["seconds"],
    }


def _changed_marks(
    before: Mapping[int, tuple[int, float, float]], after: Mapping[int, tuple[int, float, float]]
) -> dict[str, list[Any]]:
    """New and changed marks as a flat list of number, style, x and y; and the numbers of removed marks."""
    changed = [part for key, mark in after.items() if before.get(key) != mark for part in (key, *mark)]
    gone = [key for key in before if key not in after]
    return {name: found for name, found in (("marks", changed), ("gone", gone)) if found}


def _changed(before: Sequence[Any], after: Sequence[Any]) -> list[Any]:
    """The new length of a list, then the index and value of each changed element; empty if nothing has changed."""
    known = dict(enumerate(before))
    new = [part for i, value in enumerate(after) if known.get(i) != value for part in (i, value)]
    return [len(after), *new] if new or len(before) != len(after) else []


def _short(number: float) -> float:
    """Without decimals if the number is whole."""
    return int(number) if number == int(number) else number
