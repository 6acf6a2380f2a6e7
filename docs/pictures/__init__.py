"""The pictures of the README and the documentation. `make pictures` draws them, always with the same result.

A board is the game's own picture, a diagram is boxes and lines, and a plot shows searches that run when it is drawn.
The picture of a terminal is real output of commands. It contains times, so it is drawn only on request:
`python -m docs.pictures terminal.svg`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from docs.pictures import imports, terminal
from docs.pictures.boards import BOARDS
from docs.pictures.forests import permuted
from docs.pictures.searches import DIAGRAMS
from docs.pictures.trees import tree

FOLDER = Path(__file__).parents[1] / "_static"
PICTURES: dict[str, Callable[[], str]] = {
    **{f"games/{name}.svg": board.svg for name, board in BOARDS.items()},
    **{f"searches/{name}.svg": lambda draw=draw: draw().svg() for name, draw in DIAGRAMS.items()},
    "searches/permuted.svg": permuted,
    "tree.svg": tree,
    "imports.svg": imports.svg,
}
"""The function that draws each file."""
TIMED: dict[str, Callable[[], str]] = {"terminal.svg": terminal.svg}
"""The same for pictures that differ from run to run."""
