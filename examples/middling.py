"""Connect four with a player of your own: it plays in the middle while there is room, else anywhere.

spinney arena examples/middling.py middling heuristic random --games 60
"""

from __future__ import annotations

from spinney.games.connect_four import GAME as CONNECT_FOUR
from spinney.kernel import below, rule

MIDDLE = 3


@rule
def middling(s, player, out, rng):
    """The middle column, or else any that is not full."""
    n = CONNECT_FOUR.rules.legal(s, player, out)  # they are in out.action
    columns = list(out.action[:n])
    return MIDDLE if MIDDLE in columns else columns[below(rng, n)]


GAME = CONNECT_FOUR.extend(middling=middling)
