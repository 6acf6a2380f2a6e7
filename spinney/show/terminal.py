"""Frames on the terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence

from rich.console import Console

from spinney.games import CHANCE, Card
from spinney.games.frame import Event, Frame, Replay


def on_terminal() -> bool:
    return sys.stdout.isatty()


def print_events(screen: Console, events: Iterable[Event], names: Sequence[str]) -> None:
    """What happened, a line each, with the figures of the decisions behind it."""
    for event in events:
        if event.mover == CHANCE:
            screen.print(f"chance: {event.words}", style="yellow")
            continue
        words = event.words if event.decision is None else str(event.decision)
        screen.print(f"\nplayer {event.mover + 1} ({names[event.mover]}): {words}")


def print_frame(screen: Console, card: Card, frame: Frame, names: Sequence[str]) -> None:
    """What happened, and the board."""
    print_events(screen, frame.events, names)
    screen.print(card.board.draw(frame.record))


def show_replay(screen: Console, replay: Replay, delay: float = 0.0) -> None:
    """A whole game, with a pause after each frame if somebody is watching."""
    for frame in replay.frames:
        print_frame(screen, replay.card, frame, replay.names)
        if on_terminal():
            time.sleep(delay)
    screen.print(f"\n{replay.result}", style="bold")
