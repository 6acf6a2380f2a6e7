"""Moves in the notation of the course's program, and its list of legal moves.

The list has a move once for each equal card, and a cell for a tile once for each neighbour that is not empty; its
random player draws from this list. A drop names the card by its index in the hand, whose order is that of the draws:
the state does not have this order, so callers keep it. The player who begins has the number 1, the other one 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spinney.games.saboteur import rules
from spinney.games.saboteur.state import (
    BITS,
    CELLS,
    ENTRANCE_CELL,
    MAX_PLAYERS,
    OBJECTIVES,
    SIZE,
    WORDS,
    cell_at,
    code_at,
    column_of,
    objective_at,
    objective_cell,
    row_of,
)
from spinney.games.saboteur.state import beside as neighbour
from spinney.games.saboteur.tiles import (
    BONUS,
    BORDER,
    CARD_NAMES,
    DESTROY,
    EAST,
    EMPTY,
    FITS,
    KIND,
    KIND_SHAPES,
    MALUS,
    MAP,
    NORTH,
    OBJECTIVE,
    SHAPE_NAMES,
    SHAPES,
    SOUTH,
    TILES,
    WEST,
)  # fmt: skip
from spinney.kernel import rule

Hand = list[int]
"""Kinds of cards, in the order in which they were drawn."""


def seat_of(number: int) -> int:
    """The player with a number of the program, and the number of a player."""
    return MAX_PLAYERS - 1 - number


@rule
def copies(s, player, action):
    """The number of times that the program lists a legal action."""
    if action < rules.LOOK:
        cell, n = action % CELLS, 0
        side = 1
        while side < 16:
            code = code_at(s, neighbour(cell, side))
            if code not in (EMPTY, BORDER):
                n += 1
            side *= 2
        return n * int(s.hand[player, KIND[action // CELLS]])
    if action < rules.CURE:
        return int(s.hand[player, MAP])
    if action == rules.CURE:
        return int(s.hand[player, BONUS])
    if action == rules.BLOCK:
        return int(s.hand[player, MALUS])
    if action < rules.DROP:
        return int(s.hand[player, DESTROY])
    return int(s.hand[player, action - rules.DROP])


def moves(s: Any, player: int, hand: Hand) -> list[str]:
    """The program's list of legal moves, in its order."""
    places = _places(s)
    texts = []
    for kind in hand:
        if kind < TILES:
            if s.malus[player] == 0:
                texts += [
                    tile_text(shape, cell)
                    for shape in range(SHAPES)
                    if KIND_SHAPES[kind] >> shape & 1
                    for cell in places
                    if FITS[s.need[cell]] >> shape & 1
                ]
        elif kind == MAP:
            texts += [_text("Map", 12, 3 + 2 * i) for i in range(OBJECTIVES) if not s.revealed >> i & 1]
        elif kind == BONUS:
            texts += [_text("Bonus", 0, 0)] * (s.malus[player] > 0)
        elif kind == MALUS:
            texts.append(_text("Malus", 0, 0))
        else:
            texts += [_text("Destroy", row_of(cell), column_of(cell)) for cell in cells_of(s.laid)]
    texts += [_text("Drop", i, 0) for i in range(len(hand))]
    return [f"{text} {seat_of(player)}" for text in texts]


def cells_of(words: Sequence[int]) -> list[int]:
    """The cells of a set, row by row."""
    cells = []
    for word in range(WORDS):
        bits = int(words[word])
        while bits:
            cells.append(word * BITS + (bits & -bits).bit_length() - 1)
            bits &= bits - 1
    return cells


def occupied(s: Any) -> list[int]:
    """The cells that hold something, row by row."""
    return sorted([*cells_of(s.laid), ENTRANCE_CELL, *(int(objective_cell(i)) for i in range(OBJECTIVES))])


def _places(s: Any) -> list[int]:
    """The cells where a tile can be laid, once for each neighbour, in the program's order."""
    room = set(cells_of(s.room))
    sides = (WEST, EAST, SOUTH, NORTH)
    return [to for cell in occupied(s) for side in sides for to in (neighbour(cell, side),) if to in room]


def tile_text(shape: int, cell: int) -> str:
    return _text(f"Tile:{SHAPE_NAMES[shape]}", row_of(cell), column_of(cell))


def _text(word: str, x: int, y: int) -> str:
    return f"{word} {x} {y}"


def move_text(action: int, hand: Hand) -> str:
    """An action in the program's notation, without the player's number at the end."""
    if action < rules.LOOK:
        return tile_text(*divmod(action, CELLS))
    if action < rules.CURE:
        return _text("Map", 12, 3 + 2 * (action - rules.LOOK))
    if action < rules.BREAK:
        return _text("Bonus" if action == rules.CURE else "Malus", 0, 0)
    if action < rules.DROP:
        return _text("Destroy", row_of(action - rules.BREAK), column_of(action - rules.BREAK))
    return _text("Drop", hand.index(action - rules.DROP), 0)


def read_move(text: str, hand: Hand) -> int:
    """The action of a text in this notation; a ValueError if there is none."""
    word, x, y = (*text.split(), "", "")[:3]
    row, column = int(x), int(y)
    inside = 0 <= row < SIZE and 0 <= column < SIZE
    if word.startswith("Tile:") and inside and word[5:] in SHAPE_NAMES:
        return SHAPE_NAMES.index(word[5:]) * CELLS + int(cell_at(row, column))
    if word == "Map" and row == 12 and column in (3, 5, 7):
        return rules.LOOK + (column - 3) // 2
    if word == "Destroy" and inside:
        return rules.BREAK + int(cell_at(row, column))
    if word in ("Bonus", "Malus"):
        return rules.CURE if word == "Bonus" else rules.BLOCK
    if word == "Drop" and 0 <= row < len(hand):
        return rules.DROP + hand[row]
    raise ValueError(f"there is no move {text!r}")


def card_of(word: str) -> int:
    """The kind of the card in the first word of a move."""
    return CARD_NAMES.index(word.removeprefix("Tile:").removesuffix("_flip"))


def used(text: str, hand: Hand) -> int:
    """The index in the hand of the card that a move uses."""
    word, x, *_ = text.split()
    return int(x) if word == "Drop" else hand.index(card_of(word))


def board_text(s: Any, objectives: Sequence[str]) -> str:
    """All cells that are not empty, as row, column and name; `objectives` are the names of the objectives."""
    texts = []
    for cell in occupied(s):
        code = s.tile[cell]
        name = SHAPE_NAMES[code] if code < SHAPES else "entrance"
        if code == OBJECTIVE:
            name = objectives[objective_at(cell)]
        texts.append(f"{row_of(cell)},{column_of(cell)},{name}")
    return ";".join(texts)
