"""The options of Leduc poker."""

from __future__ import annotations

import pydantic

from spinney.games.leduc_poker.rules import MAX_PLAYERS
from spinney.games.options import Options


class LeducOptions(Options):
    players: int = pydantic.Field(2, ge=2, le=MAX_PLAYERS, description="number of players")
