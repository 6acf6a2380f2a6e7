"""What a technique of search is worth: games of a search with it against the same search without it.

`spinney reproduce techniques` plays them, at equal CPU time. A technique is a set of options, beside those of the plain
search of a game. Where it fits, it plays as one of the players, and plain searches are the others.
"""

from __future__ import annotations

from typing import NamedTuple

from spinney.games.spec import parse_spec, write_spec
from spinney.games.study import Comparison, Study


class Yardstick(NamedTuple):
    """A game, and the plain search that a technique has to beat."""

    column: str
    game: str
    plain: str
    """The spec of the search."""
    seconds: float
    """CPU time per move."""
    players: int = 2
    games: int = 200
    effort: float = 1.0
    """Approximate time of a game in seconds."""


CONSTRICTOR = "battlesnake(mode=constrictor)"
"""Games end early, and four of five with a winner; equal searches end most others with the death of all."""
GAMES = (
    Yardstick("connect four", "connect_four", "uct(c=0.6)", 0.02),
    Yardstick("breakthrough", "breakthrough(rows=6, columns=6)", "uct(c=0.5)", 0.01),
    Yardstick("hex", "hex(board_size=7)", "uct(c=0.4)", 0.01),
    Yardstick("pig", "pig(winscore=30)", "uct(c=0.5)", 0.01),
    Yardstick("deep sea", "deepsea", "uct(c=0.5)", 0.01, games=100),
    Yardstick("deep sea, 3 players", "deepsea(players=3)", "uct(c=0.5)", 0.01, players=3, games=150, effort=1.5),
    Yardstick("colosseum", "colosseum(size=6)", "uct(c=0.2, fpu=1)", 0.02, games=100),
    Yardstick("goofspiel", "goofspiel(num_cards=6)", "decoupled", 0.01, effort=0.2),
    Yardstick("snakes, 4 players", CONSTRICTOR, "decoupled(rollout_depth=0)", 0.003, players=4),
    Yardstick("saboteur", "saboteur", "infoset(c=0.7)", 0.02, games=100),
)
"""The columns of the table. The poker games are not among them: a share of games won says little there, and
`bench/exploitability.py` measures their searches."""

SEQUENTIAL = ("connect four", "breakthrough", "hex", "pig", "deep sea", "colosseum")
NO_CHANCE = ("connect four", "breakthrough", "hex", "colosseum")
DICE = ("pig", "deep sea")
HIDDEN = ("saboteur",)
SIMULTANEOUS = ("goofspiel", "snakes, 4 players")


class Technique(NamedTuple):
    """Options for the plain search, in the columns where they fit."""

    name: str
    options: str
    columns: tuple[str, ...]
    search: str = ""
    """Another search that has them; none: the plain one."""


TECHNIQUES = (
    Technique("UCB1-Tuned", "select=ucb1_tuned, c=1", (*SEQUENTIAL, *HIDDEN)),
    Technique("PUCT, uniform prior", "select=puct, c=1", NO_CHANCE),
    Technique("PUCT, heuristic prior", "select=puct, c=1, prior=heuristic", ("connect four", "deep sea")),
    Technique("RAVE", "select=rave", (*SEQUENTIAL, *HIDDEN)),
    Technique("GRAVE", "select=grave", (*SEQUENTIAL, *HIDDEN)),
    Technique("GRAVE, little exploration", "select=grave, c=0.1", NO_CHANCE),
    Technique("progressive history", "select=progressive_history", (*SEQUENTIAL, *HIDDEN)),
    Technique("progressive bias", "bias=0.2", ("connect four", "colosseum")),
    Technique("first-play urgency", "fpu=0.6", NO_CHANCE),
    Technique("MAST", "learn=mast", (*SEQUENTIAL, *HIDDEN)),
    Technique("MAST, more at random", "learn=mast, epsilon=0.6", NO_CHANCE),
    Technique("NST", "learn=nst", (*SEQUENTIAL, *HIDDEN)),
    Technique("heuristic rollouts", "rollout=heuristic", ("connect four", "deep sea")),
    Technique("lookahead", "lookahead=true", ("connect four", "colosseum")),
    Technique("implicit minimax", "lookahead=true, minimax=0.5", ("connect four", "colosseum")),
    Technique("transpositions", "transpositions=true", ("connect four", "breakthrough", "hex")),
    Technique("Gumbel root", "root=gumbel", SEQUENTIAL),
    Technique("without the solver", "solver=false", SEQUENTIAL),
    Technique("tree reuse", "reuse=true", SEQUENTIAL),
    Technique("open loop", "open_loop=true", DICE),
    Technique("outcome groups", "open_loop=true, chance_groups=3", DICE),
    Technique("paranoid", "multiplayer=paranoid", ("deep sea, 3 players",)),
    Technique("best reply", "multiplayer=best_reply", ("deep sea, 3 players",)),
    Technique("MAS-MCTS", "c=0.05", ("goofspiel",), "joint"),
    Technique("MAS-MCTS", "rollout_depth=0, c=0.01", ("snakes, 4 players",), "joint"),
    Technique("without score bounds", "solver=false", SIMULTANEOUS),
    Technique("Exp3", "select=exp3, choice=strategy", ("goofspiel",)),
    Technique("regret matching", "select=regret, choice=strategy", ("goofspiel",)),
    Technique("multiple observers", "method=mo_ismcts", HIDDEN),
    Technique("determinized UCT", "method=determinized", HIDDEN),
)
"""The rows of the table."""


def comparison(technique: Technique, yardstick: Yardstick) -> Comparison:
    """Games of the search with a technique against plain searches."""
    name, options = parse_spec(yardstick.plain)
    plain = write_spec(name, {**options, "seconds": yardstick.seconds})
    _, added = parse_spec(f"technique({technique.options})")
    kept = {} if technique.search else options
    spec = write_spec(technique.search or name, {**kept, **added, "seconds": yardstick.seconds})
    return Comparison(
        name=f"{technique.name}, {yardstick.column}",
        group=technique.name,
        x=0,
        column=yardstick.column,
        game=yardstick.game,
        agents=(spec, *[plain] * (yardstick.players - 1)),
        games=yardstick.games,
        effort=yardstick.effort,
    )


STUDY = Study(
    title="Techniques of search",
    paper="Each technique against the plain search, at equal CPU time",
    x_name="",
    comparisons=tuple(
        comparison(technique, yardstick)
        for technique in TECHNIQUES
        for yardstick in GAMES
        if yardstick.column in technique.columns
    ),
    notes=(
        "Plain searches: "
        + "; ".join(f"{one.column}: {one.plain} on {one.game}, {one.seconds:g} s" for one in GAMES)
        + ". The techniques keep the constant of exploration of the plain search unless they name their own."
    ),
)
