"""What a person who plays sees: lines one after the other, or on a terminal one screen that is redrawn in place."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.console import Console
from rich.text import Text

from spinney.games import CHANCE, Card
from spinney.games.frame import Event
from spinney.printing import printable
from spinney.show.terminal import print_events

PLAYER_STYLES = ("cyan", "yellow", "green", "magenta", "blue", "red", "bright_cyan", "bright_yellow")
"""The colours of the players."""
MOST_EVENTS = 10
"""Lines about what has happened."""
HOME, END_LINE, END_SCREEN = "\x1b[H", "\x1b[K", "\x1b[J"


def on_terminal(screen: Console) -> bool:
    """Whether a person types on a terminal that can redraw lines."""
    return sys.stdin.isatty() and screen.file.isatty() and not screen.is_dumb_terminal


class Paper:
    """Where a game is shown."""

    def __init__(self, screen: Console, card: Card, title: str, in_place: bool) -> None:
        self.screen, self.card, self.title, self.in_place = screen, card, title, in_place
        self._board, self._events, self._notes = Text(), list[Text](), list[Text]()
        self._is_shown = False
        if in_place:
            screen.file.write("\n" * screen.height)  # what was there before can be scrolled back to
        else:
            screen.print(title, style="bold")

    def note(self, words: str, style: str = "") -> None:
        """Something about the game or the last line that was typed."""
        if self.in_place:
            self._is_shown = False
            self._notes += [Text(line, style) for line in printable(words).split("\n")]
        else:
            self.screen.print(words, style=style, soft_wrap="position: " in words[:10])

    def begin(self, *, choice: bool = False) -> None:
        """A line was typed: what was said about the one before is old; after a choice, what had happened, too."""
        self._notes, self._is_shown = [], False
        if choice:
            self._events = []

    def show(self, events: Sequence[Event], names: Sequence[str]) -> None:
        """What has happened since: a line for each player's move."""
        if self.in_place:
            for mover, some in groupby(events, lambda event: event.mover):
                self._events.append(_line(list(some), mover, names))
        else:
            print_events(self.screen, events, names)

    def draw(self, board: str) -> None:
        """The position."""
        if not self.in_place:
            self.screen.print(board)
            return
        self._board, self._is_shown = Text(board), False
        paint(self._board, self.card.board.signs)

    def redraw(self) -> None:
        """The whole screen, over what was there."""
        if not self.in_place or self._is_shown:
            return
        self._is_shown = True
        with self.screen.capture() as captured:
            self.screen.print(Text.assemble((self.title, "bold"), ("   help lists the commands", "dim")))
            self.screen.print(self._board)
            for line in self._events[-MOST_EVENTS:]:
                self.screen.print(line, no_wrap=True, overflow="ellipsis")
            for line in self._notes:
                self.screen.print(line)
        self.screen.file.write(HOME + captured.get().replace("\n", f"{END_LINE}\n") + END_SCREEN)
        self.screen.file.flush()


def paint(board: Text, signs: Sequence[str]) -> None:
    """Colour players: their names everywhere, and their pieces where there are no words."""
    for found in re.finditer(r"\b(?:player |P)(\d)\b", board.plain):
        board.stylize(_style(int(found[1]) - 1), *found.span())
    at = 0
    for line in board.plain.split("\n"):
        words = re.search("[a-z]{4}", line)
        for found in re.finditer(r"(?<![^\W_])[A-Za-z](?![^\W_])", line[: words.start() if words else None]):
            owner = next((player for player, sign in enumerate(signs) if found[0] in sign), None)
            if owner is not None and not (words and found[0].islower()):
                board.stylize(_style(owner), at + found.start(), at + found.end())
        at += len(line) + 1


def _style(player: int) -> str:
    return f"bold {PLAYER_STYLES[player % len(PLAYER_STYLES)]}"


def _line(events: Iterable[Event], mover: int, names: Sequence[str]) -> Text:
    """What a player, or chance, did in a row."""
    listed = list(events)
    words = printable(", ".join(event.words for event in listed))
    if mover == CHANCE:
        return Text(f"chance: {words}", "dim")
    line = Text.assemble((f"player {mover + 1}", _style(mover)), f" {printable(names[mover])}: ", (words, "bold"))
    decision = listed[0].decision
    if decision is not None and decision.iterations:
        line.append(f"   expects {decision.values[mover]:.2f} of 1, {decision.iterations:,} simulations", "dim")
    return line
