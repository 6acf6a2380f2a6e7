"""A game of Halite between collectors and random players, as one function that is compiled once for all tests."""

from __future__ import annotations

from spinney.games.card import OVER, uniform_player
from spinney.games.halite import rules
from spinney.games.halite.players import collector
from spinney.kernel import bind

random_player = uniform_player(rules.legal)


def make_match():
    def match(s, out, rng, clever):
        """Play to the end, the first so many players as collectors, the others at random.

        Return the number of orders, and how many ships the first player lost more than 40 turns before the end."""
        orders, lost, fleet, turn = 0, 0, 0, 0
        while rules.mover(s) != OVER:
            player = int(s.mover)
            if s.turn > turn:
                turn = int(s.turn)
                if s.fleet[0] < fleet and s.turn < s.turns - 40:
                    lost += fleet - s.fleet[0]
                fleet = int(s.fleet[0])
            if player < clever:
                rules.apply(s, collector(s, player, out, rng))
            else:
                rules.apply(s, random_player(s, player, out, rng))
            orders += 1
        return orders, lost

    return match


def compiled():
    return bind(make_match, "halite/match")
