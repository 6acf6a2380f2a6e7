"""Kuhn poker as text. A position may be a player's view, in which the cards of the others are hidden."""

from __future__ import annotations

from typing import Any

from spinney.games.card import CHANCE, OVER
from spinney.games.dealing import NO_CARD
from spinney.games.kuhn_poker import rules
from spinney.games.picture import Tap

RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
"""The highest card is always a king."""
ACTIONS = ("pass", "bet")
MEANINGS = ("fold", "call")
"""Of the actions after a bet."""


def draw(s: Any) -> str:
    """The players with their cards and chips, and who is to move."""
    lines = [f"player {player + 1}: {card_name(s, player):<2}  {chips_in(s, player)}" for player in range(s.players)]
    return "\n".join([*lines, f"{pot(s)}; {_next(s)}"])


def name_action(s: Any, action: int) -> str:
    """Pass or bet, or a card that is dealt."""
    return f"player {s.dealt + 1} is dealt {_rank(s, action)}" if s.turn == CHANCE else ACTIONS[action]


def name_seen(s: Any, action: int, player: int) -> str:
    """The same in a player's view: without the cards of the others."""
    return "" if s.turn == CHANCE and s.dealt != player else name_action(s, action)


def taps(s: Any, action: int, player: int) -> tuple[Tap, ...]:
    """A button. After a bet it says what passing and betting mean."""
    if player == CHANCE:
        return (Tap(name_action(s, action), key=_rank(s, action)[-1].lower()),)
    name = ACTIONS[action]
    meaning = "" if s.first == rules.NOBODY else f" ({MEANINGS[action]})"
    return (Tap(name + meaning, key=name[0]),)


def card_name(s: Any, player: int) -> str:
    """A player's card; a question mark if it is hidden, a dash if it is not dealt yet."""
    if player >= s.dealt:
        return "-"
    return "?" if s.card[player] == NO_CARD else _rank(s, s.card[player])


def chips_in(s: Any, player: int) -> str:
    """What a player has put into the pot."""
    n = rules.chips(s, player)
    return f"{n} chip{'s' * (n > 1)}"


def pot(s: Any) -> str:
    return f"pot {sum(rules.chips(s, player) for player in range(s.players))}"


def _rank(s: Any, card: int) -> str:
    return RANKS[card - s.players - 1]


def _next(s: Any) -> str:
    if s.turn == CHANCE:
        return f"player {s.dealt + 1} is dealt a card"
    return f"player {rules.winner(s) + 1} wins it" if s.turn == OVER else f"player {s.turn + 1} moves"
