"""`spinney tune`: search for the best options of an agent."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group
from rich.text import Text

from spinney import games
from spinney.cli.output import Json, Ray, Workers, console, run_games, show_forfeits, table, write_json
from spinney.files import check_target
from spinney.pool import open_pool
from spinney.stats import Share, difference, interval
from spinney.study.tune import Block, Tuning, share_of


def tune(
    game: Annotated[str, typer.Argument(help="The game, as `spinney games` names it.")],
    agent: Annotated[str, typer.Argument(help="The agent to tune, with its fixed options.")],
    ranges: Annotated[list[str], typer.Argument(help="Values to try: option=low..high, or option=one|other.")],
    against: Annotated[
        list[str],
        typer.Option("--against", "-a", help="An opponent; repeat it for more. A single one takes all other seats."),
    ],
    count: Annotated[int, typer.Option("--games", "-n", min=1, max=1_000_000, help="Number of games in all.")] = 400,
    file: Annotated[Path | None, typer.Option(help="The results file; by default GAME-tune.sqlite.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue a run that was stopped.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of all random numbers.")] = 1,
    block: Annotated[
        int | None, typer.Option(min=1, help="Games of one trial; by default the root of a quarter of all games.")
    ] = None,
    workers: Workers = None,
    ray: Ray = None,
    json_to: Json = None,
) -> None:
    """Search with Optuna for the options with which an agent wins most.

    A range is option=low..high; an option that takes integers gets integers. If the high end is at least 100 times the
    low end, the scale is logarithmic; low..high:log and low..high:linear choose the scale. Other options have choices:
    option=one|other, as in solver=true|false. Quote arguments with | or brackets.

    Half of the games are the search: each trial plays a block of games, all with the same dice. The best four trials
    play a quarter of the games with new dice. The winner and the untuned agent play the last quarter, again with new
    dice, so that the reported shares are not biased by the selection. All seat orders are played. Every game is stored
    when it is finished; a run that is resumed gives the same result.

    Needs Optuna: pip install 'spinney-mcts[tune]'

    Example: spinney tune connect_four "uct(iterations=200)" c=0.1..10 --against "uct(iterations=200)" --games 400
    """
    file = file or Path(f"{games.load(game).name}-tune.sqlite")
    check_target(json_to, file)
    pool = open_pool(workers, ray)
    tuning = Tuning(game, agent, ranges, against, count, file, seed=seed, block=block, resume=resume)
    screen = console(json_to)

    def found(_: object) -> Group:
        """The best candidate so far."""
        best = [(spec, share_of(blocks)) for spec, blocks in tuning.ranking()[:1]]
        return Group(*(Text(f"best so far: {spec}, {one.share:.1%} of {one.games:g} games") for spec, one in best))

    def saved() -> str:
        return f"{tuning.played:,} games are in {file}: go on with --resume"

    with closing(tuning.store):
        run_games(tuning.run(pool=pool), pool, screen, json_to, done=tuning.played, total=tuning.plan.games,
                  stage=lambda: tuning.stage, found=found, saved=saved)  # fmt: skip
    rows = [(block.spec, *_figures(share_of([block]))) for block in tuning.finals]
    others = [(spec, *_figures(share_of(blocks))) for spec, blocks in tuning.finalists()]
    screen.print(table("Finalists, in the games that selected them", "agent", ">games", ">share", ">95 %", rows=others))
    screen.print(table("New games", "agent", ">games", ">share", ">95 %", rows=rows))
    show_forfeits(screen, tuning.store.specs, tuning.forfeits)
    screen.print(f"{tuning.played:,} games, {len(tuning.trials)} trials in {file}; seed {seed}")
    for line in _verdict(tuning.finals):
        screen.print(line, soft_wrap=True)
    write_json(json_to, tuning.figures())


def _figures(found: Share) -> tuple[str, str, str]:
    return f"{found.games:g}", f"{found.share:.1%}", interval(found.low, found.high)


def _verdict(finals: list[Block]) -> tuple[str, ...]:
    """What the new games allow to say of the best finalist and the untuned agent."""
    if len(finals) == 1:
        return ("nothing better was found than the untuned agent",)
    best, untuned = share_of(finals[:1]), share_of(finals[1:])
    by, low, high = difference(best, untuned)
    measured = f"{100 * by:+.1f} points against the untuned agent (95 % {100 * low:+.1f} to {100 * high:+.1f})"
    if low > 0:
        return measured, f"stronger: {finals[0].spec}"
    if high < 0:
        return measured, f"weaker than the untuned agent: {finals[0].spec}"
    return measured, f"not yet told apart from the untuned agent ({best.games:g} new games each): {finals[0].spec}"
