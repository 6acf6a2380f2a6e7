"""The pictures of the README and the site: `make pictures` draws them anew, and they come out the same every time.

A board is the game's own text in colours, a diagram is boxes and lines, a plot shows searches that are made for it. The
picture of a terminal is real output of the command line; it has times in it, and is drawn only when it is asked for:
`python -m docs.pictures terminal.svg`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from docs.pictures import imports, terminal
from docs.pictures.boards import BOARDS
from docs.pictures.forests import permuted
from docs.pictures.searches import DIAGRAMS

FOLDER = Path(__file__).parents[1] / "_static"
PICTURES: dict[str, Callable[[], str]] = {
    **{f"games/{name}.svg": board.svg for name, board in BOARDS.items()},
    **{f"searches/{name}.svg": lambda draw=draw: draw().svg() for name, draw in DIAGRAMS.items()},
    "searches/permuted.svg": permuted,
    "imports.svg": imports.svg,
}
"""What draws each file."""
TIMED: dict[str, Callable[[], str]] = {"terminal.svg": terminal.svg}
"""The same, for what is different every time."""
