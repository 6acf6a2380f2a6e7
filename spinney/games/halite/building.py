"""All orders of a turn of a fleet: new ships and dropoffs, and moves from their utilities.

Ships of one player never collide, except on own structures at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spinney.games.halite import state
from spinney.games.halite.players import nearest_home
from spinney.games.halite.rules import can_leave, can_spawn, construction_price
from spinney.games.parts import PieceStats

FIRST_INCOME = 0.08
"""The initial estimate of a ship's income per turn, as a part of the mean halite of a cell."""
FAR = 0.3
"""The least distance of a dropoff from home, as a part of the map's side."""
RICH = 1.2
"""The least mean halite around a dropoff, as a multiple of the map's mean."""
AROUND = range(-6, 7)
"""The steps in each direction to the cells in the neighbourhood of a dropoff."""
REFERENCE_SIZE = 48
"""The side of the map for which the number of ships per dropoff is given. On larger maps the way home is longer, there
is more halite, and more time."""
LAST_DROPOFF = 100
"""No dropoff is built in the last turns of the game."""
CRASH = 14
"""The number of last turns in which ships may collide on an own structure, which keeps their cargo."""
FORBIDDEN = 1e9
KEEP = 1000.0
"""The utility of STAY for a ship that becomes a dropoff."""
FOREST = {"spawn": 0.6, "pool": 2.0, "dropoffs": 24}
"""The best options of `orders_of_turn` that were found for a forest."""
CHAMPION_01 = "forest(c=0.3, depth=16)"
"""The best forest search that was found: a ship's tree has few simulations per turn, short and with low exploration."""

Numbers = NDArray[np.float64]


def load_solver() -> None:
    """Import SciPy's assignment solver now: that takes a third of a second, which no turn has to spare."""
    import scipy.optimize  # noqa: F401


def make_command() -> Callable[[Any, int, PieceStats], list[int]]:
    """`command`, ready to be called."""
    load_solver()
    return command


def command(s: Any, player: int, stats: PieceStats) -> list[int]:
    """A player's orders from the result of a forest search: the most visited ones, as far as they are compatible.

    Trees do not weigh a wreck above any other loss, which costs too many ships against three rivals. In such games
    ships avoid cells where a rival is or may go.
    """
    ships = [i for i in range(s.ships) if s.player[i] == player]
    visits = stats.visits[ships].astype(np.float64)
    utility = visits / np.maximum(1.0, visits.sum(axis=1, keepdims=True))
    if s.players > 2:
        for n, i in enumerate(ships):
            for order in range(1, state.WEST + 1):
                utility[n, order] -= danger(s, player, int(state.step(s, int(s.cell[i]), order)))
    income = float(stats.scores[ships].mean()) if ships else first_income(s)
    return orders_of_turn(s, player, ships, utility, income, given={}, **FOREST)


def orders_of_turn(
    s: Any, player: int, ships: list[int], utility: Numbers, income: float, spawn: float, pool: float, dropoffs: float,
    given: Mapping[int, int],
) -> list[int]:  # fmt: skip
    """All orders that a player still has to give, from the utilities of its ships and their mean income per turn;
    `spawn`, `pool` and `dropoffs` as in the options of the planner. `given` are orders that are decided already, by the
    numbers of the ships; the shipyard's number is that of all ships."""
    asked = s.piece if s.mover == player else 0
    fixed = {i: int(s.order[i]) for i in ships if i < asked} | {i: order for i, order in given.items() if i < s.ships}
    for i, order in fixed.items():
        n = ships.index(i)
        utility[n] = 0.0
        utility[n, order if order <= state.WEST else state.STAY] = KEEP
    cost = sum(int(construction_price(s, i)) for i, order in fixed.items() if i >= asked and order == state.CONSTRUCT)
    reserved = cost + (state.SHIP_COST if given.get(int(s.ships)) == state.SPAWN else 0)
    builder, saving = _builder(s, player, ships, fixed, dropoffs, reserved)
    if builder is not None:
        utility[ships.index(builder)] = [KEEP, 0.0, 0.0, 0.0, 0.0]
    orders = assign_orders(s, ships, utility, s.turns - s.turn <= CRASH)
    if builder is not None:
        orders[ships.index(builder)] = state.CONSTRUCT
        cost += int(construction_price(s, builder))
    orders = [fixed.get(i, order) for i, order in zip(ships, orders, strict=True)]
    remaining = [order for i, order in zip(ships, orders, strict=True) if i >= asked]
    if not can_spawn(s, player) or s.treasury[player] - s.spent[player] - cost < state.SHIP_COST:
        return remaining
    wanted = not saving and _pays(s, player, income, spawn, pool) and yard_is_free(s, player, ships, orders)
    return [*remaining, given.get(int(s.ships), state.SPAWN if wanted else state.STAY)]


def first_income(s: Any) -> float:
    """The initial estimate of a ship's income per turn."""
    return float(FIRST_INCOME * s.total / (s.size * s.size))


