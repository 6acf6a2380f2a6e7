"""A picture of a position as SVG, drawn as `board.js` draws it on its canvas; or its text, where it has no picture."""

from __future__ import annotations

from itertools import groupby

from spinney.games.picture import LINE, SHAPES, Picture
from spinney.show.html import render


def svg(picture: Picture, title: str = "", cell: int = 24, dark: bool | None = None) -> str:
    """The picture as a standalone SVG with cells of `cell` pixels. Colours are those for a dark or a light background,
    or with `dark=None` those that the viewer prefers."""
    marks = sorted(picture.marks.values(), key=lambda mark: SHAPES.index(mark.style.shape))
    groups = [  # marks of one group may differ in their geometry
        (style, list(group)) for style, group in groupby(marks, lambda mark: mark.style._replace(dx=0, dy=0, text=""))
    ]
    filled = {LINE, *picture.cells, *(style.colour for style, _ in groups if style.shape != "line")}
    outlined = {LINE, *(style.colour if style.shape == "line" else style.edge for style, _ in groups)} - {""}
    return render(
        "board.svg.j2",
        picture=picture,
        width=cell * picture.width,
        height=cell * picture.height,
        cell=cell,
        title=title,
        theme="auto" if dark is None else "dark" if dark else "light",
        filled=sorted(filled),
        outlined=sorted(outlined),
        cells=_cells(picture, cell),
        groups=groups,
        px=lambda cells: f"{round(cell * cells, 2):g}",
    )


def text_svg(text: str, title: str = "") -> str:
    """Text as a standalone SVG, in the colour that suits the viewer's background."""
    lines = text.expandtabs().splitlines()
    width = max([len(line) for line in lines] + [1])
    return render("text.svg.j2", lines=lines, title=title, width=9 * width + 24, height=20 * len(lines) + 16)


def _cells(picture: Picture, cell: int) -> dict[str, str]:
    """For each colour the path around its cells, with neighbours in a row as one rectangle."""
    paths: dict[str, str] = {}
    for y in range(picture.height):
        x = 0
        for colour, run in groupby(picture.cells[y * picture.width : (y + 1) * picture.width]):
            width = cell * len(list(run))
            paths[colour] = paths.get(colour, "") + f"M{x} {cell * y}h{width}v{cell}h-{width}z"
            x += width
    return paths
