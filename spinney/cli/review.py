"""`spinney review`: what a stored game was worth at every decision, and which decisions cost most."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from spinney.cli.output import Json, console, long_run, write_json
from spinney.cli.replay import open_replay
from spinney.errors import BadOption, BadRecording
from spinney.files import append_atomic, check_target, write_atomic
from spinney.play.review import Findings, Review, Reviewer, begin_review, judged
from spinney.show.review import review_page, show_review


def review(
    file: Annotated[Path, typer.Argument(help="A file with games, of any kind that `spinney replay` shows.")],
    number: Annotated[int | None, typer.Argument(min=0, help="The game's number in a file with many, from 0.")] = None,
    agent: Annotated[
        str | None, typer.Option(help="The tree search that judges; the strongest that plays the game unless named.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.01, max=1e6, help="The time of each search; without any limit 0.5 seconds.")
    ] = None,
    iterations: Annotated[int | None, typer.Option(min=1, help="Simulations of each search at most.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Where results are kept, so that the same command goes on; by default beside the file."),
    ] = None,
    path: Annotated[
        str | None,
        typer.Option("--game", help="The .py file of the game, for games of your own: a path in the file is not run."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of all random numbers.")] = 1,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="PAGE", help="Write a page with the graph of the game.")
    ] = None,
    json_to: Json = None,
) -> None:
    """Find the decisions that lost a game.

    Every decision is searched. If the search chooses another action than was played, both are searched again, each
    alone; the difference of their values is what the decision cost. Costs within twice their standard error are not
    listed. Where a player orders many pieces at once, the review shows how the game stood and what was lost instead.

    Example: spinney review deepsea-arena.sqlite 7 --seconds 0.2 --html review.html
    """
    if not file.is_file():
        raise BadRecording(f"there is no file {file}")
    replay = open_replay(file, number, path)
    single_orders = not replay.card.has_turns
    kept = out or file.with_name(f"{file.name}{'' if number is None else f'-{number}'}.review.jsonl")
    check_target(html, json_to, *([kept] * single_orders), read=file)
    screen = console(json_to)
    found = begin_review(replay)
    if single_orders:
        assert replay.game is not None
        reviewer = Reviewer(replay.game, agent, seconds, iterations, seed)
        found.agent = reviewer.spec
        _judge(found, reviewer, kept, screen, json_to)
    elif agent is not None or seconds is not None or iterations is not None:
        raise BadOption(
            f"single orders of {replay.card.title} are not judged; leave out --agent, --seconds and --iterations"
        )
    show_review(screen, found)
    if html is not None:
        write_atomic(html, review_page(found))
        screen.print(f"\n{len(found.frames):,} frames in {html}", soft_wrap=True)
    write_json(json_to, as_data(found))


def _judge(found: Review, reviewer: Reviewer, kept: Path, screen: Console, json_to: str | None) -> None:
    """Judge all decisions, with a progress bar on a terminal."""
    text = kept.read_text(encoding="utf-8", errors="replace") if kept.exists() else ""
    try:
        known = Findings(text, lambda line: append_atomic(kept, line))
    except BadRecording as error:
        raise BadRecording(f"{kept}: {error}; name another --out") from None
    if known.whole != text:  # the last line was cut off
        write_atomic(kept, known.whole)
    progress = Progress(
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
        TextColumn("decisions, about"), TimeRemainingColumn(), TextColumn("left"), console=screen, transient=True,
        disable=not screen.is_terminal,
    )  # fmt: skip

    def saved() -> str:
        return f"{len(found.findings)} of {len(found.points)} decisions are in {kept}: the same command goes on"

    with long_run(screen, json_to, saved), progress:
        for _ in progress.track(judged(found, reviewer, known), len(found.points), description="searching"):
            pass


def as_data(found: Review) -> dict[str, Any]:
    """A review as plain data for JSON."""
    return {
        "game": repr(found.replay.game),
        "names": list(found.replay.names),
        "about": found.replay.about,
        "result": found.replay.result,
        "agent": found.agent,
        "curve": [{"frame": frame, "values": values} for frame, values in found.curve()],
        "decisions": [asdict(it) for it in found.findings],
        "worst": [asdict(it) for it in found.worst],
        "losses": [asdict(it) for it in found.biggest_losses],
    }
