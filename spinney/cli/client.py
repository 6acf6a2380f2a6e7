"""`spinney client`: an agent that plays on a game's official server."""

from __future__ import annotations

from typing import Annotated, get_args

import typer

from spinney import games
from spinney.agents import build, read_spec, usual_agent
from spinney.bridges.saboteur.client import LIMIT, MARGIN, PATIENCE, Client, Result, check_terms
from spinney.cli.output import console
from spinney.errors import SpinneyError, UnknownName
from spinney.search import SEARCHES


def client(
    game: Annotated[str, typer.Argument(help="The game: saboteur.")],
    agent: Annotated[
        str | None, typer.Option(help="The agent, as `spinney agents` names it; the game's strongest unless given.")
    ] = None,
    host: Annotated[str, typer.Option(help="Where the server is.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The server's port.")] = 8123,
    most: Annotated[int, typer.Option("--games", min=1, max=1_000_000, help="Games to play, one after the other.")] = 1,
    name: Annotated[str, typer.Option(help="What the server calls the player; one word.")] = "spinney",
    limit: Annotated[float, typer.Option(min=0.05, max=3600, help="Seconds that the server waits for a move.")] = LIMIT,
    margin: Annotated[float, typer.Option(min=0, max=60, help="Seconds of these that are not used.")] = MARGIN,
    patience: Annotated[
        float, typer.Option(min=0, max=1e6, help="Seconds for which to try a server that does not answer.")
    ] = PATIENCE,
) -> None:
    """Play on the Saboteur server of the course.

    The server tells its clients everything; what the player may not know is thrown away as soon as it has been read.
    The agent thinks as long as a move may take, less the margin, or less if its options say so.

    Example: spinney client saboteur --port 8123 --agent champion --games 10
    """
    if game != "saboteur":
        raise UnknownName(f"there is no client for '{game}'; there is one for: saboteur")
    loaded = games.load(game)
    screen = console()

    def tell(line: str) -> None:
        screen.print(line, soft_wrap=True)

    spec = usual_agent(loaded) if agent is None else agent
    check_terms(name, limit, margin)  # all that can be wrong is told before anything is compiled
    if read_spec(loaded, spec)[0] in SEARCHES:
        tell(f"getting {spec} ready; the first time, it is compiled, which may take a minute or two")
    playing = Client(build(loaded, spec), host, port, name, limit, margin, patience, tell=tell)
    try:
        playing.play(most)
    finally:
        results = playing.results
        if played := results.total():
            found = ", ".join(f"{results[result]} {result}" for result in get_args(Result))
            tell(f"{played} game{'s' * (played > 1)}: {found}")
    if results["broken off"] == results.total():
        raise SpinneyError("no game was played to its end")
