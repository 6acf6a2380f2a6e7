"""`spinney verify`: checks recorded games against the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spinney import games
from spinney.cli.output import Json, console, write_json
from spinney.files import check_target
from spinney.games.recording import Verdict
from spinney.games.recording import verify as replay


def verify(
    game: Annotated[str, typer.Argument(help="The game, as `spinney games` names it.")],
    file: Annotated[Path, typer.Argument(help="Recorded games: a JSON object per line, plain or gzip.")],
    most: Annotated[int, typer.Option(min=0, help="The number of differences to print.")] = 10,
    json_to: Json = None,
) -> None:
    """Replay recorded games step by step, and report differences between the rules and the recording.

    The exit code is 0 without differences, 1 with differences, and 2 if the file cannot be read.
    """
    check_target(json_to, read=file)
    screen = console(json_to)
    verdict = Verdict()
    with screen.status("replaying") as status:
        for verdict in replay(games.load(game).card, file):
            status.update(f"replaying: {verdict.games:,} games, {len(verdict.differences):,} differences")
    for difference in verdict.differences[:most]:
        screen.print(difference, style="red")
    left = len(verdict.differences) - most
    if left > 0:
        screen.print(f"and {left:,} more", style="red")
    screen.print(f"{verdict.games:,} games, {verdict.steps:,} steps, {len(verdict.differences):,} differences")
    write_json(json_to, vars(verdict))
    if verdict.differences:
        raise typer.Exit(1)
