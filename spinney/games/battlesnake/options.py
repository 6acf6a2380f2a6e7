"""The options of BattleSnake: the board, how many play, and by which rules."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Self

import pydantic

from spinney.games.battlesnake.start import FIXED_FROM
from spinney.games.battlesnake.state import LONGEST, MAX_PLAYERS
from spinney.games.options import Options

Mode = Literal["standard", "royale", "wrapped", "constrictor", "wrapped_constrictor"]


class Modes(NamedTuple):
    """What modes are made of; see the fields of the same names in the state."""

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
    """The mode that a state is played in."""
    return next(mode for mode, flags in MODES.items() if flags == (s.wrapped, s.constrictor, s.royale))


class BattlesnakeOptions(Options):
    players: int = pydantic.Field(4, ge=1, le=MAX_PLAYERS, description="how many snakes; one plays until it dies")
    width: int = pydantic.Field(11, ge=3, le=LONGEST, description="squares from left to right")
    height: int = pydantic.Field(11, ge=3, le=LONGEST, description="squares from bottom to top")
    mode: Mode = pydantic.Field(
        "standard",
        description="hazards close in (royale), no walls (wrapped), or snakes that only grow (constrictor)",
    )
    food_chance: int = pydantic.Field(
        15, ge=0, le=100, description="food appears after a turn if a number from 1 to 100 is less than this"
    )
    minimum_food: int = pydantic.Field(
        1, ge=0, le=LONGEST * LONGEST, description="pieces of food that there are always, if there is room"
    )
    hazard_damage: int = pydantic.Field(
        14, ge=-100, le=100, description="health that a hazard takes besides the usual 1; less than 0 heals"
    )
    shrink_every: int = pydantic.Field(
        25, ge=1, le=10_000, description="royale: turns until hazards come one line nearer"
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
