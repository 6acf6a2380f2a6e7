"""`spinney watch`: agents against each other, move by move."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from spinney import games
from spinney.agents import build, read_spec
from spinney.cli.output import Json, Seed, console, write_json
from spinney.cli.position import Position, begin, check_position
from spinney.cli.save_options import Html, Save, check_save, save_game
from spinney.errors import BadOption
from spinney.files import check_target
from spinney.play import Replay, Session, origin, outcome
from spinney.show.terminal import on_terminal, print_frame


def watch(
    game: Annotated[str, typer.Argument(help="The game, as `spinney games` names it.")],
    agents: Annotated[list[str], typer.Argument(help="An agent for each player, in the order of the seats.")],
    count: Annotated[int, typer.Option("--games", min=1, help="Number of games, one after the other.")] = 1,
    delay: Annotated[float, typer.Option(min=0, max=60, help="Seconds between moves on a terminal.")] = 0.3,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the results.")] = False,
    save: Save = None,
    html: Html = None,
    position: Position = None,
    seed: Seed = None,
    json_to: Json = None,
) -> None:
    """Watch agents play each other.

    With several games, each gets a page of its own: PAGE-1.html, PAGE-2.html and so on.

    Example: spinney watch connect_four "uct(iterations=20000)" heuristic --html game.html
    """
    check_target(json_to, save, html)
    loaded = games.load(game)
    if len(agents) != loaded.players:
        raise BadOption(f"{loaded!r} needs {loaded.players} agents, one for each player; {len(agents)} given")
    check_save(save, loaded)
    check_position(position, loaded, save)
    screen = console(json_to)
    for spec in agents:  # errors come before anything is compiled
        read_spec(loaded, spec)
    seats = [build(loaded, spec, None if seed is None else seed + i) for i, spec in enumerate(agents)]
    names = [agent.spec for agent in seats]
    figures = []
    for number in range(count):
        own_seed = None if seed is None else seed + number
        session = Session(begin(loaded, position, own_seed), seats)
        decisions, frames = [], []
        for frame in session.frames():
            if html is not None:
                frames.append(frame.without_trees())
            decisions += [event.decision.to_dict() for event in frame.events if event.decision is not None]
            if not quiet:
                print_frame(screen, loaded.card, frame, names)
                if on_terminal():
                    time.sleep(delay)
        state = session.state
        screen.print(f"game {number + 1}: {outcome(state, names)}", style="bold")
        figures.append({"seed": state.seed, "agents": names, "rewards": state.rewards(), "decisions": decisions})
        replay = Replay(loaded.card, names, f"{loaded!r}, {origin(state)}", frames, outcome(state, names), loaded)
        save_game(state, names, save, html, screen, f"-{number + 1}" if count > 1 else "", replay,
                  session.decisions)  # fmt: skip
    write_json(json_to, figures)
