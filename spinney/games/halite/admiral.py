"""The admiral: all orders of a fleet in a turn, by rules of numbers that are compiled as one."""

from __future__ import annotations

from typing import Any

import pydantic

from spinney.games.halite import chart, growth, state, targets, traffic
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
    a.turn = s.turn
    chart.survey(s, a, player)
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


DEFAULTS = dict(full=950.0, leave=3.0, out=2.0, fill=0.175, per_ship=2500.0, last_ship=140.0, first=17.0, each=20.0,
    around=25000.0, apart=9.0, drift=0.04, linger=50.0, slack=8.0, inspired=2.0, o1=0.0, blend=0.0, rise=1.3, reach=3.0, back=0.0, poor=2.0, least=300.0, o2=1.0, o3=3000.0, o4=1.0)
