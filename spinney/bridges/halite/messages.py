"""Reading the engine's messages to a bot: a line of JSON, then lines of numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from spinney.errors import BadMessage
from spinney.games.halite.recording import FIXED
from spinney.games.halite.rules import MOST_ID
from spinney.games.halite.start import begin, lay_out
from spinney.games.halite.state import LARGEST, MAX_PLAYERS, SMALLEST, STRIDE, State, add_dropoff, add_ship

Line = Callable[[], str]
"""Reads a line; an empty one means the end of the input."""
PLAYERS = (1, 2, 4)


@dataclass
class Fleet:
    """A player in the message of a turn."""

    treasury: int
    ships: list[tuple[int, int, int, int]]
    """Id, x, y and cargo of each."""
    dropoffs: list[tuple[int, int, int]]
    """Id, x and y of each."""


@dataclass
class Match:
    """What the engine has told a bot of a game: its beginning, the map now, and the fleets of this turn."""

    constants: dict[str, Any]
    me: int
    yards: list[tuple[int, int]]
    halite: list[list[int]]
    turn: int = 0
    fleets: list[Fleet] = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.halite)

    @property
    def turns(self) -> int:
        return int(self.constants["MAX_TURNS"])

    @property
    def inspiration(self) -> bool:
        return bool(self.constants.get("INSPIRATION_ENABLED", True))

    def unusual(self) -> list[str]:
        """Constants that differ from those of the rules here."""
        return [f"{name} is {self.constants[name]}" for name in FIXED if self.constants.get(name) != FIXED[name]]

    def record(self) -> Any:
        """The position at the beginning of the turn of this bot: no order has been given."""
        s = State()
        s.inspiration = int(self.inspiration)
        lay_out(s, self.halite, self.yards, [0] * len(self.yards), self.turns)
        s.turn = self.turn - 1
        dropoffs = [(*dropoff, player) for player, fleet in enumerate(self.fleets) for dropoff in fleet.dropoffs]
        for _, x, y, player in sorted(dropoffs):
            add_dropoff(s, player, STRIDE * y + x)
        ships = [(*ship, player) for player, fleet in enumerate(self.fleets) for ship in fleet.ships]
        for number, x, y, cargo, player in sorted(ships):
            add_ship(s, player, STRIDE * y + x, cargo, number)
            s.next_id = number + 1
        for player, fleet in enumerate(self.fleets):
            s.treasury[player] = fleet.treasury
        begin(s)
        s.mover = self.me
        return s


def read_match(line: Line) -> Match:
    """The message before the game."""
    text = line()
    try:
        constants = json.loads(text)
        turns = int(constants["MAX_TURNS"])
    except (ValueError, OverflowError, RecursionError, KeyError, TypeError):
        raise BadMessage(
            f"the first line is {_short(text)}; the constants as JSON, with MAX_TURNS, are needed"
        ) from None
    players, me = _numbers(line, "the players and the own number", 2)
    if players not in PLAYERS:
        raise BadMessage(f"there are {players} players; 1, 2 or 4 are allowed")
    if not 0 <= me < players:
        raise BadMessage(f"the own number is {me}; 0 to {players - 1} are allowed")
    yards = []
    for player in range(players):
        number, x, y = _numbers(line, f"player {player} and its shipyard", 3)
        if number != player:
            raise BadMessage(f"player {number} comes where player {player} is expected")
        yards.append((x, y))
    width, height = _numbers(line, "the width and height of the map", 2)
    if width != height or not SMALLEST <= width <= LARGEST or width % 2:
        raise BadMessage(f"the map is {width}x{height}; square ones of an even size from 10 to 64 are allowed")
    halite = [list(_numbers(line, f"row {y} of the map", width)) for y in range(height)]
    match = Match(constants, me, yards, halite)
    for x, y in yards:
        _check_place(match, x, y)
    if turns < 1 or min(map(min, halite)) < 0:
        raise BadMessage("turns and halite must not be negative")
    return match


def read_turn(line: Line, match: Match) -> bool:
    """Read the message of a turn into the match; False at the end of the input."""
    text = line()
    if not text:
        return False
    (match.turn,) = _parse(text, "the number of the turn", 1)
    if not 1 <= match.turn <= match.turns:
        raise BadMessage(f"it is turn {match.turn}; 1 to {match.turns} are allowed")
    match.fleets, seen = [], set()
    for player in range(len(match.yards)):
        number, ships, dropoffs, treasury = _numbers(line, f"player {player} with ships, dropoffs and treasury", 4)
        if number != player or ships < 0 or dropoffs < 0:
            raise BadMessage(f"player {number} has {ships} ships and {dropoffs} dropoffs; player {player} is expected")
        fleet = Fleet(treasury, [], [])
        for _ in range(ships):
            ship, x, y, cargo = _numbers(line, f"a ship of player {player}", 4)
            _check_place(match, x, y)
            if (x, y) in seen or not 0 <= ship < MOST_ID - MAX_PLAYERS or not 0 <= cargo <= 1000:
                raise BadMessage(f"ship {ship} with {cargo} halite cannot be at {x} {y}")
            seen.add((x, y))
            fleet.ships.append((ship, x, y, cargo))
        for _ in range(dropoffs):
            dropoff, x, y = _numbers(line, f"a dropoff of player {player}", 3)
            _check_place(match, x, y)
            fleet.dropoffs.append((dropoff, x, y))
        match.fleets.append(fleet)
    (changes,) = _numbers(line, "the number of cells that have changed", 1)
    for _ in range(changes):
        x, y, halite = _numbers(line, "a cell that has changed", 3)
        _check_place(match, x, y)
        if halite < 0:
            raise BadMessage(f"the cell at {x} {y} has {halite} halite; no less than 0 is allowed")
        match.halite[y][x] = halite
    return True


def _check_place(match: Match, x: int, y: int) -> None:
    if not (0 <= x < match.size and 0 <= y < match.size):
        raise BadMessage(f"{x} {y} is not on the map; 0 to {match.size - 1} are allowed")


def _numbers(line: Line, what: str, count: int) -> tuple[int, ...]:
    text = line()
    if not text:
        raise BadMessage(f"the input ends where {what} should be")
    return _parse(text, what, count)


def _parse(text: str, what: str, count: int) -> tuple[int, ...]:
    try:
        numbers = tuple(map(int, text.split()))
    except ValueError:
        numbers = ()
    if len(numbers) != count:
        raise BadMessage(f"{_short(text)} is not {what}; {count} whole numbers are needed")
    return numbers


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 40 else f"{text[:37]}...")
