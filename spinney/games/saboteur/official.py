"""Moves in the notation of the course's program, and its list of legal moves.

The list has a move once for each equal card, and a cell for a tile once for each neighbour that is not empty; its
random player draws from this list. A drop names the card by its index in the hand, whose order is that of the draws:
the state does not have this order, so callers keep it. The player who begins has the number 1, the other one 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spinney.games.saboteur import rules, state, tiles
from spinney.kernel import rule

Hand = list[int]
"""Kinds of cards, in the order in which they were drawn."""


def seat_of(number: int) -> int:
    """The player with a number of the program, and the number of a player."""
    return state.MAX_PLAYERS - 1 - number


@rule
def copies(s, player, action):
    """The number of times that the program lists a legal action."""
    n = int(s.hand[player, rules.card_of(action)])
    if action >= rules.LOOK:
        return n
    neighbours = 0
    for number in range(4):
        if s.tile[state.beside(action % state.CELLS, 1 << number)] not in (tiles.EMPTY, tiles.BORDER):
            neighbours += 1
    return n * neighbours


def moves(s: Any, player: int, hand: Hand) -> list[str]:
    """The program's list of legal moves, in its order."""
    places = _places(s)
    texts = []
    for kind in hand:
        if kind < tiles.TILES:
            if s.malus[player] == 0:
                shapes = [shape for shape in range(tiles.SHAPES) if tiles.KIND[shape] == kind]
                laid = [(shape, cell) for shape in shapes for cell in places if tiles.FITS[s.need[cell]] >> shape & 1]
                texts += [move_text(shape * state.CELLS + cell) for shape, cell in laid]
        elif kind == tiles.MAP:
            texts += [move_text(rules.LOOK + i) for i in range(state.OBJECTIVES) if not s.revealed >> i & 1]
        elif kind == tiles.BONUS:
            texts += [move_text(rules.CURE)] * (s.malus[player] > 0)
        elif kind == tiles.MALUS:
            texts.append(move_text(rules.BLOCK))
        else:
            texts += [move_text(rules.BREAK + cell) for cell in cells_of(s.laid)]
    texts += [f"Drop {i} 0" for i in range(len(hand))]
    return [f"{text} {seat_of(player)}" for text in texts]


def cells_of(words: Sequence[int]) -> list[int]:
    """The cells of a set, row by row."""
    return [state.BITS * i + bit for i in range(state.WORDS) for bit in range(state.BITS) if words[i] >> bit & 1]


def occupied(s: Any) -> list[int]:
    """The cells that hold something, row by row."""
    objectives = map(state.objective_cell, range(state.OBJECTIVES))
    return sorted([*cells_of(s.laid), state.ENTRANCE_CELL, *objectives])


def _places(s: Any) -> list[int]:
    """The cells where a tile can be laid, once for each neighbour, in the program's order."""
    room = set(cells_of(s.room))
    sides = (tiles.WEST, tiles.EAST, tiles.SOUTH, tiles.NORTH)
    return [to for cell in occupied(s) for side in sides for to in (state.beside(cell, side),) if to in room]


def move_text(action: int, hand: Sequence[int] = ()) -> str:
    """An action in the program's notation, without the player's number at the end."""
    if action >= rules.DROP:
        return f"Drop {hand.index(action - rules.DROP)} 0"
    if action in (rules.CURE, rules.BLOCK):
        return f"{tiles.CARD_NAMES[rules.card_of(action)]} 0 0"
    if action < rules.LOOK:
        shape, cell = divmod(action, state.CELLS)
        word = f"Tile:{tiles.SHAPE_NAMES[shape]}"
    elif action < rules.CURE:
        word, cell = "Map", state.objective_cell(action - rules.LOOK)
    else:
        word, cell = "Destroy", action - rules.BREAK
    return f"{word} {state.row_of(cell)} {state.column_of(cell)}"


def read_move(text: str, hand: Hand) -> int:
    """The action of a text in this notation; a ValueError if there is none."""
    word, x, y = (*text.split(), "", "")[:3]
    row, column = int(x), int(y)
    inside = 0 <= row < state.SIZE and 0 <= column < state.SIZE
    if word.startswith("Tile:") and inside and word[5:] in tiles.SHAPE_NAMES:
        return tiles.SHAPE_NAMES.index(word[5:]) * state.CELLS + int(state.cell_at(row, column))
    if word == "Map" and row == 12 and column in (3, 5, 7):
        return rules.LOOK + (column - 3) // 2
    if word == "Destroy" and inside:
        return rules.BREAK + int(state.cell_at(row, column))
    if word in ("Bonus", "Malus"):
        return rules.CURE if word == "Bonus" else rules.BLOCK
    if word == "Drop" and 0 <= row < len(hand):
        return rules.DROP + hand[row]
    raise ValueError(f"there is no move {text!r}")


def card_named(word: str) -> int:
    """The kind of the card in the first word of a move."""
    return tiles.CARD_NAMES.index(word.removeprefix("Tile:").removesuffix("_flip"))


def used(text: str, hand: Hand) -> int:
    """The index in the hand of the card that a move uses."""
    word, x, *_ = text.split()
    return int(x) if word == "Drop" else hand.index(card_named(word))


def board_text(s: Any, objectives: Sequence[str]) -> str:
    """All cells that are not empty, as row, column and name; `objectives` are the names of the objectives."""
    texts = []
    for cell in occupied(s):
        code = s.tile[cell]
        name = tiles.SHAPE_NAMES[code] if code < tiles.SHAPES else "entrance"
        if code == tiles.OBJECTIVE:
            name = objectives[state.objective_at(cell)]
        texts.append(f"{state.row_of(cell)},{state.column_of(cell)},{name}")
    return ";".join(texts)