def _pays(s: Any, player: int, income: float, spawn: float, pool: float) -> bool:
    """Whether another ship pays its price."""
    earns = income * (s.turns - s.turn)
    own, ships = int(s.fleet[player]), int(s.ships)
    if own == 0:  # there is no share of the halite yet
        return bool(earns >= state.SHIP_COST)
    if pool and own < ships:  # without rivals, all halite is the player's anyway
        added = (own + 1) / (ships + 1) - own / ships  # the increase of the player's share of all ships
        if pool * s.total * added < state.SHIP_COST:
            return False
    return bool(spawn * earns >= state.SHIP_COST)


def _builder(
    s: Any, player: int, ships: Sequence[int], fixed: Mapping[int, int], each: float, reserved: int
) -> tuple[int | None, bool]:
    """The ship that becomes a dropoff, far from home in a rich area; and whether one is wanted but cannot be paid."""
    built = int(s.built[player])
    size = int(s.size) if s.players == 2 else max(int(s.size), REFERENCE_SIZE)
    if not each or len(ships) < each * (built + 1) * (REFERENCE_SIZE / size) ** 3:
        return None, False
    if s.turns - s.turn < LAST_DROPOFF or built >= state.MAX_DROPOFFS // s.players:
        return None, False
    far = FAR * s.size
    rich = RICH * s.total / (s.size * s.size)
    sites = []
    for i in ships:
        cell = int(s.cell[i])
        if (
            i not in fixed
            and s.owner[cell] == state.NONE
            and state.distance(s, cell, int(nearest_home(s, player, cell))) >= far
        ):
            around = _mean_around(s, cell)
            if around > rich:
                sites.append((around, i))
    if not sites:
        return None, False
    best = max(sites)[1]
    if construction_price(s, best) > s.treasury[player] - s.spent[player] - reserved:
        return None, True
    return best, False


def _mean_around(s: Any, cell: int) -> float:
    """The mean halite of the neighbourhood of a cell."""
    x, y, size = cell % state.STRIDE, cell // state.STRIDE, int(s.size)
    near = [(dx, dy) for dy in AROUND for dx in AROUND if abs(dx) + abs(dy) <= AROUND[-1]]
    return float(sum(s.halite[(y + dy) % size * state.STRIDE + (x + dx) % size] for dx, dy in near) / len(near))


# ---- moves without collisions


def assign_orders(s: Any, ships: Sequence[int], utility: Numbers, crash: bool) -> list[int]:
    """The orders of a player's ships with the greatest total utility in which no two enter the same cell.

    `utility` has a row for each ship and a column for each order from STAY to WEST. With `crash`, ships whose best
    order leads to an own structure get it.
    """
    from scipy.optimize import linear_sum_assignment

    orders = [state.STAY] * len(ships)
    targets = [[_target(s, i, order) for order in range(state.WEST + 1)] for i in ships]
    matched = []
    for n, i in enumerate(ships):
        best = int(np.argmax(utility[n]))
        if crash and best != state.STAY and can_leave(s, i) and s.owner[targets[n][best]] == s.player[i]:
            orders[n] = best
        else:
            matched.append(n)
    if not matched:
        return orders
    structures = {targets[n][orders[n]] for n in range(len(ships)) if orders[n] != state.STAY}
    cells = sorted({cell for n in matched for cell in targets[n]})
    column = {cell: c for c, cell in enumerate(cells)}
    cost = np.full((len(matched), len(cells)), FORBIDDEN)
    for row, n in enumerate(matched):
        for order in range(state.WEST + 1 if can_leave(s, ships[n]) else 1):
            to = targets[n][order]
            if order == state.STAY or to not in structures:
                cost[row, column[to]] = -utility[n, order]
    for row, c in zip(*linear_sum_assignment(cost), strict=True):
        n = matched[row]
        orders[n] = targets[n].index(cells[c])
    return orders


def _target(s: Any, i: int, order: int) -> int:
    return int(s.cell[i]) if order in (state.STAY, state.CONSTRUCT) else int(state.step(s, int(s.cell[i]), order))


def yard_is_free(s: Any, player: int, ships: Sequence[int], orders: Sequence[int]) -> bool:
    """Whether no ship will be on a player's shipyard after these orders, as far as the player knows."""
    yard = int(s.yard[player])
    there = int(s.ship[yard])
    if there != state.NONE and s.player[there] != player:
        return False
    return all(_target(s, i, order) != yard for i, order in zip(ships, orders, strict=True))


def danger(s: Any, player: int, cell: int) -> int:
    """The danger of a collision with a rival on a cell: 3 if one is there, 1 if one may enter it, else 0; 0 at home."""
    if s.owner[cell] == player:
        return 0
    there = int(s.ship[cell])
    if there != state.NONE and s.player[there] != player:
        return 3
    for order in range(1, state.WEST + 1):
        there = int(s.ship[state.step(s, cell, order)])
        if there != state.NONE and s.player[there] != player:
            return 1
    return 0
