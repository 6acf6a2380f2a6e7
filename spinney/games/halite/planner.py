"""The planner: whole voyages for all ships every turn, new ships and dropoffs, and moves without collisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pydantic

from spinney.games.halite import state
from spinney.games.halite.building import danger, first_income, load_solver, orders_of_turn
from spinney.games.halite.players import nearest_home
from spinney.games.halite.voyages import Voyages, make_plan
from spinney.games.options import Options
from spinney.games.parts import Planner
from spinney.kernel import bind

BEST, SECOND, WAIT, ASIDE = 10.0, 8.0, 5.0, 2.0
"""The utility of the best direction, of the other direction to the goal, of staying, and of other moves."""
LEARN = 0.1
"""The learning rate of the mean income."""


class PlannerOptions(Options):
    """The options of the planner."""

    spawn: float = pydantic.Field(
        0.5, ge=0, description="spawn while this part of a ship's income until the end is more than its price"
    )
    pool: float = pydantic.Field(
        0.0, ge=0, description="and while this times the halite that it adds to the player's share is more; 0: always"
    )
    inspiration: float = pydantic.Field(
        0.0, ge=0, le=2, description="additional yield of inspired cells in games of four; 2: as in the rules"
    )
    skim: float = pydantic.Field(
        0.0, ge=0, le=10, description="price of a turn above the mean income: ships leave poor cells sooner"
    )
    caution: float = pydantic.Field(6.0, ge=0, le=100, description="penalty of cells that rivals may enter")
    dropoffs: int = pydantic.Field(
        0, ge=0, le=256, description="ships per dropoff on 48x48, scaled by the cube of the map's side; 0: none"
    )
    plain: bool = pydantic.Field(False, description="run as ordinary Python, for debugging; slow")


class FleetPlanner:
    """Plans the turns of one player in one game."""

    def __init__(self, options: PlannerOptions) -> None:
        load_solver()
        self.options = options
        self.building = options.model_dump(include={"spawn", "pool", "dropoffs"})
        self.plan = bind(make_plan, "halite/planner", plain=options.plain)
        self.voyages: Any = Voyages() if options.plain else Voyages.native()
        self.turn = -1
        self.left: dict[int, int] = {}
        """The turn in which each ship was last at home, by its id."""
        empty = state.State(size=1)
        self.plan(empty if options.plain else state.State.native(empty), self.voyages, 0)  # compile it now

    def orders(self, s: Any, player: int, given: Mapping[int, int] | None = None) -> list[int]:
        """The player's orders for a turn, in the order in which they are asked; `given` are those that are decided
        already, by their places in this list."""
        v = self.voyages
        v.skim = self.options.skim
        v.inspiration = self.options.inspiration if s.players > 2 else 0.0
        if s.turn <= self.turn or self.turn < 0:
            v.income = first_income(s)
        self.turn = int(s.turn)
        ships = [i for i in range(s.ships) if s.player[i] == player]
        self._note_homes(s, player, ships)
        v.spare = 1 + len(ships) // 12
        self.plan(s.copy() if self.options.plain else state.State.native(s), v, player)
        self._learn(ships)
        utility = np.array([self._utility(s, player, i) for i in ships]).reshape(len(ships), state.WEST + 1)
        asked = [*(i for i in ships if i >= s.piece), int(s.ships)]
        decided = {asked[place]: order for place, order in (given or {}).items()}
        return orders_of_turn(s, player, ships, utility, float(v.income), given=decided, **self.building)

    def _note_homes(self, s: Any, player: int, ships: list[int]) -> None:
        """Update the number of turns since each ship was at home."""
        before, self.left = self.left, {}
        for i in ships:
            number, home = int(s.id[i]), s.owner[s.cell[i]] == player
            self.left[number] = self.turn if home else before.get(number, self.turn)
            self.voyages.out[i] = self.turn - self.left[number]

    def _learn(self, ships: list[int]) -> None:
        """Move the mean income towards the halite per turn of the planned voyages."""
        v = self.voyages
        rates = [float(v.cargo[i]) / max(1.0, float(v.out[i] + v.turns[i])) for i in ships if v.cargo[i] > 0]
        if rates:
            v.income = (1 - LEARN) * v.income + LEARN * max(0.5, sum(rates) / len(rates))

    def _utility(self, s: Any, player: int, i: int) -> list[float]:
        """The utility of each order of a ship."""
        here = int(s.cell[i])
        goal = int(self.voyages.goal[i])
        home = goal == state.NONE
        goal = int(nearest_home(s, player, here)) if home else goal
        utility = [WAIT, ASIDE, ASIDE, ASIDE, ASIDE]
        if goal == here and not home:
            utility[state.STAY] = BEST
        else:
            ways = _ways(s, here, goal)
            for value, order in zip((BEST, SECOND), ways, strict=False):
                utility[order] = value
            if home:  # ships with more cargo have priority
                utility = [value * (1 + s.cargo[i] / 1000) for value in utility]
        for order in range(1, state.WEST + 1):
            utility[order] -= self.options.caution * danger(s, player, int(state.step(s, here, order)))
        return utility


def _ways(s: Any, here: int, goal: int) -> list[int]:
    """The directions that lead nearer to a goal, that over the poorer cell first."""
    size = int(s.size)
    east = (goal % state.STRIDE - here % state.STRIDE) % size
    south = (goal // state.STRIDE - here // state.STRIDE) % size
    ways = []
    if east:
        ways.append(state.EAST if 2 * east <= size else state.WEST)
    if south:
        ways.append(state.SOUTH if 2 * south <= size else state.NORTH)
    return sorted(ways, key=lambda order: s.halite[state.step(s, here, order)])


def planner(**options: Any) -> Any:
    """Plans a whole voyage for each ship on a map without the halite that other ships will mine."""
    return FleetPlanner(PlannerOptions(**options)).orders


PLANNERS = {"planner": Planner(planner, PlannerOptions, completes=True)}
SKIMMER = "planner(spawn=0.35, pool=2, inspiration=1, skim=0.5, dropoffs=24)"
"""The planner with the best options that were found."""
