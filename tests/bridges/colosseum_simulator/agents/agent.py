"""What all agents of the simulator are derived from."""


class Agent:
    def __init__(self):
        self.name = "DefaultAgent"
        self.autoplay = False

    def step(self, chess_board, my_pos, adv_pos, max_step):
        raise NotImplementedError
