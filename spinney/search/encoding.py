"""Encoding of positions for a network, many at once, in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spinney.errors import BadGame
from spinney.games.card import Card
from spinney.games.encoding import Encoder
from spinney.kernel import bind

Planes = npt.NDArray[np.float32]
"""An array over positions, planes, rows and columns."""


def encoder_of(card: Card) -> Encoder:
    """The newest encoder of a game."""
    if not card.encoders:
        raise BadGame(f"{card.name} has no encoder, so no network can play it; its card needs one")
    return card.encoders[-1]


def make_encode(prepare, encode, size):
    """A function that encodes positions, each for one of its players."""

    def encode_all(states, players, out, planes, n):
        for i in range(n):
            prepare(states[i], out)
            encode(states[i], players[i], out, planes, i * size)

    return encode_all


class PlaneEncoder:
    """An encoder of a game, compiled: the newest, unless another is given."""

    def __init__(self, card: Card, encoder: Encoder | None = None, plain: bool = False) -> None:
        self.encoder = encoder = encoder or encoder_of(card)
        self.state, self.plain = card.rules.State, plain
        self._out: Any = card.out() if plain else card.out.native()
        self._encode = bind(
            make_encode, f"{card.name}/encode", plain=plain, prepare=encoder.prepare, encode=encoder.encode,
            size=encoder.size,
        )  # fmt: skip

    def look(self, states: Any, players: npt.NDArray[np.int64]) -> Planes:
        """The planes of positions, each as one of its players sees it. Positions are a list of plain records, or an
        array of native ones."""
        count = len(states)
        planes = np.empty((count, *self.encoder.shape), np.float32)
        if not self.plain and not isinstance(states, np.ndarray):
            native = np.empty(count, self.state.dtype)
            for i, state in enumerate(states):
                native[i] = self.state.native(state)
            states = native
        self._encode(states, players, self._out, planes.reshape(-1), count)
        return planes
