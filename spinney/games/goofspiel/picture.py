"""Goofspiel as a picture."""

from __future__ import annotations

from typing import Any

from spinney.games.card import CHANCE
from spinney.games.goofspiel.board import head
from spinney.games.picture import GOLD, INK, PAPER, PLAYERS, QUIET, SOFT, Mark, Picture, Tap, digit, letter, square


def picture(s: Any) -> Picture:
    """A row for the prizes, with the one that is bid for in gold, and a row for the cards of each player."""
    cards, players = int(s.cards), int(s.players)
    marks: dict[Any, Mark] = {}
    for card in range(cards):
        if s.deck >> card & 1 or card == s.prize:
            marks["prize", card] = square(card, 0, GOLD if card == s.prize else PAPER, 0.8, QUIET)
            marks["worth", card] = letter(card, 0, card + 1, INK, 0.5)
        for player in range(players):
            if s.hand[player] >> card & 1:
                marks["card", player, card] = square(card, player + 1, PAPER, 0.8, QUIET)
                marks["rank", player, card] = letter(card, player + 1, card + 1, PLAYERS[player], 0.5)
    facts = [f"points {s.points[player]}" for player in range(players)]
    return Picture(cards, players + 1, [SOFT] * (cards * (players + 1)), marks, head(s), facts, grid=0)


def taps(s: Any, action: int, player: int) -> tuple[Tap, ...]:
    """A card of the player, or the prize that is turned over."""
    label, row = (f"prize {action + 1}", 0) if player == CHANCE else (f"card {action + 1}", player + 1)
    return (Tap(label, action, row, key=digit(action + 1)),)
