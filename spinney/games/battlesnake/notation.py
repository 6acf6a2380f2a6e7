"""Positions of BattleSnake in one line, as in

    12 move 4,4:llu:88/1,5:dd+1:90/body-collision:A:9:4:71:3,3:3,6:0:u 5,5;0,2 -

The words are the turn, the phase, the snakes, the squares with food, and those with hazards, `*2` if there are two on
one. A living snake is the square of its head, the directions from there to its tail (u, d, l, r), `+` the segments that
are stacked on the tail, and its health; one of a single square has the direction of its last move, too. An eliminated
snake is why, by whom, on which turn, its length and health, the squares of its head and tail, the stacked segments, and
the direction of its last move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from spinney.errors import BadPosition, BadRecording
from spinney.games.battlesnake.board import BACK, LETTERS
from spinney.games.battlesnake.position import CAUSES, MOST_HAZARDS, MOST_PIECES, MOST_TURNS, Position, Snake, to_state
from spinney.games.battlesnake.state import (
    ALIVE,
    FINISHED,
    FOOD,
    FULL_HEALTH,
    LONGEST,
    MOVE,
    MOVES,
    NOBODY,
    SHRINK,
    SPAWN,
    UP,
    column,
    onward,
    row,
    square,
    step,
)
from spinney.games.notation import choice, number, quoted, split, split_each

WAYS = "udlr"
PHASES = ("move", "food", "hazards", "over")
BODY = re.compile(r"([0-9]+,[0-9]+):([udlr]*)(?:\+([0-9]+))?:([0-9]+)(?::([udlr]))?")
FATES = tuple(CAUSES.values())[1:]


def write(s: Any) -> str:
    """Turn, phase, snakes, food, hazards."""
    squares = [square(x, y) for y in range(s.height) for x in range(s.width)]
    food = ";".join(_xy(at) for at in squares if s.cell[at] & FOOD)
    hazards = ";".join(f"{_xy(at)}*{s.hazard[at]}".removesuffix("*1") for at in squares if s.hazard[at])
    snakes = "/".join((_living if s.cause[player] == ALIVE else _eliminated)(s, player) for player in range(s.players))
    return f"{s.turn} {PHASES[s.phase]} {snakes} {food or '-'} {hazards or '-'}"


def _xy(at: int) -> str:
    return f"{column(at)},{row(at)}"


def _living(s: Any, player: int) -> str:
    at, ways = s.tail[player], ""
    while at != s.head[player]:
        way = onward(s, at)
        at, ways = step(s, at, way), WAYS[BACK[way]] + ways
    stacked = f"+{s.stacked[player]}" if s.stacked[player] else ""
    facing = "" if ways or s.facing[player] == UP else f":{WAYS[s.facing[player]]}"
    return f"{_xy(s.head[player])}:{ways}{stacked}:{s.health[player]}{facing}"


def _eliminated(s: Any, player: int) -> str:
    by = "-" if s.by[player] == NOBODY else LETTERS[s.by[player]]
    numbers = f"{s.fell[player]}:{s.length[player]}:{s.health[player]}"
    ends = f"{_xy(s.head[player])}:{_xy(s.tail[player])}:{s.stacked[player]}:{WAYS[s.facing[player]]}"
    return f"{CAUSES[s.cause[player]]}:{by}:{numbers}:{ends}"


def read(text: str, options: Any) -> Any:
    """Bodies without gaps that do not overlap, and a phase that fits the numbers of snakes and of pieces of food."""
    names = ("the turn", "the phase", "the snakes", "the food", "the hazards")
    turn, phase, snakes, food, hazards = split(text, " ", "the position", *names)
    texts = split_each(snakes, "/", "snakes", options.players)
    position = Position(
        options=options,
        snakes=[_read_snake(one, LETTERS[player], options) for player, one in enumerate(texts)],
        food=[_read_square(at, "food") for at in _listed(food)],
        hazards=[at for one in _listed(hazards) for at in _read_hazards(one)],
        turn=number(turn, "the turn", 0, MOST_TURNS),
    )
    try:
        s = to_state(position)
    except BadRecording as error:
        raise BadPosition(str(error)) from None
    for player, one in enumerate(texts):
        _read_rest(s, player, one)
    _read_phase(s, choice(phase, "the phase", PHASES))
    return s


def _listed(text: str) -> Iterable[str]:
    return () if text == "-" else text.split(";")


def _read_square(text: str, what: str, least: int = 0) -> tuple[int, int]:
    x, y = split(text, ",", f"the square of {what}", "x", "y")
    return number(x, f"x of {what}", least, LONGEST), number(y, f"y of {what}", least, LONGEST)


def _read_hazards(text: str) -> list[tuple[int, int]]:
    at, star, count = text.partition("*")
    return [_read_square(at, "a hazard")] * (number(count, "the hazards on a square", 2, MOST_HAZARDS) if star else 1)


def _is_living(text: str) -> bool:
    return text[:1].isdigit()


def _read_snake(text: str, name: str, options: Any) -> Snake:
    if not _is_living(text):
        words = _fields_of_eliminated(text, name)
        by = NOBODY if words[1] == "-" else choice(words[1], f"who eliminated {name}", LETTERS[: options.players])
        fell, length, health = (number(word, f"a number of {name}", 0, MOST_TURNS) for word in words[2:5])
        return Snake((), health, FATES[choice(words[0], f"why {name} was eliminated", FATES)], by, fell, length)
    match = BODY.fullmatch(text)
    if match is None:
        raise BadPosition(f"snake {name} is {quoted(text)}; needed: head, directions, health, as in 4,4:llu:88")
    x, y = _read_square(match[1], f"the head of {name}")
    body = [(x, y)]
    for letter in match[2]:
        x, y = x + (letter == "r") - (letter == "l"), y + (letter == "u") - (letter == "d")
        if options.modes().wrapped:
            x, y = x % options.width, y % options.height
        body.append((x, y))
    stacked = number(match[3] or "0", f"the stacked segments of {name}", 0, MOST_PIECES)
    return Snake(body + body[-1:] * stacked, number(match[4], f"the health of {name}", 1, FULL_HEALTH))


def _fields_of_eliminated(text: str, name: str) -> list[str]:
    what = ("why", "by whom", "turn", "length", "health", "head", "tail", "stacked", "direction")
    return split(text, ":", f"the eliminated snake {name}", *what)


def _read_rest(s: Any, player: int, text: str) -> None:
    """What is of no consequence to the rules: the direction of the last move, and where an eliminated snake lay."""
    name = LETTERS[player]
    if _is_living(text):
        words = text.split(":")
        if len(words) > 3 and s.head[player] == s.tail[player]:
            s.facing[player] = WAYS.index(words[3])
        return
    head, tail, stacked, facing = _fields_of_eliminated(text, name)[5:]
    ends = [_read_square(at, f"snake {name}", least=-1) for at in (head, tail)]
    s.head[player], s.tail[player] = (square(x, y) for x, y in ends)
    s.stacked[player] = number(stacked, f"the stacked segments of {name}", 0, MOST_PIECES)
    s.facing[player] = choice(facing, f"the direction of {name}", WAYS[:MOVES])


def _read_phase(s: Any, phase: int) -> None:
    """`to_state` has set the phase to MOVE or FINISHED, by the number of living snakes."""
    missing = max(0, s.minimum_food - s.food)
    spawns = not s.constrictor and (missing > 0 or s.food_chance > 1)
    shrinks = bool(s.royale) and s.turn % s.shrink_every == 0
    if phase in (MOVE, FINISHED) and phase != s.phase:
        raise BadPosition(f"the phase is {PHASES[phase]}, and {s.living} of {s.players} snakes live")
    if phase in (SPAWN, SHRINK) and (s.turn == 0 or not (spawns if phase == SPAWN else shrinks)):
        raise BadPosition(f"the phase is {PHASES[phase]}, which the game does not have after turn {s.turn}")
    s.phase = phase
    if phase == SPAWN:
        s.missing = missing
