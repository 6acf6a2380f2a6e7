"""Saboteur's board once more, slow and obvious: a fine grid of rock and tunnels, three by three for each cell."""

from __future__ import annotations

from typing import Any

from spinney.games.saboteur.official import board_text

MASKS = {
    "0": "010010010", "1": "010000010", "2": "010001010", "2_flip": "010100010", "3": "010001000",
    "3_flip": "000100010",
    "4": "000011000", "4_flip": "000110000", "5": "000011010", "5_flip": "010110000", "6": "010110010",
    "6_flip": "010011010", "7": "010011000", "7_flip": "000110010", "8": "010111010", "9": "000111010",
    "9_flip": "010111000", "10": "000111000", "11": "000101010", "11_flip": "010101000", "12": "010010000",
    "12_flip": "000010010", "13": "010101010", "14": "010100000", "14_flip": "000001010", "15": "000101000",
    "entrance": "010111010", "objective": "010111010",
}  # fmt: skip
EDGES = {(-1, 0): 1, (0, 1): 5, (1, 0): 7, (0, -1): 3}
"""The place in a mask of the edge toward each neighbour."""
COPIES = {
    **dict.fromkeys(["1", "2", "3", "4", "11", "12", "13", "14", "15"], 1), "10": 3, "0": 4, "5": 4, "6": 5, "7": 5,
    "8": 5, "9": 5, "Map": 6, "Bonus": 4, "Destroy": 3, "Malus": 2,
}  # fmt: skip
OBJECTIVES = [(12, 3), (12, 5), (12, 7)]

Cell = tuple[int, int]


class Reference:
    """The tiles of a state, and nothing else of it."""

    def __init__(self, s: Any) -> None:
        self.tiles: dict[Cell, str] = {}
        for text in board_text(s, ["objective"] * 3).split(";"):
            row, column, name = text.split(",")
            self.tiles[int(row), int(column)] = name
        self.revealed = {cell for i, cell in enumerate(OBJECTIVES) if s.revealed >> i & 1}

    def fits(self, name: str, cell: Cell) -> bool:
        """The placement rule."""
        if cell in self.tiles or not all(0 <= i < 14 for i in cell):
            return False
        joined = False
        for (down, right), edge in EDGES.items():
            to = cell[0] + down, cell[1] + right
            if to not in self.tiles or (to in OBJECTIVES and to not in self.revealed):
                continue
            mine, theirs = MASKS[name][edge], MASKS[self.tiles[to]][EDGES[-down, -right]]
            if mine != theirs:
                return False
            joined |= mine == "1"
        return joined

    def reached(self) -> set[Cell]:
        """The cells that a flood from the middle of the entrance gets into, on the fine grid."""
        fine = {
            (3 * row + i // 3, 3 * column + i % 3)
            for (row, column), name in self.tiles.items()
            for i in range(9)
            if MASKS[name][i] == "1"
        }
        found, todo = {(16, 16)}, [(16, 16)]
        while todo:
            row, column = todo.pop()
            for to in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if to in fine and to not in found:
                    found.add(to)
                    todo.append(to)
        return {(row // 3, column // 3) for row, column in found}
