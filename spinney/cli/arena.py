"""`spinney arena` and `spinney replay`: tournaments, and the games they stored."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from spinney import games
from spinney.arena import Arena, Outcome, Standing, Store, standings
from spinney.bridges.battlesnake.journal import is_journal
from spinney.bridges.battlesnake.replay import frames
from spinney.cli.output import (
    Json,
    Ray,
    Workers,
    check_target,
    console,
    on_terminal,
    others_silenced,
    table,
    told_when_stopped,
    write_json,
)
from spinney.errors import BadOption
from spinney.files import write_whole
from spinney.games import CHANCE
from spinney.pool import Pool, open_pool


def arena(
    game: Annotated[str, typer.Argument(help="The game, as `spinney games` names it.")],
    agents: Annotated[list[str], typer.Argument(help="The agents; at least as many as the game has players.")],
    count: Annotated[
        int, typer.Option("--games", "-n", min=1, max=1_000_000, help="How many games, over all fields and orders.")
    ] = 100,
    file: Annotated[Path | None, typer.Option(help="The results file; GAME-arena.sqlite unless named.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a file that was begun before.")] = False,
    seed: Annotated[int, typer.Option(help="Start of all random numbers.")] = 1,
    limit: Annotated[
        float | None, typer.Option(min=0.0, max=1e6, help="Seconds for a move; who takes longer forfeits.")
    ] = None,
    cpu_time: Annotated[
        bool, typer.Option("--cpu-time", help="Seconds are CPU time: for a machine that has other work to do as well.")
    ] = False,
    workers: Workers = None,
    ray: Ray = None,
    json_to: Json = None,
    csv_to: Annotated[Path | None, typer.Option("--csv", help="Write the table as CSV.")] = None,
) -> None:
    """Play a tournament: seats rotated evenly, every game stored as soon as it is finished.

    As many agents as players make one field (name an agent twice to seat it twice); more agents play in all
    combinations. The share is games won, where a tie of k counts 1/k; its interval is Wilson's of 95 %. Ratings are the
    most likely ones under Luce's choice rule (Bradley-Terry for any number of players), in Elo with mean 0.

    Example: spinney arena deepsea "uct(iterations=10000, rollout=pruned)" "heuristic(margin=2)" --games 100
    """
    loaded = games.load(game)
    file = file or Path(f"{loaded.name}-arena.sqlite")
    check_target(json_to, csv_to, file)
    pool = open_pool(workers, ray)
    played = Arena(
        game, agents, count, file, seed=seed, limit=limit, clock="cpu" if cpu_time else "wall", resume=resume
    )
    screen = console(json_to)

    def kept() -> str:
        return f"{len(played.store.numbers()):,} games are in {file}: go on with --resume"

    with closing(played.store):
        with told_when_stopped(screen, kept), others_silenced(json_to), pool:
            _watch_run(played, pool, screen)
        outcomes = played.store.outcomes()
    screen.print(standings_table(played.specs, outcomes))
    for outcome in [outcome for outcome in outcomes if outcome.forfeit is not None][:5]:
        assert outcome.forfeit is not None
        seat, reason = outcome.forfeit
        screen.print(f"game {outcome.number}: {played.specs[outcome.seats[seat]]} {reason}", style="red")
    screen.print(f"{len(outcomes):,} games in {file}; seed {seed}")
    rows = standings(played.specs, outcomes)
    write_json(json_to, [asdict(row) for row in rows])
    if csv_to is not None:
        _write_csv(csv_to, rows)


def _watch_run(played: Arena, pool: Pool, screen: Console) -> None:
    """Play the games that are left; on a terminal, with the standings so far."""
    outcomes = played.store.outcomes()
    count = len(played.jobs)
    progress = Progress(
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TextColumn("games, about"),
        TimeRemainingColumn(), TextColumn("left"), console=screen,
    )  # fmt: skip
    task = progress.add_task(f"{played.game!r}", total=count, completed=min(count, len(outcomes)))

    def view() -> RenderableType:
        return Group(standings_table(played.specs, outcomes), progress)

    shown = time.monotonic()
    with Live(view(), console=screen, auto_refresh=False, transient=True) as live:
        for outcome in played.run(pool=pool):
            outcomes.append(outcome)
            progress.update(task, completed=len(outcomes))
            if on_terminal() and time.monotonic() - shown > 0.5:
                live.update(view(), refresh=True)
                shown = time.monotonic()


def standings_table(specs: Sequence[str], outcomes: Sequence[Outcome]) -> Table:
    """The standings as people read them: intervals below their figures, so that 80 columns do."""
    rows: list[tuple[object, ...]] = [
        (
            row.agent,
            row.games,
            f"{row.share:.1%}\n{100 * row.low:.1f}-{100 * row.high:.1f}",
            f"{row.mean_score:.2f}",
            f"{round(row.rating):+d}\n±{row.rating_high - row.rating:.0f}",
            f"{row.seconds_per_move:.3f}\n{row.longest_move:.3f}",
            row.forfeits,
        )
        for row in standings(specs, outcomes)
    ]
    names = ["agent", ">games", ">share\n95 %", ">score", ">rating\n95 %", ">s/move\nlongest", ">forfeits"]
    if not any(outcome.forfeit for outcome in outcomes):
        names, rows = names[:-1], [row[:-1] for row in rows]
    return table("Standings", *names, rows=rows)


def replay(
    file: Annotated[
        Path, typer.Argument(help="A results file of `spinney arena`, a game that a server wrote, or a .hlt file.")
    ],
    number: Annotated[int | None, typer.Argument(min=0, help="The game's number in a results file, from 0.")] = None,
    delay: Annotated[float, typer.Option(min=0, max=60, help="Seconds between steps on a terminal.")] = 0.3,
) -> None:
    """Show a stored game, step by step."""
    if file.suffix == ".hlt" or is_journal(file):
        if number is not None:
            raise BadOption(f"{file} has one game; leave out the number {number}")
        from spinney.games.halite import hlt  # not before: it loads a library of its own

        for frame in hlt.frames(file) if file.suffix == ".hlt" else frames(file):
            console().print(frame)
            if on_terminal():
                time.sleep(delay)
        return
    with closing(Store(file)) as store:
        if number is None:
            raise BadOption(f"{file} has many games; add the number of one, from 0")
        outcome = store.outcome(number)
    screen = console()
    state = games.load(store.settings["game"]).start(outcome.seed, manual_chance=True)
    screen.print(str(state))
    under_way = state.game.card.under_way
    for mover, action in outcome.steps:
        who = "chance" if mover == CHANCE else f"player {mover + 1} ({store.specs[outcome.seats[mover]]})"
        screen.print(f"\n{who}: {state.name(action)}")
        known = len(state.history)
        state.apply(action, None if mover == CHANCE else mover)
        if len(state.history) == known or (under_way and under_way(state.record)):
            continue  # others have still to choose
        screen.print(str(state))
        if on_terminal():
            time.sleep(delay)
    shares = ", ".join(f"player {seat + 1} {share:g}" for seat, share in enumerate(outcome.shares))
    screen.print(f"\ngame {number}: shares {shares}", style="bold")
    if outcome.forfeit is not None:
        screen.print(f"player {outcome.forfeit[0] + 1} {outcome.forfeit[1]}", style="red")


def _write_csv(file: Path, rows: list[Standing]) -> None:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, [*asdict(rows[0])])
    writer.writeheader()
    writer.writerows(asdict(row) for row in rows)
    write_whole(file, text.getvalue())
