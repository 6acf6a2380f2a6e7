"""What it costs a search to be watched: simulations per second of `decide`, and of `analyse` while somebody reads."""

from __future__ import annotations

import time
from statistics import median, quantiles
from typing import Annotated

import common
import typer

import spinney
from spinney.agents.agent import SearchAgent
from spinney.cli.output import Json, console, table, write_json
from spinney.play import Session

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
    seconds: Annotated[float, typer.Option(min=0.3, help="Seconds of a search.")] = 1.0,
    every: Annotated[float, typer.Option(min=0.01, help="Seconds between two decisions so far.")] = 0.25,
    repeats: Annotated[int, typer.Option(min=2, help="Searches of each kind, alternately.")] = 21,
    json_to: Json = None,
) -> None:
    """Search the same position with and without an analysis, alternately."""
    screen, rows, figures = console(json_to), [], []
    common.announce(len(pair) * (0.3 + 2 * repeats * seconds), json_to)
    for words in pair:
        name, _, spec = words.partition(": ")
        rates: dict[bool, list[float]] = {False: [], True: []}
        shown = 0
        game = spinney.game(name)
        agent, state = game.agent(spec, seed=1), middle(game)
        if not isinstance(agent, SearchAgent):
            raise spinney.SpinneyError(f"{spec} is not a search")
        agent.decide(state, spinney.Clock(seconds=0.3), player=state.movers[0])
        for number in range(repeats):
            for watched in (False, True) if number % 2 else (True, False):
                clock, started = spinney.Clock(seconds=seconds), time.process_time()
                if watched:
                    *so_far, last = agent.analyse(state, clock, player=state.movers[0], every=every)
                    shown += len(so_far)
                else:
                    last = agent.decide(state.copy(), clock, player=state.movers[0])
                rates[watched].append(last.iterations / (time.process_time() - started))
                del last  # its tree is not to be kept during the next search
        low, middle_ratio, high = quantiles([seen / alone for alone, seen in zip(*rates.values(), strict=True)])
        rows.append((words, f"{median(rates[False]):,.0f}", f"{median(rates[True]):,.0f}", f"{middle_ratio - 1:+.1%}",
                     f"{low - 1:+.1%} to {high - 1:+.1%}", f"{shown / repeats:.1f}"))  # fmt: skip
        figures.append({"pair": words, "decide": rates[False], "analyse": rates[True], "decisions": shown / repeats})
    names = ("search", ">decide", ">analyse", ">difference", ">quartiles", ">decisions")
    screen.print(table("Simulations per CPU second", *names, rows=rows))
    about = f"{repeats} pairs of searches of {seconds:g} s; difference: the median of the pairs"
    screen.print(f"{about}; a decision so far every {every:g} s at most")
    write_json(json_to, {"seconds": seconds, "every": every, "pairs": figures})


def middle(game: spinney.Game) -> spinney.State:
    """A position after a third of a game between hand-written players."""
    spec = next((name for name in game.card.players if name in game.agents()), "random")
    steps = len(Session(game.start(seed=1), [game.agent(spec, seed=1)] * game.players).play().history)
    session = Session(game.start(seed=1), [game.agent(spec, seed=1)] * game.players)
    while len(session.state.history) < steps // 3 or session.state.waits_for_others:
        session.ask()
    return session.state


if __name__ == "__main__":
    common.run(main)
