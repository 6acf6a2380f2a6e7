"""What a fleet builds, ships while they pay and dropoffs where home is far, and all orders of a turn with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spinney.games.halite.moves import Numbers, crashes, danger, settle, to_come, yard_is_free
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
"""What a ship is taken to earn in a turn before any has earned, as a part of the mean halite of a cell."""
FAR = 0.3
"""How far from home a dropoff is built, as a part of the map's side."""
RICH = 1.2
"""How rich its neighbourhood must be, in times of the map's mean."""
AROUND = 6
"""Steps to which the neighbourhood reaches."""
USUAL_SIZE = 48
"""The side of the map for which the number of ships a dropoff is given. On a larger one the way home is longer, there
is more to bring, and more time to do so."""
LAST_DROPOFF = 100
"""With fewer turns than this, none is built."""
KEEP = 1000.0
"""How much a ship that becomes a dropoff wants to stay."""


class Terms(NamedTuple):
    """On what terms a fleet builds."""

    spawn: float
    """The part of what a ship earns until the end that must be its price."""
    pool: float
    """So many times what it adds to the own share of what is left must be its price, too; 0: need not."""
    dropoffs: int
    """Ships for a dropoff on a map of the usual size; 0: none is built."""


FOREST = Terms(spawn=0.6, pool=2.0, dropoffs=24)
"""A forest's terms, the best that were found."""
CHAMPION = "forest(c=0.3, depth=16)"
"""The forest search with the best options that were found: a ship's tree has few simulations in a turn, so they are
short, and go where the ship did well."""


def command(s: Any, player: int, wishes: PieceStats) -> list[int]:
    """A player's orders from what a forest search found: the most visited ones, as far as they fit together.

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
    income = float(wishes.scores[ships].mean()) if ships else first_income(s)
    return orders_of_turn(s, player, ships, wants, income, FOREST)


def orders_of_turn(s: Any, player: int, ships: Sequence[int], wants: Numbers, income: float, terms: Terms) -> list[int]:
    """All orders that a player still has to give, from what its ships want and what one of them earns in a turn."""
    builder, saving = _builder(s, player, ships, terms.dropoffs)
    if builder is not None:
        wants[ships.index(builder)] = [KEEP, 0.0, 0.0, 0.0, 0.0]
    orders = settle(s, ships, wants, crashes(s))
    cost = 0
    if builder is not None:
        orders[ships.index(builder)] = CONSTRUCT
        cost = int(construction_price(s, builder))
    given = to_come(s, player, ships, orders)
    if not can_spawn(s, player) or s.treasury[player] - s.spent[player] - cost < SHIP_COST:
        return given
    wanted = not saving and _pays(s, player, income, terms) and yard_is_free(s, player, ships, orders)
    return [*given, SPAWN if wanted else STAY]


def first_income(s: Any) -> float:
    return float(FIRST_INCOME * s.total / (s.size * s.size))


def _pays(s: Any, player: int, income: float, terms: Terms) -> bool:
    """Whether another ship earns its price."""
    earns = income * (s.turns - s.turn)
    if s.fleet[player] == 0:  # no other ship's income to share
        return bool(earns >= SHIP_COST)
    shared = terms.pool and s.fleet[player] < s.ships  # who is alone has all of it, sooner with another ship
    if shared and terms.pool * s.total * _added(s, player) < SHIP_COST:
        return False
    return bool(terms.spawn * earns >= SHIP_COST)


def _added(s: Any, player: int) -> float:
    """How much larger a player's share of all ships becomes by another one."""
    own, ships = int(s.fleet[player]), int(s.ships)
    return (own + 1) / (ships + 1) - own / ships


def _builder(s: Any, player: int, ships: Sequence[int], each: int) -> tuple[int | None, bool]:
    """A ship that is to become a dropoff, where home is far and more halite is near than elsewhere; and whether there
    is one that cannot be paid yet."""
    built = int(s.built[player])
    size = int(s.size) if s.players == 2 else max(int(s.size), USUAL_SIZE)
    if not each or len(ships) < each * (built + 1) * (USUAL_SIZE / size) ** 3:
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
    """The mean halite of the cells around one."""
    x, y, size = cell % STRIDE, cell // STRIDE, int(s.size)
    total, count = 0, 0
    for dy in range(-AROUND, AROUND + 1):
        row = (y + dy) % size * STRIDE
        for dx in range(abs(dy) - AROUND, AROUND - abs(dy) + 1):
            total += s.halite[row + (x + dx) % size]
            count += 1
    return total / count
