"""Verify the rules with games of the official engine: all snakes, food and hazards are compared after every turn."""

from __future__ import annotations

from typing import Any

from spinney.games.battlesnake import rules
from spinney.games.battlesnake.position import CAUSES, Position, Snake, Square, body, to_position, to_state
from spinney.games.battlesnake.spawning import is_free, shrink
from spinney.games.battlesnake.start import ROOMY, centre, fixed_square, is_first_food, is_fixed, may_begin
from spinney.games.battlesnake.state import (
    DOWN,
    FULL_HEALTH,
    LEFT,
    NOBODY,
    RIGHT,
    SHRINK,
    SPAWN,
    START_LENGTH,
    STRIDE,
    UP,
    clear_board,
    put_food,
    put_snake,
    square,
)
from spinney.games.card import OVER, Card
from spinney.games.recording import differences_at

DIRECTIONS = {"up": UP, "down": DOWN, "left": LEFT, "right": RIGHT}
STEPS = {UP: (0, 1), DOWN: (0, -1), LEFT: (-1, 0), RIGHT: (1, 0)}


def replay(card: Card, recorded: dict[str, Any]) -> tuple[int, list[str]]:
    """Replay one game; return the number of turns, and the differences of the first turn that has any."""
    frames, moves, spawns = recorded["frames"], recorded["moves"], recorded["spawns"]
    if not len(frames) - 1 == len(moves) == len(spawns):
        raise ValueError(f"it has {len(frames)} frames, {len(moves)} moves and {len(spawns)} spawns")
    replayed = RecordedGame(card, recorded)
    differences = replayed.compare(frames[0], "before the first turn")
    if recorded["start"] == "standard" and not differences:
        differences = _compare_start(replayed.s, frames[0])
    for number, (frame, move, spawn) in enumerate(zip(frames[1:], moves, spawns, strict=True), 1):
        if differences:
            return number - 1, differences
        differences = replayed.turn(frame, move, spawn)
    return len(moves), differences or replayed.compare_end(recorded)


