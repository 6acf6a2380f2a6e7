"""Positions of Leduc poker in one line: the cards of the players, the public card, and the actions of both rounds, as
in `Ks,? Jh crc/r`."""

from __future__ import annotations

from typing import Any

from spinney.errors import BadPosition
from spinney.games.card import CHANCE, OVER, out_record
from spinney.games.dealing import NO_CARD, read_cards
from spinney.games.leduc_poker import rules
from spinney.games.leduc_poker.board import RANKS
from spinney.games.notation import quoted, split

LETTERS = "fcr"
SUITS = "sh"
"""Spades and hearts."""


def write(s: Any) -> str:
    """The cards, `-` for one that is not dealt and `?` for one that is hidden; `f` to fold, `c` to call, `r` to
    raise."""
    cards = ["-" if player >= s.dealt else _name(s.players, s.card[player], "?") for player in range(s.players)]
    return f"{','.join(cards)} {_name(s.players, s.public, '-')} {_actions(s) or '-'}"


def _name(players: int, card: int, none: str) -> str:
    return none if card == NO_CARD else f"{RANKS[rules.rank(card) - players - 1]}{SUITS[card % 2]}"


def _actions(s: Any) -> str:
    """All actions, with a slash where the first round ends."""
    digits, line = [], s.line
    while line > 0:
        digits.append(line % 4 - 1)
        line //= 4
    again: Any = rules.State()
    again.players, again.dealt, again.stake, again.chips[:] = s.players, s.players, 1, [1] * rules.MAX_PLAYERS
    words = ""
    for action in reversed(digits):
        if again.turn == CHANCE:
            again.turn = rules.next_player(again, -1)
        rules.bet(again, action)
        words += LETTERS[action] + "/" * (again.turn == CHANCE)
    return words


def read(text: str, options: Any) -> Any:
    """The cards are different, the actions legal, and there is a public card only after the first round."""
    cards, public, actions = split(text, " ", "the position", "the cards", "the public card", "the actions")
    s: Any = rules.State()
    rules.start(s, options, None)
    names = {_name(s.players, card, ""): card for card in range(2 * (s.players + 1))}
    if public not in (*names, "-"):
        raise BadPosition(f"the public card is {quoted(public)}; allowed: {', '.join(names)}, -")
    read_cards(s, cards.split(","), names)
    done = 0
    for letter in "" if actions == "-" else actions:
        if letter == "/":  # that it is where it belongs is checked when the position is written again
            continue
        done += 1
        _act(s, letter, done, names.get(public))
    if s.turn == CHANCE and s.dealt == s.players and public != "-":
        _turn_over(s, names[public])
    if public != "-" and s.public == NO_CARD:
        raise BadPosition(f"the public card is {public}, and the first round has not ended; allowed: -")
    return s


def _act(s: Any, letter: str, number: int, public: int | None) -> None:
    if letter not in LETTERS:
        raise BadPosition(f"action {number} is {quoted(letter)}; allowed: f (fold), c (call), r (raise)")
    if s.turn == CHANCE and s.dealt == s.players and public is not None:
        _turn_over(s, public)
    if not 0 <= s.turn < s.players:
        why = "the game is over" if s.turn == OVER else "cards have to be dealt before"
        raise BadPosition(f"there can be no action {number}, {quoted(letter)}: {why}")
    out: Any = out_record(rules.MAX_ACTIONS, rules.MAX_PLAYERS)()
    legal = out.action[: rules.legal(s, s.turn, out)]
    if LETTERS.index(letter) not in legal:
        raise BadPosition(
            f"action {number} is {quoted(letter)}; allowed there: {', '.join(LETTERS[action] for action in legal)}"
        )
    rules.apply(s, LETTERS.index(letter))


def _turn_over(s: Any, public: int) -> None:
    if not s.deck >> public & 1:
        raise BadPosition(f"the public card {_name(s.players, public, '')} is in a hand, too")
    rules.apply(s, public)
