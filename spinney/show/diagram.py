"""Diagrams of searches: trees, boxes, arrows and notes in one style.

A box is a node, and its colour shows who moves there. A thick line is the path that is taken, a dashed one a rollout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from spinney.show.elements import PAPER, drawing, element, number, text

INK, DIM = "#24292f", "#656d76"
LETTER, LINE = 14, 18
"""The font size and the line height."""


class Kind(NamedTuple):
    """A kind of node: its colours and shape."""

    fill: str
    edge: str
    pointed: bool = False


KINDS = {
    "first": Kind("#ddeeff", "#0969da"),
    "second": Kind("#ffe7d1", "#bc4c00"),
    "third": Kind("#dafbe1", "#1a7f37"),
    "fourth": Kind("#fff3c4", "#9a6700"),
    "fifth": Kind("#ffe0ef", "#bf3989"),
    "sixth": Kind("#d3f5f7", "#0d7f86"),
    "seventh": Kind("#f0e3d6", "#7d4e2d"),
    "eighth": Kind("#e3e6ea", "#4d5560"),
    "both": Kind("url(#both)", "#656d76"),
    "chance": Kind("#eee5ff", "#8250df", pointed=True),
    "end": Kind("#eaeef2", "#656d76"),
    "plain": Kind(PAPER, "#656d76"),
}
WAYS: dict[str, dict[str, Any]] = {
    "": {"stroke": "#8c959f", "stroke_width": 1.5},
    "taken": {"stroke": INK, "stroke_width": 3.5},
    "rollout": {"stroke": "#8c959f", "stroke_width": 1.5, "stroke_dasharray": "5 4"},
    "played": {"stroke": INK, "stroke_width": 2.5, "stroke_dasharray": "5 4"},
    "faint": {"stroke": "#d0d7de", "stroke_width": 1.5},
}
"""The lines between boxes."""
PLAYERS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""The kinds of nodes at which players move."""
DARK = {
    PAPER: "#15191d", INK: "#e4e8eb", DIM: "#9aa5ae", "#8c959f": "#768390", "#d0d7de": "#3d444d",
    "#ddeeff": "#14324f", "#0969da": "#58a6ff", "#ffe7d1": "#4a2a10", "#bc4c00": "#f0883e", "#dafbe1": "#14391f",
    "#1a7f37": "#56d364", "#fff3c4": "#3f3205", "#9a6700": "#d8a72a", "#ffe0ef": "#4b1a35", "#bf3989": "#f778ba",
    "#d3f5f7": "#0b3538", "#0d7f86": "#4cc4cb", "#f0e3d6": "#3a2818", "#7d4e2d": "#c99b75", "#e3e6ea": "#2b3138",
    "#4d5560": "#aab4bc", "#eee5ff": "#33244f", "#8250df": "#bc8cff", "#eaeef2": "#2d333b",
}  # fmt: skip
"""What the colours become on a dark background."""


@dataclass
class Node:
    """A box, and the boxes below it in a tree."""

    label: str
    children: tuple[Node, ...]
    kind: str
    edge: str
    """The label of the line from the box above."""
    way: str
    """The style of that line."""
    proven: bool
    least: float
    """The minimum width."""
    x: float = 0
    y: float = 0

    @property
    def width(self) -> float:
        pointed = 26 if KINDS[self.kind].pointed else 14
        return max(30, self.least, 7.4 * max(map(len, self.label.split("\n"))) + pointed)

    @property
    def height(self) -> float:
        return LINE * len(self.label.split("\n")) + 10

    def place(self, left: float, top: float, across: float, down: float) -> float:
        """Place this box and all below it: leaves side by side, others centred above their children. Returns the x of
        the next leaf."""
        self.x, self.y = left, top
        if not self.children:
            return left + across
        for child in self.children:
            left = child.place(left, top + down, across, down)
        self.x = (self.children[0].x + self.children[-1].x) / 2
        return left


def node(
    label: str,
    *children: Node,
    kind: str = "first",
    edge: str = "",
    way: str = "",
    proven: bool = False,
    least: float = 0,
) -> Node:
    return Node(label, children, kind, edge, way, proven, least)


def ends(*rewards: str, way: str = "rollout") -> list[Node]:
    """Ends of games."""
    return [node(reward, kind="end", way=way) for reward in rewards]


