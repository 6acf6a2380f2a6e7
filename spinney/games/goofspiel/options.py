"""The options of Goofspiel, with OpenSpiel's names."""

from __future__ import annotations

from typing import Literal

import pydantic

from spinney.games.goofspiel.rules import MAX_CARDS, MAX_PLAYERS
from spinney.games.options import Options


class GoofspielOptions(Options):
    players: int = pydantic.Field(2, ge=2, le=MAX_PLAYERS, description="number of players")
    num_cards: int = pydantic.Field(13, ge=2, le=MAX_CARDS, description="cards of each player, and of the deck")
    points_order: Literal["random", "ascending", "descending"] = pydantic.Field(
        "random", description="order of the prizes"
    )
