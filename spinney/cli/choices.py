"""What a person may choose, and what they type for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from spinney.games import State
from spinney.games.picture import Tap
from spinney.play.orders import asked_in_turn

MOST_EXPLAINED = 12
"""Actions whose names are explained."""


class Choices:
    """The legal actions of a player. Cards of a hand are also chosen by their numbers, and then the place."""

    def __init__(self, state: State, player: int) -> None:
        self.state, self.player = state, player
        self.names = {action: state.name(action) for action in state.legal(player)}

    @cached_property
    def taps(self) -> dict[int, tuple[Tap, ...]]:
        return {action: self.state.taps(action, self.player) for action in self.names}

    @cached_property
    def numbered(self) -> dict[str, int]:
        """The actions by the number of the card and the words after it."""
        listed = self.taps.items() if self.state.game.card.has_cards else ()
        return {" ".join(map(_word, taps)): action for action, taps in listed if len(taps) > 1 and taps[0].key}

    @property
    def arrows(self) -> dict[str, str]:
        """The names of the actions that an arrow key stands for."""
        return {
            taps[0].key: self.names[action]
            for action, taps in self.taps.items()
            if len(taps) == 1 and taps[0].key.startswith("Arrow")
        }

    @property
    def example(self) -> str:
        return next(iter(self.numbered or self.names.values()))

    def words_after(self, begun: str) -> list[str]:
        """What may follow the words that were typed, for an action by the number of a card."""
        start = f"{begun} "
        return [words.removeprefix(start) for words in self.numbered if words.startswith(start)]

    def read(self, text: str) -> int:
        """The action that a text stands for."""
        found = self.numbered.get(" ".join(text.lower().split()))
        return self.state.parse(text, self.player) if found is None else found

    def read_order(self, text: str) -> tuple[str, int] | None:
        """An order to any piece of a turn of many orders, such as "ship 3 north"; None if the text names no piece."""
        for ahead in asked_in_turn(self.state, self.player):
            piece = _piece(ahead, self.player)
            if piece and text.lower().startswith(f"{piece} "):
                return piece, ahead.parse(text[len(piece) :], self.player)
        return None

    def places(self, given: Mapping[str, int]) -> dict[int, int]:
        """Orders to pieces by their places in the turn."""
        pieces = [_piece(ahead, self.player) for ahead in asked_in_turn(self.state, self.player)]
        return {place: given[piece] for place, piece in enumerate(pieces) if piece in given}

    @property
    def given_to(self) -> str:
        """The piece whose order is asked for now."""
        return _piece(self.state, self.player)

    def listed(self) -> list[str]:
        """All of them, by the card or the cell that is chosen first."""
        if self.state.game.card.has_turns:
            return [_order_line(ahead, self.player) for ahead in asked_in_turn(self.state, self.player)]
        if all(len(taps) == 1 for taps in self.taps.values()):
            meant = {self.names[action]: taps[0].label for action, taps in self.taps.items()}
            explained = [f"{name}: {label}" for name, label in meant.items() if name.isalpha() and " " in label]
            return [f"legal: {', '.join(self.names.values())}", *explained[:MOST_EXPLAINED]]
        words = {action: words.partition(" ")[2] for words, action in self.numbered.items()}
        groups: dict[str, list[str]] = {}
        for action, taps in self.taps.items():
            head = f"{taps[0].key} for {taps[0].label}" if self.numbered else taps[0].label
            groups.setdefault(head, []).append(words.get(action, self.names[action]))
        return [f"{head}: {', '.join(found)}" for head, found in groups.items()]

    def cards(self) -> str:
        """The hand with its numbers."""
        heads = {taps[0].key: taps[0].label for taps in self.taps.values()}
        listed = sorted((int(key), label.partition(",")[0]) for key, label in heads.items() if key.isdigit())
        return ", ".join(f"{number} {label}" for number, label in listed) if self.numbered else ""


def _word(tap: Tap) -> str:
    """What is typed for a tap: its key, or the numbers of its place."""
    return tap.key if len(tap.key) == 1 else " ".join(re.findall(r"\d+", tap.label)) or tap.label


def _piece(state: State, player: int) -> str:
    """The piece that is asked for an order, as taps name it; empty if they name none."""
    label = state.taps(state.legal(player)[0], player)[0].label
    return label.partition(":")[0] if ":" in label else ""


def _order_line(state: State, player: int) -> str:
    """The orders of a piece, and where it is."""
    tap, piece = state.taps(state.legal(player)[0], player)[0], _piece(state, player)
    at = f" on {tap.x:g},{tap.y:g}" if piece and tap.x is not None and tap.y is not None else ""
    return f"{piece}{at}{': ' * bool(piece)}{', '.join(state.names(player))}"
