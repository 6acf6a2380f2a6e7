"""`spinney bridge`: an agent for the official simulator."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spinney.bridges.colosseum.adapter import MARK, make_adapter, title_of
from spinney.bridges.colosseum.player import FIRST, LATER, MARGIN
from spinney.errors import SpinneyError
from spinney.files import begins_with, check_target, write_atomic
from spinney.games import Game


def bridge(
    game: Game,
    spec: str,
    agent: str,
    out: Annotated[Path | None, typer.Option(help="The file to write; NAME_agent.py unless given.")] = None,
    name: Annotated[str, typer.Option(help="The name of the agent in the simulator.")] = "spinney",
    first: Annotated[float, typer.Option(min=0.01, max=3600, help="Seconds for the first move of a game.")] = FIRST,
    later: Annotated[float, typer.Option(min=0.01, max=3600, help="Seconds for every other move.")] = LATER,
    margin: Annotated[float, typer.Option(min=0, max=60, help="Seconds of these that are kept in reserve.")] = MARGIN,
) -> None:
    """Write a file with which an agent plays in the official Colosseum Survival! simulator.

    The file goes into the `agents` folder of the simulator, of any year. Spinney must be installed in the same
    environment. The agent searches as long as a move may take, less the margin.

    Example: spinney bridge colosseum --agent "uct(rollout_depth=0)" --out agents/spinney_agent.py
    """
    file = Path(f"{name}_agent.py") if out is None else out
    check_target(file)
    if file.exists() and not begins_with(file, MARK.encode()):
        raise SpinneyError(f"{file} exists, and was not made by this command; name another --out")
    write_atomic(file, make_adapter(spec, agent, name, file, first, later, margin))
    folder = "" if file.absolute().parent.name == "agents" else "put it into the simulator's agents folder; "
    print(f"{agent} is in {file}; {folder}add this line to agents/__init__.py:")
    print(f"    from .{file.stem} import {title_of(name)}")
    print("and then, in the simulator's folder:")
    print(f"    python simulator.py --player_1 {name} --player_2 random_agent --autoplay --autoplay_runs 10")


COMMANDS = {"bridge": bridge}
