"""The static check `planner`: the actions that help to reach the nugget."""

from spinney.games.parts import Rule
from spinney.games.saboteur.means_ends import best_candidate, danger, rate, total_cost
from spinney.kernel import rule

MARGIN = 3.0
"""Actions are listed if they cost less than this, in ticks, above the best."""


@rule
def planner(s, player, out):
    """The candidates of `means_ends` whose cost is near that of the best, with or without the risk of a defeat."""
    work = out.scratch
    n, alarm = rate(s, player, work), danger(s)
    bold = total_cost(work, best_candidate(work, n, 0.0), 0.0) + MARGIN
    wary = total_cost(work, best_candidate(work, n, alarm), alarm) + MARGIN
    kept = 0
    for i in range(n):
        if total_cost(work, i, 0.0) < bold or total_cost(work, i, alarm) < wary:
            out.action[kept] = work.candidate[i]
            kept += 1
    return kept


CHECKS: dict[str, Rule] = {"planner": planner}
