"""The cards, the shapes of the tiles, and lookup tables of the rules.

A tile is defined by its open sides and its centre: a tunnel leads from side to side only through an open centre. A
half-turn makes another shape of the same card. A code is a shape, or another content of a cell.
"""

from __future__ import annotations

import numpy as np

from spinney.kernel import rule

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
"""Sides of a cell, as bits."""
CLOCKWISE = (NORTH, EAST, SOUTH, WEST)
LETTERS = dict(zip("NESW", CLOCKWISE, strict=True))

_CARDS = (
    ("NS", 1, 4), ("NS", 0, 1), ("NES", 0, 1), ("NE", 0, 1), ("E", 1, 1), ("ES", 1, 4), ("NSW", 1, 5), ("NE", 1, 5),
    ("NESW", 1, 5), ("ESW", 1, 5), ("EW", 1, 3), ("ESW", 0, 1), ("N", 1, 1), ("NESW", 0, 1), ("NW", 0, 1), ("EW", 0, 1),
)  # fmt: skip
"""The open sides, whether the centre is open, and the number of copies of the tile cards 0 to 15."""

TILES = len(_CARDS)
MAP, BONUS, DESTROY, MALUS = TILES, TILES + 1, TILES + 2, TILES + 3
KINDS = TILES + 4
"""Kinds of cards: tiles, then action cards."""
CARD_NAMES = (*(str(kind) for kind in range(TILES)), "Map", "Bonus", "Destroy", "Malus")
COPIES = np.array([*(copies for _, _, copies in _CARDS), 6, 4, 3, 2], np.int64)
CARDS = int(COPIES.sum())


@rule(inline=True)
def opposite(sides: int) -> int:
    """The opposite sides: those of a tile after a half-turn."""
    return (sides << 2 | sides >> 2) & 15


_SHAPES = [
    (kind, sides, centre, turned)
    for kind, (letters, centre, _) in enumerate(_CARDS)
    for given in (sum(LETTERS[letter] for letter in letters),)
    for turned, sides in enumerate(dict.fromkeys((given, opposite(given))))
]
SHAPES = len(_SHAPES)
ENTRANCE, OBJECTIVE, EMPTY, BORDER = SHAPES, SHAPES + 1, SHAPES + 2, SHAPES + 3
"""The contents of a cell other than tiles."""

SHAPE_NAMES = tuple(f"{kind}_flip" if turned else str(kind) for kind, _, _, turned in _SHAPES)
KIND = np.array([kind for kind, _, _, _ in _SHAPES], np.int64)
"""The card of a shape."""
SIDES = np.array([*(sides for _, sides, _, _ in _SHAPES), 15, 15, 0, 0], np.int64)
"""The open sides of each code."""
THROUGH = np.array([*(centre for _, _, centre, _ in _SHAPES), 1, 1, 0, 0], np.int64)
"""Whether the centre of each code is open."""
KIND_SHAPES = np.array(
    [sum(1 << i for i, shape in enumerate(_SHAPES) if shape[0] == k) for k in range(KINDS)], np.int64
)
"""The shapes of a card, as bits."""


def _fits(need: int) -> int:
    opened, closed = need & 15, need >> 4
    return sum(1 << i for i, (_, sides, _, _) in enumerate(_SHAPES) if opened & ~sides == 0 and closed & sides == 0)


FITS = np.array([_fits(need) for need in range(256)], np.int64)
"""The shapes, as bits, that fit the neighbours of a cell: by the sides that must be open, plus those that must be
closed times 16."""
PASSING = np.array(
    [sum(1 << i for i in range(SHAPES) if THROUGH[i] and sides & ~SIDES[i] == 0) for sides in range(16)], np.int64
)
"""By a set of sides: the shapes, as bits, that connect all of them."""
USE_TILES = (10, 1, 1, 1, 1, 11, 16, 14, 18, 17, 9, 1, 1, 1, 1, 1)
USE = np.array([*USE_TILES, 12, 30, 25, 15], np.int64)
"""How useful a card is for reaching the nugget, in general: tiles 0 to 15, Map, Bonus, Destroy, Malus."""
