"""The most visited part of a search tree as a diagram, from left to right."""

from __future__ import annotations

from collections.abc import Sequence

from spinney.games import CHANCE, OVER, SIMULTANEOUS
from spinney.search import Node
from spinney.show import diagram
from spinney.show.diagram import PLAYERS, Picture

DOWN, SLANT, TOP, LEFT = 40, 34, 84, 20
"""The height of a leaf, the width of the lines between two levels, and where the tree begins."""
LONGEST = 28
"""Characters of a name."""
OTHERS = {CHANCE: ("chance", "chance"), SIMULTANEOUS: ("both", "simultaneous moves"), OVER: ("end", "the end")}
"""The kinds of nodes at which no single player moves."""


def tree_svg(root: Node, depth: int = 3, width: int = 4, dark: bool | None = None) -> str:
    """The nodes down to a depth, of each node the most visited children. A thick line is what the search expects.
    Colours are those for a dark or a light background, or with `dark=None` those that the viewer prefers."""
    movers: set[int] = set()
    box = _box(root, depth, width, movers, expected=True)
    levels = _levels(box)
    bottom = _place(box, TOP)
    lefts = _columns(levels)
    key = [kind_of(mover) for mover in sorted(movers, key=lambda mover: (mover < 0, abs(mover)))]
    boxes = [diagram.node(words, kind=kind) for kind, words in key]
    across = sum(one.width + 14 for one in boxes) + 300
    picture = Picture("The most visited part of a search tree", max(lefts[-1], across) + LEFT, bottom + 6)
    x = float(LEFT)
    for one in boxes:
        one.x, one.y = x + one.width / 2, 32
        picture.box(one)
        x += one.width + 14
    picture.note(x, 32, "double frame: proven; thick: expected", anchor="start", dim=True)
    _draw(picture, box, lefts)
    return picture.svg(dark)


def kind_of(mover: int) -> tuple[str, str]:
    """The kind of a node in diagrams, and who moves there in words."""
    return (PLAYERS[mover % len(PLAYERS)], f"player {mover + 1}") if mover >= 0 else OTHERS[mover]


def _box(it: Node, depth: int, width: int, movers: set[int], *, expected: bool) -> diagram.Node:
    """A node and those below it; `movers` gets who moves there."""
    movers.add(it.mover)
    best = it.expected() if expected else None
    children = [child for child in it.children if child.visits]
    shown = children[:width] if depth > 0 else []
    boxes = []
    for child in shown:
        on_line = best is not None and child.action == best.action
        below = _box(child, depth - 1, width, movers, expected=on_line)
        below.edge, below.way = _edge(child), "taken" if on_line else ""
        boxes.append(below)
    if shown and len(children) > len(shown):
        boxes.append(diagram.node(f"{len(children) - len(shown):,} more", kind="plain", way="faint"))
    values = " : ".join(f"{value:.2f}" for value in it.values)
    label = f"{it.visits:,} visit{'s' * (it.visits != 1)}, {values}"
    return diagram.node(label, *boxes, kind=kind_of(it.mover)[0], proven=it.proven)


def _edge(it: Node) -> str:
    """The action that leads to a node, and the probability of an outcome."""
    name = it.name if len(it.name) <= LONGEST else f"{it.name[: LONGEST - 1]}\N{HORIZONTAL ELLIPSIS}"
    return name if it.probability is None else f"{name}, {100 * it.probability:.3g} %"


def _levels(root: diagram.Node) -> list[list[diagram.Node]]:
    levels = [[root]]
    while below := [child for one in levels[-1] for child in one.children]:
        levels.append(below)
    return levels


def _place(box: diagram.Node, top: float) -> float:
    """Place leaves below each other, others in the middle of their children. Returns the y of the next leaf."""
    box.y = top
    if not box.children:
        return top + DOWN
    for child in box.children:
        top = _place(child, top)
    box.y = (box.children[0].y + box.children[-1].y) / 2
    return top


def _columns(levels: Sequence[Sequence[diagram.Node]]) -> list[float]:
    """Place the boxes of a level below each other. Returns where the names of each level begin, and where the last
    level ends."""
    lefts, left = [], float(LEFT)
    for level in levels:
        lefts.append(left)
        left += 7.4 * max(len(one.edge) for one in level) + 26 if level is not levels[0] else 0
        wide = max(one.width for one in level if one.kind != "plain")
        for one in level:
            one.least = 0 if one.kind == "plain" else wide
            one.x = left + one.width / 2
        left += wide + SLANT
    return [*lefts, left - SLANT]


def _draw(picture: Picture, box: diagram.Node, lefts: Sequence[float], level: int = 1) -> None:
    for child in box.children:
        words, end = (lefts[level], child.y), (child.x - child.width / 2, child.y)
        picture.line((box.x + box.width / 2, box.y), words, child.way)
        picture.line(words, end, child.way, child.edge)
        _draw(picture, child, lefts, level + 1)
    picture.box(box)
