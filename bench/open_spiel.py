"""The speed of Spinney's searches and OpenSpiel's in C++, game by game."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Annotated, Any

import common
import typer

import spinney
from spinney.cli.output import Json, write_json

MEMORY = 16_384
"""Maximum size of OpenSpiel's tree in megabytes. It is never reached, so that no nodes are discarded."""


@dataclass(frozen=True)
class Race:
    """A game that both play, and the searches of it."""

    theirs: str
    """The game in OpenSpiel."""
    bot: str
    """OpenSpiel's search."""
    agents: tuple[str, ...]
    """Specs of Spinney's agents; the ratio is that of the first."""
    seconds: float
    """Approximate time of all, for 30,000 simulations each."""


UCT = ("uct(solver=false)", "uct(solver=true)")
RACES = {
    "connect_four": Race("connect_four", "MCTSBot", UCT, 0.25),
    "breakthrough": Race("breakthrough", "MCTSBot", UCT, 1.2),
    "hex": Race("hex", "MCTSBot", UCT, 1.3),
    "pig": Race("pig", "MCTSBot", UCT, 0.3),
    "goofspiel": Race(
        "turn_based_simultaneous_game(game=goofspiel())",
        "MCTSBot",
        ("decoupled(chance=sample)", "joint(chance=sample)"),
        0.4,
    ),
    "kuhn_poker": Race("kuhn_poker", "ISMCTSBot", ("infoset",), 0.02),
    "leduc_poker": Race("leduc_poker", "ISMCTSBot", ("infoset",), 0.1),
}
"""OpenSpiel's MCTS needs moves in turn: of Goofspiel it searches the transform in which the second player sees no more
than in the game itself, but is searched as if it did."""


def peer_search(pyspiel: Any, state: spinney.State, race: Race, simulations: int, c: float, seed: int) -> Any:
    """OpenSpiel's bot with one random rollout per simulation, at the same position."""
    game = pyspiel.load_game(race.theirs)
    root = game.new_initial_state()
    for _, action in state.history:
        root.apply_action(action)
    scale = c * (game.max_utility() - game.min_utility())  # Spinney's rewards are 0..1
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)

    def rank(node: Any) -> tuple[float, int]:
        """The order of the bot's final choice. Its own best_child() copies the subtree, which takes time."""
        return (node.outcome[node.player] if node.outcome else 0.0, node.explore_count)

    if race.bot == "MCTSBot":
        bot = pyspiel.MCTSBot(game, evaluator, scale, simulations, MEMORY, solve=False, seed=seed, verbose=False)
        settings = f"uct_c={scale:.3f}, solve=False"

        def search() -> common.Answer:
            tree = bot.mcts_search(root)
            best = max(tree.children, key=rank)
            share = best.explore_count / tree.explore_count
            return common.Answer(state.name(best.action), share, tree.explore_count)
    else:
        bot = pyspiel.ISMCTSBot(seed, evaluator, scale, simulations)
        settings = f"uct_c={scale:.3f}"

        def search() -> common.Answer:
            action, share = max(bot.get_policy(root), key=lambda choice: choice[1])
            return common.Answer(state.name(action), share, simulations)

    return common.Contender(f"OpenSpiel {race.bot}", pyspiel.__version__, settings, search)


def contest(
    pyspiel: Any, name: str, position: str, simulations: int, repeats: int, c: float, seed: int, to: str | None
) -> Any:
    """Time the searches of one game, and print the table and the ratio."""
    race = RACES[name]
    state = common.position(position) if name == "connect_four" else spinney.game(name).start(seed)
    peer = peer_search(pyspiel, state, race, simulations, c, seed)
    ours = [common.spinney_search(state, agent, simulations, c, seed) for agent in race.agents]
    contenders = [peer, *ours]
    common.measure(contenders, repeats)
    ratio = ours[0].best / peer.best
    nodes = common.tree_size(ours[0])
    figures = {"game": name, "position": position, "c": c, "seed": seed, "nodes": nodes, "ratio": ratio}
    return common.report(common.title(state, position), contenders, figures, f"{name} ratio: {ratio:.1f}", to)


def main(
    game: Annotated[
        list[str] | None,
        typer.Option(help=f"a game, or all; repeat it for more; by default connect_four: {', '.join(RACES)}"),
    ] = None,
    position: common.Position = "",
    simulations: common.Simulations = 30_000,
    repeats: common.Repeats = 5,
    c: Annotated[float, typer.Option(min=0, help="exploration constant of both, for rewards from 0 to 1")] = sqrt(2),
    seed: common.Seed = 1,
    json_to: Json = None,
) -> None:
    """Compare Spinney's searches with OpenSpiel's in C++: the same position, simulations and exploration, one thread.

    UCT against its MCTS, without a solver; of Goofspiel, whose moves are simultaneous, decoupled UCT; of the poker
    games, ISMCTS against ISMCTS. The ratio is that of the best rates of the first two rows; other rows are for
    comparison.
    """
    try:
        import pyspiel
    except ModuleNotFoundError:
        common.missing("open_spiel")
    chosen = game or ["connect_four"]
    names = list(RACES) if "all" in chosen else list(dict.fromkeys(chosen))
    unknown = [name for name in names if name not in RACES]
    if unknown:
        raise spinney.SpinneyError(f"there is no race of {unknown[0]}; there are all, {', '.join(RACES)}")
    if position and names != ["connect_four"]:
        raise spinney.SpinneyError("a position is one of connect four; leave out --game, or --position")
    rounds = (repeats + 1) * simulations / 30_000
    common.announce(rounds * sum(RACES[name].seconds for name in names), json_to)
    races = [contest(pyspiel, name, position, simulations, repeats, c, seed, json_to) for name in names]
    write_json(json_to, races[0] if len(races) == 1 else races)


if __name__ == "__main__":
    common.run(main)
