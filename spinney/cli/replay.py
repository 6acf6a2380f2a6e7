"""`spinney replay`: a game that was stored, on the terminal or as a page that plays it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from spinney import games
from spinney.arena import Store
from spinney.bridges.battlesnake import replay as journal
from spinney.bridges.battlesnake.game_log import is_game_log
from spinney.bridges.battlesnake.messages import printable
from spinney.cli.output import check_target, console, on_terminal, result, write_film
from spinney.cli.save_options import Html
from spinney.errors import BadOption, BadRecording, UnknownName
from spinney.files import begins_with
from spinney.games import CHANCE
from spinney.games.recording import make_step, read, replayed
from spinney.games.spec import parse_spec
from spinney.show.replay_page import ReplayPage, page_of_game


def replay(
    file: Annotated[
        Path,
        typer.Argument(help="A file of `spinney arena`, of `spinney watch --save`, of a server, or a .hlt file."),
    ],
    number: Annotated[int | None, typer.Argument(min=0, help="The game's number in a file with many, from 0.")] = None,
    delay: Annotated[float, typer.Option(min=0, max=60, help="Seconds between steps on a terminal.")] = 0.3,
    path: Annotated[
        str | None,
        typer.Option("--game", help="The .py file of the game, for games of your own: what a file names is not run."),
    ] = None,
    html: Html = None,
) -> None:
    """Show a stored game, step by step; with --html, make a page of it instead.

    Example: spinney replay deepsea-arena.sqlite 7 --html game.html
    """
    check_target(html, read=file)
    if file.suffix == ".hlt" or is_game_log(file):
        if number is not None or path is not None:
            what = f"--game {path}" if number is None else f"the number {number}"
            raise BadOption(
                f"{file} is one game of {'Halite' if file.suffix == '.hlt' else 'BattleSnake'}; leave out {what}"
            )
        _show_file(file, delay, html)
        return
    stored = _recorded(file, number, path) if _is_recording(file) else _of_tournament(file, number, path)
    if html is None:
        _show(stored, delay)
    else:
        film = page_of_game(stored.game, stored.seed, stored.steps, stored.names, stored.about)
        film.result = "; ".join(stored.result)
        write_film(html, film, console())


@dataclass
class Stored:
    """A game of a file with many."""

    game: games.Game
    seed: int | None
    steps: Sequence[tuple[int, int]]
    names: Sequence[str]
    about: str
    result: list[str]
    """What came out, and who broke the rules of a tournament."""


def _of_tournament(file: Path, number: int | None, path: str | None) -> Stored:
    with closing(Store(file)) as store:
        if number is None:
            raise BadOption(f"{file} has many games; add the number of one, from 0")
        finished = store.game(number)
    spec = store.settings["game"]
    name, options = parse_spec(spec)
    game = games.load(_known(file, name, path), **options)
    names = [store.specs[agent] for agent in finished.agents]
    shares = ", ".join(f"player {seat + 1} {share:g}" for seat, share in enumerate(finished.shares))
    forfeits = [] if finished.forfeit is None else [f"player {finished.forfeit[0] + 1} {finished.forfeit[1]}"]
    return Stored(
        game, finished.seed, finished.steps, names,
        f"game {number} of {file.name}: {spec}, seed {finished.seed}",
        [f"game {number}: shares {shares}", *forfeits],
    )  # fmt: skip


def _known(file: Path, name: str, path: str | None) -> str:
    """The game of a file: one that comes with Spinney, or the path that the command names. A path in the file, which
    may be anybody's, is not followed: it would run what is there."""
    if path is not None:
        if parse_spec(path)[1]:
            raise BadOption(f"--game {path}: the options are in {file}; name the game alone")
        return path
    if name not in games.game_names():
        raise BadOption(f"{file} has a game of '{name}'; name the .py file of that game, as in --game my_game.py")
    return name


def _is_recording(file: Path) -> bool:
    return file.suffix in (".jsonl", ".gz") or begins_with(file, b"{")


def _recorded(file: Path, number: int | None, path: str | None) -> Stored:
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
    names, agents = ["anybody"] * state.game.players, recorded.get("agents")
    if isinstance(agents, list) and len(agents) == len(names):
        names = [str(agent) for agent in agents]
    about = f"game {number} of {file.name}: {state.game!r}, seed {state.seed}"
    return Stored(state.game, state.seed, state.history, names, about, [f"game {number}: {result(state, names)}"])


def _show(stored: Stored, delay: float) -> None:
    """A game on the terminal."""
    screen = console()
    state = stored.game.start(stored.seed, manual_chance=True)
    screen.print(str(state))
    for mover, action in stored.steps:
        who = "chance" if mover == CHANCE else f"player {mover + 1} ({stored.names[mover]})"
        screen.print(f"\n{who}: {make_step(state, mover, action)}")
        if state.waits_for_others:
            continue
        screen.print(str(state))
        if on_terminal():
            time.sleep(delay)
    came_out, *forfeit = stored.result
    screen.print(f"\n{came_out}", style="bold")
    for words in forfeit:
        screen.print(words, style="red")


def _show_file(file: Path, delay: float, html: Path | None) -> None:
    """A file with one game."""
    from spinney.games.halite import hlt  # not before: it loads a library of its own

    is_hlt, screen = file.suffix == ".hlt", console()
    if html is not None:
        write_film(html, _film_of_hlt(file) if is_hlt else _film_of_journal(file), screen)
        return
    for frame in hlt.frames(file) if is_hlt else journal.frames(file):
        screen.print(frame)
        if on_terminal():
            time.sleep(delay)


def _film_of_hlt(file: Path) -> ReplayPage:
    from spinney.games.halite import hlt

    recording = hlt.read(file)
    names = [str(name) for name in recording["names"]]
    game = games.load("halite", players=len(names))
    film = ReplayPage(game.card, names, f"{file.name}, map seed {recording['seed']}")
    for s, turn in hlt.positions(recording, file):
        film.add(s, hlt.told(turn, hlt.orders) if turn else [])
        if s.mover == games.OVER:
            film.result = result(games.State(game, s), names)
    return film


def _film_of_journal(file: Path) -> ReplayPage:
    """The other snakes' moves are not in a journal."""
    film: ReplayPage | None = None
    turn, said = -1, list[str]()
    for seat, line, record in journal.events(file):
        if film is None:
            film = ReplayPage(games.card("battlesnake"), seat.names, f"{file.name}: {seat.name}")
        if record is not None and record.turn != turn:
            film.add(record, said)
            turn, said = record.turn, []
        if line["event"] == "move":
            said = [journal.move(seat, line)]
        if line["event"] == "end":
            film.result = f"{seat.name}: {printable(str(line.get('result')))}"
    if film is None:
        raise BadRecording(f"{file} has no game")
    return film