class RecordedGame:
    """A recorded game that is replayed turn by turn."""

    def __init__(self, card: Card, recorded: dict[str, Any]) -> None:
        first, settings = recorded["frames"][0], recorded["settings"]
        self.ids = [snake["id"] for snake in first["snakes"]]
        ruleset = settings["ruleset"]
        options = card.options.read(card.name, {
            "players": len(self.ids), "width": recorded["width"], "height": recorded["height"],
            "mode": "standard" if ruleset == "solo" else ruleset, "food_chance": settings["foodSpawnChance"],
            "minimum_food": settings["minimumFood"], "hazard_damage": settings["hazardDamagePerTurn"],
            "shrink_every": settings["shrinkEveryNTurns"],
        })  # fmt: skip
        snakes = [
            Snake(snake["body"], snake["health"], snake["eliminated_cause"], self.number(snake["eliminated_by"]))
            for snake in first["snakes"]
        ]
        self.s = to_state(Position(options, snakes, first["food"], first.get("hazards", ()), first["turn"]))  # type: ignore[arg-type]
        self.out: Any = card.out()
        self.bodies = [body(self.s, player) for player in range(len(self.ids))]

    def number(self, name: str) -> int:
        """The seat of a snake, from its id."""
        return self.ids.index(name) if name else NOBODY

    def turn(self, frame: dict[str, Any], moves: dict[str, str], spawns: list[Any]) -> list[str]:
        """Play one turn with the recorded moves and the recorded chance, and compare."""
        s, where = self.s, f"turn {frame['turn']}"
        if rules.mover(s) == OVER:
            return [f"{where}: the recording goes on, the rules stop"]
        alive = [player for player in range(s.players) if rules.is_active(s, player)]
        if sorted(moves) != sorted(self.ids[player] for player in alive):
            return [f"{where}: the recording has moves of {sorted(moves)}, the rules want others"]
        for player in alive:
            self.out.joint[player] = self.direction(player, moves[self.ids[player]])
        rules.apply_joint(s, self.out)
        for player in alive:
            self.bodies[player] = body(s, player) or self.last_body(player)
        return self.spawn(spawns, where) or self.shrink(frame, where) or self.compare(frame, where)

    def direction(self, player: int, word: str) -> int:
        """The direction of a move; an unknown word means straight ahead."""
        straight = self.s.facing[player] if self.s.length[player] > 1 else UP
        return DIRECTIONS.get(word, straight)

    def last_body(self, player: int) -> list[Square]:
        """The body of a snake that was eliminated on this turn, which is not on the board any more."""
        s, before = self.s, self.bodies[player]
        dx, dy = STEPS[s.facing[player]]
        x, y = before[0][0] + dx, before[0][1] + dy
        moved = [(x % s.width, y % s.height) if s.wrapped else (x, y), *before[:-1]]
        return moved + [moved[-1]] * (s.length[player] - len(moved))

    def spawn(self, spawns: list[Any], where: str) -> list[str]:
        """Place the recorded food, if the rules allow it."""
        left = [square(x, y) for x, y in spawns]
        while self.s.phase == SPAWN:
            n = rules.outcomes(self.s, self.out)
            outcome = left.pop(0) if left else rules.NONE
            if outcome not in self.out.action[:n]:
                return [f"{where}: the recording places food on {spawns}, which the rules do not allow"]
            rules.apply(self.s, outcome)
        return [f"{where}: the recording places more food, {spawns}, than the rules"] * bool(left)

    def shrink(self, frame: dict[str, Any], where: str) -> list[str]:
        """Let hazards advance from the side that gives the recorded ones."""
        if self.s.phase != SHRINK:
            return []
        for side in range(4):
            tried = self.s.copy()
            shrink(tried, side)
            if to_position(tried).hazards == _sorted(frame.get("hazards", [])):
                rules.apply(self.s, rules.SIDES + side)
                return []
        return [f"{where}: the recording has hazards that come from no side"]

    def compare(self, frame: dict[str, Any], where: str) -> list[str]:
        """The differences between the position and a recorded frame."""
        found = to_position(self.s)
        expected: dict[str, Any] = {
            "turn": frame["turn"],
            "food": _sorted(frame["food"]),
            "hazards": _sorted(frame.get("hazards", [])),
        }
        differences = differences_at(where, expected, {key: getattr(found, key) for key in expected})
        for player, recorded in enumerate(frame["snakes"]):
            snake = self.as_recorded(player)
            names = {key: f"{key} of {recorded['id']}" for key in snake}
            told = {name: recorded[key] for key, name in names.items()}
            differences += differences_at(where, told, {name: snake[key] for key, name in names.items()})
        return differences

    def as_recorded(self, player: int) -> dict[str, Any]:
        """A snake in the form of the recording."""
        s = self.s
        return {
            "id": self.ids[player],
            "body": [list(pair) for pair in self.bodies[player]],
            "health": s.health[player],
            "eliminated_cause": CAUSES[s.cause[player]],
            "eliminated_by": self.ids[s.by[player]] if s.by[player] != NOBODY else "",
            "eliminated_turn": s.fell[player],
        }

    def compare_end(self, recorded: dict[str, Any]) -> list[str]:
        """The differences between the end of the game and the recorded result."""
        result = recorded["result"]
        if result["truncated"]:
            return ["at the end: the recording was cut off, the rules stop"] * (rules.mover(self.s) == OVER)
        if rules.mover(self.s) != OVER:
            return ["at the end: the recording stops, the rules go on"]
        won = [self.ids[player] for player in rules.winners(self.s)] if self.s.players > 1 else []
        found = {"winner": won[0] if won else None, "draw": not won and self.s.players > 1, "turns": self.s.turn}
        return differences_at("at the end", result, found)


def _compare_start(s: Any, frame: dict[str, Any]) -> list[str]:
    """Check that the rules can begin a game with this frame; its food is in the order in which it was placed."""
    heads = [square(*snake["body"][0]) for snake in frame["snakes"]]
    food = [square(x, y) for x, y in frame["food"]]
    board = s.copy()
    clear_board(board)
    fixed = is_fixed(s)
    possible = s.turn == 0 and all(
        s.length[p] == START_LENGTH and s.stacked[p] == START_LENGTH - 1 and s.health[p] == FULL_HEALTH
        for p in range(s.players)
    )
    corners = {fixed_square(s, True, number) for number in range(4)}
    sides = {fixed_square(s, False, number) for number in range(4)}
    first, second = (corners, sides) if heads[0] in corners else (sides, corners)
    for player, at in enumerate(heads):
        possible &= at in (first if player < 4 else second) if fixed else may_begin(board, at)
        put_snake(board, player, at)
    own = heads if fixed and not s.constrictor and (s.players <= 4 or s.width * s.height >= ROOMY) else []
    rest = 0 if s.constrictor else 1 if fixed else s.players
    possible &= len(food) == len(own) + rest
    for head, at in zip(own, food, strict=False):
        possible &= is_first_food(board, head, at) and abs(at % STRIDE - head % STRIDE) == 1
        put_food(board, at)
    for at in food[len(own) :]:
        possible &= at == centre(s) if fixed else is_free(board, at)
        put_food(board, at)
    return [] if possible else ["before the first turn: no game starts like this"]


def _sorted(squares: list[Any]) -> list[Square]:
    """In the order of a position: row by row from the bottom, each from left to right."""
    return sorted(((x, y) for x, y in squares), key=lambda pair: pair[::-1])
