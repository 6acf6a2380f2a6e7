"""Goofspiel as text."""

from __future__ import annotations

from typing import Any

from spinney.games.card import CHANCE, OVER
from spinney.games.goofspiel.rules import MAX_CARDS, NO_PRIZE


def draw(s: Any) -> str:
    """The points and cards of the players, and the prizes."""
    lines = [f"player {player + 1}: {s.points[player]:>2} points, {hand(s, player)}" for player in range(s.players)]
    return "\n".join([*lines, head(s)])


def name_action(s: Any, action: int) -> str:
    """The value of the card."""
    return f"prize {action + 1}" if s.phase == CHANCE else str(action + 1)


def hand(s: Any, player: int) -> str:
    """The cards of a player."""
    return f"cards {_cards(s.hand[player])}"


def head(s: Any) -> str:
    """The prize, and those to come."""
    if s.phase == OVER:
        return "all prizes are taken"
    prize = "the next prize is turned over" if s.prize == NO_PRIZE else f"prize {s.prize + 1}"
    return f"{prize}; to come: {_cards(s.deck)}"


def _cards(bits: int) -> str:
    return " ".join(str(card + 1) for card in range(MAX_CARDS) if bits >> card & 1) or "none"
