"""`spinney replay`: a stored game, on the terminal or as a page that plays it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from spinney import games
from spinney.arena import Store
from spinney.cli.output import console
from spinney.cli.save_options import Html, write_page
from spinney.errors import BadOption, BadRecording, UnknownName
from spinney.files import begins_with, check_target
from spinney.games import Card
from spinney.games.parts import Format
from spinney.games.recording import read, replayed
from spinney.games.spec import parse_spec
from spinney.play import Replay, origin, outcome, replay_steps
from spinney.show.terminal import show_replay


def replay(
    file: Annotated[
        Path,
        typer.Argument(
            help="A file of `spinney arena` or `spinney watch --save`, a log of `spinney serve`, or a replay file of "
            "an official engine."
        ),
    ],
    number: Annotated[int | None, typer.Argument(min=0, help="The game's number in a file with many, from 0.")] = None,
    delay: Annotated[float, typer.Option(min=0, max=60, help="Seconds between frames on a terminal.")] = 0.3,
    path: Annotated[
        str | None,
        typer.Option("--game", help="The .py file of the game, for games of your own: a path in the file is not run."),
    ] = None,
    html: Html = None,
) -> None:
    """Show a stored game, frame by frame; with --html, write it as a page instead.

    Example: spinney replay deepsea-arena.sqlite 7 --html game.html
    """
    check_target(html, read=file)
    stored = open_replay(file, number, path)
    if html is None:
        show_replay(console(), stored, delay)
    else:
        write_page(html, stored, console())


def open_replay(file: Path, number: int | None = None, path: str | None = None) -> Replay:
    """The game of a file, of whichever kind; `path` is the .py file of a game that is not shipped."""
    found = _reader(file)
    if found is None:
        return (_recorded if _is_recording(file) else _of_tournament)(file, number, path)
    card, read_one = found
    if number is not None or path is not None:
        what = f"--game {path}" if number is None else f"the number {number}"
        raise BadOption(f"{file} is one game of {card.title}; leave out {what}")
    return read_one(file)


def _reader(file: Path) -> tuple[Card, Callable[[Path], Replay]] | None:
    """The reader of a game's official format, or of the log of its server, that fits a file."""
    is_text = begins_with(file, b"{")
    for card in map(games.card, games.game_names()):
        official = card.formats.get(file.suffix, Format()).read
        if official is not None:
            return card, official
        bridge = import_module(card.bridge) if card.bridge and is_text else None
        if bridge is not None and hasattr(bridge, "is_log") and bridge.is_log(file):
            return card, bridge.read_log
    return None


def _of_tournament(file: Path, number: int | None, path: str | None) -> Replay:
    """A game of a results file."""
    with closing(Store(file)) as store:
        if number is None:
            raise BadOption(f"{file} has many games; add the number of one, from 0")
        found = store.game(number)
        spec, names = store.settings["game"], [store.specs[agent] for agent in found.agents]
        briefs = store.decisions(number)
    name, options = parse_spec(spec)
    game = games.load(_known(file, name, path), **options)
    result = f"game {number}: shares {', '.join(f'player {i + 1} {share:g}' for i, share in enumerate(found.shares))}"
    if found.forfeit is not None:
        result += f"; player {found.forfeit[0] + 1} {found.forfeit[1]}"
    about = f"game {number} of {file.name}: {spec}, seed {found.seed}"
    return replay_steps(game.start(found.seed, manual_chance=True), found.steps, names, about, result, briefs)


def _known(file: Path, name: str, path: str | None) -> str:
    """The game of a file: one that is shipped, or the path that the command names. A path in the file is not followed:
    the file may be anybody's, and its path would be run."""
    if path is not None:
        if parse_spec(path)[1]:
            raise BadOption(f"--game {path}: the options are in {file}; name the game alone")
        return path
    if name not in games.game_names():
        raise BadOption(f"{file} has a game of '{name}'; name the .py file of that game, as in --game my_game.py")
    return name


def _is_recording(file: Path) -> bool:
    return file.suffix in (".jsonl", ".gz") or begins_with(file, b"{")


def _recorded(file: Path, number: int | None, path: str | None) -> Replay:
    """A game that `watch --save` wrote."""
    if number is None:
        raise BadOption(f"{file} may have many games; add the number of one, from 0")
    count, recorded = 0, None
    for count, line in enumerate(read(file), 1):
        if count == number + 1:
            recorded = line
    if recorded is None:
        raise UnknownName(f"{file} has {count} game{'s' * (count != 1)}; number {number} is not there")
    if not isinstance(recorded.get("game"), str):
        raise BadRecording(f"{file} does not name its game; only recordings that Spinney made can be shown")
    card = games.load(_known(file, recorded["game"], path)).card
    if card.name != recorded["game"]:
        raise BadOption(f"{file} has a game of '{recorded['game']}', and {path} is '{card.name}'; name its own file")
    state = replayed(card, recorded)
    names, agents = ["unknown"] * state.game.players, recorded.get("agents")
    if isinstance(agents, list) and len(agents) == len(names):
        names = [str(agent) for agent in agents]
    about = f"game {number} of {file.name}: {state.game!r}, {origin(state)}"
    result = f"game {number}: {outcome(state, names)}"
    briefs = {i: step["decision"] for i, step in enumerate(recorded["steps"]) if "decision" in step}
    return replay_steps(state.beginning(), state.history, names, about, result, briefs)
