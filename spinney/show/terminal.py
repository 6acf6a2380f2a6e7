"""Frames on a terminal."""

from __future__ import annotations

import time

from rich.console import Console

from spinney.games import CHANCE
from spinney.games.frame import Frame, Replay
from spinney.show.events import mover_name


def show_frames(replay: Replay, screen: Console, delay: float = 0.0) -> list[Frame]:
    """Print the frames as they come, and the result after them; on a terminal, wait `delay` seconds after each frame.
    Returns the frames, for a page of the same game."""
    shown = []
    for frame in replay.frames:
        show_frame(replay, frame, screen)
        shown.append(frame)
        if screen.file.isatty():
            time.sleep(delay)
    if replay.result:
        screen.print(f"\n{replay.result}", style="bold")
    return shown


def show_frame(replay: Replay, frame: Frame, screen: Console) -> None:
    """Print the events, with the figures of a decision where it is known, and the position as text."""
    show_events(replay, frame, screen)
    screen.print(replay.card.board.draw(frame.record))


def show_events(replay: Replay, frame: Frame, screen: Console) -> None:
    """Print the events: an action after an empty line, a chance outcome in yellow."""
    for event in frame.events:
        line = f"{mover_name(event.mover, replay.names)}: {event.decision or event.words}"
        if event.mover == CHANCE:
            screen.print(line, style="yellow")
        else:
            screen.print(f"\n{line}")
