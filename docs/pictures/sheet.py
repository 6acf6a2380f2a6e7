"""Text as on a terminal, to be coloured and drawn: a character has a cell, and lines join from cell to cell.

Lines and blocks are drawn as shapes, not as letters, so that they join in every font.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from typing import NamedTuple

from docs.pictures.svg import MONO, drawing, element, number, text

NIGHT, INK, DIM = "#1c2128", "#cdd9e5", "#6e7681"
CARD: dict[str, object] = {"fill": NIGHT, "stroke": "#444c56"}
MARGIN = 12
SIDES = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
SOLID = " ░█"
"""What is seen of these characters is the colour of their cells."""
STRAIGHT = {"VERTICAL": "UP DOWN", "HORIZONTAL": "LEFT RIGHT"}


class Look(NamedTuple):
    """How a character is drawn: its colour, without which it is not seen, that of its cell, that of a disc behind it,
    how wide its lines are, and in the middle of how many cells it is."""

    ink: str = INK
    paper: str = ""
    disc: str = ""
    line: float = 1.5
    span: int = 1


class Sheet:
    """Lines of text, and a look for each of their characters."""

    def __init__(self, lines: list[str]) -> None:
        self.width = max(map(len, lines))
        self.lines = [line.ljust(self.width) for line in lines]
        self.looks = [[Look()] * self.width for _ in lines]

    def paint(self, pattern: str, look: Look, within: str = "") -> None:
        """Give a look to all that matches, in lines that match `within`; to its first group if it has one."""
        for line, looks in zip(self.lines, self.looks, strict=True):
            if re.search(within, line):
                for match in re.finditer(pattern, line):
                    start, end = match.span(1 if match.re.groups else 0)
                    looks[start:end] = [look] * (end - start)

    def svg(self, title: str, cell: tuple[float, float], size: float) -> str:
        """Draw all with cells of a width and height and letters of a size."""
        wide, high = cell
        papers, strokes, letters = defaultdict(list), defaultdict(list), defaultdict(list)
        across = min(high, 2 * wide) - 1
        for row, (line, looks) in enumerate(zip(self.lines, self.looks, strict=True)):
            for column, (character, look) in enumerate(zip(line, looks, strict=True)):
                x, y = MARGIN + wide * column, MARGIN + high * row
                if look.paper:
                    papers[look.paper].append(f"M{number(x)} {number(y)}h{wide}v{high}h{-wide}z")
                x, y = x + look.span * wide / 2, y + high / 2
                if look.disc:
                    strokes[look.disc, across].append(f"M{number(x)} {number(y)}h0")
                if ways := _ways(character):
                    ends = (f"{number(x + a * wide / 2)} {number(y + b * high / 2)}" for a, b in ways)
                    strokes[look.ink, look.line].extend(f"M{number(x)} {number(y)}L{end}" for end in ends)
                elif look.ink and character not in SOLID:
                    letters[row, look.ink, "bold" if look.disc or look.paper else None].append((x, character))
        return drawing(
            2 * MARGIN + wide * self.width,
            2 * MARGIN + high * len(self.lines),
            title,
            MONO,
            CARD,
            [
                *(
                    element("path", d="".join(d), fill=paper, shape_rendering="crispEdges")
                    for paper, d in papers.items()
                ),
                *(
                    element("path", d="".join(d), stroke=ink, stroke_width=line, stroke_linecap="round")
                    for (ink, line), d in strokes.items()
                ),
                *(
                    text(
                        " ".join(number(x) for x, _ in found),
                        MARGIN + high * row + high / 2 + 0.35 * size,
                        "".join(character for _, character in found),
                        fill=ink,
                        font_weight=weight,
                        font_size=size,
                        text_anchor="middle",
                    )
                    for (row, ink, weight), found in letters.items()
                ),
            ],
        )


def _ways(character: str) -> list[tuple[int, int]]:
    """Where the lines of a character lead, from the middle of its cell; nowhere if it is a letter."""
    name = unicodedata.name(character, "")
    if not name.startswith("BOX DRAWINGS"):
        return []
    words = " ".join(STRAIGHT.get(word, word) for word in name.split()).split()
    return [SIDES[word] for word in words if word in SIDES]
