"""An agent that walks and builds at random."""

import numpy as np
from store import register_agent

from agents.agent import Agent


@register_agent("random_agent")
class RandomAgent(Agent):
    def __init__(self):
        super().__init__()
        self.name = "RandomAgent"
        self.autoplay = True

    def step(self, chess_board, my_pos, adv_pos, max_step):
        row, column = my_pos
        for _ in range(np.random.randint(0, max_step + 1)):
            side = np.random.randint(0, 4)
            down, right = ((-1, 0), (0, 1), (1, 0), (0, -1))[side]
            if not chess_board[row, column, side] and (row + down, column + right) != tuple(adv_pos):
                row, column = row + down, column + right
        open_sides = [side for side in range(4) if not chess_board[row, column, side]]
        return ((row, column), open_sides[np.random.randint(len(open_sides))]) if open_sides else (my_pos, 0)
