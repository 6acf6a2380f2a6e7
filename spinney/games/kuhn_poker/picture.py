"""Kuhn poker as a picture."""

from __future__ import annotations

from typing import Any

from spinney.games.kuhn_poker import rules
from spinney.games.kuhn_poker.board import card_name, chips_in, pot
from spinney.games.picture import GOLD, PAPER, PLAYERS, QUIET, SOFT, Mark, Picture, disc, letter, square


def picture(s: Any) -> Picture:
    """A column for each player: the card, and below it the chips."""
    marks: dict[Any, Mark] = {}
    for player in range(s.players):
        marks["card", player] = square(player, 0, PAPER, 0.8, QUIET)
        marks["rank", player] = letter(player, 0, card_name(s, player), PLAYERS[player % len(PLAYERS)], 0.5)
        for chip in range(rules.chips(s, player)):
            marks["chip", player, chip] = disc(player - 0.2 + 0.4 * chip, 1, GOLD, 0.36, QUIET)
    facts = [f"{card_name(s, player)}, {chips_in(s, player)}" for player in range(s.players)]
    return Picture(int(s.players), 2, [SOFT] * (2 * s.players), marks, pot(s), facts, grid=0)
