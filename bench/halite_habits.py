"""What the players of Halite do, counted from replay files: how they mine, grow, and meet rivals.

`Habits` follows the turns of a game; `halite_games.py` counts the same in games that it plays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from typing import Annotated, Any

import common
import typer

from spinney.cli.output import Json, console, table, write_json
from spinney.games.halite import state
from spinney.games.halite.hlt import read_recording
from spinney.games.halite.recording import RecordedGame
from spinney.games.halite.rules import can_leave, score

NEAR = 8
"""Steps within which ships are counted when rivals meet."""
MARKS = (100, 200, 300, 400)
"""Turns in which fleets are counted."""
COLUMNS = (
    ">player", ">games", ">score", ">deposited", ">burnt", ">turns a stop", ">leaves at", ">ships at 100/200/300/400",
    ">dropoffs", ">first at", ">a ship-turn", ">heavier, fewer: stays/leaves", ">lighter, more: rams",
    ">lost to rivals", ">cargo lost/gained",
)  # fmt: skip


@dataclass
class Habits:
    """What one player did in a game, or in several."""

    games: int = 0
    score: float = 0
    deposited: float = 0
    mined: float = 0
    burnt: float = 0
    ship_turns: float = 0
    stops: list[int] = field(default_factory=list)
    """The turns of each stop that did not fill the ship."""
    leaves: list[float] = field(default_factory=list)
    """The halite of a cell that a ship leaves, in means of the map."""
    ships: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    dropoffs: list[int] = field(default_factory=list)
    """The turn of each dropoff."""
    first: list[int] = field(default_factory=list)
    """That of the first in a game."""
    heavier: list[str] = field(default_factory=list)
    """What ships do beside a rival that carries 300 to 600 less, with three or more fewer friends near."""
    lighter: list[str] = field(default_factory=list)
    """The same if the rival carries 300 to 600 more, with three or more friends more."""
    lost: int = 0
    """Ships that were lost in collisions with rivals."""
    cargo_lost: int = 0
    cargo_gained: int = 0
    """The cargo of the rivals in these collisions."""

    def add(self, other: Habits) -> None:
        """Count another game."""
        for name, value in vars(other).items():
            if name == "ships":
                for turn, counts in value.items():
                    self.ships[turn] += counts
            else:
                setattr(self, name, getattr(self, name) + value)

    def row(self, name: str) -> tuple[Any, ...]:
        """The columns of the table."""
        return (
            name,
            self.games,
            f"{self.score / self.games:,.0f}",
            f"{self.deposited / self.games:,.0f}",
            f"{self.burnt / max(1, self.mined):.0%}",
            f"{mean(self.stops):.2f}" if self.stops else "-",
            f"{median(self.leaves):.2f}" if self.leaves else "-",
            " / ".join(f"{mean(self.ships[turn]):.0f}" if self.ships[turn] else "-" for turn in MARKS),
            f"{len(self.dropoffs) / self.games:.1f}",
            f"{mean(self.first):.0f}" if self.first else "-",
            f"{self.deposited / max(1, self.ship_turns):.1f}",
            f"{_share(self.heavier, 'stays')} / {_share(self.heavier, 'leaves')}",
            _share(self.lighter, "rams"),
            f"{self.lost / self.games:.1f}",
            f"{self.cargo_lost / self.games:,.0f} / {self.cargo_gained / self.games:,.0f}",
        )


def _share(seen: list[str], what: str) -> str:
    return f"{seen.count(what) / len(seen):.0%}" if seen else "-"


class Watch:
    """Counts the habits of all players of one game, turn by turn."""

    def __init__(self, players: int) -> None:
        self.habits = [Habits(games=1) for _ in range(players)]
        self._stay: dict[int, tuple[int, int]] = {}
        """By id: the cell on which a ship mines, and the turns so far."""

    def turn(self, before: Any, after: Any) -> None:
        """A turn, from the position with all orders and the one after it."""
        left = {int(after.id[i]): i for i in range(after.ships)}
        average = max(1.0, before.total / before.size**2)
        hits = self._collisions(before, left)
        for i in range(before.ships):
            habits, number = self.habits[before.player[i]], int(before.id[i])
            at, order = int(before.cell[i]), int(before.order[i])
            habits.ship_turns += 1
            moves = state.STAY < order <= state.WEST and can_leave(before, i)
            if moves:
                habits.burnt += before.halite[at] // state.MOVE_COST
            elif order != state.CONSTRUCT and number in left and before.owner[at] == state.NONE:
                gained = int(after.cargo[left[number]]) - int(before.cargo[i])
                habits.mined += gained
                if gained > 0:
                    self._stay[number] = (at, self._stay.get(number, (at, 0))[1] + 1)
            if (moves or order == state.CONSTRUCT) and number in self._stay:
                _, turns = self._stay.pop(number)
                if moves and before.cargo[i] < state.CAPACITY:
                    habits.stops.append(turns)
                    habits.leaves.append(before.halite[at] / average)
            if number not in left:
                self._stay.pop(number, None)
            if order == state.CONSTRUCT:
                habits.dropoffs.append(int(after.turn))
                if not habits.first:
                    habits.first.append(int(after.turn))
            self._beside(before, i, moves)
        for loser, own, rival in hits:
            self.habits[loser].lost += 1
            self.habits[loser].cargo_lost += own
            self.habits[loser].cargo_gained += rival
        for player, habits in enumerate(self.habits):
            if after.turn in MARKS:
                habits.ships[int(after.turn)].append(int(after.fleet[player]))

    def end(self, s: Any) -> list[Habits]:
        """The habits of each player, at the end of the game."""
        for player, habits in enumerate(self.habits):
            habits.score, habits.deposited = score(s, player), int(s.deposited[player])
        return self.habits

    def _collisions(self, before: Any, left: dict[int, int]) -> Iterator[tuple[int, int, int]]:
        """Each ship that was lost with one of another player: its player, its cargo, and theirs."""
        meets: dict[int, list[int]] = defaultdict(list)
        for i in range(before.ships):
            order, at = int(before.order[i]), int(before.cell[i])
            if int(before.id[i]) not in left and order != state.CONSTRUCT:
                moves = state.STAY < order <= state.WEST and can_leave(before, i)
                meets[state.step(before, at, order) if moves else at].append(i)
        found = []
        for ships in meets.values():
            for i in ships:
                rivals = [k for k in ships if before.player[k] != before.player[i]]
                if rivals:
                    cargo = sum(int(before.cargo[k]) for k in rivals)
                    found.append((int(before.player[i]), int(before.cargo[i]), cargo))
        return iter(found)

    def _beside(self, s: Any, i: int, moves: bool) -> None:
        """What a ship does beside a rival, if it is at a clear advantage or disadvantage."""
        player, at, order = int(s.player[i]), int(s.cell[i]), int(s.order[i])
        beside = [int(s.ship[state.step(s, at, way)]) for way in range(1, state.WEST + 1)]
        rivals = [k for k in beside if k != state.NONE and s.player[k] != player]
        if not rivals:
            return
        more = int(s.cargo[i]) - min(int(s.cargo[k]) for k in rivals)
        if not 300 <= abs(more) < 600:
            return
        friends = 0
        for k in range(s.ships):
            if k != i and state.distance(s, at, int(s.cell[k])) <= NEAR:
                friends += 1 if s.player[k] == player else -1
        did = "stays"
        if moves:
            did = "rams" if int(s.ship[state.step(s, at, order)]) in rivals else "leaves"
        if more > 0 and friends <= -3:
            self.habits[player].heavier.append(did)
        elif more < 0 and friends >= 3:
            self.habits[player].lighter.append(did)


def watch_file(file: Path) -> tuple[list[str], list[Habits]]:
    """The names and the habits of the players of a replay file."""
    recording = read_recording(file)
    game = RecordedGame(recording)
    watch = Watch(game.s.players)
    turns = iter(recording["turns"])
    for turn in turns:
        game.play(turn)
        watch.turn(game.before, game.s)
    return list(recording["names"]), watch.end(game.s)


def main(
    files: Annotated[list[Path], typer.Argument(help="Replay files of the official engine, .hlt.")],
    by: Annotated[str, typer.Option(help="A row for each player, or each player and size: player, size.")] = "player",
    json_to: Json = None,
) -> None:
    """The habits of the players of replay files."""
    found: dict[str, Habits] = defaultdict(Habits)
    for file in files:
        names, habits = watch_file(file)
        size = read_recording(file)["width"]
        for name, of in zip(names, habits, strict=True):
            found[f"{name} {size}" if by == "size" else name].add(of)
    show(found, json_to)


def show(found: dict[str, Habits], json_to: str | None, title: str = "Habits") -> None:
    """Print the table."""
    console(json_to).print(table(title, *COLUMNS, rows=[habits.row(name) for name, habits in sorted(found.items())]))
    columns = [name.removeprefix(">") for name in COLUMNS]
    write_json(json_to, [dict(zip(columns, habits.row(name), strict=True)) for name, habits in sorted(found.items())])


if __name__ == "__main__":
    common.run(main)
