"""The options of Colosseum Survival!: the size of the board, and the year of the rules for the first position."""

from __future__ import annotations

from typing import Literal

import pydantic

from spinney.games.colosseum.state import LARGEST, SMALLEST
from spinney.games.options import Options


class ColosseumOptions(Options):
    size: int = pydantic.Field(8, ge=SMALLEST, le=LARGEST, description="cells on each side of the board")
    year: Literal[2022, 2023] = pydantic.Field(
        2022, description="the course's rules for the first position; 2023 has fewer walls"
    )

    def pairs(self) -> int:
        """The number of pairs of walls at the start."""
        return (self.size + 1) // 2 if self.year == 2022 else self.size // 2 - 1

    def keeps_walls(self) -> bool:
        """Whether only the players are drawn again, not the walls, if they cannot reach each other."""
        return self.year == 2023
