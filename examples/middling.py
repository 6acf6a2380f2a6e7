"""Connect four with a player of your own: it plays in the middle column while that is not full, else in any other.

spinney arena examples/middling.py middling heuristic random --games 60
"""

from __future__ import annotations

from spinney.games.connect_four import GAME as CONNECT_FOUR
from spinney.kernel import below, rule

MIDDLE = 3


@rule
def middling(s, player, out, rng):
    """The middle column, or any other if that is full."""
    n = CONNECT_FOUR.rules.legal(s, player, out)  # written to out.action
    columns = list(out.action[:n])
    return MIDDLE if MIDDLE in columns else columns[below(rng, n)]


GAME = CONNECT_FOUR.extend(middling=middling)
