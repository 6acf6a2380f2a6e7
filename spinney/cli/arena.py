"""`spinney arena`: a tournament between agents."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from spinney import games
from spinney.arena import Arena, GameResult, Standing, standings
from spinney.cli.output import Json, Ray, Workers, console, run_games, show_forfeits, table, write_json
from spinney.files import check_target, write_atomic
from spinney.pool import open_pool


def arena(
    game: Annotated[str, typer.Argument(help="The game, as `spinney games` names it.")],
    agents: Annotated[list[str], typer.Argument(help="The agents; at least as many as the game has players.")],
    count: Annotated[int, typer.Option("--games", "-n", min=1, max=1_000_000, help="Number of games.")] = 100,
    file: Annotated[Path | None, typer.Option(help="The results file; by default GAME-arena.sqlite.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue a run that was stopped.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of all random numbers.")] = 1,
    limit: Annotated[
        float | None, typer.Option(min=0.001, max=1e6, help="Seconds per move; an agent that takes longer forfeits.")
    ] = None,
    cpu_time: Annotated[
        bool, typer.Option("--cpu-time", help="Seconds are CPU time, for a machine with other work.")
    ] = False,
    keep_decisions: Annotated[
        bool, typer.Option("--keep-decisions", help="Store the figures of every decision, for replays and reviews.")
    ] = False,
    memory: Annotated[
        int | None,
        typer.Option(min=64, max=2**20, help="MiB for a game and its agents; more is a forfeit. Linux only."),
    ] = None,
    workers: Workers = None,
    ray: Ray = None,
    json_to: Json = None,
    csv_to: Annotated[Path | None, typer.Option("--csv", help="Write the table as CSV.")] = None,
) -> None:
    """Play a tournament. Agents play in all seat orders, and every game is stored when it is finished.

    As many agents as players are one matchup; of more agents, every combination plays. Name an agent twice to give it
    two seats. The share is games won, where a tie of k counts 1/k, with Wilson's 95 % interval. Ratings are maximum
    likelihood under Luce's choice rule (Bradley-Terry for any number of players), in Elo with mean 0.

    Example: spinney arena deepsea "uct(iterations=10000, rollout=pruned)" "heuristic(margin=2)" --games 100
    """
    loaded = games.load(game)
    file = file or Path(f"{loaded.name}-arena.sqlite")
    check_target(json_to, csv_to, file)
    pool = open_pool(workers, ray)
    played = Arena(
        game, agents, count, file, seed=seed, limit=limit, clock="cpu" if cpu_time else "wall", resume=resume,
        keep_decisions=keep_decisions, memory=memory,
    )  # fmt: skip
    screen, before = console(json_to), played.store.games()

    def found(new: list[GameResult]) -> Table:
        return standings_table(played.specs, before + new)

    def saved() -> str:
        return f"{len(played.store.numbers()):,} games are in {file}: go on with --resume"

    with closing(played.store):
        run_games(played.run(pool=pool), pool, screen, json_to, done=len(before), total=len(played.jobs),
                  stage=lambda: repr(loaded), found=found, saved=saved)  # fmt: skip
        finished = played.store.games()
    screen.print(standings_table(played.specs, finished))
    show_forfeits(screen, played.specs, finished)
    screen.print(f"{len(finished):,} games in {file}; seed {seed}")
    rows = standings(played.specs, finished)
    write_json(json_to, [asdict(row) for row in rows])
    if csv_to is not None:
        _write_csv(csv_to, rows)


def standings_table(specs: Sequence[str], finished: Sequence[GameResult]) -> Table:
    """The standings as a table for the terminal."""
    names, rows = standings(specs, finished).table()
    return table("Standings", *names, rows=rows)


def _write_csv(file: Path, rows: list[Standing]) -> None:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, [*asdict(rows[0])])
    writer.writeheader()
    writer.writerows(asdict(row) for row in rows)
    write_atomic(file, text.getvalue())
