"""`spinney serve`, `bot`, `client` and `bridge`: agents for the official programs of games. The commands are those of
the bridge that a game's card names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from spinney.agents import usual_agent
from spinney.cli.commands import command_of
from spinney.errors import BadGame, UnknownName
from spinney.games import Card, Game, card, game_names, load
from spinney.games.spec import parse_spec

Command = Callable[..., None]
"""A function `(game, spec, agent, *, options)`: the loaded game, the spec that loads it again, the spec of the agent,
and typer's options. A bridge names its commands in its own `command.py`, as `COMMANDS = {"serve": serve}`."""
AgentOption = Annotated[
    str | None,
    typer.Option("--agent", help="The agent, as `spinney agents` names it; the game's strongest unless given."),
]

NOUNS = {"serve": "server", "bridge": "bridge", "client": "client", "bot": "bot"}
"""What the command of each verb is called in messages."""


def commands_of(card: Card) -> Mapping[str, Command]:
    """The commands of a game's bridge, by verb."""
    if not card.bridge:
        return {}
    try:
        module = f"{card.bridge}.command"
        found: Mapping[str, Command] = import_module(module).COMMANDS if find_spec(module) else {}
    except ImportError as error:
        raise BadGame(f"the bridge {card.bridge} of {card.name} cannot be loaded: {error}") from error
    return found


class BridgeGroup(TyperGroup):
    """A verb, whose subcommands are the games with such a bridge, or the path of a game's file."""

    def __init__(self, name: str, help: str) -> None:
        about = "GAME is one of those below, or the path of a .py file with a variant or players of your own."
        super().__init__(
            name=name, help=f"{help}\n\n{about}", subcommand_metavar="GAME [OPTIONS]", rich_markup_mode="markdown"
        )

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]  # noqa: ARG002
        return [name for name in game_names() if self.name in commands_of(card(name))]

    def get_command(self, ctx: typer.Context, cmd_name: str) -> Any:  # type: ignore[override]
        name, _ = parse_spec(cmd_name)
        if name.endswith(".py") or name in game_names():
            game = load(cmd_name)
            if function := commands_of(game.card).get(self.name or ""):
                return _bound(function, game, cmd_name)
        raise UnknownName(f"there is no {self._noun} for '{name}'; there is one for: {self._games(ctx)}")

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        if not args:
            raise UnknownName(f"Missing argument GAME; there is a {self._noun} for: {self._games(ctx)}")
        return super().parse_args(ctx, args)

    def _games(self, ctx: typer.Context) -> str:
        return ", ".join(self.list_commands(ctx))

    @property
    def _noun(self) -> str:
        return NOUNS[self.name or ""]


def _bound(function: Command, game: Game, spec: str) -> Any:
    """The function of a bridge as a command for one game."""
    signature = inspect.signature(function, eval_str=True)

    @wraps(function)
    def command(agent: str | None = None, **options: Any) -> None:
        function(game, spec, usual_agent(game) if agent is None else agent, **options)

    first = signature.parameters["agent"].replace(default=None, annotation=AgentOption)
    parameters = [first, *list(signature.parameters.values())[3:]]
    command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return command_of(spec, command, "Games")
