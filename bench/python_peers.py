"""The speed of Spinney's UCT and two searches in pure Python, mctspy and monte-carlo-tree-search, on connect four."""

from __future__ import annotations

import random
from importlib.metadata import version
from itertools import product
from math import sqrt
from typing import Annotated, Any

import common
import numpy as np
import typer

import spinney
from spinney.cli.output import Json, write_json

COLUMNS, ROWS = 7, 6
HEIGHT = ROWS + 1
BOARD = sum(((1 << ROWS) - 1) << (HEIGHT * column) for column in range(COLUMNS))
TOPS = [1 << (HEIGHT * column + ROWS - 1) for column in range(COLUMNS)]
TOP = sum(TOPS)
LEGAL = {
    sum(top for top, full in zip(TOPS, fulls, strict=True) if full): [i for i, full in enumerate(fulls) if not full]
    for fulls in product((False, True), repeat=COLUMNS)
}
"""The legal columns, by the bitboard of the top row."""

PEER_C = 1.4 * sqrt(2)
"""The constant of UCB1 that corresponds to mctspy's fixed 1.4 (mctspy multiplies it by the root of 2 log n)."""
REWARD_RANGE = 2.0
"""The peers' rewards are -1..1 and Spinney's 0..1, so the same exploration needs twice the constant."""


def has_line(stones: int) -> bool:
    """Whether four stones are in a line."""
    up, flat = stones & stones >> 1, stones & stones >> HEIGHT
    rise, fall = stones & stones >> HEIGHT + 1, stones & stones >> HEIGHT - 1
    return bool(
        up & up >> 2
        or flat & flat >> 2 * HEIGHT
        or rise & rise >> 2 * (HEIGHT + 1)
        or fall & fall >> 2 * (HEIGHT - 1)
    )  # fmt: skip


class Connect4:
    """Connect four on two bitboards, with the methods that both peers call: players and results are 1 and -1."""

    __slots__ = ("filled", "game_result", "next_to_move", "stones")

    def __init__(self, stones: int = 0, filled: int = 0, next_to_move: int = 1, game_result: int | None = None) -> None:
        self.stones = stones  # of the player to move
        self.filled = filled
        self.next_to_move = next_to_move
        self.game_result = game_result

    def move(self, column: int) -> Connect4:
        player, before = self.next_to_move, self.filled
        filled = before | before + (1 << HEIGHT * column)
        result = player if has_line(self.stones | filled ^ before) else 0 if filled == BOARD else None
        return Connect4(self.stones ^ before, filled, -player, result)

    def get_legal_actions(self) -> list[int]:
        return LEGAL[self.filled & TOP].copy()  # mctspy takes actions out of its list

    def is_game_over(self) -> bool:
        return self.game_result is not None

    # The names that monte-carlo-tree-search uses.
    take_action, get_possible_actions, is_terminal = move, get_legal_actions, is_game_over

    def get_current_player(self) -> int:
        return self.next_to_move

    def get_reward(self) -> int | None:
        return self.game_result


def mctspy(root: Connect4, simulations: int) -> common.Contender:
    from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode as Node
    from mctspy.tree.search import MonteCarloTreeSearch

    def search() -> common.Answer:
        tree = Node(root)
        best: Any = MonteCarloTreeSearch(tree).best_action(simulations)
        cell = (best.state.filled ^ root.filled).bit_length() - 1
        return common.Answer(str(cell // HEIGHT + 1), best.n / tree.n, int(tree.n))

    return common.Contender("mctspy", version("mctspy"), f"c={PEER_C:.3f}", search)


def monte_carlo_tree_search(root: Connect4, simulations: int) -> common.Contender:
    from mcts.searcher.mcts import MCTS

    def search() -> common.Answer:
        searcher = MCTS(iteration_limit=simulations, exploration_constant=PEER_C)
        column: int = searcher.search(initial_state=root)
        tree: Any = searcher.root
        return common.Answer(str(column + 1), tree.children[column].numVisits / tree.numVisits, tree.numVisits)

    name = "monte-carlo-tree-search"
    return common.Contender(name, version(name), f"c={PEER_C:.3f}", search)


def peer_position(state: spinney.State) -> Connect4:
    """The same position for the peers."""
    root = Connect4()
    for _, column in state.history:
        root = root.move(column)
    return root


def main(
    position: common.Position = "",
    simulations: common.Simulations = 30_000,
    peer_simulations: Annotated[int, typer.Option(min=100, help="simulations per search of the peers")] = 2_000,
    repeats: common.Repeats = 3,
    seed: common.Seed = 1,
    json_to: Json = None,
) -> None:
    """Compare Spinney's UCT with mctspy and monte-carlo-tree-search: the same position and exploration, one thread.

    The ratios are those of the best rates. The peers run fewer simulations because they are slow.
    """
    state = common.position(position)
    random.seed(seed)
    np.random.seed(seed)
    root = peer_position(state)
    try:
        peers = [mctspy(root, peer_simulations), monte_carlo_tree_search(root, peer_simulations)]
    except ModuleNotFoundError:
        common.missing("mctspy or monte-carlo-tree-search")
    uct = common.spinney_search(state, "uct(solver=false)", simulations, PEER_C / REWARD_RANGE, seed)
    contenders = [*peers, uct]
    common.measure(contenders, repeats)
    ratios = {peer.name: uct.best / peer.best for peer in peers}
    figures = {"position": position, "seed": seed, "nodes": common.tree_size(uct), "ratios": ratios}
    last = "\n".join(f"ratio {name}: {ratio:.0f}" for name, ratio in ratios.items())
    write_json(json_to, common.report(common.title(state, position), contenders, figures, last, json_to))


if __name__ == "__main__":
    common.run(main)
