"""New ships and dropoffs of a fleet, and all orders of a turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spinney.games.halite.moves import Numbers, assign_orders, danger, may_crash, remaining_orders, yard_is_free
from spinney.games.halite.players import nearest_home
from spinney.games.halite.rules import can_spawn, construction_price
from spinney.games.halite.state import (
    CONSTRUCT,
    MAX_DROPOFFS,
    NONE,
    SHIP_COST,
    SPAWN,
    STAY,
    STRIDE,
    WEST,
    distance,
    step,
)
from spinney.games.parts import PieceStats

FIRST_INCOME = 0.08
"""The initial estimate of a ship's income per turn, as a part of the mean halite of a cell."""
FAR = 0.3
"""The least distance of a dropoff from home, as a part of the map's side."""
RICH = 1.2
"""The least mean halite around a dropoff, as a multiple of the map's mean."""
AROUND = 6
"""The radius of the neighbourhood of a dropoff, in steps."""
REFERENCE_SIZE = 48
"""The side of the map for which the number of ships per dropoff is given. On larger maps the way home is longer, there
is more halite, and more time."""
LAST_DROPOFF = 100
"""No dropoff is built in the last turns of the game."""
KEEP = 1000.0
"""The utility of STAY for a ship that becomes a dropoff."""


class BuildOptions(NamedTuple):
    """When a fleet builds."""

    spawn: float
    """A ship is spawned if this part of its income until the end pays its price."""
    pool: float
    """And if this multiple of the halite that it adds to the player's share of what is left pays its price; 0:
    always."""
    dropoffs: int
    """The number of ships per dropoff on a map of REFERENCE_SIZE; 0: no dropoffs."""


FOREST = BuildOptions(spawn=0.6, pool=2.0, dropoffs=24)
"""The best options that were found for a forest."""
CHAMPION = "forest(c=0.3, depth=16)"
"""The forest search with the best options that were found: a ship's tree has few simulations per turn, so they are
short and explore little."""


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
            for order in range(1, WEST + 1):
                utility[n, order] -= danger(s, player, int(step(s, int(s.cell[i]), order)))
    income = float(stats.scores[ships].mean()) if ships else first_income(s)
    return orders_of_turn(s, player, ships, utility, income, FOREST)


def orders_of_turn(
    s: Any, player: int, ships: Sequence[int], utility: Numbers, income: float, options: BuildOptions
) -> list[int]:
    """All orders that a player still has to give, from the utilities of its ships and their mean income per turn."""
    builder, saving = _builder(s, player, ships, options.dropoffs)
    if builder is not None:
        utility[ships.index(builder)] = [KEEP, 0.0, 0.0, 0.0, 0.0]
    orders = assign_orders(s, ships, utility, may_crash(s))
    cost = 0
    if builder is not None:
        orders[ships.index(builder)] = CONSTRUCT
        cost = int(construction_price(s, builder))
    given = remaining_orders(s, player, ships, orders)
    if not can_spawn(s, player) or s.treasury[player] - s.spent[player] - cost < SHIP_COST:
        return given
    wanted = not saving and _pays(s, player, income, options) and yard_is_free(s, player, ships, orders)
    return [*given, SPAWN if wanted else STAY]


def first_income(s: Any) -> float:
    """The initial estimate of a ship's income per turn."""
    return float(FIRST_INCOME * s.total / (s.size * s.size))


def _pays(s: Any, player: int, income: float, options: BuildOptions) -> bool:
    """Whether another ship pays its price."""
    earns = income * (s.turns - s.turn)
    if s.fleet[player] == 0:  # there is no share of the halite yet
        return bool(earns >= SHIP_COST)
    shared = options.pool and s.fleet[player] < s.ships  # without rivals, all halite is the player's anyway
    if shared and options.pool * s.total * _added(s, player) < SHIP_COST:
        return False
    return bool(options.spawn * earns >= SHIP_COST)


def _added(s: Any, player: int) -> float:
    """The increase of a player's share of all ships by another one."""
    own, ships = int(s.fleet[player]), int(s.ships)
    return (own + 1) / (ships + 1) - own / ships


def _builder(s: Any, player: int, ships: Sequence[int], each: int) -> tuple[int | None, bool]:
    """The ship that becomes a dropoff, far from home and where the map is rich; and whether there is such a ship that
    cannot be paid yet."""
    built = int(s.built[player])
    size = int(s.size) if s.players == 2 else max(int(s.size), REFERENCE_SIZE)
    if not each or len(ships) < each * (built + 1) * (REFERENCE_SIZE / size) ** 3:
        return None, False
    if s.turns - s.turn < LAST_DROPOFF or built >= MAX_DROPOFFS // s.players:
        return None, False
    far = FAR * s.size
    rich = RICH * s.total / (s.size * s.size)
    sites = []
    given = s.piece if s.mover == player else 0
    for i in ships:
        cell = int(s.cell[i])
        if i >= given and s.owner[cell] == NONE and distance(s, cell, int(nearest_home(s, player, cell))) >= far:
            around = _mean_around(s, cell)
            if around > rich:
                sites.append((around, i))
    if not sites:
        return None, False
    best = max(sites)[1]
    if construction_price(s, best) > s.treasury[player] - s.spent[player]:
        return None, True
    return best, False


def _mean_around(s: Any, cell: int) -> float:
    """The mean halite of the neighbourhood of a cell."""
    x, y, size = cell % STRIDE, cell // STRIDE, int(s.size)
    total, count = 0, 0
    for dy in range(-AROUND, AROUND + 1):
        row = (y + dy) % size * STRIDE
        for dx in range(abs(dy) - AROUND, AROUND - abs(dy) + 1):
            total += s.halite[row + (x + dx) % size]
            count += 1
    return total / count
