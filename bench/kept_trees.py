"""The benefit of tree reuse: how often the opponent's move is in the tree, and the share of the visits below it.

An agent plays itself, without tree reuse. The authors of the paper on Colosseum Survival! gave up tree reuse because
the move was rarely in the tree. The default agent is their program; it made about 160 simulations per move on 8x8 and
35 on 12x12.
"""

from __future__ import annotations

from statistics import mean
from typing import Annotated, NamedTuple

import common
import typer
from rich.progress import track

import spinney
from spinney.agents.agent import SearchAgent
from spinney.cli.output import Json, console, table, write_json
from spinney.search import Node, TreeSearch

AGENT = "paper_code(seconds=none, first_seconds=none, nodes=4000000, iterations=160)"


class Kept(NamedTuple):
    """What is left of the tree of the player's last decision."""

    known: bool
    """Whether the opponent's move was visited."""
    visits: float
    """The share of the visits below the present position."""
    tried: float
    """The share of the player's own moves that were visited."""


def main(
    game: Annotated[str, typer.Option(help="A sequential two-player game.")] = "colosseum(size=8)",
    agent: Annotated[str, typer.Option(help="A tree search.")] = AGENT,
    games: Annotated[int, typer.Option(min=1, help="Games to play.")] = 4,
    seed: Annotated[int, typer.Option(help="Seed of all random numbers.")] = 1,
    json_to: Json = None,
) -> None:
    """Play games, and print how much of the trees could be reused."""
    one = spinney.game(game)
    agents = [one.agent(agent, seed=seed + seat) for seat in range(2)]
    card = one.card
    if one.players != 2 or card.has_chance or card.has_hidden or card.is_simultaneous:
        raise spinney.SpinneyError(f"{one.name} is not a sequential two-player game with perfect information")
    if not all(isinstance(each, SearchAgent) and isinstance(each.search, TreeSearch) for each in agents):
        raise spinney.SpinneyError(f"{agent} is not a tree search")
    screen = console(json_to)
    numbers = track(range(games), "playing", console=screen, transient=True, disable=not screen.is_terminal)
    kept = [found for number in numbers for found in play(one, agents, seed + number)]
    figures = {
        "game": game, "agent": agent, "games": games, "seed": seed, "decisions": len(kept),
        **{field: mean(getattr(found, field) for found in kept) if kept else 0.0 for field in Kept._fields},
    }  # fmt: skip
    row = (f"{len(kept):,}", *(f"{figures[field]:.1%}" for field in Kept._fields))
    screen.print(table(agent, ">decisions", ">move visited", ">visits kept", ">own moves tried", rows=[row]))
    screen.print(f"{games} games of {game} against itself; seed {seed}")
    write_json(json_to, figures)


def play(game: spinney.Game, agents: list[spinney.Agent], seed: int) -> list[Kept]:
    """Play a game; returns what was left for each decision after a player's first."""
    state, found = game.start(seed), []
    trees: list[Node | None] = [None, None]
    while not state.is_over:
        seat = state.mover
        tree = trees[seat]
        if tree is not None:
            (_, mine), (_, theirs) = state.history[-2:]
            own = tree.child(mine)
            node = None if own is None else own.child(theirs)
            visits = 0 if node is None else node.visits
            tried = mean(child.visits > 0 for child in tree.children)
            found.append(Kept(visits > 0, visits / tree.visits, tried))
        decision = agents[seat].decide(state)
        if decision.result is not None and decision.result.full:
            raise spinney.SpinneyError("the tree is full; the agent's option 'nodes' must be larger")
        trees[seat] = decision.tree
        state.apply(decision.action)
    return found


if __name__ == "__main__":
    common.run(main)
