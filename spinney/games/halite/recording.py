"""Verify the rules with games of the official engine: the whole position is compared after every turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from spinney.errors import IllegalAction
from spinney.games.card import OVER, Card
from spinney.games.halite import rules, state
from spinney.games.halite.commands import give_orders
from spinney.games.halite.maps import make_map
from spinney.games.halite.start import begin, lay_out
from spinney.games.recording import differences_at

FIXED = {
    "CAPTURE_ENABLED": False, "DROPOFF_COST": 4000, "EXTRACT_RATIO": 4, "INSPIRATION_RADIUS": 4,
    "INSPIRATION_SHIP_COUNT": 2, "INSPIRED_BONUS_MULTIPLIER": 2, "INSPIRED_EXTRACT_RATIO": 4,
    "INSPIRED_MOVE_COST_RATIO": 10, "MAX_ENERGY": 1000, "MOVE_COST_RATIO": 10, "NEW_ENTITY_ENERGY_COST": 1000,
}  # fmt: skip
"""The engine's constants that are not options here."""

Event = list[Any]


def replay(card: Card, recorded: dict[str, Any]) -> tuple[int, list[str]]:
    """Replay one game; return the number of turns, and the differences of the first turn that has any."""
    game = RecordedGame(recorded)
    for differences in game.turns():
        if differences:
            return game.s.turn, differences
    return game.s.turn, game.compare_end()


class RecordedGame:
    """A recorded game that is replayed turn by turn."""

    def __init__(self, recorded: dict[str, Any]) -> None:
        self.recorded = recorded
        self.s = first_position(recorded)
        self.halite = [row.copy() for row in recorded["initial_halite"]]
        self.events: list[Event] = []
        """The events of the last turn."""
        self.before = self.s
        """The position of the last turn with its orders."""

    def turns(self) -> Iterator[list[str]]:
        """The differences before the first turn, and after each."""
        yield self.compare_start()
        for turn in self.recorded["turns"]:
            if self.s.mover == OVER:
                yield [f"turn {turn['t']}: the recording goes on, the rules stop"]
                return
            terminated = self.play(turn)
            yield self.compare(turn, terminated)

    def play(self, turn: dict[str, Any]) -> list[int]:
        """Play one turn with the recorded commands; return the players that are terminated."""
        s = self.s
        terminated = []
        for player in range(s.players):
            if s.terminated[player]:
                continue
            line = turn["commands"].get(str(player))
            try:
                if line is None:
                    raise IllegalAction(f"player {player} is silent")
                give_orders(s, player, line)
            except IllegalAction:
                terminated.append(player)
        for player in terminated:
            rules.terminate(s, player)
        self.before = s.copy()
        rules.carry_out(s)
        self.events = events(self.before, s)
        for x, y, halite in turn["cells_changed"]:
            self.halite[y][x] = halite
        return terminated

    def compare_start(self) -> list[str]:
        """Compare the map with that of the seed, except in games from constructed positions."""
        recorded = self.recorded
        made = make_map(recorded["width"], recorded["num_players"], recorded["seed"])
        expected = {"random_id": recorded["random_id"]}
        found: dict[str, Any] = {"random_id": made.luck}
        if "edge" not in recorded.get("tags", ()):
            expected["map"] = [recorded["initial_halite"], [player["factory"] for player in recorded["players"]]]
            found["map"] = [made.halite.tolist(), [list(yard) for yard in made.yards]]
        expected["entities"], found["entities"] = entities(recorded["initial_entities"]), ships_of(self.s)
        return _differences("before the first turn", expected, found)

    def compare(self, turn: dict[str, Any], terminated: list[int]) -> list[str]:
        """The differences between the position and a recorded turn."""
        s = self.s
        expected = turn | {
            "terminated": turn.get("terminated", []),
            "events": sorted(turn["events"]),
            "entities": entities(turn["entities"]),
            "halite": self.halite,
            "total": sum(map(sum, self.halite)),
        }
        found = {
            "t": s.turn,
            "terminated": terminated,
            "events": sorted(self.events),
            "energy": s.treasury[: s.players],
            "deposited": s.deposited[: s.players],
            "entities": ships_of(s),
            "halite": rows_of(s),
            "total": s.total,
        }
        return _differences(f"turn {turn['t']}", expected, found)

    def compare_end(self) -> list[str]:
        """The differences between the end of the game and the recorded result."""
        if self.s.mover != OVER:
            return ["at the end: the recording stops, the rules go on"]
        return _differences("at the end", self.recorded, result_of(self.s))


