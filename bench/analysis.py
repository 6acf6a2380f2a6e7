"""What it costs a search to be watched: simulations per second of `decide`, and of `analyse` while somebody reads."""

from __future__ import annotations

import time
from statistics import median
from typing import Annotated

import common
import typer

import spinney
from spinney.agents.agent import SearchAgent
from spinney.cli.output import Json, console, table, write_json

PAIRS = (
    "connect_four: uct",
    "connect_four: uct(threads=2)",
    "colosseum: uct",
    "battlesnake: decoupled",
    "saboteur: infoset",
    "connect_four: alphabeta",
    "halite: forest",
)


def main(
    pair: Annotated[list[str], typer.Option(help="A game and a search, as in 'connect_four: uct'.")] = list(PAIRS),  # noqa: B006
    seconds: Annotated[float, typer.Option(min=0.3, help="Seconds of a search.")] = 3.0,
    every: Annotated[float, typer.Option(min=0.01, help="Seconds between two decisions so far.")] = 0.25,
    repeats: Annotated[int, typer.Option(min=1, help="Searches of each kind, alternately.")] = 7,
    json_to: Json = None,
) -> None:
    """Search the same position with and without an analysis, alternately."""
    screen, rows, figures = console(json_to), [], []
    for words in pair:
        name, _, spec = words.partition(": ")
        rates: dict[bool, list[float]] = {False: [], True: []}
        shown = 0
        game = spinney.game(name)
        agent, state = game.agent(spec, seed=1), middle(game)
        if not isinstance(agent, SearchAgent):
            raise spinney.SpinneyError(f"{spec} is not a search")
        agent.decide(state, spinney.Clock(seconds=0.3), player=state.movers[0])
        for _ in range(repeats):
            for watched in rates:
                clock, started = spinney.Clock(seconds=seconds), time.process_time()
                if watched:
                    *so_far, last = agent.analyse(state, clock, player=state.movers[0], every=every)
                    shown += len(so_far)
                else:
                    last = agent.decide(state, clock, player=state.movers[0])
                rates[watched].append(last.iterations / (time.process_time() - started))
        alone, seen = median(rates[False]), median(rates[True])
        best = max(rates[True]) / max(rates[False]) - 1
        rows.append((words, f"{alone:,.0f}", f"{seen:,.0f}", f"{seen / alone - 1:+.1%}", f"{best:+.1%}",
                     f"{shown / repeats:.1f}"))  # fmt: skip
        figures.append({"pair": words, "decide": rates[False], "analyse": rates[True], "decisions": shown / repeats})
    names = ("search", ">decide", ">analyse", ">medians", ">best", ">decisions")
    screen.print(table("Simulations per CPU second", *names, rows=rows))
    screen.print(f"{repeats} searches of {seconds:g} s each, alternately; a decision so far every {every:g} s at most")
    write_json(json_to, {"seconds": seconds, "every": every, "pairs": figures})


def middle(game: spinney.Game) -> spinney.State:
    """A position after some turns, by the first player of the game."""
    state = game.start(seed=1)
    agent = game.agent("random", seed=1)
    for _ in range(8 * game.players):
        player = state.movers[0]
        state.apply(agent.decide(state, player=player).action, player)
    return state


if __name__ == "__main__":
    common.run(main)
