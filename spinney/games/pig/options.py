"""The options of Pig, with OpenSpiel's names."""

from __future__ import annotations

import pydantic

from spinney.games.options import Options
from spinney.games.pig.rules import MAX_FACES, MAX_PLAYERS


class PigOptions(Options):
    players: int = pydantic.Field(2, ge=2, le=MAX_PLAYERS, description="number of players")
    winscore: int = pydantic.Field(100, ge=1, le=1_000_000, description="points that win")
    horizon: int = pydantic.Field(1000, ge=1, le=1_000_000, description="actions after which nobody has won")
    diceoutcomes: int = pydantic.Field(6, ge=2, le=MAX_FACES, description="faces of the die")
    piglet: bool = pydantic.Field(False, description="every face but the one counts a single point")
