"""`spinney replay`: a game that was stored, on the terminal or as a page that plays it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from spinney import games
from spinney.arena import Outcome, Store
from spinney.arena.film import Film, film_of
from spinney.bridges.battlesnake import replay as journal
from spinney.bridges.battlesnake.journal import is_journal
from spinney.bridges.battlesnake.messages import printable
from spinney.cli.output import Html, check_target, console, on_terminal, write_film
from spinney.errors import BadOption, BadRecording
from spinney.games import CHANCE


def replay(
    file: Annotated[
        Path, typer.Argument(help="A results file of `spinney arena`, a game that a server wrote, or a .hlt file.")
    ],
    number: Annotated[int | None, typer.Argument(min=0, help="The game's number in a results file, from 0.")] = None,
    delay: Annotated[float, typer.Option(min=0, max=60, help="Seconds between steps on a terminal.")] = 0.3,
    html: Html = None,
) -> None:
    """Show a stored game, step by step; with --html, make a page of it instead.

    Example: spinney replay deepsea-arena.sqlite 7 --html game.html
    """
    check_target(html, read=file)
    alone = file.suffix == ".hlt" or is_journal(file)
    if alone and number is not None:
        raise BadOption(f"{file} has one game; leave out the number {number}")
    if alone:
        _show_file(file, delay, html)
        return
    with closing(Store(file)) as store:
        if number is None:
            raise BadOption(f"{file} has many games; add the number of one, from 0")
        outcome = store.outcome(number)
    game, names = games.load(store.settings["game"]), [store.specs[agent] for agent in outcome.seats]
    if html is None:
        _show(game, outcome, names, delay)
    else:
        about = f"game {number} of {file.name}: {store.settings['game']}, seed {outcome.seed}"
        film = film_of(game, outcome.seed, outcome.steps, names, about)
        film.result = "; ".join(_results(outcome))
        write_film(html, film, console())


def _show(game: games.Game, outcome: Outcome, names: Sequence[str], delay: float) -> None:
    """A game of a tournament, on the terminal."""
    screen = console()
    state = game.start(outcome.seed, manual_chance=True)
    screen.print(str(state))
    under_way = game.card.under_way
    for mover, action in outcome.steps:
        who = "chance" if mover == CHANCE else f"player {mover + 1} ({names[mover]})"
        screen.print(f"\n{who}: {state.name(action)}")
        known = len(state.history)
        state.apply(action, None if mover == CHANCE else mover)
        if len(state.history) == known or (under_way and under_way(state.record)):
            continue  # others have still to choose
        screen.print(str(state))
        if on_terminal():
            time.sleep(delay)
    result, *forfeit = _results(outcome)
    screen.print(f"\n{result}", style="bold")
    for words in forfeit:
        screen.print(words, style="red")


def _results(outcome: Outcome) -> list[str]:
    shares = ", ".join(f"player {seat + 1} {share:g}" for seat, share in enumerate(outcome.shares))
    forfeits = [] if outcome.forfeit is None else [f"player {outcome.forfeit[0] + 1} {outcome.forfeit[1]}"]
    return [f"game {outcome.number}: shares {shares}", *forfeits]


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


def _film_of_hlt(file: Path) -> Film:
    from spinney.games.halite import hlt

    card, recording = games.card("halite"), hlt.read(file)
    names = [str(name) for name in recording["names"]]
    film = Film(card, names, f"{file.name}, map seed {recording['seed']}")
    for s, turn in hlt.positions(recording, file):
        film.add(s, hlt.told(turn, hlt.orders) if turn else [])
        if s.mover == games.OVER and card.winners is not None:
            film.result = " and ".join(f"{names[player]} (player {player + 1})" for player in card.winners(s)) + " wins"
    return film


def _film_of_journal(file: Path) -> Film:
    """The other snakes' moves are not in a journal."""
    film: Film | None = None
    turn, said = -1, list[str]()
    for seat, line, record in journal.events(file):
        if film is None:
            film = Film(games.card("battlesnake"), seat.names, f"{file.name}: {seat.name}")
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
