"""The options of Breakthrough: the sides of the board."""

from __future__ import annotations

import pydantic

from spinney.games.breakthrough.rules import MAX_SIDE, MIN_SIDE
from spinney.games.options import Options


class BreakthroughOptions(Options):
    rows: int = pydantic.Field(8, ge=MIN_SIDE, le=MAX_SIDE, description="rows of the board")
    columns: int = pydantic.Field(8, ge=MIN_SIDE, le=MAX_SIDE, description="columns of the board")
