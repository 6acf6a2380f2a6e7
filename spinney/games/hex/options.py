"""The options of Hex, with OpenSpiel's names."""

from __future__ import annotations

import pydantic

from spinney.games.hex.rules import MAX_SIZE
from spinney.games.options import Options


class HexOptions(Options):
    board_size: int = pydantic.Field(11, ge=2, le=MAX_SIZE, description="cells on each side of the board")
