"""Showing a game that the server has written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spinney import games
from spinney.bridges.battlesnake.game_log import read_game_log
from spinney.bridges.battlesnake.messages import printable
from spinney.bridges.battlesnake.sessions import Seat
from spinney.errors import BadRecording, SpinneyError


def frames(file: Path) -> Iterator[str]:
    """A journal as text: what happened, and the board, message by message."""
    draw = games.card("battlesnake").board.draw
    for seat, line, record in events(file):
        event = line["event"]
        if event == "start":
            yield f"{seat.name}, player {seat.player + 1}: {printable(str(line.get('agent', '')))}"
        elif record is not None:
            yield draw(record)
        if event == "move":
            yield f"{move(seat, line)}, {line.get('iterations')} simulations"
        if event == "end":
            yield f"{seat.name}: {printable(str(line.get('result')))}"


def events(file: Path) -> Iterator[tuple[Seat, dict[str, Any], Any]]:
    """The lines of a journal, with the position of each that has one."""
    seat: Seat | None = None
    for number, (line, message) in enumerate(read_game_log(file), 1):
        try:
            if message is not None and line["event"] == "start":
                seat = Seat(message)
            if seat is None:
                raise BadRecording("the game has not been started")
            record = None if message is None else seat.record(message)
        except SpinneyError as error:
            raise BadRecording(f"{file}, line {number}: {error}") from None
        yield seat, line, record


def move(seat: Seat, line: dict[str, Any]) -> str:
    return f"player {seat.player + 1}: {printable(str(line.get('move')))}"
