"""The champions of the five main games, each against the agent of its paper, for a few moves on one screen.

Run `python examples/demo.py`. Games are played in as many processes as there are cores. Replays are written to the
folder `demo`. Without a terminal only the results are printed.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

import spinney
from spinney.play import Frame, Replay, Session, outcome
from spinney.show.replay_page import replay_page

FOLDER = Path("demo")
LATEST = 70.0
"""Seconds after which no game goes on, if it has some moves."""
FEWEST = 3


MAS_MCTS = "joint(iterations=2000, max_depth=10, evaluation=survival, reward=survival, c=0.01)"
PAPER = "paper(seconds=0.5, first_seconds=none)"


@dataclass
class Match:
    """A game of the demo, and what is known of it so far."""

    game: str
    champion: str
    paper: str
    """The agent of the paper, in words."""
    spec: str
    turns: int
    """After how many frames it ends."""
    board: str = ""
    moves: int = 0
    value: float | None = None
    state: str = "being compiled"


MATCHES = (
    Match("battlesnake(players=2)", "champion(seconds=0.2)", "MAS-MCTS", MAS_MCTS, 20),
    Match("saboteur", "champion(seconds=0.5)", "the paper's agent", "paper", 12),
    Match("deepsea", "champion(seconds=0.2)", "the paper's rules", "heuristic(margin=2)", 20),
    Match("colosseum(size=6)", "champion(seconds=0.5)", "the paper's agent", PAPER, 8),
    Match("halite(size=16)", "champion", "the paper's kind of planner", "planner", 25),
)


def value_of(session: Session, frame: Frame) -> float | None:
    """What the champion expects, if it has just searched; in games of many pieces, its share of all."""
    pieces = session.state.game.card.pieces
    if pieces is not None and pieces.standing is not None:
        return float(pieces.standing(session.state.record)[0])
    decisions = [event.decision for event in frame.events if event.mover == 0 and event.decision is not None]
    return decisions[-1].values[0] if decisions and decisions[-1].iterations else None


def play(number: int, match: Match, deadline: float, news: Any) -> None:
    """Play a match, tell what happens, and write its page. It runs in a process of its own."""
    try:
        game = spinney.game(match.game)
        seats = [game.agent(spec, seed=seat + 1) for seat, spec in enumerate((match.champion, match.spec))]
        names = ["champion", match.paper]
        session, frames = Session(game.start(seed=7), seats), []
        for frame in session.frames():
            frames.append(frame.without_trees())
            news.put((number, str(session.state), len(frames) - 1, value_of(session, frame), "plays"))
            if len(frames) > match.turns or (len(frames) > FEWEST and time.time() > deadline):
                break
        result = session.state.is_over and outcome(session.state, names)
        replay = Replay(game.card, names, f"{game!r}, the first moves", frames, result or "", game)
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{game.name}.html").write_text(replay_page(replay), encoding="utf-8")
        news.put((number, str(session.state), len(frames) - 1, None, result or "stopped, as planned"))
    except spinney.SpinneyError as error:
        news.put((number, "", 0, None, f"failed: {error}"))


def speed(number: int, news: Any) -> None:
    """Measure a search."""
    game = spinney.game("connect_four")
    agent = game.agent("uct(iterations=300000)", seed=1)
    agent.decide(game.start(seed=1))
    decision = agent.decide(game.start(seed=1))
    news.put(
        (number, "", 0, None, f"{decision.per_second / 1e6:.1f} million simulations of uct per second, one thread")
    )


def work(jobs: Any, deadline: float, news: Any) -> None:
    """Do jobs until there are none."""
    while (number := jobs.get()) is not None:
        if number < len(MATCHES):
            play(number, MATCHES[number], deadline, news)
        else:
            speed(number, news)


def told(began: float) -> Iterator[str]:
    """Play everything in processes; yields how fast the search of connect four is when it is known, and an empty text
    whenever there is something else to show."""
    context = multiprocessing.get_context("spawn")
    jobs, news, workers = context.Queue(), context.Queue(), os.cpu_count() or 1
    for number in [*range(len(MATCHES) + 1), *[None] * workers]:
        jobs.put(number)
    processes = [context.Process(target=work, args=(jobs, began + LATEST, news)) for _ in range(workers)]
    for process in processes:
        process.start()
    left = len(MATCHES) + 1
    while left:
        number, board, moves, value, state = news.get()
        left -= state != "plays"
        if number == len(MATCHES):
            yield state
            continue
        match = MATCHES[number]
        match.board, match.moves, match.state = board, moves, state
        match.value = match.value if value is None else value
        yield ""
    for process in processes:
        process.join()


def screen(width: int, height: int) -> Group:
    """All games, and the boards that there is room for."""
    rows = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("game", "the champion and its opponent", "moves", "its value", ""):
        rows.add_column(heading, no_wrap=True)
    for match in MATCHES:
        bar = "" if match.value is None else f"{'█' * round(8 * match.value):<8} {match.value:.2f}"
        rows.add_row(match.game, f"champion v {match.paper}", str(match.moves), bar, match.state)
    boards = Table.grid(padding=(0, 3))
    going = [match for match in MATCHES if match.board]
    lines = max(0, height - len(MATCHES) - 4)
    shown = list[Text]()
    for match in sorted(going, key=lambda match: (match.state != "plays", match.moves)):
        cropped = match.board.split("\n")[:lines]
        width -= max(map(len, cropped), default=0) + 3
        if width >= 0 or not shown:
            shown.append(Text("\n".join(cropped), no_wrap=True))
    boards.add_row(*shown)
    return Group(rows, "", boards)


def main() -> None:
    began, console, fast = time.time(), Console(highlight=False), ""
    with Live(screen(0, 0), console=console, screen=console.is_terminal, auto_refresh=False) as live:
        for words in told(began):
            fast = words or fast
            if console.is_terminal:
                live.update(screen(console.width, console.height), refresh=True)
        live.update("")
    for match in MATCHES:
        value = "" if match.value is None else f", value for the champion {match.value:.2f} of 1"
        print(f"{match.game}: champion v {match.paper}, {match.moves} moves{value}: {match.state}")
    links = "".join(
        f'<li><a href="{name}.html">{escape(f"{match.game}: champion v {match.paper}")}</a></li>'
        for match in MATCHES
        for name in [match.game.partition("(")[0]]
    )
    (FOLDER / "index.html").write_text(
        f'<!doctype html><meta charset="utf-8"><title>Five games</title><h1>Five games</h1><ul>{links}</ul>',
        encoding="utf-8",
    )
    print(f"connect four: {fast}")
    print(f"the replays: {FOLDER / 'index.html'}; {time.time() - began:.0f} s")
    print("To play, watch and analyse in the browser: make app, or spinney app --open")


if __name__ == "__main__":
    main()
