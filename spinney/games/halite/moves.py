"""From the utilities of orders to orders: ships of one player never collide, except on own structures at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from spinney.games.halite.rules import can_leave
from spinney.games.halite.state import NONE, STAY, WEST, step

CRASH = 14
"""The number of last turns in which ships may collide on an own structure, which keeps their cargo."""
FORBIDDEN = 1e9

Numbers = NDArray[np.float64]


def assign_orders(s: Any, ships: Sequence[int], utility: Numbers, crash: bool) -> list[int]:
    """The orders of a player's ships with the greatest total utility in which no two enter the same cell.

    `utility` has a row for each ship and a column for each order from STAY to WEST. With `crash`, ships whose best
    order leads to an own structure get it.
    """
    orders = [STAY] * len(ships)
    targets = [[_target(s, i, order) for order in range(WEST + 1)] for i in ships]
    matched = []
    for n, i in enumerate(ships):
        best = int(np.argmax(utility[n]))
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
                cost[row, column[to]] = -utility[n, order]
    for row, c in zip(*linear_sum_assignment(cost), strict=True):
        n = matched[row]
        orders[n] = targets[n].index(cells[c])
    return orders


def _target(s: Any, i: int, order: int) -> int:
    return int(s.cell[i]) if order == STAY else int(step(s, int(s.cell[i]), order))


def yard_is_free(s: Any, player: int, ships: Sequence[int], orders: Sequence[int]) -> bool:
    """Whether no ship will be on a player's shipyard after these orders, as far as the player knows."""
    yard = int(s.yard[player])
    there = int(s.ship[yard])
    if there != NONE and s.player[there] != player:
        return False
    return all(_target(s, i, order) != yard for i, order in zip(ships, orders, strict=True))


def remaining_orders(s: Any, player: int, ships: Sequence[int], orders: Sequence[int]) -> list[int]:
    """The orders of the ships that have none yet in this turn."""
    given = s.piece if s.mover == player else 0
    return [order for i, order in zip(ships, orders, strict=True) if i >= given]


def may_crash(s: Any) -> bool:
    """Whether ships may collide on own structures."""
    return bool(s.turns - s.turn <= CRASH)


def danger(s: Any, player: int, cell: int) -> int:
    """The danger of a collision with a rival on a cell: 3 if one is there, 1 if one may enter it, else 0; 0 at home."""
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
