"""Logs of the server as replays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pydantic

from spinney import games
from spinney.agents import Decision
from spinney.bridges.battlesnake.messages import Message, printable, problem
from spinney.bridges.battlesnake.sessions import SnakeSession
from spinney.errors import BadRecording, SpinneyError
from spinney.files import begins_with, read_bounded
from spinney.games.battlesnake.recording import DIRECTIONS
from spinney.games.frame import Event, Frame, Replay
from spinney.search import Choice, SearchResult

Line = dict[str, Any]
Lines = Iterator[tuple[int, Line, Message | None]]


def is_log(file: Path) -> bool:
    """Whether a file begins like a log."""
    return begins_with(file, b'{"event":')


def read_log(file: Path) -> Replay:
    """The game of a log. The moves of the other snakes are read off the boards."""
    lines = _lines(file)
    number, start, message = next(lines)
    with _located(file, number):
        if message is None or start["event"] != "start":
            raise BadRecording("the game has not been started")
        session = SnakeSession(games.load("battlesnake"), message, events=True)
    agent = printable(str(start.get("agent", "")))
    game = games.Game(session.state.game.card, session.options)
    about = f"{session.name}, player {session.player + 1}: {agent}"
    replay = Replay(game.card, session.names, about, game=game)
    replay.frames = _frames(file, lines, session, replay)
    return replay


def _frames(file: Path, lines: Lines, session: SnakeSession, replay: Replay) -> Iterator[Frame]:
    """A frame for each turn, with the moves that led to it."""
    frame, answer = session.frame(), None
    for number, line, message in lines:
        turn = session.state.record.turn
        with _located(file, number):
            if message is not None:
                session.hear(message)
        if session.state.record.turn != turn:
            yield frame
            frame, answer = _with_answer(session, answer), None
        if line["event"] == "move":
            with _located(file, number):
                answer = _answer(line, session.player)
        if line["event"] == "end":
            replay.result = f"{session.name}: {printable(str(line.get('result')))}"
    yield frame
    if answer is not None:  # no later position is known
        yield _with_answer(session, answer)


def _with_answer(session: SnakeSession, answer: Event | None) -> Frame:
    """The position now, and the events that led to it. Of the served snake, the event is what the server answered; or
    what the engine made of it, if that was another move."""
    frame = session.frame()
    if answer is None:
        return frame
    others = [event for event in frame.events if event.mover != session.player]
    made = next((event for event in frame.events if event.mover == session.player), None)
    if made is not None and not answer.words.startswith(made.words):
        answer = Event(answer.mover, f"{made.words} instead of {answer.words}", action=made.action)
    return Frame(frame.record, (answer, *others))


def _answer(line: Line, player: int) -> Event:
    """A logged answer of the server, with the decision behind it if the log has its figures."""
    move, iterations = printable(str(line.get("move"))), line.get("iterations")
    if move not in DIRECTIONS:
        raise BadRecording(f"the move is '{move}'; allowed: {', '.join(DIRECTIONS)}")
    if "choices" not in line:  # a move without a search, or a log of version 0.1
        words = f"{move}, {iterations} simulations" if iterations else move
        return Event(player, words, action=DIRECTIONS[move])
    try:
        choices = tuple(
            Choice(
                action=DIRECTIONS[choice["move"]], visits=int(choice["visits"]),
                values=tuple(float(value) for value in choice["values"]), name=choice["move"],
                value=float(choice["values"][player]),
            )
            for choice in line["choices"]
        )  # fmt: skip
        chosen = next(choice for choice in choices if choice.name == move)
        result = SearchResult(
            player=player, action=chosen.action, choices=choices, root_values=chosen.values,
            iterations=int(line["iterations"]), line=tuple(str(word) for word in line.get("line", ())),
        )  # fmt: skip
        seconds = float(line["milliseconds"]) / 1000
    except (KeyError, IndexError, TypeError, ValueError, StopIteration) as error:
        raise BadRecording(f"the figures of the move are incomplete: {error!r}") from None
    return Event(player, move, Decision(player, chosen.action, move, seconds, result), chosen.action)


def _lines(file: Path) -> Lines:
    """The lines of a log with their numbers, and the messages in them. A last line that was cut off is left out."""
    try:
        text = read_bounded(file).decode("utf-8")
    except (OSError, ValueError) as error:
        raise BadRecording(f"{file} cannot be read: {error}") from None
    if "\n" not in text:
        raise BadRecording(f"{file} holds no game: its first line was cut off")
    for number, line in enumerate(text.split("\n")[:-1], 1):
        with _located(file, number):
            found = json.loads(line)
            if not isinstance(found, dict) or "event" not in found:
                raise BadRecording("it tells of no event")
            message = Message.model_validate(found) if "board" in found else None
        yield number, found, message


@contextmanager
def _located(file: Path, number: int) -> Iterator[None]:
    """Name the line of a file in an error."""
    try:
        yield
    except pydantic.ValidationError as error:
        raise BadRecording(f"{file}, line {number}: {problem(error)}") from None
    except (SpinneyError, ValueError, RecursionError) as error:
        raise BadRecording(f"{file}, line {number}: {error}") from None
