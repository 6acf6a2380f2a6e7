"""Hand-written players of Goofspiel."""

from spinney.kernel import below, rule
from spinney.kernel.bits import count, lowest, nth


@rule(inline=True)
def random(s, player, out, rng):
    """Any card of the hand, all equally likely."""
    hand = int(s.hand[player])
    return nth(hand, below(rng, count(hand)))


@rule(inline=True)
def at_least(s, player, card):
    """The lowest card of the hand that is as high as this one, else the lowest of all."""
    hand = int(s.hand[player])
    high = hand >> card << card
    return lowest(high if high != 0 else hand)


@rule
def match(s, player, out, rng):
    """Bids the card with the value of the prize, the best answer to bids at random (Ross 1971)."""
    return at_least(s, player, int(s.prize))


@rule
def overbid(s, player, out, rng):
    """Bids one more than the prize, which beats a player who bids its value; gives up the highest prize."""
    return at_least(s, player, int(s.prize) + 1)


PLAYERS = {"random": random, "match": match, "overbid": overbid}
