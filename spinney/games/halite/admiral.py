"""The admiral: all orders of a fleet in a turn, by rules of numbers that are compiled as one."""

from __future__ import annotations

from typing import Any

import pydantic

from spinney.games.halite import state
from spinney.games.halite.chart import Chart
from spinney.games.halite.fleet import make_orders
from spinney.games.halite.rules import can_spawn
from spinney.games.options import Options
from spinney.games.parts import Planner
from spinney.kernel import bind


class AdmiralOptions(Options):
    """The options of the admiral."""

    leave: float = pydantic.Field(
        3.5, ge=1, le=100, description="a ship leaves its cell for one with more than this many times its halite"
    )
    thrift: float = pydantic.Field(1.0, ge=0, le=10, description="weight of the halite burnt on the way to a cell")
    dropoffs: float = pydantic.Field(20, ge=1, le=1000, description="ships for each dropoff")
    ram: float = pydantic.Field(1.0, ge=0, le=10, description="weight of meetings with rivals that pay")
    caution: float = pydantic.Field(1.0, ge=0, le=10, description="weight of meetings that cost")
    follow: int = pydantic.Field(0, ge=0, description="most ships more than the largest other fleet; 0: any number")
    plain: bool = pydantic.Field(False, description="run as ordinary Python, for debugging; slow")


class Admiral:
    """Orders the fleet of one player in one game."""

    def __init__(self, options: AdmiralOptions) -> None:
        self.plain = options.plain
        self.give = bind(make_orders, "halite/admiral", plain=options.plain)
        self.chart: Any = Chart() if options.plain else Chart.native()
        for name, value in options.model_dump(exclude={"plain"}).items():
            setattr(self.chart, name, value)
        self.give(self._form(state.State(size=1, players=1)), self.chart, 0)  # compile it now
        self.chart.turn = state.NONE

    def _form(self, s: Any) -> Any:
        return s.copy() if self.plain else state.State.native(s)

    def orders(self, s: Any, player: int) -> list[int]:
        """The player's orders for a turn, in the order in which they are asked."""
        made = self._form(s)
        self.give(made, self.chart, player)
        given = s.piece if s.mover == player else 0
        orders = [int(made.order[i]) for i in range(given, s.ships) if s.player[i] == player]
        if can_spawn(s, player):
            orders.append(state.SPAWN if made.spawn[player] else state.STAY)
        return orders


def admiral(**options: Any) -> Any:
    """Orders a whole fleet by gain per turn and by the danger of meetings with rivals, without a search."""
    return Admiral(AdmiralOptions(**options)).orders


ADMIRALS: dict[str, Planner | str] = {
    "admiral": Planner(admiral, AdmiralOptions),
    "rammer": "admiral(ram=3, caution=0.5)",
    "saver": "admiral(leave=5, thrift=3)",
    "builder": "admiral(dropoffs=10)",
    "follower": "admiral(follow=1)",
}
"""The admiral, and variants of other styles."""
CHAMPION = "admiral"
"""The strongest player of the game that was found."""
