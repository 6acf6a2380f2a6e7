"""Positions as plain data, with squares as (x, y) and bodies head first; conversion from and to states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from spinney.errors import BadRecording
from spinney.games.battlesnake.options import BattlesnakeOptions, mode_of
from spinney.games.battlesnake.spawning import end_turn
from spinney.games.battlesnake.start import configure
from spinney.games.battlesnake.state import (
    ALIVE,
    BODY_COLLISION,
    FOOD,
    FULL_HEALTH,
    HAZARD,
    HEAD_COLLISION,
    MOVES,
    NOBODY,
    OUT_OF_HEALTH,
    SELF_COLLISION,
    UNTOLD,
    UP,
    WALL_COLLISION,
    State,
    column,
    onward,
    owner,
    put_food,
    row,
    square,
    step,
)

Square = tuple[int, int]

CAUSES = {
    ALIVE: "",
    UNTOLD: "untold",
    OUT_OF_HEALTH: "out-of-health",
    WALL_COLLISION: "wall-collision",
    HAZARD: "hazard",
    SELF_COLLISION: "snake-self-collision",
    BODY_COLLISION: "snake-collision",
    HEAD_COLLISION: "head-collision",
}
"""The causes of elimination by their official names."""
MOST_PIECES = 2**14
MOST_HAZARDS = 127
"""The most segments of a body, and hazards on a square, so that the fields of the state do not overflow later."""
MOST_TURNS = 2**31 - 1


@dataclass(frozen=True)
class Snake:
    """A snake. An eliminated one has no body."""

    body: Sequence[Square]
    health: int = FULL_HEALTH
    cause: str = ""
    by: int = NOBODY
    fell: int = 0
    length: int = 0
    """The length of an eliminated snake; that of a living one is the length of `body`."""


@dataclass(frozen=True)
class Position:
    """The whole content of a state before a turn."""

    options: BattlesnakeOptions
    snakes: Sequence[Snake]
    food: Sequence[Square] = ()
    hazards: Sequence[Square] = ()
    """A square may be listed several times, and does damage each time."""
    turn: int = 0


def to_state(position: Position) -> Any:
    """The state of a position before a turn or at the end of the game. An impossible position is refused."""
    options = position.options
    if len(position.snakes) != options.players:
        raise BadRecording(f"the position has {len(position.snakes)} snakes; the option players is {options.players}")
    s: Any = State()
    configure(s, options)
    s.turn = _number(position.turn, "the turn", 0, MOST_TURNS)
    for player, snake in enumerate(position.snakes):
        if snake.cause == CAUSES[ALIVE]:
            _put_body(s, player, snake)
        else:
            _bury(s, player, snake)
    for at in _on_board(s, position.food, "food"):
        if s.cell[at] & FOOD:
            raise BadRecording(f"there is food on {_xy(at)} twice")
        put_food(s, at)
    for at in _on_board(s, position.hazards, "a hazard"):
        if s.hazard[at] == MOST_HAZARDS:
            raise BadRecording(f"there are more than {MOST_HAZARDS} hazards on {_xy(at)}")
        s.hazard[at] += 1
        s.hazards += 1
    s.missing = 0
    end_turn(s)
    return s


def to_position(s: Any) -> Position:
    """The position of a state, without its phase: pending chance steps are lost."""
    squares = [square(x, y) for y in range(s.height) for x in range(s.width)]
    return Position(
        options=BattlesnakeOptions(
            players=s.players, width=s.width, height=s.height, mode=mode_of(s), food_chance=s.food_chance,
            minimum_food=s.minimum_food, hazard_damage=s.hazard_damage, shrink_every=s.shrink_every,
        ),
        snakes=[
            Snake(body(s, p), s.health[p], CAUSES[s.cause[p]], s.by[p], s.fell[p], s.length[p])
            for p in range(s.players)
        ],
        food=[_xy(at) for at in squares if s.cell[at] & FOOD],
        hazards=[_xy(at) for at in squares for _ in range(s.hazard[at])],
        turn=s.turn,
    )  # fmt: skip


def body(s: Any, player: int) -> list[Square]:
    """The squares of a living snake, head first; empty for an eliminated one."""
    if s.cause[player] != ALIVE:
        return []
    at = s.tail[player]
    pieces = [_xy(at)] * (1 + s.stacked[player])
    while at != s.head[player]:
        at = step(s, at, onward(s, at))
        pieces.append(_xy(at))
    return pieces[::-1]


# ---- checks


def _put_body(s: Any, player: int, snake: Snake) -> None:
    name = f"snake {player}"
    pieces = list(_on_board(s, snake.body, name))
    if not pieces:
        raise BadRecording(f"{name} lives, but has no body")
    if len(pieces) > MOST_PIECES:
        raise BadRecording(f"{name} is {len(pieces)} long; at most {MOST_PIECES} are allowed")
    apart = list(dict.fromkeys(pieces))
    stacked = len(pieces) - len(apart)
    if pieces != apart + [apart[-1]] * stacked:
        raise BadRecording(f"{name} lies on a square twice; only the tail may")
    ways = [_way(s, name, behind, ahead) for ahead, behind in pairwise(apart)]
    for at in apart:
        if owner(s, at) != NOBODY:
            raise BadRecording(f"{name} and snake {owner(s, at)} are both on {_xy(at)}")
    for at, way in zip(apart, [UP, *ways], strict=True):
        s.cell[at] = (player + 1) << 3 | way << 1
    s.head[player], s.tail[player] = apart[0], apart[-1]
    s.length[player], s.stacked[player] = len(pieces), stacked
    s.health[player] = _number(snake.health, f"the health of {name}", 1, FULL_HEALTH)
    s.facing[player] = ways[0] if ways else UP
    s.cause[player], s.by[player], s.fell[player] = ALIVE, NOBODY, 0
    s.living += 1


def _way(s: Any, name: str, at: int, to: int) -> int:
    """The direction from a segment to the next one nearer the head."""
    for way in range(MOVES):
        if step(s, at, way) == to:
            return way
    raise BadRecording(f"{name} has a gap between {_xy(to)} and {_xy(at)}")


def _bury(s: Any, player: int, snake: Snake) -> None:
    name = f"snake {player}"
    if snake.cause not in CAUSES.values():
        raise BadRecording(f"{name} was eliminated by '{snake.cause}'; allowed: {', '.join(list(CAUSES.values())[1:])}")
    s.cause[player] = next(cause for cause, word in CAUSES.items() if word == snake.cause)
    s.by[player] = _number(snake.by, f"who eliminated {name}", NOBODY, s.players - 1)
    s.fell[player] = _number(snake.fell, f"the turn on which {name} fell", 1, s.turn)
    s.health[player] = _number(snake.health, f"the health of {name}", 0, FULL_HEALTH)
    s.length[player] = _number(snake.length, f"the length of {name}", 1, MOST_PIECES)
    s.head[player], s.tail[player], s.stacked[player], s.facing[player] = 0, 0, 1, UP


def _on_board(s: Any, squares: Iterable[Any], what: str) -> Iterable[int]:
    for pair in squares:
        try:
            x, y = pair
        except (TypeError, ValueError):
            raise BadRecording(f"{what} is on {pair!r}; a square is two numbers, x and y") from None
        for number, size in ((x, s.width), (y, s.height)):
            if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < size:
                raise BadRecording(f"{what} is on ({x}, {y}), off the board of {s.width}x{s.height}")
        yield square(x, y)


def _number(value: Any, what: str, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadRecording(f"{what} is {value!r}; a number from {least} to {most} is allowed")
    return value


def _xy(at: int) -> Square:
    return column(at), row(at)
