"""The options of Halite: the map, the number of players, the length of the game, and the first treasuries."""

from __future__ import annotations

from typing import Literal

import pydantic

from spinney.games.halite.state import LARGEST, MOST_TURNS, SMALLEST
from spinney.games.options import Options


class HaliteOptions(Options):
    players: Literal[1, 2, 4] = pydantic.Field(2, description="number of fleets; a single one plays for its score")
    size: int = pydantic.Field(
        32, ge=0, le=LARGEST, description="cells on each side, 10 to 64 and even; 0: 32, 40, 48, 56 or 64 from the seed"
    )
    turns: int = pydantic.Field(
        0, ge=0, le=MOST_TURNS, description="turns of a game; 0: 400 to 500, more on larger maps"
    )
    energy: int = pydantic.Field(5000, ge=1000, le=1_000_000, description="halite in each treasury at the start")
    inspiration: bool = pydantic.Field(
        True, description="whether a ship with two rivals nearby mines three times as much"
    )
    map_seed: int | None = pydantic.Field(
        None, ge=0, lt=2**32, description="the engine's seed of the map; none: drawn for each game"
    )

    @pydantic.field_validator("size")
    @classmethod
    def _has_a_map(cls, size: int) -> int:
        if size and (size < SMALLEST or size % 2):
            raise ValueError(f"must be 0, or an even number from {SMALLEST} to {LARGEST}")
        return size
