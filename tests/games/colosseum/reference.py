"""Colosseum Survival! once more, slow and obvious: walls as a set of edges between cells."""

from __future__ import annotations

from collections import deque
from typing import Any

from spinney.games.colosseum.state import DOWN, RIGHT, is_open

Cell = tuple[int, int]
OFFSETS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def walls_of(s: Any) -> list[list[int]]:
    """All walls inside the board, each as the right or the lower side of a cell: row, column, side."""
    return [
        [row, column, side]
        for row in range(s.size)
        for column in range(s.size)
        for side, last in ((RIGHT, column), (DOWN, row))
        if last < s.size - 1 and not is_open(s, row * s.size + column, side)
    ]


class Reference:
    def __init__(self, s: Any) -> None:
        self.size = s.size
        self.players = [divmod(s.cell[player], s.size) for player in range(2)]
        self.walls = {
            frozenset([(row, column), (row + OFFSETS[side][0], column + OFFSETS[side][1])])
            for row, column, side in walls_of(s)
        }

    def beyond(self, cell: Cell, side: int) -> Cell | None:
        """The neighbour on an open side."""
        to = cell[0] + OFFSETS[side][0], cell[1] + OFFSETS[side][1]
        inside = 0 <= to[0] < self.size and 0 <= to[1] < self.size
        return to if inside and frozenset([cell, to]) not in self.walls else None

    def joined_corners(self) -> list[set[tuple[int, int] | None]]:
        """The corners between cells that walls join, a set for all walls that touch. None is the border."""
        groups: list[set[tuple[int, int] | None]] = [{None}]
        for wall in self.walls:
            (row, column), (below, _) = sorted(wall)
            first = (row + 1, column) if below > row else (row, column + 1)
            ends = {
                end if 0 < end[0] < self.size and 0 < end[1] < self.size else None
                for end in (first, (row + 1, column + 1))
            }
            groups = [group for group in groups if not group & ends] + [
                ends.union(*(group for group in groups if group & ends))
            ]
        return groups

    def distances(self, start: Cell, blocked: Cell | None = None) -> dict[Cell, int]:
        """Steps to every cell that can be reached."""
        found = {start: 0}
        queue = deque([start])
        while queue:
            cell = queue.popleft()
            for side in range(4):
                to = self.beyond(cell, side)
                if to is not None and to != blocked and to not in found:
                    found[to] = found[cell] + 1
                    queue.append(to)
        return found

    def legal(self, player: int) -> list[int]:
        """The legal moves as the rules number them, sorted."""
        mine, other = self.players[player], self.players[1 - player]
        return sorted(
            (row * self.size + column) * 4 + side
            for (row, column), steps in self.distances(mine, other).items()
            if steps <= (self.size + 1) // 2
            for side in range(4)
            if self.beyond((row, column), side) is not None
        )

    def regions(self) -> dict[Cell, Cell]:
        """Cells joined over open edges, as the engine does it: the name of the region of each."""
        parent = {(row, column): (row, column) for row in range(self.size) for column in range(self.size)}

        def find(cell: Cell) -> Cell:
            while parent[cell] != cell:
                cell = parent[cell]
            return cell

        for cell in parent:
            for side in (1, 2):
                to = self.beyond(cell, side)
                if to is not None:
                    parent[find(cell)] = find(to)
        return {cell: find(cell) for cell in parent}

    def result(self) -> tuple[bool, list[int]]:
        """Whether the players are apart, and their scores."""
        regions = self.regions()
        mine = [regions[cell] for cell in self.players]
        return mine[0] != mine[1], [sum(region == name for region in regions.values()) for name in mine]

    def territory(self, player: int) -> float:
        """The share of the region that is nearer to a player."""
        mine, theirs = (self.distances(self.players[each]) for each in (player, 1 - player))
        won = sum(1.0 if mine[cell] < theirs[cell] else 0.5 if mine[cell] == theirs[cell] else 0.0 for cell in mine)
        return won / len(mine)

    def passages(self, player: int) -> int:
        """How many open sides there are between two cells that are both nearer to a player."""
        mine, theirs = (self.distances(self.players[each]) for each in (player, 1 - player))
        held = {cell for cell in mine if mine[cell] < theirs[cell]}
        return sum(self.beyond(cell, side) in held for cell in held for side in (RIGHT, DOWN))

    def kind(self, player: int, action: int, wary: bool) -> str:
        """Whether a move is toward the opponent, neutral, or away from it."""
        cell = divmod(action // 4, self.size)
        mine, other = self.players[player], self.players[1 - player]
        agreed = [
            (cell[axis] >= mine[axis]) == (other[axis] >= mine[axis]) for axis in (0, 1) if other[axis] != mine[axis]
        ]
        kind = "toward" if all(agreed) else "neutral" if any(agreed) else "away"
        closed = sum(self.beyond(cell, side) is None for side in range(4))
        if wary and kind == "toward" and closed >= 2:
            return "neutral" if closed == 2 else "away"
        return "away" if wary and kind == "neutral" and closed >= 2 else kind
