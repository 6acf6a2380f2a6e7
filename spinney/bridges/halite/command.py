"""`spinney bot`: an agent that the official engine starts, and talks to on standard input and output."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from spinney.agents import build
from spinney.bridges.halite import MARGIN
from spinney.bridges.log import Log
from spinney.errors import BadOption
from spinney.files import check_target
from spinney.games import Game, load


def bot(
    game: Game,
    spec: str,
    agent: str,
    name: Annotated[str, typer.Option(help="The name of the bot for the engine.")] = "spinney",
    margin: Annotated[float, typer.Option(min=0, max=1.9, help="Seconds of a turn's two to keep in reserve.")] = MARGIN,
    log: Annotated[Path | None, typer.Option(help="A file with a line for every turn.")] = None,
    compile_only: Annotated[bool, typer.Option("--compile", help="Compile the agent, and play nothing.")] = False,
) -> None:
    """Play one game of Halite III for the official engine, which starts this command itself.

    Compile the agent before its first game, because the engine waits at most 30 seconds for a bot's name. The agent has
    the two seconds of a turn, less the margin.

    Example: halite "spinney bot halite --log spinney.log" "spinney bot halite --agent collector"
    """
    if not name.isprintable():
        raise BadOption(f"the name {name!r}; it must be one line of printable letters")
    check_target(log)
    from spinney.bridges.halite.bot import play  # light to import for --help

    build(load(game.card), agent)  # a wrong agent is an error now, not when the engine has sent its map
    if compile_only:
        print(f"{agent} is compiled")
        return
    with closing(Log(log)) as notes:
        play(game.card, sys.stdin.readline, sys.stdout, agent, name, notes, margin)


COMMANDS = {"bot": bot}
