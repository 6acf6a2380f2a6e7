"""What the commands of bridges share. A bridge offers its commands in its own `command.py`, as
`COMMANDS = {"serve": serve}`: functions `(game, spec, *, options)` whose options are annotated for typer."""

from __future__ import annotations

from typing import Annotated

import typer

AgentOption = Annotated[
    str | None,
    typer.Option("--agent", help="The agent, as `spinney agents` names it; the game's strongest unless given."),
]


def tell(line: str) -> None:
    """A line on standard output, at once."""
    print(line, flush=True)
