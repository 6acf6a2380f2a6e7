"""A stand-in for the course's simulator, with the same interface towards agents.

It is stricter: it wants plain tuples and integers, and tells of every fault. It prints a line of JSON per game.
"""

import argparse
import json
import sys
import time
from copy import deepcopy

import agents  # noqa: F401  # importing is what registers them
import numpy as np
from store import AGENTS

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


class World:
    def __init__(self, names, size):
        self.size, self.max_step = size, (size + 1) // 2
        self.board = np.zeros((size, size, 4), dtype=bool)
        self.board[0, :, 0] = self.board[:, 0, 3] = self.board[-1, :, 2] = self.board[:, -1, 1] = True
        for _ in range(self.max_step):
            row, column, side = (*np.random.randint(0, size, 2), np.random.randint(4))
            while self.board[row, column, side]:
                row, column, side = (*np.random.randint(0, size, 2), np.random.randint(4))
            self.close(row, column, side)
            self.close(size - 1 - row, size - 1 - column, (side + 2) % 4)
        first = np.random.randint(0, size, 2)
        while np.array_equal(first, size - 1 - first):
            first = np.random.randint(0, size, 2)
        self.cells = [tuple(first), tuple(size - 1 - first)]
        self.players = [AGENTS[name]() for name in names]
        assert all(player.autoplay for player in self.players)
        self.turn, self.times, self.faults, self.moves = 0, ([], []), ([], []), 0

    def close(self, row, column, side):
        down, right = STEPS[side]
        self.board[row, column, side] = self.board[row + down, column + right, (side + 2) % 4] = True

    def reached(self, start, steps, blocked=None):
        """The cells that can be reached, and in how many steps."""
        start = tuple(int(place) for place in start)
        cells, queue = {start: 0}, [start]
        for cell in queue:
            for side, (down, right) in enumerate(STEPS):
                new = (cell[0] + down, cell[1] + right)
                if not self.board[cell][side] and new not in cells and new != blocked and cells[cell] < steps:
                    cells[new] = cells[cell] + 1
                    queue.append(new)
        return cells

    def step(self):
        me, other = self.cells[self.turn], self.cells[1 - self.turn]
        before = time.perf_counter()
        try:
            answer = self.players[self.turn].step(deepcopy(self.board), me, other, self.max_step)
            self.times[self.turn].append(time.perf_counter() - before)
            self.check(answer, me, other)
        except Exception as error:
            self.faults[self.turn].append(f"{type(error).__name__}: {error}")
            free = [side for side in range(4) if not self.board[me][side]]
            answer = me, free[0]
        (row, column), side = answer
        self.cells[self.turn] = (np.int64(row), np.int64(column))
        self.close(row, column, side)
        self.turn, self.moves = 1 - self.turn, self.moves + 1

    def check(self, answer, me, other):
        if self.players[self.turn].name != "RandomAgent":
            assert type(answer) is tuple, answer
            assert len(answer) == 2, answer
            assert type(answer[0]) is tuple, answer
            assert [type(number) for number in (*answer[0], answer[1])] == [int] * 3, answer
        cell, side = tuple(answer[0]), answer[1]
        assert cell in self.reached(me, self.max_step, tuple(other)), f"{answer} is out of reach"
        assert not self.board[cell][side], f"{answer} closes a closed side"

    def play(self):
        regions = [self.reached(cell, np.inf) for cell in self.cells]
        while self.cells[1] in regions[0]:
            self.step()
            regions = [self.reached(cell, np.inf) for cell in self.cells]
        return {
            "size": self.size,
            "moves": self.moves,
            "scores": [len(region) for region in regions],
            "times": self.times,
            "faults": self.faults,
        }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--player_1", default="random_agent")
    parser.add_argument("--player_2", default="random_agent")
    parser.add_argument("--board_size", type=int, nargs="+", default=[8])
    given = parser.parse_args()
    np.random.seed(1)
    for size in given.board_size:
        print(json.dumps(World([given.player_1, given.player_2], size).play()))
        sys.stdout.flush()
