"""The tree of a search that runs when the picture is drawn."""

from __future__ import annotations

from pathlib import Path

import spinney

PIG = Path(__file__).parents[2] / "examples" / "pig.py"


def tree() -> str:
    """Pig, with six points in the pot of the ten that win."""
    game = spinney.game(str(PIG), goal=10)
    state = game.start(1, manual_chance=True)
    state.apply("throw")
    state.apply("a 6")
    root = game.agent("uct(iterations=300, plain=true)", seed=1).decide(state).tree
    assert root is not None
    return root.svg(depth=3, width=3)
