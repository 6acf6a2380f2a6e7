"""Encoders: positions as input planes of a network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from spinney.kernel import rule

UNIFORM = "uniform"
"""Stands for a network: uniform priors, and values from rollouts."""


@rule
def no_preparation(s: Any, out: Any) -> None:
    """Players of a position have no work to share."""


@dataclass(frozen=True)
class Encoder:
    """Two rules that connect a game with a network, and the shapes of their data.

    A position is encoded from the point of view of one player, as planes. A network answers with a probability for each
    of its outputs and, if it has a value head, with the player's probability to win.
    """

    version: int
    """Numbers the encoders of a game from 1. A network is used with the version that it was trained with."""
    planes: tuple[str, ...]
    """A description of each plane."""
    height: int
    width: int
    outputs: tuple[str, ...]
    """A description of each output."""
    encode: Callable[..., Any]
    """The rule `(s, player, out, planes, at)`: writes all planes to a flat f32 array, from index `at`. It may use `out`
    as working memory."""
    output: Callable[..., Any]
    """The rule `(s, player, action)`: the output for an action, or -1 if there is none."""
    prepare: Callable[..., Any] = no_preparation
    """The rule `(s, out)`: called once before a position is encoded for some of its players, so that these share work.
    Nothing else uses `out` in between."""
    mirror: tuple[int, ...] = ()
    """If the game is symmetric under reversal of the planes' columns: the mirror image of each output."""

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.planes), self.height, self.width

    @property
    def size(self) -> int:
        """The number of values of an encoded position."""
        return len(self.planes) * self.height * self.width
