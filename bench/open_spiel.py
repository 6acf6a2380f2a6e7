"""The speed of Spinney's UCT and OpenSpiel's MCTS in C++, on connect four."""

from __future__ import annotations

from math import sqrt
from typing import Annotated, Any

import common
import typer

import spinney
from spinney.cli.output import Json

REWARD_RANGE = 2.0
"""OpenSpiel's rewards are -1..1 and Spinney's 0..1, so the same exploration needs twice the constant."""
MEMORY = 16_384
"""Maximum size of OpenSpiel's tree in megabytes. It is never reached, so that no nodes are discarded."""


def open_spiel_mcts(pyspiel: Any, state: spinney.State, simulations: int, c: float, seed: int) -> common.Contender:
    """OpenSpiel's bot with one random rollout per simulation."""
    game = pyspiel.load_game("connect_four")
    root = game.new_initial_state()
    for _, column in state.history:
        root.apply_action(column)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, c * REWARD_RANGE, simulations, MEMORY, solve=False, seed=seed, verbose=False)

    def rank(node: Any) -> tuple[float, int]:
        """The order of the bot's final choice. Its own best_child() copies the subtree, which takes time."""
        return (node.outcome[node.player] if node.outcome else 0.0, node.explore_count)

    def search() -> common.Answer:
        tree = bot.mcts_search(root)
        best = max(tree.children, key=rank)
        return common.Answer(best.action + 1, best.explore_count / tree.explore_count, tree.explore_count)

    settings = f"uct_c={c * REWARD_RANGE:.3f}, solve=False"
    return common.Contender("OpenSpiel MCTSBot", pyspiel.__version__, settings, search)


def main(
    position: common.Position = "",
    simulations: common.Simulations = 30_000,
    repeats: common.Repeats = 5,
    c: Annotated[float, typer.Option(min=0, help="exploration constant of both, for rewards from 0 to 1")] = sqrt(2),
    seed: common.Seed = 1,
    json_to: Json = None,
) -> None:
    """Compare Spinney's UCT with OpenSpiel's MCTS in C++: the same position, simulations and exploration, one thread.

    The ratio is that of the best rates without a solver. Spinney with its solver has a separate row.
    """
    try:
        import pyspiel
    except ModuleNotFoundError:
        common.missing("open_spiel")
    state = common.position(position)
    peer = open_spiel_mcts(pyspiel, state, simulations, c, seed)
    like = common.spinney_uct(state, simulations, c, seed, solver=False)
    contenders = [peer, like, common.spinney_uct(state, simulations, c, seed, solver=True)]
    common.measure(contenders, repeats)
    ratio = like.best / peer.best
    figures = {"position": position, "c": c, "seed": seed, **common.tree_size(like), "ratio": ratio}
    title = f"Connect four, {f'after {position}' if position else 'empty board'}"
    common.report(title, contenders, figures, f"ratio: {ratio:.1f}", json_to)


if __name__ == "__main__":
    common.run(main)
