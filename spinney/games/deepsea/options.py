"""The options of Deep Sea Adventure: the number of players, and the edition of the rules."""

from __future__ import annotations

from typing import Literal

import pydantic

from spinney.games.deepsea.rules import BOUNCE, MAX_PLAYERS, MAY_TURN, MUST_TURN
from spinney.games.options import Options

RULESETS = {
    "paper": {"bottom": MUST_TURN, "acts_last": 1, "drops_any": 1, "far_first": 1, "ties_broken": 1},
    "official": {"bottom": MAY_TURN, "acts_last": 1, "drops_any": 1, "far_first": 1, "ties_broken": 1, "far_starts": 1},
    "paper_code": {"bottom": BOUNCE, "refills": 1},
}
"""The fields of the state in which editions differ; those that are left out are 0."""


class DeepseaOptions(Options):
    players: int = pydantic.Field(2, ge=2, le=MAX_PLAYERS, description="number of divers")
    ruleset: Literal["paper", "official", "paper_code"] = pydantic.Field(
        "paper", description="rules of the paper's text, of the publisher, or of the paper's program"
    )

    def flags(self) -> dict[str, int]:
        return RULESETS[self.ruleset]