class Picture:
    """A diagram. Later boxes cover earlier ones; lines are below all boxes."""

    def __init__(self, title: str, width: float = 720, height: float = 300) -> None:
        self.title, self.width, self.height = title, width, height
        self._lines: list[str] = []
        self._boxes: list[str] = []

    def tree(self, root: Node, left: float, top: float, across: float = 70, down: float = 80) -> Node:
        """A tree whose first leaf is centred at `left`, and whose root is centred at `top`."""
        root.place(left, top, across, down)
        self._draw(root)
        return root

    def _draw(self, root: Node) -> None:
        for child in root.children:
            self.line((root.x, root.y + root.height / 2), (child.x, child.y - child.height / 2), child.way, child.edge)
            self._draw(child)
        self.box(root)

    def box(self, it: Node) -> None:
        kind = KINDS[it.kind]
        for more in (4, 0) if it.proven else (0,):
            width, height = it.width + 2 * more, it.height + 2 * more
            style: dict[str, Any] = {"fill": PAPER if more else kind.fill, "stroke": kind.edge}
            if kind.pointed:
                right = [(width / 2, 0), (width / 2 - height / 3, height / 2), (height / 3 - width / 2, height / 2)]
                corners = right + [(-x, -y) for x, y in right]
                points = " ".join(f"{number(it.x + x)},{number(it.y + y)}" for x, y in corners)
                self._boxes.append(element("polygon", points=points, **style))
            else:
                left, top = it.x - width / 2, it.y - height / 2
                self._boxes.append(element("rect", x=left, y=top, width=width, height=height, rx=6, **style))
        self.note(it.x, it.y, it.label)

    def line(
        self, start: tuple[float, float], end: tuple[float, float], way: str = "", words: str = "", arrow: bool = False
    ) -> None:
        """A line, with words in the middle and perhaps an arrow at its end."""
        self._lines.append(
            element(
                "path",
                d=f"M{start[0]} {start[1]}L{end[0]} {end[1]}",
                marker_end="url(#arrow)" if arrow else None,
                **WAYS[way],
            )
        )
        if words:
            self.note((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, words, halo=True)

    def arrow(self, start: tuple[float, float], end: tuple[float, float], words: str = "", way: str = "") -> None:
        self.line(start, end, way, words, arrow=True)

    def note(
        self, x: float, y: float, words: str, *, anchor: str = "middle", dim: bool = False, halo: bool = False
    ) -> None:
        """Lines of words, vertically centred at y; a halo is a background for words on a line."""
        lines = words.split("\n")
        if halo:
            width = 7 * len(words) + 6
            self._boxes.append(element("rect", x=x - width / 2, y=y - 9, width=width, height=18, fill=PAPER))
        for i, line in enumerate(lines):
            middle = y + LINE * (i - (len(lines) - 1) / 2) + 0.35 * LETTER
            self._boxes.append(text(x, middle, line, text_anchor=anchor, fill=DIM if dim or halo else INK))

    def levels(self, *words: str, x: float = 20, top: float = 40, down: float = 80) -> None:
        """Names of the levels of a tree, to the left of it."""
        for i, word in enumerate(words):
            self.note(x, top + down * i, word, anchor="start", dim=True)

    def svg(self, dark: bool | None = False) -> str:
        """The diagram for a light or a dark background, or with `dark=None` for the one that the viewer prefers."""
        point = element("path", d="M0 0L8 4L0 8z", fill="#656d76")
        arrow = element(
            "marker", point, id="arrow", viewBox="0 0 8 8", refX=7, refY=4, markerWidth=9, markerHeight=9,
            markerUnits="userSpaceOnUse", orient="auto",
        )  # fmt: skip
        halves = ("first", "second")
        stops = "".join(element("stop", offset=0.5, stop_color=KINDS[half].fill) for half in halves)
        both = element("linearGradient", stops, id="both")
        lines = element("g", "\n".join(self._lines), fill="none")
        boxes = element("g", "\n".join(self._boxes), font_size=LETTER, stroke_width=1.5, stroke_linejoin="round")
        parts = [element("defs", arrow + both), lines, boxes]
        if dark is False:
            return drawing(self.width, self.height, self.title, parts)
        theme = "auto" if dark is None else "dark"
        rules = "".join(
            f'.diagram-{theme} [{name}="{light}"]{{{name}:{colour}}}'
            for light, colour in DARK.items()
            for name in ("fill", "stroke", "stop-color")
        )
        style = element("style", f"@media (prefers-color-scheme:dark){{{rules}}}" if dark is None else rules)
        return drawing(self.width, self.height, self.title, [style, *parts], f"diagram-{theme}")
