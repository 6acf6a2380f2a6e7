"""Commands in the notation of bots, one line per turn: "g" spawns, "m 3 n" moves ship 3 to the north, "c 3" makes it a
dropoff.

The engine terminates a player for a fatal error; `give_orders` treats each line as the engine does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from spinney.errors import IllegalAction
from spinney.games.halite.rules import construction_price
from spinney.games.halite.state import CONSTRUCT, NONE, SHIP_COST, SPAWN, STAY

DIRECTIONS = "onsew"
"""The letters of the orders STAY to WEST."""
NUMBER = re.compile(r"\s*([+-]?\d+)")
LETTER = re.compile(r"\s*(\S)")


def give_orders(s: Any, player: int, line: str) -> None:
    """Write a player's commands to the orders of this turn; a fatal error raises IllegalAction and changes nothing."""
    mine = {int(s.id[i]): i for i in range(s.ships) if s.player[i] == player}
    orders: dict[int, int] = {}
    spawns, spent = 0, 0
    for number, order in parse(line):
        if order == SPAWN:
            spawns += 1
            spent += SHIP_COST
            continue
        if number not in mine:
            raise IllegalAction(f"player {player} has no ship {number}; it has {', '.join(map(str, mine)) or 'none'}")
        if mine[number] in orders:
            raise IllegalAction(f"ship {number} has two commands; one is allowed")
        orders[mine[number]] = order
        if order == CONSTRUCT:
            if s.owner[s.cell[mine[number]]] != NONE:
                raise IllegalAction(f"ship {number} cannot construct on a structure; free cells are allowed")
            spent += construction_price(s, mine[number])
    if spawns > 1:
        raise IllegalAction(f"player {player} spawns {spawns} ships; one a turn is allowed")
    if spent > s.treasury[player]:
        raise IllegalAction(f"player {player} spends {spent} halite; {s.treasury[player]} are in the treasury")
    for i, order in orders.items():
        s.order[i] = order
    s.spawn[player], s.spent[player] = spawns, spent


def parse(line: str) -> list[tuple[int, int]]:
    """The ship and the order of each command; a syntax error raises IllegalAction."""
    found: list[tuple[int, int]] = []
    at = 0
    while letter := LETTER.match(line, at):
        at = letter.end()
        if letter[1] == "g":
            found.append((NONE, SPAWN))
            continue
        if letter[1] not in "cm":
            raise IllegalAction(f"there is no command '{letter[1]}'; g, m and c are allowed")
        number = NUMBER.match(line, at)
        if number is None and letter[1] == "c":
            break  # the engine stops reading here
        direction = None if number is None else LETTER.match(line, number.end())
        if number is not None and letter[1] == "c":
            found.append((int(number[1]), CONSTRUCT))
            at = number.end()
        elif number is None or direction is None or direction[1] not in DIRECTIONS:
            raise IllegalAction(f"'{line[letter.start() :].strip()}' is no move; a ship and one of n, s, e, w, o is")
        else:
            found.append((int(number[1]), DIRECTIONS.index(direction[1])))
            at = direction.end()
    return found


def command_line(s: Any, player: int) -> str:
    """A player's orders of this turn as a line of commands; ships that stay have no command."""
    words = ["g"] * int(s.spawn[player])
    for i in range(s.ships):
        if s.player[i] == player and s.order[i] != STAY:
            order = int(s.order[i])
            words.append(f"c {s.id[i]}" if order == CONSTRUCT else f"m {s.id[i]} {DIRECTIONS[order]}")
    return " ".join(words)


def turn_line(s: Any, player: int, actions: Sequence[int]) -> str:
    """A player's actions of a whole turn, in the order in which the rules ask for them, as a line of commands."""
    ordered = s.copy()
    ships = [i for i in range(s.ships) if s.player[i] == player]
    for i, action in zip(ships, actions, strict=False):  # after the ships, the shipyard may be asked
        ordered.order[i] = action
    ordered.spawn[player] = int(SPAWN in actions)
    return command_line(ordered, player)
