"""The actions that are worth a search for who wants to reach the nugget."""

from spinney.games.parts import Rule
from spinney.games.saboteur.means_ends import danger, least_of, toll, weigh
from spinney.kernel import rule

MARGIN = 3.0
"""Ticks that an action may cost more than the best to be looked at."""


@rule
def planner(s, player, out):
    """What `means_ends` would do, and all that it takes for nearly as good, whether or not it minds the other."""
    n, alarm = weigh(s, player, out), danger(s)
    bold = toll(out, least_of(out, n, 0.0), 0.0) + MARGIN
    wary = toll(out, least_of(out, n, alarm), alarm) + MARGIN
    kept = 0
    for i in range(n):
        if toll(out, i, 0.0) < bold or toll(out, i, alarm) < wary:
            out.action[kept] = int(out.weight[i])
            kept += 1
    return kept


CHECKS: dict[str, Rule] = {"planner": planner}
