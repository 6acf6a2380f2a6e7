"""The comparisons of the paper: 2 players, 100 games per point, at 10,000, 100,000 and 1,000,000 iterations."""

from __future__ import annotations

from spinney.games.study import Comparison, Study, Timing

HEURISTIC = "heuristic(margin=2)"
"""The rule agent of the paper's program; that of its text has margin=1."""
PLAIN = "c=1.4142135623730951, solver=false"
EARLY = ", early_stop=true"
"""For games: it saves time without changing any decision."""


def random_mcts(n: int, stops: str = "") -> str:
    """UCT with random rollouts."""
    return f"uct(iterations={n}, {PLAIN}{stops})"


def heuristic_mcts(n: int, stops: str = "") -> str:
    """UCT with the paper's heuristic rollouts."""
    return f"uct(iterations={n}, rollout=pruned, {PLAIN}{stops})"


ITERATIONS = (10_000, 100_000, 1_000_000)
PUBLISHED = {
    "rules beat pure": (0.91, 0.84, 0.71),
    "random MCTS beats rules": (0.53, 0.67, 0.69),
    "heuristic MCTS beats rules": (0.59, 0.70, 0.85),
    "heuristic MCTS beats random MCTS": (0.61, 0.68, 0.72),
}


def agents(group: str, n: int) -> tuple[str, str]:
    """The two agents of a comparison."""
    return {
        "rules beat pure": (HEURISTIC, f"flat(rollouts_per_action={n})"),
        "random MCTS beats rules": (random_mcts(n, EARLY), HEURISTIC),
        "heuristic MCTS beats rules": (heuristic_mcts(n, EARLY), HEURISTIC),
        "heuristic MCTS beats random MCTS": (heuristic_mcts(n, EARLY), random_mcts(n, EARLY)),
    }[group]


CHAMPION = "champion(seconds=1)"
INFORMED = "uct(seconds=1, rollout=diver(depth=9), opponents='diver(depth=9)', c=0.7, early_stop=true, reuse=true)"
"""Knows the policy of its three opponents: an upper limit for the champion, which has to find it out."""

SINGLE = 100_000
"""The iterations of the searches whose time is compared."""
ROOT_PARALLEL = "root-parallel on 2 threads against single, as many iterations"

AT_A_SECOND = {
    "champion v the rules": ("deepsea", CHAMPION, HEURISTIC),
    "champion v diver(depth=17)": ("deepsea", CHAMPION, "diver(depth=17)"),
    "champion v the paper's best search": ("deepsea", CHAMPION, f"uct(seconds=1, rollout=pruned, {PLAIN}{EARLY})"),
    "champion v three of diver(depth=9)": ("deepsea(players=4)", CHAMPION, "diver(depth=9)"),
    "told of the others v three of diver(depth=9)": ("deepsea(players=4)", INFORMED, "diver(depth=9)"),
}
"""Games of the champion, at one second per move."""

TABLE_SEARCH = f"uct(seconds=0.5, rollout=pruned, {PLAIN}{EARLY})"
TABLES = {
    "the paper's searches": (TABLE_SEARCH,) * 5,
    "rules": (HEURISTIC,) * 5,
    "divers": ("diver(depth=9)",) * 5,
    "all kinds": (TABLE_SEARCH, HEURISTIC, "diver(depth=9)", "follower", "spoiler"),
}
"""The others at a table of the champion with half a second per move: as many as the game has seats for, from the
first."""


STUDY = Study(
    title="Deep Sea Adventure",
    paper="Deep Diver AI",
    x_name="iterations",
    comparisons=tuple(
        Comparison(
            name=f"{group}, {n:,} iterations",
            group=group,
            x=n,
            game="deepsea",
            agents=agents(group, n),
            published=share,
            published_games=100,
            effort=n / 5000,
            long=n >= 1_000_000,
        )
        for i, n in enumerate(ITERATIONS)
        for group, shares in PUBLISHED.items()
        for share in (shares[i],)
    )
    + tuple(
        Comparison(
            name=name,
            group=name,
            x=100_000,  # about as many as in one second
            game=game,
            agents=(agent, *([other] * (3 if "4" in game else 1))),
            games=200,
            effort=40 if "search" in name else 16,
            long=True,
        )
        for name, (game, agent, other) in AT_A_SECOND.items()
    )
    + tuple(
        Comparison(
            name=f"champion at a table of {players}, {table}",
            group=f"champion at a table, {table}",
            x=players,
            x_name="players",
            game=f"deepsea(players={players})",
            agents=("champion(seconds=0.5)", *others[: players - 1]),
            games=200,
            effort=30 if TABLE_SEARCH in others else 10,
            long=True,
        )
        for table, others in TABLES.items()
        for players in range(3, 7)
    ),
    timings=(
        Timing("heuristic rollouts against random ones", "deepsea", (heuristic_mcts(SINGLE), random_mcts(SINGLE)), 1.3),
        *(
            Timing(f"{ROOT_PARALLEL} {which}", "deepsea", (f"uct({budget}, {PLAIN})", random_mcts(SINGLE)), 1.5, "wall")
            for which, budget in (  # two threads divide the iterations
                ("in all", "iterations=100000, threads=2"),
                ("on each", "iterations=200000, threads=2"),
            )
        ),
    ),
    notes=(
        "The authors' program rolls the dice of an edge once, when the node is made, and rewards the normalised score "
        "in its heuristic search, which is root-parallel; here dice are chance nodes, the reward is a win, as the text "
        "says, and a search grows one tree. The paper measured root-parallel search on 32 threads. It says that they "
        "divide the iterations, and also that they do 32 times the work of the single search, so both are measured."
    ),
)
