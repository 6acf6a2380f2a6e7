"""Positions of Saboteur from tiles and hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spinney.games.saboteur import rules
from spinney.games.saboteur.state import State, cell_at, lay
from spinney.games.saboteur.tiles import CARD_NAMES, KIND, KIND_SHAPES, SHAPE_NAMES


def position(
    tiles: Sequence[tuple[str, int, int]] = (),
    hands: tuple[Sequence[str], Sequence[str]] = ((), ()),
    nugget: int = 1,
    player: int = 0,
    turn: int = 1,
    deck: Sequence[str] | None = None,
) -> Any:
    """A position from tiles (name, row, column), which are laid as they are given, and the cards of the players. The
    deck has all other cards, or these."""
    s = State()
    rules.start(s, None, None)
    s.nugget, s.phase, s.player, s.turn = nugget, rules.MOVING, player, turn
    for name, row, column in tiles:
        shape = SHAPE_NAMES.index(name)
        lay(s, cell_at(row, column), shape)
        _remove(s, int(KIND[shape]))
    for owner, hand in enumerate(hands):
        for name in hand:
            kind = CARD_NAMES.index(name)
            _remove(s, kind)
            s.hand[owner, kind] += 1
            s.hand_size[owner] += 1
            s.shapes[owner] |= int(KIND_SHAPES[kind])
    if deck is not None:
        for kind, name in enumerate(CARD_NAMES):
            if list(deck).count(name) > s.deck[kind]:
                raise ValueError(f"there are more cards {name} than the deck has")
            s.deck[kind] = list(deck).count(name)
        s.deck_size = len(deck)
    return s


def _remove(s: Any, kind: int) -> None:
    """A card leaves the deck."""
    if s.deck[kind] == 0:
        raise ValueError(f"there are more cards {CARD_NAMES[kind]} than the deck has")
    s.deck[kind] -= 1
    s.deck_size -= 1
