"""`spinney serve`: an agent on the network, for the official engine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Annotated

import typer

from spinney.bridges.battlesnake.agents import AgentPool
from spinney.bridges.battlesnake.server import Appearance, Server
from spinney.errors import BadOption
from spinney.files import make_folder
from spinney.games import Game
from spinney.games.battlesnake.options import BattlesnakeOptions
from spinney.games.battlesnake.state import MAX_PLAYERS
from spinney.sockets import reserve

APPEARANCE = Appearance()


def serve(
    game: Game,
    spec: str,
    agent: str,
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 is all of them.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0: any that is free.")] = 8000,
    margin: Annotated[
        float, typer.Option(min=0, max=5000, help="Milliseconds of the engine's timeout to leave for the network.")
    ] = Server.margin,
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, help="Searches at once; one per core unless given.")
    ] = None,
    most: Annotated[
        int, typer.Option("--games", min=1, max=100_000, help="Games at once, each snake counted.")
    ] = Server.most,
    idle: Annotated[
        float, typer.Option(min=1, max=1e6, help="Seconds of silence until a game is dropped.")
    ] = Server.idle,
    log: Annotated[Path | None, typer.Option(help="A folder to write the games to, for `spinney replay`.")] = None,
    color: Annotated[str, typer.Option(help="The snake's colour, as #rrggbb.")] = APPEARANCE.color,
    head: Annotated[str, typer.Option(help="The snake's head, as the game's website names it.")] = APPEARANCE.head,
    tail: Annotated[str, typer.Option(help="The snake's tail.")] = APPEARANCE.tail,
    author: Annotated[str, typer.Option(help="Who made the snake, as the engine shows it.")] = APPEARANCE.author,
) -> None:
    """Serve an agent to BattleSnake's engine, until Ctrl-C.

    The engine sends HTTP requests with a timeout. The agent searches until the timeout, less the margin; when more
    requests wait than there are workers, they share the time.

    Example: spinney serve battlesnake --port 8000 --log games
    """
    from spinney.bridges.battlesnake import web  # not before: the framework takes a while to load

    told = game.options.model_fields_set & BattlesnakeOptions.model_fields.keys()
    if told:
        raise BadOption(f"{spec}: the engine tells {', '.join(sorted(told))}; leave them out")
    appearance = Appearance.read("serve", {"author": author, "color": color, "head": head, "tail": tail})
    if log is not None:
        make_folder(log)

    def tell(line: str) -> None:
        with suppress(OSError):  # a closed output must not end the games
            print(line, flush=True)

    server = Server(game, agent, spec, workers or os.cpu_count() or 1, appearance, margin, most, idle, log, tell)
    with closing(reserve(host, port)) as listening:
        server.prepare()
        sys.setswitchinterval(0.001)  # requests are read soon, while search threads run
        web.WebServer(server).run(sockets=[listening])


def compile_agent(game: Game, agent: str) -> Iterator[str]:
    """Compile all that a server needs, for every number of snakes."""
    pool = AgentPool(game, agent)
    for players in range(1, MAX_PLAYERS + 1):
        pool.prepare(players)
        yield f"{agent} for {players} snake{'s' * (players > 1)}"


COMMANDS = {"serve": serve}
