"""What a diver can expect of the rest of a round: simulations in which all divers are simple ones."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from spinney.games.card import OVER, out_record
from spinney.games.deepsea import rules
from spinney.games.deepsea.players import make_heuristic
from spinney.games.deepsea.styles import OPPONENT_MODELS
from spinney.kernel import Rng, assign, below, bind, seeded

SIMULATIONS = 2000
SELF = make_heuristic(2)
"""How the diver itself goes on: the rollout player of the champion."""
OTHERS = OPPONENT_MODELS["simple"]
"""How others go on: in every simulation, each is another of these."""
HOME, POINTS = 0, 1
"""What is summed up."""


def make_rest_of_round(mover: Any, apply: Any, chance: Any, own: Any, others: Any, models: int) -> Any:
    """Simulations of the rest of a round after an action."""

    def rest_of_round(start: Any, s: Any, player: Any, action: Any, out: Any, rng: Any, n: Any, sums: Any) -> None:
        for _ in range(n):
            assign(s, start)
            for one in range(s.players):
                out.role[one] = below(rng, models)
            before, home, step = s.score[player], 0, action
            while True:
                apply(s, step)
                if s.round != start.round or mover(s) == OVER:
                    break
                home = s.home[player]
                who = mover(s)
                if who < 0:
                    step = chance(s, rng)
                elif who == player:
                    step = own(s, who, out, rng)
                else:
                    step = others(s, who, out, rng)
            sums[HOME] += home
            sums[POINTS] += s.score[player] - before

    return rest_of_round


@cache
def _compiled() -> Any:
    return bind(
        make_rest_of_round, "deepsea/forecast", mover=rules.mover, apply=rules.apply, chance=rules.chance, own=SELF,
        others=OTHERS.policy, models=len(OTHERS.specs),
    )  # fmt: skip


def forecast(s: Any, player: int, action: int, simulations: int = SIMULATIONS) -> tuple[float, float]:
    """The share of simulations in which a diver gets home after an action, and the points that it gets on average. The
    same position has the same figures."""
    native, out = rules.State.native, out_record(rules.MAX_ACTIONS, rules.MAX_PLAYERS)
    start, work, sums = native(s), native(s), np.zeros(2)
    _compiled()(start, work, player, action, out.native(), Rng.native(seeded(1)), simulations, sums)
    return float(sums[HOME]) / simulations, float(sums[POINTS]) / simulations
