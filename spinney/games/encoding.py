"""How a position becomes numbers for a network: a game's encoder, which its card may hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
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
    """Counts up whenever the numbers change their meaning: networks of another version are refused."""
    planes: tuple[str, ...]
    """What each plane shows."""
    height: int
    width: int
    outputs: tuple[str, ...]
    """What each output stands for."""
    encode: Callable[..., Any]
    """The rule `(s, player, planes, at)`: writes all planes to a flat array of f32, from index `at` on."""
    output: Callable[..., Any]
    """The rule `(s, player, action)`: the output that stands for an action, or -1 if none does."""
    mirror: tuple[int, ...] = ()
    """If planes whose columns are reversed are a position as well: the output that each one becomes."""
    weights: Path | None = None
    """A folder with networks that come with the game."""
    default: str = UNIFORM
    """The one of them that plays unless another is named."""

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.planes), self.height, self.width

    @property
    def size(self) -> int:
        """How many numbers a position is."""
        return len(self.planes) * self.height * self.width
