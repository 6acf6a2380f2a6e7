"""Halite: an order is a tap on the cell where the ship will be, or a button."""

from __future__ import annotations

from typing import Any

from spinney.games.halite.board import ORDERS
from spinney.games.halite.recording import xy
from spinney.games.halite.rules import construction_price
from spinney.games.halite.state import CONSTRUCT, SHIP_COST, SPAWN, STAY, step
from spinney.games.picture import Tap

KEYS = ("s", "ArrowUp", "ArrowDown", "ArrowRight", "ArrowLeft", "c")
"""Of a ship's orders."""


def taps(s: Any, action: int, player: int) -> tuple[Tap, ...]:
    """The cell of the ship or a neighbour; a button for a dropoff, and for the shipyard."""
    if s.piece == s.ships:
        return (Tap(f"spawn a ship for {SHIP_COST} halite", key="g") if action == SPAWN else Tap("wait", key="w"),)
    i = int(s.piece)
    ship, key = f"ship {s.id[i]}", KEYS[action]
    if action == CONSTRUCT:
        return (Tap(f"{ship}: become a dropoff for {construction_price(s, i)} halite", key=key),)
    to = s.cell[i] if action == STAY else step(s, s.cell[i], action)
    return (Tap(f"{ship}: {ORDERS[action]}", *xy(to), key=key),)
