"""The colours of players can be told apart, also by people who confuse colours."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from spinney.show.colours import PALETTE

SEEN = {
    "normal": np.eye(3),
    "protanopia": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "deuteranopia": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "tritanopia": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}
"""What eyes make of linear RGB: Machado, Oliveira, Fernandes (2009), A physiologically-based model."""
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.089])
CLEAR = 12
"""A distance in CIELAB that is seen at once; about 2 is just noticed."""


def linear(colour: str) -> np.ndarray:
    shares = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def lab(shares: np.ndarray) -> np.ndarray:
    x, y, z = np.cbrt(XYZ @ np.clip(shares, 0, 1) / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("ground", ["light", "dark"])
@pytest.mark.parametrize("eyes", SEEN)
def test_four_players_differ(eyes, ground):
    seen = [lab(SEEN[eyes] @ linear(getattr(PALETTE[f"agent-{player}"], ground))) for player in range(4)]
    assert min(np.linalg.norm(one - two) for one, two in combinations(seen, 2)) >= CLEAR


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_players_differ_from_the_background(ground):
    """By the contrast that WCAG asks for of graphics, with numbers on them."""
    paper = XYZ[1] @ linear(getattr(PALETTE["paper"], ground))
    for player in range(8):
        mine = XYZ[1] @ linear(getattr(PALETTE[f"agent-{player}"], ground))
        assert (max(mine, paper) + 0.05) / (min(mine, paper) + 0.05) >= 3
