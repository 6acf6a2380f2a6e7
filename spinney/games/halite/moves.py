"""From what ships want to what they are ordered: own ships never collide, but on own structures in the last turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from spinney.games.halite.rules import can_leave, can_spawn
from spinney.games.halite.state import NONE, SHIP_COST, SPAWN, STAY, WEST, step
from spinney.games.plan import Wishes

CRASH = 14
"""In so many last turns, ships may meet on an own structure: the cargo is saved."""
LAST_SPAWN = 50
"""With no more turns than this, no ship is built."""
FORBIDDEN = 1e9

Numbers = NDArray[np.float64]


def settle(s: Any, ships: Sequence[int], wants: Numbers, crash: bool) -> list[int]:
    """The orders of a player's ships that together please most and let no two meet: a ship, a cell.

    `wants` has a row for each ship and a column for each order from STAY to WEST. If they may crash, ships that most
    want to go to an own structure do.
    """
    orders = [STAY] * len(ships)
    targets = [[_target(s, i, order) for order in range(WEST + 1)] for i in ships]
    matched = []
    for n, i in enumerate(ships):
        best = int(np.argmax(wants[n]))
        if crash and best != STAY and can_leave(s, i) and s.owner[targets[n][best]] == s.player[i]:
            orders[n] = best
        else:
            matched.append(n)
    if not matched:
        return orders
    structures = {targets[n][orders[n]] for n in range(len(ships)) if orders[n] != STAY}
    cells = sorted({cell for n in matched for cell in targets[n]})
    column = {cell: c for c, cell in enumerate(cells)}
    cost = np.full((len(matched), len(cells)), FORBIDDEN)
    for row, n in enumerate(matched):
        for order in range(WEST + 1 if can_leave(s, ships[n]) else 1):
            to = targets[n][order]
            if order == STAY or to not in structures:
                cost[row, column[to]] = -wants[n, order]
    for row, c in zip(*linear_sum_assignment(cost), strict=True):
        n = matched[row]
        orders[n] = targets[n].index(cells[c])
    return orders


def _target(s: Any, i: int, order: int) -> int:
    return int(s.cell[i]) if order == STAY else int(step(s, int(s.cell[i]), order))


def yard_is_free(s: Any, player: int, ships: Sequence[int], orders: Sequence[int]) -> bool:
    """Whether nobody will be on a player's shipyard after these orders, as far as one knows."""
    yard = int(s.yard[player])
    there = int(s.ship[yard])
    if there != NONE and s.player[there] != player:
        return False
    return all(_target(s, i, order) != yard for i, order in zip(ships, orders, strict=True))


def to_come(s: Any, player: int, ships: Sequence[int], orders: Sequence[int]) -> list[int]:
    """The orders that are still to be given, if some ships of the player have theirs."""
    given = s.piece if s.mover == player else 0
    return [order for i, order in zip(ships, orders, strict=True) if i >= given]


def crashes(s: Any) -> bool:
    return bool(s.turns - s.turn <= CRASH)


def danger(s: Any, player: int, cell: int) -> int:
    """How likely a rival is met on a cell: 3, one is there; 1, one may go there; 0, none can, or it is at home."""
    if s.owner[cell] == player:
        return 0
    there = int(s.ship[cell])
    if there != NONE and s.player[there] != player:
        return 3
    for order in range(1, WEST + 1):
        there = int(s.ship[step(s, cell, order)])
        if there != NONE and s.player[there] != player:
            return 1
    return 0


def command(s: Any, player: int, wishes: Wishes) -> list[int]:
    """A player's orders from what a forest search found: the most visited ones, as far as they fit together, and a new
    ship while the fleet's mean income is such that it will earn its price.

    To a ship's tree, being wrecked is a loss like coming home with too little. Where three rivals crowd the map, ships
    that take it so lightly are soon gone, so they keep away from where a rival is or may go.
    """
    ships = [i for i in range(s.ships) if s.player[i] == player]
    visits = wishes.visits[ships].astype(np.float64)
    wants = visits / np.maximum(1.0, visits.sum(axis=1, keepdims=True))
    if s.players > 2:
        for n, i in enumerate(ships):
            for order in range(1, WEST + 1):
                wants[n, order] -= danger(s, player, int(step(s, int(s.cell[i]), order)))
    orders = settle(s, ships, wants, crashes(s))
    income = float(wishes.scores[ships].mean()) if ships else np.inf
    left = s.turns - s.turn
    wanted = left > LAST_SPAWN and income * left >= SHIP_COST and yard_is_free(s, player, ships, orders)
    return to_come(s, player, ships, orders) + ([SPAWN if wanted else STAY] if can_spawn(s, player) else [])
