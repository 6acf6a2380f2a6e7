"""`spinney tune`: the options with which an agent wins most."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group, RenderableType
from rich.text import Text

from spinney import games
from spinney.arena.summary import Share
from spinney.cli.output import (
    Json,
    Ray,
    Workers,
    check_target,
    console,
    interval,
    others_silenced,
    show_forfeits,
    table,
    told_when_stopped,
    watched,
    write_json,
)
from spinney.pool import Pool, open_pool
from spinney.study.tune import Block, Tuning, difference, share_of


def tune(
    game: Annotated[str, typer.Argument(help="The game, as `spinney games` names it.")],
    agent: Annotated[str, typer.Argument(help="The agent to tune; its other options stay as they are given here.")],
    ranges: Annotated[list[str], typer.Argument(help="What to try: option=low..high, or option=one|other.")],
    against: Annotated[
        list[str],
        typer.Option("--against", "-a", help="An opponent; repeat it for more. One alone takes all other seats."),
    ],
    count: Annotated[int, typer.Option("--games", "-n", min=1, max=1_000_000, help="All games together.")] = 400,
    file: Annotated[Path | None, typer.Option(help="The results file; GAME-tune.sqlite unless named.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a file that was begun before.")] = False,
    seed: Annotated[int, typer.Option(help="Start of all random numbers.")] = 1,
    block: Annotated[
        int | None, typer.Option(min=1, help="Games of one trial; the root of a quarter of all games unless given.")
    ] = None,
    workers: Workers = None,
    ray: Ray = None,
    json_to: Json = None,
) -> None:
    """Search for the options with which an agent wins most, by Optuna.

    A range is option=low..high. An option of whole numbers gets whole numbers. Where the high end is 100 times the low
    one or more, the scale is logarithmic; low..high:log and low..high:linear choose it. Words and switches are
    option=one|other, as in solver=true|false. Put quotes around what has a | or brackets.

    Half of the games are the search: each trial plays a block, with the same dice as all others. A quarter is for the
    best four, with new dice. The last quarter is played by the winner and by the untuned agent, with new dice again, so
    that the figures printed are not those of the luckiest. Seats are rotated. Every game is stored when it is finished:
    --resume goes on, and comes to the same result.

    Needs Optuna: pip install 'spinney[tune]'

    Example: spinney tune connect_four "uct(iterations=200)" c=0.1..10 --against "uct(iterations=200)" --games 400
    """
    file = file or Path(f"{games.load(game).name}-tune.sqlite")
    check_target(json_to, file)
    pool = open_pool(workers, ray)
    tuning = Tuning(game, agent, ranges, against, count, file, seed=seed, block=block, resume=resume)
    screen = console(json_to)

    def kept() -> str:
        return f"{tuning.played:,} games are in {file}: go on with --resume"

    with closing(tuning.store), told_when_stopped(screen, kept), others_silenced(json_to), pool:
        _watch_run(tuning, pool, screen)
    rows = [(bout.spec, *_figures(share_of([bout]))) for bout in tuning.finals]
    others = [(spec, *_figures(share_of(bouts))) for spec, bouts in tuning.finalists()]
    screen.print(table("Finalists, by the games that chose them", "agent", ">games", ">share", ">95 %", rows=others))
    screen.print(table("New games", "agent", ">games", ">share", ">95 %", rows=rows))
    screen.print(_verdict(tuning.finals), soft_wrap=True)
    show_forfeits(screen, tuning.store.specs, tuning.forfeits)
    screen.print(f"{tuning.played:,} games, {len(tuning.trials)} trials in {file}; seed {seed}")
    screen.print(f"best: {tuning.winner()}", style="bold", soft_wrap=True)
    write_json(json_to, tuning.figures())


def _watch_run(tuning: Tuning, pool: Pool, screen: Console) -> None:
    """Play the games that are left; on a terminal, with the best so far."""

    def stage() -> str:
        return tuning.stage

    def found() -> RenderableType:
        ranking = tuning.ranking()
        if not ranking:
            return Group()
        spec, bouts = ranking[0]
        share = share_of(bouts)
        return Text(f"best so far: {spec}, {share.share:.1%} of {share.games:g} games")

    for _ in watched(tuning.run(pool=pool), tuning.played, tuning.plan.games, screen, stage, found):
        pass


def _figures(found: Share) -> tuple[str, str, str]:
    return f"{found.games:g}", f"{found.share:.1%}", interval(found.low, found.high)


def _verdict(finals: list[Block]) -> str:
    """What the last games say about the winner and the untuned agent."""
    if len(finals) == 1:
        return "nothing better was found than the untuned agent"
    by, low, high = difference(share_of(finals[:1]), share_of(finals[1:]))
    words = "it is stronger" if low > 0 else "it is weaker" if high < 0 else "that may be chance; more games tell"
    return f"{100 * by:+.1f} points against the untuned agent (95 % {100 * low:+.1f} to {100 * high:+.1f}): {words}"
