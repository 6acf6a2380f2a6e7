"""The engine's maps: fractal noise from a seed of 32 bits, mirrored so that all players have equal parts.

The engine draws from the Mersenne twister mt19937, as NumPy's RandomState does. Maps are made once per game; nothing
here is compiled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SIZES = (32, 40, 48, 56, 64)
"""The sizes that the engine draws from."""
PERSISTENCE = 0.7
"""The factor of the amplitude from one octave of the noise to the next."""
LEAST_RICHEST, MOST_RICHEST = 900, 1000
"""The range of the halite of the richest cell."""

Numbers = NDArray[np.float64]


class Map(NamedTuple):
    """A map before the first turn."""

    halite: NDArray[np.int64]
    """By row and column; 0 on shipyards."""
    yards: list[tuple[int, int]]
    """The x and y of the shipyard of each player."""
    luck: list[int]
    """The random number of each player that breaks the last ties."""


def size_from(seed: int) -> int:
    """The size that the engine chooses for a seed."""
    return SIZES[_stream(seed, 1)[0] % len(SIZES)]


def turns_for(size: int) -> int:
    """The number of turns of a game on a map of a size."""
    return 400 if size <= 32 else 400 + (size - 32) * 100 // 32


def make_map(size: int, players: int, seed: int) -> Map:
    """The engine's map for a seed."""
    width = size // 2 if players > 1 else size
    height = size // 2 if players > 2 else size
    halite = _fractal(width, height, seed)
    if players > 1:
        halite = np.hstack([halite, halite[:, ::-1]])
    if players > 2:
        halite = np.vstack([halite, halite[::-1]])
    yards = _yards(size, width, height, players)
    for x, y in yards:
        halite[y, x] = 0
    return Map(halite, yards, [int(number) for number in _stream(seed, players)])


def _stream(seed: int, count: int) -> NDArray[np.uint32]:
    """The first numbers that mt19937 draws for a seed."""
    return np.frombuffer(np.random.RandomState(seed).bytes(4 * count), "<u4")


def _yards(size: int, width: int, height: int, players: int) -> list[tuple[int, int]]:
    """The shipyards: that of the first player is in the middle of its part of the map, or nearer to the others on
    larger maps; the others are mirrored."""
    x, y = width // 2, height // 2
    if 16 <= width <= 40 and 16 <= height <= 40:
        x = int(8 + (width - 16) / 24 * 20)
        if players > 2:
            y = int(8 + (height - 16) / 24 * 20)
    across, down = size - 1 - x, size - 1 - y
    return [(x, y), (across, y), (x, down), (across, down)][:players]


def _fractal(width: int, height: int, seed: int) -> NDArray[np.int64]:
    """The square of a sum of smooth noise with falling wavelengths, down to one cell."""
    cells = width * height
    drawn = _stream(seed, 2 * cells + 1)
    low, high = drawn[0 : 2 * cells : 2].astype(np.float64), drawn[1 : 2 * cells : 2].astype(np.float64)
    uniform = (low + high * 2.0**32) / 2.0**64
    source = (uniform * uniform).reshape(height, width)
    octaves = int(np.log2(min(width, height))) + 1
    amplitude, noise = 1.0, np.zeros((height, width))
    for octave in range(2, octaves + 1):
        noise += amplitude * _interpolated(source, 2 ** (octaves - octave))
        amplitude *= PERSISTENCE
    noise += amplitude * source
    noise *= noise
    richest = int(drawn[-1]) % (MOST_RICHEST - LEAST_RICHEST + 1) + LEAST_RICHEST
    halite: NDArray[np.int64] = np.floor(noise * (richest / noise.max()) + 0.5).astype(np.int64)
    return halite


def _interpolated(source: Numbers, wavelength: int) -> Numbers:
    """Bilinear interpolation between the values at multiples of the wavelength; it wraps around."""
    height, width = source.shape
    grid = source[::wavelength, ::wavelength]
    y, x = np.arange(height), np.arange(width)
    above, left = y // wavelength, x // wavelength
    below, right = (above + 1) % grid.shape[0], (left + 1) % grid.shape[1]
    down, across = ((y % wavelength) / wavelength)[:, None], ((x % wavelength) / wavelength)[None, :]
    top = (1 - across) * grid[np.ix_(above, left)] + across * grid[np.ix_(above, right)]
    bottom = (1 - across) * grid[np.ix_(below, left)] + across * grid[np.ix_(below, right)]
    mixed: Numbers = (1 - down) * top + down * bottom
    return mixed
