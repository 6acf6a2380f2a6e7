"""The import graph of the package: which part of Spinney imports which, drawn in layers.

The imports are read from the source by grimp. An arrow that follows from others is left out (transitive reduction). A
part is in the layer below its lowest importer. Arrows over several layers pass between the boxes of the layers between.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping
from itertools import pairwise
from math import fsum

from spinney.show.diagram import Picture, node

WIDTH, DOWN, TOP = 720, 66, 56
APART, PASSING = 116, 44
"""The distance between two boxes of a layer, and between a box and an arrow that passes."""
SWEEPS = 12

Graph = Mapping[str, set[str]]
Rows = list[list[str]]


def imports() -> dict[str, set[str]]:
    """The direct imports between the packages and modules right below `spinney`."""
    import grimp  # comes with import-linter

    graph = grimp.build_graph("spinney", cache_dir=None)
    parts = sorted(name for name in graph.find_children("spinney") if not name.endswith("__main__"))
    return {
        one.partition(".")[2]: {
            other.partition(".")[2]
            for other in parts
            if other != one and graph.direct_import_exists(importer=one, imported=other, as_packages=True)
        }
        for one in parts
    }


def reduced(graph: Graph) -> dict[str, set[str]]:
    """Without the arrows that follow from others."""

    def reach(start: str) -> set[str]:
        return graph[start].union(*(reach(below) for below in graph[start]))

    return {one: {it for it in below if not any(it in reach(other) for other in below)} for one, below in graph.items()}


def depths(graph: Graph) -> dict[str, int]:
    """The layer of each part, counted from the top."""

    def depth(one: str) -> int:
        return max((1 + depth(above) for above, below in graph.items() if one in below), default=0)

    return {one: depth(one) for one in graph}


def chains(graph: Graph, layer: Mapping[str, int]) -> list[list[str]]:
    """Each arrow as its points: both ends, and a point in each layer between, named after the arrow."""
    return [
        [one, *(f"{one} {below} {row}" for row in range(layer[one] + 1, layer[below])), below]
        for one in sorted(graph)
        for below in sorted(graph[one])
    ]


def crossings(rows: Rows, links: Iterable[tuple[str, str]]) -> int:
    """How many arrows cross."""
    place = {it: (row, i) for row, its in enumerate(rows) for i, it in enumerate(its)}
    ends = [(place[one], place[other]) for one, other in links]
    return sum(
        a[0] == c[0] and a[1] < c[1] and b[1] > d[1] for a, b in ends for c, d in ends
    )  # the arrows of a pair are both between the same two layers


def ordered(rows: Rows, links: list[tuple[str, str]]) -> Rows:
    """The layers with few crossings: each point goes to the mean place of its neighbours, in turns from both ends."""
    best, fewest = rows, crossings(rows, links)
    for sweep in range(SWEEPS):
        rows = [list(row) for row in rows]
        for at in range(1, len(rows)) if sweep % 2 == 0 else range(len(rows) - 2, -1, -1):
            place = {it: i / max(1, len(row) - 1) for row in rows for i, it in enumerate(row)}
            beside = {it: _neighbours(it, links, above=sweep % 2 == 0) for it in rows[at]}
            wish = {it: _mean([place[one] for one in near], place[it]) for it, near in beside.items()}
            rows[at].sort(key=lambda it: (wish[it], it))
        if (now := crossings(rows, links)) < fewest:
            best, fewest = rows, now
    return best


def places(rows: Rows, links: list[tuple[str, str]], real: Iterable[str]) -> dict[str, float]:
    """Where each point is from left to right: near its neighbours, and not too near to the next in its layer."""
    boxes = set(real)
    x = {it: WIDTH * (i + 1) / (len(row) + 1) for row in rows for i, it in enumerate(row)}
    near = {it: _neighbours(it, links, above=True) + _neighbours(it, links, above=False) for it in x}
    for _ in range(60):
        for row in rows:
            wish = [(x[it] + _mean([x[one] for one in near[it]], x[it])) / 2 for it in row]
            gaps = [APART if {one, other} <= boxes else (APART + PASSING) / 2 if {one, other} & boxes else PASSING
                    for one, other in pairwise(row)]  # fmt: skip
            right = list(wish)
            for i, gap in enumerate(gaps):
                right[i + 1] = max(right[i + 1], right[i] + gap)
            left = list(wish)
            for i, gap in reversed(list(enumerate(gaps))):
                left[i] = min(left[i], left[i + 1] - gap)
            for i, it in enumerate(row):
                x[it] = (left[i] + right[i]) / 2
    shift = WIDTH / 2 - (min(x.values()) + max(x.values())) / 2
    return {it: round(at + shift) for it, at in x.items()}


def svg() -> str:
    """The picture."""
    graph = reduced(imports())
    layer = depths(graph)
    points = chains(graph, layer)
    links = [(one, other) for chain in points for one, other in pairwise(chain)]
    rows: Rows = [[] for _ in range(max(layer.values()) + 1)]
    for one in sorted(graph):
        rows[layer[one]].append(one)
    for chain in points:
        for i, it in enumerate(chain[1:-1], 1):
            rows[layer[chain[0]] + i].append(it)
    rows = ordered(rows, links)
    x = places(rows, links, graph)
    y = {it: TOP + DOWN * at for at, row in enumerate(rows) for it in row}
    picture = Picture("The import graph of Spinney", WIDTH, TOP + DOWN * len(rows) - 20)
    legend = (
        "packages are blue, modules grey; arrows point to what is imported; those that follow from others are left out"
    )
    picture.note(20, 22, legend, anchor="start", dim=True)
    boxes = {one: node(one, kind="first" if _is_package(one) else "end", least=84) for one in graph}
    for one, box in boxes.items():
        box.x, box.y = x[one], y[one]
        picture.box(box)
    half = boxes["errors"].height / 2
    for chain in points:
        way = [(x[it], y[it] + side * half) for it in chain for side in (-1, 1)][1:-1]  # vertical beside the boxes
        for start, end in pairwise(way):
            picture.line(start, end, arrow=end is way[-1])
    return picture.svg()


def _is_package(part: str) -> bool:
    found = importlib.util.find_spec(f"spinney.{part}")
    return found is not None and found.submodule_search_locations is not None


def _neighbours(it: str, links: Iterable[tuple[str, str]], *, above: bool) -> list[str]:
    return [one if above else other for one, other in links if it == (other if above else one)]


def _mean(numbers: list[float], default: float) -> float:
    return fsum(numbers) / len(numbers) if numbers else default  # sum() differs between versions of Python
