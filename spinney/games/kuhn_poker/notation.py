"""Positions of Kuhn poker in one line: the cards of the players, and what they have done, as in `K,? pb`."""

from __future__ import annotations

from typing import Any

from spinney.errors import BadPosition
from spinney.games.card import OVER
from spinney.games.dealing import read_cards
from spinney.games.kuhn_poker import rules
from spinney.games.kuhn_poker.board import RANKS, card_name
from spinney.games.notation import quoted, split

LETTERS = "pb"


def write(s: Any) -> str:
    """The cards, `-` for one that is not dealt and `?` for one that is hidden; `p` to pass, `b` to bet."""
    cards = ",".join(card_name(s, player) for player in range(s.players))
    return f"{cards} {''.join(_action(s, i) for i in range(s.taken)) or '-'}"


def _action(s: Any, i: int) -> str:
    """What the player who acted in a step has done: each acts once until the first bet, and all others once more."""
    if s.first == rules.NOBODY or i < s.first:
        return LETTERS[rules.PASS]
    return LETTERS[rules.BET if i == s.first or s.bets >> i % s.players & 1 else rules.PASS]


def read(text: str, options: Any) -> Any:
    """The cards are different, and the actions those of a game."""
    cards, actions = split(text, " ", "the position", "the cards", "the actions")
    s: Any = rules.State()
    rules.start(s, options, None)
    names = {RANKS[card - s.players - 1]: card for card in range(s.players + 1)}
    read_cards(s, cards.split(","), names)
    for i, letter in enumerate("" if actions == "-" else actions, 1):
        if letter not in LETTERS:
            raise BadPosition(f"action {i} is {quoted(letter)}; allowed: p (pass), b (bet)")
        if not 0 <= s.turn < s.players:
            why = "the game is over" if s.turn == OVER else "not all cards are dealt"
            raise BadPosition(f"there can be no action {i}, {quoted(letter)}: {why}")
        rules.apply(s, LETTERS.index(letter))
    return s
