"""The paper's tables: learned policies without search, 500 games per cell.

Table II is one policy against three snakes of one kind, Table III all three policies with a fourth snake. Our policies
are those of the `desk` run of `spinney train`; the third is also played with search. Further comparisons are searches
without a network at the paper's budget, 2,000 simulations per move; MAS_MCTS has the paper's settings: rollouts of the
trivial snake up to ten turns from the root, rewarded by survival.
"""

from __future__ import annotations

from spinney.games.study import Comparison, Study

MAS_MCTS = "joint(iterations=2000, max_depth=10, evaluation=survival, reward=survival, c=0.01)"
JOINT = "joint(iterations=2000, rollout_depth=0, c=0.01)"
DECOUPLED = "decoupled(iterations=2000, rollout_depth=3)"
OPPONENTS = ("trivial", "flood")


def against(
    name: str, spec: str, opponent: str, published: float | None = None, long: bool = False, iteration: int = 0
) -> Comparison:
    """One agent against three of another; the policy of an iteration is a row of Table II."""
    return Comparison(
        name=f"{name} v 3 {opponent}",
        group=f"Table II, v 3 {opponent}" if iteration else f"{name} v 3 {opponent}",
        x=iteration or 2000,
        x_name="iteration" if iteration else "",
        game="battlesnake",
        agents=(spec, opponent, opponent, opponent),
        published=published,
        published_games=0 if published is None else 500,
        games=500,
        effort=(1 if opponent == "trivial" else 3) * (4 if long else 1),
        long=long,
    )


ITERATIONS = tuple(f"net(weights=iteration_{i})" for i in (1, 2, 3))
TABLE_2 = {"trivial": (0.534, 0.624, 0.766), "flood": (0.028, 0.040, 0.068)}
TABLE_3 = {"trivial": (0.044, 0.158, 0.232, 0.542), "flood": (0.666, 0.052, 0.086, 0.188)}
"""The shares of the fourth snake and of the three iterations."""
WITH_SEARCH = "net_champion(seconds=0.1)"


def mixed(opponent: str, whose: int) -> Comparison:
    """One row of Table III: all three policies and a fourth snake in the same games."""
    names = (opponent, "Iter. 1", "Iter. 2", "Iter. 3")
    return Comparison(
        name=f"{names[whose]} in Table III with {opponent}",
        group=f"Table III with {opponent}",
        x=whose,
        x_name=f"iteration; 0: {opponent}",
        game="battlesnake",
        agents=(opponent, *ITERATIONS),
        published=TABLE_3[opponent][whose],
        published_games=500,
        games=500,
        effort=1 if whose == 0 else 0,
        whose=whose,
        games_of=f"Table III with {opponent}",
    )


STUDY = Study(
    title="BattleSnake",
    paper="Monte Carlo Tree Search and Reinforcement Learning for a Four Player, Simultaneous Move Game",
    x_name="simulations",
    comparisons=(
        *(
            against(f"Iter. {i + 1} in Table II", ITERATIONS[i], opponent, shares[i], iteration=i + 1)
            for opponent, shares in TABLE_2.items()
            for i in range(3)
        ),
        *(mixed(opponent, whose) for opponent in TABLE_3 for whose in range(4)),
        against("Iter. 3 with search, 0.1 s", WITH_SEARCH, "flood", long=True),
        against("flood", "flood", "trivial"),
        *(against("MAS-MCTS", MAS_MCTS, opponent) for opponent in OPPONENTS),
        *(against("joint", JOINT, opponent) for opponent in OPPONENTS),
        *(against("decoupled", DECOUPLED, opponent) for opponent in OPPONENTS),
        *(against("champion", "champion(seconds=0.1)", opponent, long=True) for opponent in OPPONENTS),
    ),
    notes=(
        "Tables II and III are the paper's, for its three iterations and for ours; it has no games of agents with "
        "search against these snakes. A game that nobody survives is won by nobody. Our networks leave "
        "out moves that are certain death at once, as the trivial snake does."
    ),
)
