"""Recorded games as people at a real table would enter them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spinney.games.saboteur import official, rules
from spinney.games.saboteur.official import seat_of
from spinney.games.saboteur.recording import dealt
from spinney.games.saboteur.state import column_of, row_of
from spinney.games.saboteur.tiles import CARD_NAMES
from spinney.play import Table

DATA = Path(__file__).parent / "conformance" / "data"
PLACES = ("left", "middle", "right")


def recorded(name: str, most: int = 1000) -> list[dict[str, Any]]:
    with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for _, line in zip(range(most), lines, strict=False)]


def sayings(game: dict[str, Any]) -> Iterator[str]:
    """All steps of a recorded game of Deep Sea, a line each."""
    for step in game["steps"]:
        if step["kind"] == "roll":
            yield "+".join(map(str, step["dice"]))
        else:
            word, _, stack = step["choice"].partition(":")
            yield f"{word} {int(stack) + 1}" if stack else word
        for _, _, value in step.get("reveals", ()):
            yield str(value)


def steps_of(table: Table) -> int:
    return sum(len(entry.actions) for entry in table.entries)


def left(table: Table, lines: list[str]) -> list[str]:
    """The lines that the table has not heard yet; steps without a choice need not be said."""
    return lines[steps_of(table) :]


class SaboteurGame:
    """A recorded game of Saboteur: the real position, and what a player at the table would say."""

    def __init__(self, game: dict[str, Any]) -> None:
        self.deck = [CARD_NAMES.index(name) for name in game["deck"]]
        self.hands = [[CARD_NAMES.index(name) for name in game["hands"][str(seat_of(player))]] for player in (0, 1)]
        self.nugget = game["hidden"].index("nugget")
        self.moves = [move["m"] for move in game["moves"]]
        self.record = dealt(self.nugget, [hand.copy() for hand in self.hands])

    def hand_words(self, player: int) -> str:
        return " ".join(CARD_NAMES[kind] for kind in self.hands[player])

    def play(self, text: str) -> tuple[int, str, str, str]:
        """Make a move: who made it, how that player and how the other one would say it, and the card drawn."""
        player = seat_of(int(text.split()[3]))
        action = official.read_move(text, self.hands[player])
        self.hands[player].pop(official.used(text, self.hands[player]))
        rules.apply(self.record, action)
        drawn = ""
        if self.deck:
            self.hands[player].append(self.deck.pop(0))
            if self.record.phase == rules.DRAWING:
                rules.apply(self.record, self.hands[player][-1])
                drawn = CARD_NAMES[self.hands[player][-1]]
        own = _said(action)
        return player, own, "drop" if action >= rules.DROP else own, drawn

    def answer(self, table: Table) -> str:
        """What the objective is that a table asks about."""
        where = table.expects().words.split(" sees the ")[1].split()[0]
        return "nugget" if PLACES.index(where) == self.nugget else "nothing"


def _said(action: int) -> str:
    if action >= rules.DROP:
        return f"drop {CARD_NAMES[action - rules.DROP]}"
    if action < rules.LOOK:
        word, row, column = official.move_text(action).removeprefix("Tile:").split()
        return f"{word.replace('_', ' ')} {row} {column}"
    if action < rules.CURE:
        return f"map {PLACES[action - rules.LOOK]}"
    if action < rules.BREAK:
        return "bonus" if action == rules.CURE else "malus"
    return f"destroy {row_of(action - rules.BREAK)} {column_of(action - rules.BREAK)}"
