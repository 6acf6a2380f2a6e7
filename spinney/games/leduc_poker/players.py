"""Hand-written players of Leduc poker."""

from spinney.games.leduc_poker.rules import CALL, FOLD, RAISE, RAISES, strength
from spinney.kernel import rule


@rule
def honest(s, player, out, rng):
    """Raises with a pair or the highest rank, and does not pay to stay in with the lowest ranks."""
    cards = strength(s, player)
    if cards >= s.players and s.raises < RAISES:
        return RAISE
    return FOLD if 2 * cards < s.players and s.stake > s.chips[player] else CALL


@rule
def caller(s, player, out, rng):
    """Always calls."""
    return CALL


@rule
def raiser(s, player, out, rng):
    """Raises as often as it may, then calls."""
    return RAISE if s.raises < RAISES else CALL


PLAYERS = {"honest": honest, "caller": caller, "raiser": raiser}
