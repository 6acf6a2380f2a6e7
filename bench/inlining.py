"""What inlining rules is worth: the speed of playouts, and the time to compile them.

Each variant runs in a process of its own with an empty cache. `--each` inlines the rules that are not marked for it one
at a time, on top of those that are: to choose which to mark.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from time import process_time
from typing import Annotated, Any

import common
import typer

import spinney
from spinney.cli.output import Json, console, table, write_json
from spinney.kernel import bind, seeded
from spinney.kernel.rule import RULES
from spinney.search.rollout import make_count
from spinney.search.workspace import fill_rng, playout_record

AS_MARKED, NONE, ALL = "as marked", "none", "all"
SHOWN = 12


def main(
    game: Annotated[str, typer.Option(help="The game.")] = "battlesnake",
    policy: Annotated[str | None, typer.Option(help="The player of the playouts; by default the game's.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Playouts per measurement.")] = 5000,
    each: Annotated[bool, typer.Option(help="Also inline each other rule alone.")] = False,
    variant: Annotated[str | None, typer.Option(hidden=True)] = None,
    json_to: Json = None,
) -> None:
    """Compare playouts with rules inlined as they are marked, with none and with all of them."""
    if variant is not None:
        print(*run(game, policy, games, variant))
        return
    card = spinney.game(game).card
    card.player(policy or card.searching.rollout)  # errors are told before the processes start
    variants = [AS_MARKED, NONE, ALL, *(others(game) if each else ())]
    rates = {name: measured(game, policy, games, name) for name in variants}
    base = rates[AS_MARKED][0]
    figures = [{"inlined": name, "playouts": rate, "compile": seconds} for name, (rate, seconds) in rates.items()]
    best = sorted(figures[3:], key=lambda row: -float(row["playouts"]))[:SHOWN]
    rows = [
        (row["inlined"], f"{row['playouts']:,.0f}", f"{row['playouts'] / base:.2f}", f"{row['compile']:.1f} s")
        for row in [*figures[:3], *best]
    ]
    console(json_to).print(table(f"Inlining, {game}", "inlined", ">playouts/s", ">ratio", ">compile", rows=rows))
    write_json(json_to, figures)


def measured(game: str, policy: str | None, games: int, variant: str) -> tuple[float, float]:
    """Playouts per CPU second and CPU seconds of compilation, in a new process."""
    command = [sys.executable, __file__, "--game", game, "--games", str(games), "--variant", variant]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            command + (["--policy", policy] if policy else []),
            env={**os.environ, "SPINNEY_CACHE": folder},
            capture_output=True,
            text=True,
            check=True,
        )
    rate, seconds = done.stdout.split()
    return float(rate), float(seconds)


def run(game: str, policy: str | None, games: int, variant: str) -> tuple[float, float]:
    loaded = spinney.game(game)
    card: Any = loaded.card
    for function in list(RULES):
        if variant in (NONE, ALL):
            RULES[function] = variant == ALL and function.__module__.startswith("spinney.games")
        elif name_of(function) == variant:
            RULES[function] = True
    state = loaded.start(seed=1)
    player = card.player(policy or card.searching.rollout)
    rng: Any = seeded(1)
    while state.mover == spinney.CHANCE:
        state.apply(card.rules.chance(state.record, rng))
    kind = type(state.record)
    work = playout_record(card).native()
    fill_rng(work.rng, seeded(1))
    arguments = (kind.native(state.record), work)
    before = process_time()
    count = bind(make_count, f"{loaded.name}/inlining", rules=card.bound_rules, policy=player)
    count(*arguments, 1)
    seconds, rate = process_time() - before, 0.0
    for _ in range(5):
        before = process_time()
        count(*arguments, games)
        rate = max(rate, games / (process_time() - before))
    return rate, seconds


def others(game: str) -> list[str]:
    """The rules of a game that are not marked to be inlined."""
    module: str = spinney.game(game).card.rules.__name__.rpartition(".")[0]
    return sorted(name_of(f) for f, inline in RULES.items() if not inline and f.__module__.startswith(module))


def name_of(function: Any) -> str:
    return f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"


if __name__ == "__main__":
    common.run(main)
