"""Saboteur: a card of the hand, then the place on the board or what to do with the card."""

from __future__ import annotations

from typing import Any

from spinney.games.card import CHANCE
from spinney.games.picture import Tap
from spinney.games.saboteur import rules, state, tiles
from spinney.games.saboteur.board import name_action
from spinney.games.saboteur.picture import hand_place, place
from spinney.games.saboteur.recording import cards

SIDE_NAMES = dict(zip(tiles.CLOCKWISE, ("north", "east", "south", "west"), strict=True))


def taps(s: Any, action: int, player: int) -> tuple[Tap, ...]:
    """Two taps; a third one where a tile fits both unturned and turned."""
    if player == CHANCE:
        name = name_action(s, action)
        return (cell_tap(state.objective_cell(action), name) if s.phase == rules.HIDING else Tap(name),)
    card = _card(s, player, rules.card_of(action))
    if action < rules.LOOK:
        return (card, *_tile(s, *divmod(action, state.CELLS)))
    if action < rules.CURE:
        return card, cell_tap(state.objective_cell(action - rules.LOOK), "look at the objective")
    if action < rules.BREAK:
        return card, Tap("undo a Malus of yours" if action == rules.CURE else "block the other player", key="p")
    if action < rules.DROP:
        return card, cell_tap(action - rules.BREAK, "destroy the tile")
    return card, Tap("drop it", key="d")


def _card(s: Any, player: int, kind: int) -> Tap:
    """A card of the hand with its copies, which are beside it; the key is the number of the first."""
    hand = cards(s, player)
    first, copies = hand.index(kind), hand.count(kind)
    (x, y), (last, _) = hand_place(player, first), hand_place(player, first + copies - 1)
    name = tiles.CARD_NAMES[kind]
    label = f"tile {name}, {_openings(tiles.SHAPE_NAMES.index(name))}" if kind < tiles.TILES else name
    return Tap(label, (x + last) / 2, y, last - x + 3, 3, key=str(first + 1))


def _tile(s: Any, shape: int, cell: int) -> tuple[Tap, ...]:
    """The cell, then how the tile is turned if there is a choice."""
    at, name = cell_tap(cell, "lay the tile"), tiles.SHAPE_NAMES[shape]
    if not _both_ways(s, shape, cell):
        return (at,)
    turned = name.endswith("_flip")
    return at, Tap(f"{'turned' if turned else 'not turned'}: {_openings(shape)}", key="t" if turned else "n")


def _both_ways(s: Any, shape: int, cell: int) -> bool:
    """Whether the card fits a cell unturned and turned."""
    fitting = int(tiles.FITS[s.need[cell]]) & int(tiles.KIND_SHAPES[tiles.KIND[shape]])
    return fitting.bit_count() > 1


def _openings(shape: int) -> str:
    sides = " ".join(name for side, name in SIDE_NAMES.items() if tiles.SIDES[shape] & side)
    return f"open {sides}" if tiles.THROUGH[shape] else f"open {sides}, blocked inside"


def cell_tap(cell: int, does: str) -> Tap:
    x, y = place(cell)
    return Tap(f"{does}: row {state.row_of(cell)}, column {state.column_of(cell)}", x, y, 3, 3)
