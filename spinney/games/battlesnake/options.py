"""The options of BattleSnake: board, number of players, and mode."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Self

import pydantic

from spinney.games.battlesnake.start import FIXED_FROM
from spinney.games.battlesnake.state import LONGEST, MAX_PLAYERS
from spinney.games.options import Options

Mode = Literal["standard", "royale", "wrapped", "constrictor", "wrapped_constrictor"]


class Modes(NamedTuple):
    """The rules that a mode switches on; see the fields of the same names in the state."""

    wrapped: int = 0
    constrictor: int = 0
    royale: int = 0


MODES: dict[Mode, Modes] = {
    "standard": Modes(),
    "royale": Modes(royale=1),
    "wrapped": Modes(wrapped=1),
    "constrictor": Modes(constrictor=1),
    "wrapped_constrictor": Modes(wrapped=1, constrictor=1),
}


def mode_of(s: Any) -> Mode:
    """The mode of a state."""
    return next(mode for mode, flags in MODES.items() if flags == (s.wrapped, s.constrictor, s.royale))


class BattlesnakeOptions(Options):
    players: int = pydantic.Field(
        4, ge=1, le=MAX_PLAYERS, description="number of snakes; a single one plays until it dies"
    )
    width: int = pydantic.Field(11, ge=3, le=LONGEST, description="squares from left to right")
    height: int = pydantic.Field(11, ge=3, le=LONGEST, description="squares from bottom to top")
    mode: Mode = pydantic.Field(
        "standard", description="hazards advance (royale), no walls (wrapped), or snakes grow every turn (constrictor)"
    )
    food_chance: int = pydantic.Field(
        15, ge=0, le=100, description="food spawns after a turn if a random number from 1 to 100 is less than this"
    )
    minimum_food: int = pydantic.Field(
        1,
        ge=0,
        le=LONGEST * LONGEST,
        description="least number of pieces of food on the board, if there are free squares",
    )
    hazard_damage: int = pydantic.Field(
        14, ge=-100, le=100, description="health lost on a hazard in addition to 1 per turn; negative values heal"
    )
    shrink_every: int = pydantic.Field(
        25, ge=1, le=10_000, description="royale: number of turns after which hazards advance by one line"
    )

    @pydantic.model_validator(mode="after")
    def _has_a_start(self) -> Self:
        if self.width == self.height >= FIXED_FROM:
            return self
        middle_x, middle_y = (self.width - 1) // 2, (self.height - 1) // 2
        room = (self.width * self.height + 1) // 2 - (middle_x + middle_y + 1) % 2
        if self.players > room:
            raise ValueError(f"a board of {self.width}x{self.height} has room for {room} snakes, not {self.players}")
        return self

    def modes(self) -> Modes:
        return MODES[self.mode]
