"""Positions of BattleSnake as short texts, and a second implementation of a turn, for the tests.

A snake is written as the square of its head, the way from there to its tail, and its health: "3,4 ddl 57" has its neck
below the head, then one more piece below and one on the left. A dot is a piece on the same square, and full health need
not be written.
"""

from __future__ import annotations

from typing import Any

import spinney
from spinney.games.battlesnake import rules
from spinney.games.battlesnake.options import BattlesnakeOptions
from spinney.games.battlesnake.position import Position, Snake, Square, to_position, to_state

WAYS = {"u": (0, 1), "d": (0, -1), "l": (-1, 0), "r": (1, 0), ".": (0, 0)}
DIRECTIONS = "udlr"
MODES = ("standard", "royale", "wrapped", "constrictor", "wrapped_constrictor")
CARD = spinney.game("battlesnake").card


def snake(text: str, width: int = 11, height: int = 11) -> Snake:
    where, *rest = text.split()
    x, y = map(int, where.split(","))
    body = [(x, y)]
    for letter in rest[0] if rest and not rest[0].isdigit() else "":
        dx, dy = WAYS[letter]
        x, y = (x + dx) % width, (y + dy) % height
        body.append((x, y))
    return Snake(body, int(rest[-1]) if rest and rest[-1].isdigit() else 100)


def position(*snakes: str, food: Any = (), hazards: Any = (), turn: int = 10, **options: Any) -> Any:
    """A state. Unless options say otherwise, no food comes by itself."""
    chosen = BattlesnakeOptions(players=len(snakes), **{"minimum_food": 0, "food_chance": 0, **options})
    return to_state(
        Position(chosen, [snake(text, chosen.width, chosen.height) for text in snakes], food, hazards, turn)
    )


def after(s: Any, moves: str) -> Any:
    """The state after a joint move, a letter for each snake; nothing comes by chance."""
    out: Any = CARD.out()
    out.joint[: len(moves)] = [DIRECTIONS.find(letter) for letter in moves]
    rules.apply_joint(s, out)
    while rules.mover(s) == spinney.CHANCE:
        rules.apply(s, rules.default_outcome(s))
    return s


def fates(s: Any) -> list[str]:
    """What has become of the snakes: "" or the cause, and by whom."""
    return [f"{it.cause} {it.by}" if it.by >= 0 else it.cause for it in to_position(s).snakes]


def free_squares(p: Position) -> set[Square]:
    """Where food may appear, by the rule book's list of what forbids it."""
    taken = set(p.food)
    for it in p.snakes:
        taken.update(it.body)
        if it.body:
            x, y = it.body[0]
            taken.update([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)])
    return {(x, y) for x in range(p.options.width) for y in range(p.options.height)} - taken


def next_turn(p: Position, moves: list[int]) -> Position:
    """A turn without chance, done in the order of the rule book on plain lists."""
    o, turn = p.options, p.turn + 1
    snakes = [
        {"body": list(it.body), "health": it.health, "cause": it.cause, "by": it.by, "fell": it.fell, "n": it.length}
        for it in p.snakes
    ]
    living = [it for it in snakes if not it["cause"]]
    food = list(p.food)

    def eliminate(it: Any, cause: str, by: int = -1) -> None:
        it.update(cause=cause, by=by, fell=turn)

    for it, move in zip(snakes, moves, strict=True):
        if not it["cause"]:
            dx, dy = WAYS[DIRECTIONS[move]]
            x, y = it["body"][0][0] + dx, it["body"][0][1] + dy
            it["body"] = [(x % o.width, y % o.height) if "wrapped" in o.mode else (x, y), *it["body"][:-1]]
            it["health"] -= 1
            for hazard in p.hazards:
                if hazard == it["body"][0] and hazard not in food:
                    it["health"] = min(100, max(0, it["health"] - o.hazard_damage))
                    if it["health"] == 0:
                        eliminate(it, "hazard")
    for piece in p.food:
        eaters = [it for it in living if not it["cause"] and it["body"][0] == piece]
        for it in eaters:
            it["body"].append(it["body"][-1])
            it["health"] = 100
        if eaters:
            food.remove(piece)
    for it in living:
        if not it["cause"]:
            x, y = it["body"][0]
            if it["health"] <= 0:
                eliminate(it, "out-of-health")
            elif not (0 <= x < o.width and 0 <= y < o.height):
                eliminate(it, "wall-collision")
    left = [it for it in living if not it["cause"]]
    fallen = []
    for it in left:
        head = it["body"][0]
        others = sorted((other for other in left if other is not it), key=lambda other: -len(other["body"]))
        bodies = [other for other in others if head in other["body"][1:]]
        heads = [other for other in others if head == other["body"][0] and len(it["body"]) <= len(other["body"])]
        if head in it["body"][1:]:
            fallen.append((it, "snake-self-collision", it))
        elif bodies:
            fallen.append((it, "snake-collision", bodies[0]))
        elif heads:
            fallen.append((it, "head-collision", heads[0]))
    for it, cause, by in fallen:
        eliminate(it, cause, next(i for i, other in enumerate(snakes) if other is by))
    if "constrictor" in o.mode:
        food = []
        for it in living:
            it["health"] = 100
            if it["body"][-1:] != it["body"][-2:-1]:
                it["body"].append(it["body"][-1])
    for it in living:
        it["n"] = len(it["body"])
        if it["cause"]:
            it["body"] = []
    return Position(
        o,
        [Snake(it["body"], it["health"], it["cause"], it["by"], it["fell"], it["n"]) for it in snakes],
        food,
        p.hazards,
        turn,
    )
