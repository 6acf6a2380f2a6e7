"""How much of a tree is left for the next decision, if it is kept: is the other player's move in it, and how many of
the visits went there?

Two of the same agent play each other, without keeping anything. The paper on Colosseum Survival! gave up keeping the
tree since the move was rarely in it; the budgets are what its authors' program made of two seconds on 12x12 and 8x8,
and what Spinney makes of more.
"""

from __future__ import annotations

from statistics import mean
from typing import Annotated

import typer

import spinney
from spinney.cli.output import Json, console, table, write_json


def main(
    game: Annotated[str, typer.Option(help="The game, one of two players who move by turns.")] = "colosseum(size=8)",
    agent: Annotated[str, typer.Option(help="A tree search, without its budget.")] = "paper(seconds=none)",
    iterations: Annotated[str, typer.Option(help="Budgets to try.")] = "35,160,2000,20000,200000",
    games: Annotated[int, typer.Option(min=1, help="Games for each budget.")] = 4,
    seed: Annotated[int, typer.Option(help="Start of all random numbers.")] = 1,
    json_to: Json = None,
) -> None:
    """Play the games, and print what would have been kept."""
    figures = []
    for budget in (int(part) for part in iterations.split(",")):
        spec = f"{agent.removesuffix(')')}{', ' if '(' in agent else '('}iterations={budget})"
        kept = [share for number in range(games) for share in play(game, spec, seed + number)]
        known = mean(share > 0 for share in kept)
        figures.append({"iterations": budget, "decisions": len(kept), "known": known, "kept": mean(kept)})
    screen = console(json_to)
    rows = [
        (f"{row['iterations']:,}", f"{row['decisions']:,}", f"{row['known']:.0%}", f"{row['kept']:.2%}")
        for row in figures
    ]
    screen.print(table(f"{agent} on {game}", ">iterations", ">decisions", ">move known", ">visits kept", rows=rows))
    write_json(json_to, figures)


def play(name: str, spec: str, seed: int) -> list[float]:
    """Play a game: for each decision after a player's first, which share of the visits before went where it is now."""
    game = spinney.game(name)
    state, agents = game.start(seed), [game.agent(spec, seed=seed + seat) for seat in range(2)]
    trees, shares = [None, None], []
    while not state.is_over:
        seat = state.mover
        if trees[seat] is not None:
            (_, mine), (_, theirs) = state.history[-2:]
            node = trees[seat].child(mine)
            node = None if node is None else node.child(theirs)
            shares.append(0.0 if node is None else node.visits / max(1, trees[seat].visits))
        decision = agents[seat].move(state)
        trees[seat] = decision.tree
        state.apply(decision.action)
    return shares


if __name__ == "__main__":
    typer.run(main)
