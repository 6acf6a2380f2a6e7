"""The admiral: all orders of a fleet in a turn, by rules of numbers that are compiled as one."""

from __future__ import annotations

from typing import Any

import pydantic

from spinney.games.halite import chart, growth, rivals, rules, state, targets, traffic
from spinney.games.options import Options
from spinney.games.parts import Planner
from spinney.kernel import bind, rule


@rule
def give_orders(s, a, player):
    """Write a player's orders of this turn to the state."""
    if s.turn <= a.turn or a.turn < 0:
        for k in range(chart.IDS):
            a.homeward[k] = 0
            a.left[k] = s.turn
        a.site = state.NONE
        a.income = 0.08 * s.total / (s.size * s.size)
        a.trip = a.income
        for n in range(state.MAX_SHIPS):
            a.listed[n] = 0
        for other in range(state.MAX_PLAYERS):
            a.hits[other] = 0.0
            a.tried[other] = 0.0
        a.chances = 0
    rivals.learn(s, a, player)
    a.turn = s.turn
    chart.survey(s, a, player)
    if a.ships < s.ships:
        rivals.count_ships(s, a, player)
        rivals.note_chances(s, a, player)
        if a.hunt > 0.0:
            for i in range(s.ships):
                at = int(s.cell[i])
                if s.player[i] != player and s.owner[at] == state.NONE and a.balance[at] > 2:
                    a.yields[at] += a.hunt * s.cargo[i]
    a.saving = growth.wants_dropoff(s, a, player)
    if a.site != state.NONE and (s.owner[a.site] != state.NONE or not a.saving):
        a.site = state.NONE
    if a.saving and (a.site == state.NONE or s.turn % 8 == 0):
        chart.ways_home(s, a, player, a.away, a.burn, state.NONE)
        a.site = growth.choose_site(s, a, player)
    if a.site == state.NONE:
        a.saving = 0
    chart.ways_home(s, a, player, a.away, a.burn, a.site)
    paid = a.site != state.NONE and s.treasury[player] >= a.o3
    chart.ways_home(s, a, player, a.home, a.home_burn, a.site if paid else state.NONE)
    targets.choose_duties(s, a, player)
    builds = state.NONE
    if a.site != state.NONE:
        n = growth.find_builder(s, a)
        i = int(a.own[n])
        steps = state.distance(s, int(s.cell[i]), int(a.site))
        price = state.DROPOFF_COST - s.halite[a.site] - s.cargo[i]
        if s.treasury[player] + a.ships * a.income * 0.8 * steps >= price:
            a.duty[n] = targets.BUILD
            if steps == 0 and s.treasury[player] - s.spent[player] >= price:
                builds = n
    targets.choose_targets(s, a, player)
    for n in range(a.ships):
        if a.duty[n] == targets.BUILD:
            a.goal[n] = a.site
        elif a.duty[n] == targets.HOME:
            i = int(a.own[n])
            here = int(s.cell[i])
            dig = a.yields[here] / 4
            if a.homeward[s.id[i]] == 1 and dig >= a.linger and s.cargo[i] + dig * a.o4 <= state.CAPACITY:
                a.duty[n] = targets.MINE
                a.goal[n] = here
    traffic.set_utilities(s, a, player)
    if builds != state.NONE:
        for order in range(1, chart.ORDERS):
            a.use[builds, order] = traffic.NEVER
    traffic.assign(s, a, player)
    for n in range(a.ships):
        s.order[a.own[n]] = a.chosen[n]
    if builds != state.NONE:
        i = int(a.own[builds])
        s.order[i] = state.CONSTRUCT
        s.spent[player] += max(0, state.DROPOFF_COST - s.cargo[i] - s.halite[s.cell[i]])
        a.saving = 0
    s.spawn[player] = 1 if growth.wants_ship(s, a, player) else 0
    if s.spawn[player]:
        s.spent[player] += state.SHIP_COST


def make_admiral():
    """The function that gives a fleet its orders."""

    def orders(s, a, player):
        give_orders(s, a, player)

    return orders


DEFAULTS = dict(
    full=950.0,
    leave=3.5,
    out=2.0,
    fill=0.175,
    per_ship=2500.0,
    last_ship=140.0,
    first=17.0,
    each=20.0,
    around=25000.0,
    apart=9.0,
    drift=0.04,
    linger=50.0,
    slack=4.0,
    inspired=2.0,
    o1=0.0,
    blend=0.0,
    ram=1.0,
    caution=1.0,
    expects=0.3,
    hunt=0.0,
    follow=0.0,
    rise=1.3,
    reach=3.0,
    back=0.0,
    poor=2.0,
    least=300.0,
    o2=1.0,
    o3=3000.0,
    o4=1.0,
)


class AdmiralOptions(Options):
    """The options of the admiral."""

    ram: float = pydantic.Field(1.0, ge=0, le=10, description="weight of meetings with rivals that pay")
    caution: float = pydantic.Field(1.0, ge=0, le=10, description="weight of meetings that cost")
    plain: bool = pydantic.Field(False, description="run as ordinary Python, for debugging; slow")


class Admiral:
    """Orders the fleet of one player in one game."""

    def __init__(self, options: AdmiralOptions) -> None:
        self.plain = options.plain
        self.give = bind(make_admiral, "halite/admiral", plain=options.plain)
        self.chart: Any = chart.Chart() if options.plain else chart.Chart.native()
        self.chart.turn = -1
        for name, value in {**DEFAULTS, **options.model_dump(exclude={"plain"})}.items():
            setattr(self.chart, name, value)
        self.give(self._form(state.State(size=1, players=1)), self.chart, 0)  # compile it now
        self.chart.turn = -1

    def _form(self, s: Any) -> Any:
        return s.copy() if self.plain else state.State.native(s)

    def orders(self, s: Any, player: int) -> list[int]:
        """The player's orders for a turn, in the order in which they are asked."""
        made = self._form(s)
        self.give(made, self.chart, player)
        given = s.piece if s.mover == player else 0
        orders = [int(made.order[i]) for i in range(given, s.ships) if s.player[i] == player]
        if rules.can_spawn(s, player):
            orders.append(state.SPAWN if made.spawn[player] else state.STAY)
        return orders


def admiral(**options: Any) -> Any:
    """Orders a whole fleet by its economy and the danger of meetings, without a search."""
    return Admiral(AdmiralOptions(**options)).orders


ADMIRALS = {"admiral": Planner(admiral, AdmiralOptions)}
