"""The table of commands. A command is imported when it runs, and `--help` imports none."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

COMMANDS = {
    "games": ("games:list_games", "List the games."),
    "searches": (
        "lists:list_searches",
        "List the searches with the games that they play, and why they do not play the others.",
    ),
    "agents": ("lists:list_agents", "List the agents of a game, or the options of one agent."),
    "app": ("web_app:app", "Open the app: play, watch and analyse in the browser."),
    "play": ("play:play", "Play a game against agents."),
    "watch": ("watch:watch", "Watch agents play each other."),
    "tree": ("tree:tree", "Show the search tree behind an agent's decision: as text, JSON, a picture or a page."),
    "analyse": ("analyse:analyse", "Watch an agent think about a position."),
    "arena": (
        "arena:arena",
        "Play a tournament. Agents play in all seat orders, and every game is stored when it is finished.",
    ),
    "tune": ("tune:tune", "Search with Optuna for the options with which an agent wins most."),
    "train": (
        "train:train",
        "Train networks by self-play: games by search, training, gating against the last network, and again.",
    ),
    "replay": ("replay:replay", "Show a stored game, frame by frame; with --html, write it as a page instead."),
    "review": ("review:review", "Find the decisions that lost a game."),
    "report": (
        "report:report",
        "Make an HTML page of a results file: standings, plots, seats, thinking times, forfeits.",
    ),
    "reproduce": (
        "reproduce:reproduce",
        "Play the comparisons of a paper again, and show the published figures beside the new ones.",
    ),
    "compile": ("compile:compile_agents", "Compile the agents of games beforehand, for images and servers."),
    "bench": (
        "bench:bench",
        "Measure playouts and simulations of tree searches per second, on one thread and on all cores, compiled and "
        "plain.",
    ),
    "verify": (
        "verify:verify",
        "Replay recorded games step by step, and report differences between the rules and the recording.",
    ),
    "serve": ("bridges:BridgeGroup", "Serve an agent over HTTP to a game's official engine."),
    "bridge": ("bridges:BridgeGroup", "Write a file with which an agent plays in a game's official program."),
    "client": ("bridges:BridgeGroup", "Play on a game's official server."),
    "bot": ("bridges:BridgeGroup", "Play a game with its official engine, which starts this command itself."),
}
"""Where each command is, a function or a class of groups, and the first line of its help."""


class Commands(TyperGroup):
    """All commands. Each is only a name and a summary until it runs."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, _, rest = super().resolve_command(ctx, args)
        return name, load_command(name or ""), rest


def load_command(name: str) -> Any:
    """Import a command."""
    where, summary = COMMANDS[name]
    module, _, attribute = where.partition(":")
    found = getattr(import_module(f"spinney.cli.{module}"), attribute)
    if isinstance(found, type):
        return found(name=name, help=summary)
    return command_of(name, found)


def command_of(name: str, function: Any, panel: str | None = None) -> Any:
    """A function as a command."""
    app = typer.Typer(add_completion=False, rich_markup_mode="markdown")  # reflows paragraphs of docstrings
    app.command(name, rich_help_panel=panel)(function)
    return typer.main.get_command(app)
