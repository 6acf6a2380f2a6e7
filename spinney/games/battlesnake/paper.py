"""The paper's tables: one snake against three of a kind, 500 games a cell.

The paper's figures are those of its learned policy, without search. Ours are of the search itself at the paper's
budget, 2,000 simulations a move; MAS_MCTS has the paper's settings: rollouts of the trivial snake up to ten turns from
the root, rewarded by survival.
"""

from __future__ import annotations

from spinney.games.study import Comparison, Study

MAS_MCTS = "joint(iterations=2000, horizon=10, evaluation=survival, reward=survival, c=0.01)"
JOINT = "joint(iterations=2000, cutoff=0, c=0.01)"
DECOUPLED = "decoupled(iterations=2000, cutoff=3)"
LEARNED = {"trivial": 0.766, "flood": 0.068}
"""The third iteration of the paper's policy."""


def against(name: str, spec: str, opponent: str, published: float | None = None, long: bool = False) -> Comparison:
    """One agent against three of another."""
    return Comparison(
        name=f"{name} v 3 {opponent}",
        group=f"{name} v 3 {opponent}",
        x=2000,
        game="battlesnake",
        agents=(spec, opponent, opponent, opponent),
        published=published,
        published_games=0 if published is None else 500,
        games=500,
        effort=(1 if opponent == "trivial" else 3) * (4 if long else 1),
        long=long,
    )


STUDY = Study(
    title="MAS-MCTS",
    paper="Monte Carlo tree search and reinforcement learning for a four player, simultaneous move game",
    x_name="simulations",
    comparisons=(
        against("flood", "flood", "trivial"),
        *(against("MAS-MCTS", MAS_MCTS, opponent, share) for opponent, share in LEARNED.items()),
        *(against("joint", JOINT, opponent, share) for opponent, share in LEARNED.items()),
        *(against("decoupled", DECOUPLED, opponent, share) for opponent, share in LEARNED.items()),
        *(
            against("champion", "champion(seconds=0.1)", opponent, share, long=True)
            for opponent, share in LEARNED.items()
        ),
    ),
    notes=(
        "The published figures are of the third iteration of the paper's learned policy, which plays without search; "
        "they stand beside all searches as what is to be beaten. A game that nobody survives is won by nobody."
    ),
)
