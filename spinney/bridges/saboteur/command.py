"""`spinney client`: an agent that plays on the official server."""

from __future__ import annotations

from functools import partial
from typing import Annotated, get_args

import typer

from spinney.agents import build, read_spec
from spinney.bridges.saboteur.client import LIMIT, MARGIN, PATIENCE, Client, Result, check_options
from spinney.errors import SpinneyError
from spinney.games import Game
from spinney.search import SEARCHES


def client(
    game: Game,
    spec: str,
    agent: str,
    host: Annotated[str, typer.Option(help="The address of the server.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The server's port.")] = 8123,
    most: Annotated[int, typer.Option("--games", min=1, max=1_000_000, help="Games to play, one after the other.")] = 1,
    name: Annotated[str, typer.Option(help="The name of the player on the server; one word.")] = "spinney",
    limit: Annotated[float, typer.Option(min=0.05, max=3600, help="Seconds that the server waits for a move.")] = LIMIT,
    margin: Annotated[float, typer.Option(min=0, max=60, help="Seconds of these that are kept in reserve.")] = MARGIN,
    patience: Annotated[
        float, typer.Option(min=0, max=1e6, help="Seconds for which a connection is tried again.")
    ] = PATIENCE,
) -> None:
    """Play on the Saboteur server of the course.

    The server sends its clients hidden information, too; what the player may not know is thrown away when it has been
    read. The agent searches as long as a move may take, less the margin, or less if its options say so.

    Example: spinney client saboteur --port 8123 --agent champion --games 10
    """
    tell = partial(print, flush=True)
    check_options(name, limit, margin)  # before anything is compiled
    if read_spec(game, agent)[0] in SEARCHES:
        tell(f"loading {agent}; the first time, it is compiled, which may take a minute or two")
    playing = Client(build(game, agent), host, port, name, limit, margin, patience, tell=tell)
    try:
        playing.play(most)
    finally:
        results = playing.results
        if played := results.total():
            found = ", ".join(f"{results[result]} {result}" for result in get_args(Result))
            tell(f"{played} game{'s' * (played > 1)}: {found}")
    if results["broken off"] == results.total():
        raise SpinneyError("no game was played to its end")


COMMANDS = {"client": client}