def first_position(recorded: dict[str, Any]) -> Any:
    """The state before the first turn of a recorded game."""
    width, players, constants = recorded["width"], recorded["num_players"], recorded["constants"]
    if (
        width != recorded["height"]
        or not state.SMALLEST <= width <= state.LARGEST
        or players not in (1, 2, state.MAX_PLAYERS)
    ):
        raise ValueError(
            f"it has {players} players on {width}x{recorded['height']}; 1, 2 or 4 on a square of {state.SMALLEST} to "
            f"{state.LARGEST} cells a side are played"
        )
    for name, value in FIXED.items():
        if constants[name] != value:
            raise ValueError(f"its {name} is {constants[name]}; only {value} is played")
    s = state.State(inspiration=int(constants["INSPIRATION_ENABLED"]))
    yards = [player["factory"] for player in recorded["players"]]
    lay_out(s, recorded["initial_halite"], yards, recorded["random_id"], constants["MAX_TURNS"])
    s.treasury[:players] = recorded["initial_energy"]
    for player, x, y in recorded.get("initial_dropoffs", ()):
        state.add_dropoff(s, player, state.STRIDE * y + x)
    ships = [(ship, int(player)) for player, fleet in recorded["initial_entities"].items() for ship in fleet]
    if len(ships) > state.MAX_SHIPS:
        raise ValueError(f"it begins with {len(ships)} ships; {state.MAX_SHIPS} have room")
    for (number, x, y, cargo, _), player in sorted(ships):
        state.add_ship(s, player, state.STRIDE * y + x, cargo, number)
        s.next_id = number + 1
    begin(s)
    rules.advance(s)
    return s


def events(before: Any, after: Any) -> list[Event]:
    """The events of a turn in the engine's form, from the states with its orders and after it."""
    left = {int(after.id[i]) for i in range(after.ships)}
    found: list[Event] = []
    wrecks: dict[int, list[int]] = {}
    for i in range(before.ships):
        number, at, order = int(before.id[i]), int(before.cell[i]), int(before.order[i])
        if order == state.CONSTRUCT:
            found.append(["construct", int(before.player[i]), number, *xy(at)])
        elif number not in left:
            to = (
                state.step(before, at, order) if state.STAY < order <= state.WEST and rules.can_leave(before, i) else at
            )
            wrecks.setdefault(to, []).append(number)
    number = int(before.next_id)
    for player in reversed(range(before.players)):
        if before.spawn[player]:
            yard = int(before.yard[player])
            found.append(["spawn", player, number, *xy(yard)])
            if number not in left:
                wrecks.setdefault(yard, []).append(number)
            number += 1
    return found + [["shipwreck", *xy(at), sorted(ships)] for at, ships in wrecks.items()]


def result_of(s: Any) -> dict[str, Any]:
    """The entries of a recording about the end of the game."""
    return {
        "final_scores": rules.scores(s),
        "final_energy": s.treasury[: s.players],
        "ranks": [rules.rank(s, player) for player in range(s.players)],
        "last_turn_alive": s.last_alive[: s.players],
        "number_turns": s.turn + 1,
    }


def rows_of(s: Any) -> list[list[int]]:
    """The halite of the map by row and column."""
    return [s.halite[state.STRIDE * y : state.STRIDE * y + s.size] for y in range(s.size)]


def ships_of(s: Any) -> dict[int, list[int]]:
    """All ships by id: player, x, y, cargo and whether it is inspired."""
    return {
        int(s.id[i]): [int(s.player[i]), *xy(s.cell[i]), int(s.cargo[i]), int(state.is_inspired(s, i))]
        for i in range(s.ships)
    }


def entities(recorded: dict[str, list[list[int]]]) -> dict[int, list[int]]:
    """The same from a recording."""
    return {number: [int(player), *rest] for player, fleet in recorded.items() for number, *rest in fleet}


def xy(cell: int) -> tuple[int, int]:
    """The x and y of a cell."""
    return int(cell) % state.STRIDE, int(cell) // state.STRIDE


def _differences(where: str, expected: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """The differences, without the cells of maps."""
    expected, found = {**expected}, {**found}
    for key in {"halite", "map"} & found.keys():
        if expected[key] != found[key]:
            expected[key], found[key] = "other cells", "differ"
    return differences_at(where, expected, found)
