"""BattleSnake as text in 80 columns. Snakes are letters, squares are x,y from the lower left one."""

from __future__ import annotations

from typing import Any

from spinney.games.battlesnake.options import mode_of
from spinney.games.battlesnake.spawning import NONE, SIDES
from spinney.games.battlesnake.state import (
    ALIVE,
    BODY_COLLISION,
    DOWN,
    FINISHED,
    FOOD,
    HAZARD,
    HEAD_COLLISION,
    LEFT,
    MOVE,
    OUT_OF_HEALTH,
    RIGHT,
    SELF_COLLISION,
    SHRINK,
    UNTOLD,
    UP,
    WALL_COLLISION,
    column,
    onward,
    owner,
    row,
    square,
    step,
)

DIRECTIONS = ("up", "down", "left", "right")
BACK = (DOWN, UP, RIGHT, LEFT)
"""The opposite of each direction."""
FROM = ("the left", "the right", "below", "above")
"""The sides from which hazards advance."""
LETTERS = "ABCDEFGH"
PIPES = {
    frozenset((UP, DOWN)): "│",
    frozenset((LEFT, RIGHT)): "─",
    frozenset((UP, RIGHT)): "└",
    frozenset((UP, LEFT)): "┘",
    frozenset((DOWN, RIGHT)): "┌",
    frozenset((DOWN, LEFT)): "┐",
}
"""A segment of a body, by the sides on which the body continues."""
FATES = {
    UNTOLD: "out",
    OUT_OF_HEALTH: "starved",
    WALL_COLLISION: "hit a wall",
    HAZARD: "perished in hazards",
    SELF_COLLISION: "ran into itself",
    BODY_COLLISION: "ran into {by}",
    HEAD_COLLISION: "met the head of {by}",
}
LEGEND = "A head, a tail, * food"


def draw(s: Any) -> str:
    """The turn, the board, a line for each snake, and the next step."""
    return "\n".join([_header(s), "", *_board(s), "", *(_snake(s, p) for p in range(s.players)), "", _next(s)])


def name_action(s: Any, action: int) -> str:
    """The name of a move or of a chance outcome."""
    if s.phase in (MOVE, FINISHED):
        return DIRECTIONS[action]
    if s.phase == SHRINK:
        return f"hazards from {FROM[action - SIDES]}" if action >= SIDES else "no new hazards"
    return "no food" if action == NONE else f"food at {_xy(action)}"


def _header(s: Any) -> str:
    legend = LEGEND + (", : hazard" if s.hazards else "")
    return f"turn {s.turn}   {mode_of(s).replace('_', ' ')} {s.width}x{s.height}   {legend}"


# ---- the board


def _board(s: Any) -> list[str]:
    """Two characters for each square: its content, and either the body's line to the right or a hazard."""
    wall = " " if s.wrapped else "|"
    frame = [] if s.wrapped else [f"   +{'-' * (2 * s.width + 1)}+"]
    pipes = _pipes(s)
    rows = [
        f"{y:>2} {wall} {''.join(_square(s, square(x, y), pipes) for x in range(s.width))}{wall}".rstrip()
        for y in reversed(range(s.height))
    ]
    tens = "".join(f"{x // 10 or ' '} " for x in range(s.width))
    ones = "".join(f"{x % 10} " for x in range(s.width))
    numbers = [f"     {digits}".rstrip() for digits in (tens, ones) if digits.strip()]
    return [*frame, *rows, *frame, *numbers]


def _pipes(s: Any) -> dict[int, set[int]]:
    """The squares with bodies, and the sides on which each body continues."""
    sides: dict[int, set[int]] = {}
    for player in range(s.players):
        if s.cause[player] != ALIVE:
            continue
        at = s.tail[player]
        sides[at] = set()
        while at != s.head[player]:
            way = onward(s, at)
            sides[at].add(way)
            at = step(s, at, way)
            sides[at] = {BACK[way]}
    return sides


def _square(s: Any, at: int, pipes: dict[int, set[int]]) -> str:
    beside = "─" if RIGHT in pipes.get(at, ()) else " " if not s.hazard[at] else _hazard(s.hazard[at])
    player = owner(s, at)
    if player < 0:
        return ("*" if s.cell[at] & FOOD else ".") + beside
    if at == s.head[player]:
        return LETTERS[player] + beside
    return (LETTERS[player].lower() if at == s.tail[player] else PIPES[frozenset(pipes[at])]) + beside


def _hazard(count: int) -> str:
    return ":" if count == 1 else str(count) if count < 10 else "+"


# ---- the snakes, and the next step


def _snake(s: Any, player: int) -> str:
    fate = FATES.get(s.cause[player], "").format(by=LETTERS[s.by[player]])
    if s.cause[player] != ALIVE:
        note = f"{fate} on turn {s.fell[player]}"
    else:
        note = f"on {_xy(s.head[player])}" + (", its tail stays for a turn" if s.stacked[player] == 1 else "")
    return f"{LETTERS[player]}  player {player + 1}  length {s.length[player]:>3}  health {s.health[player]:>3}  {note}"


def _next(s: Any) -> str:
    if s.phase == FINISHED:
        return _result(s)
    if s.phase == SHRINK:
        return "hazards advance from one side"
    if s.phase != MOVE:
        return f"{s.missing} more food must appear" if s.missing > 0 else "food may appear"
    living = [LETTERS[player] for player in range(s.players) if s.cause[player] == ALIVE]
    return f"{_and(living)} {'moves' if len(living) == 1 else 'move at once'}: {', '.join(DIRECTIONS)}"


def _result(s: Any) -> str:
    last = max(s.fell[: s.players])
    fallen = [LETTERS[player] for player in range(s.players) if s.cause[player] != ALIVE and s.fell[player] == last]
    if s.players == 1:
        return f"the end: A lived {last} turns and was {s.length[0]} long"
    winner = [LETTERS[player] for player in range(s.players) if s.cause[player] == ALIVE]
    return (
        f"the end: {winner[0]} wins" if winner else f"the end: a draw, {_and(fallen)} were eliminated on the same turn"
    )


def _and(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _xy(at: int) -> str:
    return f"{column(at)},{row(at)}"
