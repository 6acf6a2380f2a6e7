"""Leduc poker as a picture."""

from __future__ import annotations

from typing import Any

from spinney.games.leduc_poker.board import card_name, facts, head, public_name
from spinney.games.picture import GOLD, INK, PAPER, PLAYERS, QUIET, SOFT, Mark, Picture, disc, letter, square


def picture(s: Any) -> Picture:
    """A column for each player, with the card and below it the chips, and the public card on the right."""
    marks: dict[Any, Mark] = {}
    names = [*(card_name(s, player) for player in range(s.players)), public_name(s)]
    for place, name in enumerate(names):
        public = place == s.players
        folded = not public and s.folded >> place & 1
        colour = INK if public else QUIET if folded else PLAYERS[place]
        marks["card", place] = square(place, 0, SOFT if folded else PAPER, 0.8, QUIET)
        marks["rank", place] = letter(place, 0, name, colour, 0.4)
    for player in range(s.players):
        marks["chips", player] = disc(player, 1, GOLD, 0.7, QUIET)
        marks["number", player] = letter(player, 1, s.chips[player], INK, 0.4)
    width = int(s.players) + 1
    shown = [f"{card_name(s, player)}, {facts(s, player)}" for player in range(s.players)]
    return Picture(width, 2, [SOFT] * (2 * width), marks, head(s), shown, grid=0)
