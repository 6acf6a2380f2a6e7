"""Leduc poker as text. A position may be a player's view, in which the cards of the others are hidden."""

from __future__ import annotations

from typing import Any

from spinney.games.card import CHANCE, OVER
from spinney.games.dealing import NO_CARD
from spinney.games.leduc_poker import rules
from spinney.games.picture import Tap

RANKS = ("8", "9", "10", "J", "Q", "K")
"""The highest card is always a king."""
SUITS = "♠♥"
ACTIONS = ("fold", "call", "raise")


def draw(s: Any) -> str:
    """The players with their cards and chips, the public card, and who is to move."""
    lines = [f"player {player + 1}: {card_name(s, player):<3}  {facts(s, player)}" for player in range(s.players)]
    return "\n".join([*lines, f"public card: {public_name(s)}; {head(s)}; {_next(s)}"])


def name_action(s: Any, action: int) -> str:
    """Fold, call or raise, or a card that is dealt."""
    if s.turn != CHANCE:
        return ACTIONS[action]
    who = f"player {s.dealt + 1} is dealt" if s.dealt < s.players else "the public card is"
    return f"{who} {_card(s, action)}"


def name_seen(s: Any, action: int, player: int) -> str:
    """The same in a player's view: without the cards of the others."""
    hidden = s.turn == CHANCE and s.dealt < s.players and s.dealt != player
    return "" if hidden else name_action(s, action)


def taps(s: Any, action: int, player: int) -> tuple[Tap, ...]:
    """A button. It says where a call costs nothing."""
    if player == CHANCE:
        return (Tap(name_action(s, action)),)
    name = ACTIONS[action]
    free = action == rules.CALL and s.stake == s.chips[player]
    return (Tap(f"{name} (check)" if free else name, key=name[0]),)


def card_name(s: Any, player: int) -> str:
    """A player's card; a question mark if it is hidden, a dash if it is not dealt yet."""
    if player >= s.dealt:
        return "-"
    return "?" if s.card[player] == NO_CARD else _card(s, s.card[player])


def public_name(s: Any) -> str:
    return "-" if s.public == NO_CARD else _card(s, s.public)


def facts(s: Any, player: int) -> str:
    """What a player has put into the pot, and whether it has folded."""
    n = s.chips[player]
    return f"{n} chip{'s' * (n > 1)}{', folded' * (s.folded >> player & 1)}"


def head(s: Any) -> str:
    return f"round {s.round + 1}, pot {rules.pot(s)}"


def _card(s: Any, card: int) -> str:
    return f"{RANKS[rules.rank(card) - s.players - 1]}{SUITS[card % 2]}"


def _next(s: Any) -> str:
    if s.turn == CHANCE:
        return f"player {s.dealt + 1} is dealt a card" if s.dealt < s.players else "the public card is dealt"
    if s.turn != OVER:
        return f"player {s.turn + 1} moves"
    best = [str(player + 1) for player in range(s.players) if rules.best_hands(s) >> player & 1]
    return f"player {best[0]} wins it" if len(best) == 1 else f"players {' and '.join(best)} share it"
