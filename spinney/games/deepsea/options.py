"""The options of Deep Sea Adventure: the number of players, and the edition of the rules."""

from __future__ import annotations

from typing import Literal, NamedTuple

import pydantic

from spinney.games.deepsea.rules import BOUNCE, MAX_PLAYERS, MAY_TURN, MUST_TURN
from spinney.games.options import Options


class Flags(NamedTuple):
    """The rules in which editions differ; see the fields of the same names in the state."""

    bottom: int
    acts_last: int = 1
    drops_any: int = 1
    refills: int = 0
    far_first: int = 1
    far_starts: int = 0


RULESETS = {
    "paper": Flags(bottom=MUST_TURN),
    "official": Flags(bottom=MAY_TURN, far_starts=1),
    "paper_code": Flags(bottom=BOUNCE, acts_last=0, drops_any=0, refills=1, far_first=0),
}


class DeepseaOptions(Options):
    players: int = pydantic.Field(2, ge=2, le=MAX_PLAYERS, description="number of divers")
    ruleset: Literal["paper", "official", "paper_code"] = pydantic.Field(
        "paper", description="rules of the paper's text, of the publisher, or of the paper's program"
    )

    def flags(self) -> Flags:
        return RULESETS[self.ruleset]
