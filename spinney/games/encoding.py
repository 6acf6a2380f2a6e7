"""How a position becomes numbers for a network: a game's encoder, which its card may hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

UNIFORM = "uniform"
"""The name of no network: all actions are equally likely, and values come from rollouts."""


@dataclass(frozen=True)
class Encoder:
    """Two rules, and what is known about their numbers.

    A position is encoded from the point of view of one player, as planes of squares. A network answers with a
    probability for each of its outputs, and perhaps with how likely that player is to win.
    """

    version: int
    """Counts up from 1 with every encoder of a game: a network looks with the one that it was made for."""
    planes: tuple[str, ...]
    """What each plane shows."""
    height: int
    width: int
    outputs: tuple[str, ...]
    """What each output stands for."""
    encode: Callable[..., Any]
    """The rule `(s, player, out, planes, at)`: writes all planes to a flat array of f32, from index `at` on. The record
    of answers is there to work with."""
    output: Callable[..., Any]
    """The rule `(s, player, action)`: the output that stands for an action, or -1 if none does."""
    mirror: tuple[int, ...] = ()
    """If planes whose columns are reversed are a position as well: the output that each one becomes."""

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.planes), self.height, self.width

    @property
    def size(self) -> int:
        """How many numbers a position is."""
        return len(self.planes) * self.height * self.width
