"""Showing a game that the server has written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from spinney import games
from spinney.bridges.battlesnake.journal import read_journal
from spinney.bridges.battlesnake.messages import printable
from spinney.bridges.battlesnake.seats import Seat
from spinney.errors import BadRecording, SpinneyError


def frames(file: Path) -> Iterator[str]:
    """A journal as text: what happened, and the board, message by message."""
    draw = games.card("battlesnake").draw
    seat: Seat | None = None
    for number, (line, message) in enumerate(read_journal(file), 1):
        event = line["event"]
        try:
            if message is not None and event == "start":
                seat = Seat(message)
                yield f"{seat.name}, player {seat.player + 1}: {printable(str(line.get('agent', '')))}"
            if seat is None:
                raise BadRecording("the game has not been started")
            if message is not None and event != "start":
                yield draw(seat.record(message))
        except SpinneyError as error:
            raise BadRecording(f"{file}, line {number}: {error}") from None
        if event == "move":
            yield f"player {seat.player + 1}: {printable(str(line.get('move')))}, {line.get('iterations')} simulations"
        if event == "end":
            yield f"{seat.name}: {printable(str(line.get('result')))}"
