"""A position as a picture: a grid of coloured cells, marks on it, and a line of facts for each player.

Coordinates are in cells: (0, 0) is the centre of the upper left cell, (0.5, 0) the middle of its right edge. A colour
is a name; `spinney.show.colours` has its values for light and dark backgrounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from spinney.errors import BadGame

PLAYERS = tuple(f"agent-{player}" for player in range(8))
SHADES = tuple(f"shade-{shade}" for shade in range(10))
"""Backgrounds for amounts, from none to many."""
LEVELS = tuple(f"level-{level}" for level in range(1, 5))
"""Of treasure."""
PAPER, INK, QUIET, LINE, SOFT = "paper", "ink", "quiet", "line", "soft"
GOLD, WALL, FOOD, HAZARD, AIR, ROCK, TUNNEL = "gold", "wall", "food", "hazard", "air", "rock", "tunnel"
COLOURS = (*PLAYERS, *SHADES, *LEVELS, PAPER, INK, QUIET, LINE, SOFT, GOLD, WALL, FOOD, HAZARD, AIR, ROCK, TUNNEL)
"""The names of all colours."""


class Style(NamedTuple):
    """How a mark is drawn. Many marks share a style."""

    shape: str
    """One of SHAPES."""
    colour: str
    size: float
    """In cells: the width of a square, disc or line, the height of a letter."""
    edge: str = ""
    """The colour of the outline, if there is one."""
    dx: float = 0
    """The end of a line, relative to its start."""
    dy: float = 0
    text: str = ""


SHAPES = ("line", "square", "disc", "letter")
"""In drawing order: later shapes cover earlier ones."""


class Mark(NamedTuple):
    """Something on the board."""

    x: float
    y: float
    style: Style


def square(x: float, y: float, colour: str, size: float = 1, edge: str = "") -> Mark:
    return Mark(x, y, Style("square", colour, size, edge))


def line(x: float, y: float, dx: float, dy: float, colour: str, width: float = 0.1) -> Mark:
    return Mark(x, y, Style("line", colour, width, dx=dx, dy=dy))


def disc(x: float, y: float, colour: str, size: float = 0.8, edge: str = "") -> Mark:
    return Mark(x, y, Style("disc", colour, size, edge))


def letter(x: float, y: float, text: object, colour: str = INK, size: float = 0.6) -> Mark:
    return Mark(x, y, Style("letter", colour, size, text=str(text)))


def labels(columns: Iterable[object], rows: Iterable[object], bottom: int, span: int = 1) -> dict[Any, Mark]:
    """Names of columns in the row `bottom`, and of rows along the left edge, each for `span` cells."""
    size, middle = 0.22 * span, (span - 1) / 2
    edge = 0.44 - 0.6 * size
    across = {("column", i): letter(span * i + middle, bottom + edge, it, QUIET, size) for i, it in enumerate(columns)}
    down = {("row", i): letter(-edge, span * i + middle, it, QUIET, size) for i, it in enumerate(rows)}
    return across | down


class Tap(NamedTuple):
    """What a person taps to choose an action: a place on the picture, or a button beside it."""

    label: str
    """What it does: the text of the button, and what a screen reader says."""
    x: float | None = None
    """The centre of the place in cells; none: a button."""
    y: float | None = None
    width: float = 1
    height: float = 1
    key: str = ""
    """A key of the keyboard that does the same, as browsers name it, such as "ArrowUp"."""
    at: tuple[float, float] | None = None
    """The centre of the cell that will change, if it is not the centre of the place."""


def digit(number: int) -> str:
    """The key of a number, if a single one is enough."""
    return str(number) if 0 <= number <= 9 else ""


@dataclass(frozen=True)
class Picture:
    """A position. All pictures of a game have the same width and height."""

    width: int
    height: int
    cells: Sequence[str]
    """The colour of each cell, row by row from the top."""
    marks: Mapping[Any, Mark]
    """What is on the board. Marks with the same key in successive pictures are one object, whose moves are animated."""
    head: str = ""
    """A line about the position, such as the turn."""
    facts: Sequence[str] = field(default_factory=tuple)
    """A line for each player."""
    grid: int = 1
    """Distance between grid lines in cells; 0: no grid."""

    def __post_init__(self) -> None:
        if len(self.cells) != self.width * self.height:
            raise BadGame(f"a picture of {self.width}x{self.height} has {len(self.cells)} cells")
        used = {*self.cells, *(mark.style.colour for mark in self.marks.values())}
        used |= {mark.style.edge for mark in self.marks.values()} - {""}
        if unknown := used - {*COLOURS}:
            raise BadGame(f"there is no colour '{min(unknown)}'; there are {', '.join(COLOURS)}")


def counted(words: Iterable[str]) -> str:
    """Words as a list, equal ones once with their number."""
    return ", ".join(word if n == 1 else f"{n}× {word}" for word, n in Counter(words).items())  # noqa: RUF001
