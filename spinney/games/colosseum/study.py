"""The paper's agent, later agents, and games between all of them at half a second per move.

The paper counts a win as 1 and a loss as -1, while rewards here are 1 and 0: its constant 2 becomes 1, its bias 0.05
becomes 0.025, and its value of 1 for an untried move stays 1. It has 30 seconds for the first move of a game and 2 for
the others, less a margin; ten million nodes are about as many as 2 seconds can fill.
"""

from __future__ import annotations

from itertools import combinations

from spinney.games.study import Comparison, Study

PAPER = (
    "c=1, fpu=1, bias=0.025, bias_untried=false, prune_with=cage, rollout_first=true, solver=false, "
    "nodes=10000000, seconds=1.9, first_seconds=29.8"
)
STRONG = "evaluation=passages, killers=true, transposition_table=true, prune_with=decisive"
PRESETS = {
    "champion": f"alphabeta({STRONG}, futility_margin=0.02)",
    "paper": f"uct(rollout=paper_rollout, log_base=10, {PAPER})",
    "paper_code": f"uct(rollout=code_rollout, bias_by=walls_code, {PAPER})",
}
"""`paper_code`, or paper(code=true), follows the authors' program where it differs from the paper."""

AGENTS = ("champion", "alphabeta", "paper", "paper_code", "walk")
"""The agents of the table, in which each plays each other. `alphabeta` has its default evaluation, territory."""
SECONDS = 0.5
SIZES = (6, 8, 10, 12)
LOOKAHEAD = "uct(lookahead=true, c=0.1, minimax=0.5, reuse=true)"
"""UCT that evaluates all children of a leaf."""
BY_PASSAGES = "alphabeta(evaluation=passages)"
IDEAS = {
    "random rollouts": "uct(c=0.5, fpu=1)",
    "rollouts that do not enclose themselves": "uct(c=0.5, fpu=1, rollout=careful)",
    "rollouts that win if they can": "uct(c=0.5, fpu=1, rollout=keen)",
    "territory instead of rollouts": "uct(rollout_depth=0, c=0.3, fpu=1)",
    "less exploration": "uct(rollout_depth=0, c=0.1, fpu=1)",
    "lower first-play value": "uct(rollout_depth=0, c=0.1, fpu=0.6)",
    "cells with walls avoided": "uct(rollout_depth=0, c=0.1, fpu=0.6, bias=0.1, bias_untried=false)",
    "ways out looked for": "uct(rollout_depth=0, c=0.1, fpu=0.6, bias=0.02, bias_by=ways_out, bias_untried=false)",
    "no solver": "uct(rollout_depth=0, c=0.1, fpu=0.6, solver=false)",
    "tree kept": "uct(rollout_depth=0, c=0.1, fpu=0.6, reuse=true)",
    "winning moves alone": "uct(rollout_depth=0, c=0.1, fpu=0.6, prune_with=decisive)",
    "all children evaluated": "uct(lookahead=true, c=0.1)",
    "progressive widening": "uct(lookahead=true, c=0.1, widen=1)",
    "half minimax": "uct(lookahead=true, c=0.1, minimax=0.5)",
    "all minimax": "uct(lookahead=true, c=0.1, minimax=1)",
    "half minimax, tree kept": LOOKAHEAD,
    "alpha-beta, answers checked": "alphabeta(prune_with=decisive)",
    "alpha-beta, killers": "alphabeta(killers=true)",
    "alpha-beta, killers, answers checked": "alphabeta(killers=true, prune_with=decisive)",
    "alpha-beta, positions remembered": "alphabeta(transposition_table=true)",
    "alpha-beta, killers, answers checked, positions remembered": (
        "alphabeta(killers=true, transposition_table=true, prune_with=decisive)"
    ),
    "half minimax, tree kept, by passages": LOOKAHEAD.replace("(", "(evaluation=passages, "),
    "alpha-beta by passages": BY_PASSAGES,
    "alpha-beta by passages, good positions left alone": "alphabeta(evaluation=passages, futility_margin=0.02)",
    "alpha-beta by passages, killers, answers checked, positions remembered": f"alphabeta({STRONG})",
    "alpha-beta by passages, all of it": PRESETS["champion"],
}
"""Variants that were tried before the champion, each against plain alpha-beta at the same time per move. "By passages"
means this evaluation instead of territory."""
WIDE = ("all children evaluated", "progressive widening")
"""Ideas for large branching factors, which are also tried on 12x12."""
IDEA_SECONDS = 0.05


def at(spec: str, seconds: float = SECONDS) -> str:
    """An agent with a time per move."""
    if spec == "walk":
        return spec
    timed = f"seconds={seconds}" + (f", first_seconds={seconds}" if spec.startswith("paper") else "")
    return f"{spec[:-1]}, {timed})" if spec.endswith(")") else f"{spec}({timed})"


def duel(one: str, other: str, size: int, games: int = 100) -> Comparison:
    """Games of two agents on a board of a size."""
    name = f"{one} v {other}".replace(LOOKAHEAD, "lookahead").replace(BY_PASSAGES, "alphabeta by passages")
    return Comparison(
        name=f"{name}, {size}x{size}",
        group=name,
        x=size,
        game=f"colosseum(size={size})",
        agents=(at(one), at(other)),
        games=games,
        effort=size * SECONDS * (1 if other == "walk" else 2),
        long="alphabeta" in name or name == "paper v paper_code",  # not part of the report of all papers
    )


def idea(name: str, spec: str, other: str = "alphabeta", size: int = 8) -> Comparison:
    """Games of one of the IDEAS."""
    name = f"idea: {name}" + (f", {size}x{size}" if size != 8 else "")
    return Comparison(
        name=name,
        group=name,
        x=size,
        game=f"colosseum(size={size})",
        agents=(at(spec, IDEA_SECONDS), at(other, IDEA_SECONDS)),
        effort=size * IDEA_SECONDS * 2,
        long=True,
    )


STUDY = Study(
    title="Colosseum Survival!",
    paper="COMP 424 Final Project Game: Colosseum Survival!",
    x_name="size of the board",
    comparisons=(
        *(duel(one, other, size) for one, other in combinations(AGENTS, 2) for size in SIZES),
        *(duel("champion", BY_PASSAGES, size) for size in SIZES),
        *(duel(LOOKAHEAD, "paper", size, games=20) for size in SIZES),
        *(idea(name, spec) for name, spec in IDEAS.items()),
        *(idea(name, IDEAS[name], size=12) for name in WIDE),
        idea("the paper's agent, ways out looked for, v the paper's", "paper(bias_by=ways_out)", "paper"),
    ),
    bench=tuple(f"colosseum(size={size})" for size in SIZES),
    notes=(
        "The paper has no figures to compare with: it says how its agent plays, not how often it wins. Agents have "
        f"{SECONDS} s per move, ideas {IDEA_SECONDS} s."
    ),
)
